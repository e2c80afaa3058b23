"""Games that are over as plays for other programs."""

import csv
import io
from datetime import datetime

from companion.archive import Archive, people
from companion.statistics.plays import as_bgstats, as_csv, as_json, read_plays
from companion.tabletop.match_result import Contender, MatchResult
from tests.statistics.test_tables import duel, dungeon, finish


def test_a_play_of_bg_stats_is_the_same_whenever_it_is_written(archive: Archive) -> None:
    ana = people.add_person(archive, "Ana").person
    players = (
        Contender("ana", "Ana", "won", ana, "D" * 12, "Ash Pack", 2, {"life": 9}),
        Contender("ben", "Ben", "lost", final={"life": 0}),
    )
    finish(archive, MatchResult("ana", players, 12, minutes=45, venue="The Attic"), "oddfrontier")
    first = as_bgstats(read_plays(archive))
    people.rename_person(archive, ana, "Annie")
    second = as_bgstats(read_plays(archive))
    (play,) = second["plays"]
    assert play["uuid"] == first["plays"][0]["uuid"]
    assert [player["uuid"] for player in first["players"]] == [player["uuid"] for player in second["players"]]
    assert [player["name"] for player in second["players"]] == ["Annie", "Ben"]
    (game,) = second["games"]
    (place,) = second["locations"]
    assert (play["gameRefId"], play["locationRefId"]) == (game["id"], place["id"])
    assert (game["name"], game["cooperative"], place["name"]) == ("Odd Frontier TCG", False, "The Attic")
    began = datetime.strptime(play["playDate"], "%Y-%m-%d %H:%M:%S")
    assert (play["playDateYmd"], play["durationMin"], play["rounds"]) == (int(f"{began:%Y%m%d}"), 45, 12)
    won, lost = play["playerScores"]
    assert (won["score"], won["winner"], won["role"], won["seatOrder"]) == ("9", True, "Ash Pack", 1)
    assert (lost["score"], lost["winner"], lost["startPlayer"]) == ("0", False, False)


def test_what_all_win_together_has_no_points(archive: Archive) -> None:
    dungeon(archive, "win")
    written = as_bgstats(read_plays(archive))
    assert (written["games"][0]["cooperative"], written["games"][0]["noPoints"]) == (True, True)
    assert [score["winner"] for score in written["plays"][0]["playerScores"]] == [True, True]


def test_a_spreadsheet_has_a_row_for_each_of_the_people(archive: Archive) -> None:
    duel(archive, "Ana", "Ben", decks=("D" * 12, ""))
    rows = list(csv.DictReader(io.StringIO(as_csv(read_plays(archive)))))
    assert [(row["name"], row["result"], row["opponents"], row["version"]) for row in rows] == [
        ("Ana", "won", "Ben", "1"),
        ("Ben", "lost", "Ana", "2"),
    ]


def test_no_cell_is_a_formula(archive: Archive) -> None:
    finish(archive, MatchResult("win", (Contender("a", "=1+1", "won"),)))
    (row,) = csv.DictReader(io.StringIO(as_csv(read_plays(archive))))
    assert row["name"] == "'=1+1"


def test_people_are_called_as_outside_of_the_house(archive: Archive) -> None:
    ana, ben = (people.add_person(archive, name).person for name in ("Ana", "Ben"))
    people.set_alias(archive, "Ana", "Grey Fox")
    people.set_alias(archive, "Ben", hidden=True)
    players = (Contender("a", "Ana", "won", ana), Contender("b", "Ben", "won", ben))
    finish(archive, MatchResult("win", players))
    assert [player.name for player in read_plays(archive)[0].players] == ["Grey Fox", "Player 1"]


def test_a_seat_does_not_say_whose_name_stays_at_home(archive: Archive) -> None:
    people.add_person(archive, "Ben")
    people.set_alias(archive, "Ben", hidden=True)
    duel(archive, "Ana", "Ben")
    duel(archive, "Ben", "Ana")
    plays = read_plays(archive)
    assert [play.outcome for play in plays] == [plays[0].players[0].seat, plays[1].players[0].seat]
    assert "ben" not in (as_csv(plays) + as_json(plays)).lower()
    assert "Ana" in as_csv(plays)
