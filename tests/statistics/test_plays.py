"""Games that are over as plays for other programs."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.archive import Archive
from companion.archive.people import people
from companion.games import registry
from companion.session.core import archive_journal
from companion.statistics.plays import as_bgstats, as_csv, as_json, bgstats_link, read_plays
from companion.tabletop.table.match_result import Contender, MatchResult
from tests.games.described import pages
from tests.statistics.test_tables import duel, dungeon, finish, rummy


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


def test_a_link_hands_a_play_to_the_app(archive: Archive) -> None:
    ana = people.add_person(archive, "Ana & Zoë").person
    players = (
        Contender("ana", "Ana & Zoë", "won", ana, "D" * 12, "Ash Pack", 2, {"life": 9}),
        Contender("ben", "Ben", "lost", final={"life": 0}),
    )
    finish(archive, MatchResult("ana", players, 12, minutes=45, venue="The Attic #2", first="ben"), "oddfrontier")
    (played,) = read_plays(archive)
    link = urlsplit(bgstats_link(played))
    assert (link.scheme, link.netloc, link.path, link.fragment) == (
        "bgstats",
        "app.bgstatsapp.com",
        "/createPlay.html",
        "",
    )
    (text,) = parse_qs(link.query, strict_parsing=True)["data"]
    data = json.loads(text)
    assert (data["sourcePlayId"], data["location"], data["durationMin"]) == (played.session, "The Attic #2", 45)
    assert (data["game"]["name"], data["game"]["noPoints"]) == ("Odd Frontier TCG", False)
    assert datetime.strptime(data["playDate"], "%Y-%m-%d %H:%M:%S").astimezone() == played.began.replace(microsecond=0)
    assert [(each["name"], each["score"], each["winner"], each["startPlayer"]) for each in data["players"]] == [
        ("Ana & Zoë", 9, True, False),
        ("Ben", 0, False, True),
    ]


@pytest.mark.parametrize(
    ("points", "rules", "ranks"),
    [
        ((510, 510, 3), "", (1, 1, 3)),
        ((3, 510, 510), "", (3, 1, 1)),
        ((510, 4, 3), "", (1, 2, 3)),
        ((510, 20, 20), "rule winner fewest", (3, 1, 1)),
    ],
)
def test_all_places_are_written(archive: Archive, points: tuple[int, ...], rules: str, ranks: tuple[int, ...]) -> None:
    rummy(archive, *points, rules=rules)
    plays = read_plays(archive)
    written = as_bgstats(plays)
    (game,), (play,) = written["games"], written["plays"]
    assert tuple(row["rank"] for row in play["playerScores"]) == ranks
    assert tuple(row["winner"] for row in play["playerScores"]) == tuple(rank == 1 for rank in ranks)
    assert tuple(row["score"] for row in play["playerScores"]) == tuple(map(str, points))
    assert game["highestWins"] is not bool(rules)
    rows = csv.DictReader(io.StringIO(as_csv(plays)))
    assert tuple(int(row["place"]) for row in rows) == ranks


def test_places_of_earlier_editions_follow_from_their_figures(archive: Archive) -> None:
    def rummy_of(points: dict[str, int], winner: str) -> None:
        players = (
            Contender(name, name.title(), "won" if name == winner else "lost", final={"points": figure})
            for name, figure in points.items()
        )
        page = registry.game("rummy").page
        finish(archive, MatchResult(winner, tuple(players)), "rummy")
        assert archive.sessions()[0].page == page

    rummy_of({"ana": 20, "ben": 500, "cy": 90, "dee": 20}, "ben")
    duel(archive, "Ana", "Ben")
    dungeon(archive, "loss")
    finish(archive, MatchResult("draw", (Contender("ana", "Ana", "draw"), Contender("ben", "Ben", "draw"))))
    places = [tuple(player.place for player in play.players) for play in read_plays(archive)]
    assert places == [(3, 1, 2, 3), (1, 2), (0, 0), (1, 1)]


@pytest.mark.parametrize(("game", "begins"), [("solforge", "ben"), ("oddfrontier", "ana"), ("life", "ben")])
def test_who_began_is_written(archive: Archive, game: str, begins: str) -> None:
    session = archive_journal.start(archive, game, "Friday")
    for line in ('seat ana name "Ana"', 'seat ben name "Ben"', f"first {begins}", "begin seed 1", "concede ana"):
        session.enter(line)
    plays = read_plays(archive)
    rows = as_bgstats(plays)["plays"][0]["playerScores"]
    assert [row["startPlayer"] for row in rows] == [begins == "ana", begins == "ben"]
    assert [row["began"] for row in csv.DictReader(io.StringIO(as_csv(plays)))] == [
        "yes" if begins == seat else "" for seat in ("ana", "ben")
    ]


def test_everything_says_when_it_was_changed(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 20, 12, tzinfo=UTC)]
    with Archive.open(str(tmp_path / "plays.sqlite"), clock=lambda: now[0]) as archive:
        ana = people.add_person(archive, "Ana").person
        players = (Contender("a", "Ana", "won", ana), Contender("b", "Ben", "lost"))
        finish(archive, MatchResult("a", players, venue="The Attic"))
        first = as_bgstats(read_plays(archive))
        now[0] += timedelta(days=2)
        people.rename_person(archive, ana, "Annie")
        second = as_bgstats(read_plays(archive))
    changed = [[thing["modificationDate"][:10] for thing in second[kind]] for kind in ("players", "plays", "games")]
    assert changed == [["2026-11-22", "2026-11-20"], ["2026-11-20"], ["2026-11-20"]]
    assert {thing["modificationDate"][:10] for thing in (*first["players"], *first["locations"])} == {"2026-11-20"}


def test_a_page_says_the_number_at_boardgamegeek(archive: Archive) -> None:
    page = pages.load(pages.TABLES / "keys" / "teams-tie.toml")
    assert page.bgg == 12345
    session = archive_journal.start(archive, "pairs", "Friday")
    for line in (*(f"seat {name}" for name in ("ana", "ben", "cy", "dee", "eve", "flo")), "begin", "set dee points 10"):
        session.enter(line)
    (game,) = as_bgstats(read_plays(archive))["games"]
    assert game["bggId"] == 12345


def test_somebody_at_two_seats_has_one_row(archive: Archive) -> None:
    rummy(archive, 12, 510, -5, names=("Ana", "Ana", "Ben"))
    (play,) = as_bgstats(read_plays(archive))["plays"]
    assert [(row["score"], row["rank"]) for row in play["playerScores"]] == [("510", 1), ("-5", 2)]


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
