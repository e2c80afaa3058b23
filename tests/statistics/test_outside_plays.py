"""Games that were played without the companion: exports of BG Stats, and lists of scores."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from companion.archive import Archive, maintenance
from companion.archive.errors import Unreadable
from companion.archive.exchange import archive_export, import_log
from companion.archive.exchange.pages import add_page
from companion.archive.exchange.play_import import import_plays, sort_plays
from companion.archive.exchange.play_removal import list_plays, remove_play, restore_play
from companion.archive.people import forgetting, people
from companion.archive.storage.results import ResultRow, read_results
from companion.statistics import bgstats_file, score_list
from companion.statistics.bgstats_file import PlayFile
from companion.statistics.outside_plays import read_score
from companion.statistics.plays import as_bgstats, read_plays
from companion.statistics.score_list import Choices, ScoreList
from companion.statistics.tables import compute_statistics
from companion.tabletop.action import NotationError
from companion.tabletop.table.match_result import MatchResult
from tests.archive import crowns
from tests.statistics.test_tables import duel, finish, side

PLAYERS = [{"id": 1, "name": "Ana"}, {"id": 2, "name": "Ben"}, {"id": 3, "name": "Cy"}]
GAMES = [
    {"id": 1, "name": "Wingspan", "bggId": 266192, "cooperative": False, "highestWins": True, "noPoints": False},
    {"id": 2, "name": "Pandemic", "cooperative": 1, "highestWins": 1, "noPoints": 1},
    {"id": 3, "name": "Golf/18.toml", "highestWins": False},
]


def score(player: int, points: Any = "", *, won: Any = False, **more: Any) -> dict[str, Any]:
    return {"playerRefId": player, "score": points, "winner": won, **more}


def play(uuid: str, game: int, *scores: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"uuid": uuid, "gameRefId": game, "playDate": "2024-05-01 19:30:00", "playerScores": scores, **more}


WINGSPAN = play("p1", 1, score(1, "70+12", won=True, startPlayer=True), score(2, 75), score(3, "80"), durationMin=70)


def export(*plays: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"games": GAMES, "players": PLAYERS, "plays": plays, **more}).encode()


def read(archive: Archive, *plays: dict[str, Any], **more: Any) -> PlayFile:
    return bgstats_file.read_bgstats(archive, export(*plays, **more), "plays.json")


def store(archive: Archive, *plays: dict[str, Any]) -> tuple[int, int, int]:
    """Import plays; the numbers of new, changed and known ones."""
    result = import_plays(archive, read(archive, *plays).plays, bgstats_file.BGSTATS_AUTHOR, "plays.json")
    return len(result.new), len(result.changed), result.stored


def listed(archive: Archive) -> list[ResultRow]:
    with archive.store.reading() as transaction:
        return list(read_results(transaction))


def wins_of(archive: Archive, by: str = "person") -> dict[str, tuple[int, int, int]]:
    return {str(group.title): (group.games, group.won, group.lost) for group in compute_statistics(archive, by).groups}


def test_plays_of_other_games_count_in_statistics(archive: Archive) -> None:
    duel(archive, "Ana", "Ben")
    assert store(archive, WINGSPAN) == (1, 0, 0)
    assert wins_of(archive) == {"Ana": (2, 2, 0), "Ben": (2, 0, 2), "Cy": (1, 0, 1)}
    assert {title.partition(":")[0] for title in wins_of(archive, "players")} >= {"Wingspan"}
    assert compute_statistics(archive, game="Wingspan").games == 1
    (row,) = (row for row in listed(archive) if row.game == "Wingspan")
    assert (row.result.minutes, row.result.first, row.result.outcome) == (70, "seat1", "seat1")
    assert [(each.name, each.place, each.final) for each in row.result.players] == [
        ("Ana", 1, {"score": 82}),
        ("Ben", 3, {"score": 75}),
        ("Cy", 2, {"score": 80}),
    ]
    began = datetime.strptime("2024-05-01 20:40:00", "%Y-%m-%d %H:%M:%S").astimezone(UTC)
    assert row.at == began


def test_a_file_is_imported_once(archive: Archive) -> None:
    store(archive, WINGSPAN)
    before = listed(archive)
    assert store(archive, WINGSPAN) == (0, 0, 1)
    assert store(archive, WINGSPAN, WINGSPAN) == (0, 0, 1)
    assert listed(archive) == before


def test_a_play_that_was_changed_replaces_the_earlier_one(archive: Archive) -> None:
    store(archive, WINGSPAN)
    later = WINGSPAN | {"modificationDate": "2024-06-01 08:00:00", "durationMin": 80}
    assert store(archive, later) == (0, 1, 0)
    assert [row.result.minutes for row in listed(archive)] == [80]
    assert store(archive, WINGSPAN) == (0, 0, 1)
    assert [row.result.minutes for row in listed(archive)] == [80]
    import_log.undo_import(archive)
    assert [row.result.minutes for row in listed(archive)] == [70]
    import_log.undo_import(archive)
    assert listed(archive) == []


@pytest.mark.parametrize(
    ("scores", "game", "outcome", "results"),
    [
        ((score(1, "3", won=True), score(2, "3", won=True)), 1, "draw", "draw draw"),
        ((score(1, "3", won=1), score(2, "3", won=1), score(3, "1", won=0)), 1, "seat1+seat2", "won won lost"),
        ((score(1, won=True), score(2, won=True)), 2, "win", "won won"),
        ((score(1), score(2, None)), 2, "loss", "lost lost"),
        ((score(1, "12", won=False),), 1, "loss", "lost"),
        ((score(1, 12.5, won=True), score(2, "7,25")), 3, "seat1", "won lost"),
    ],
)
def test_winners_are_those_of_the_app(
    archive: Archive, scores: tuple[dict[str, Any], ...], game: int, outcome: str, results: str
) -> None:
    (kept,) = read(archive, play("p", game, *scores)).plays
    assert kept.result.outcome == outcome
    assert " ".join(each.result for each in kept.result.players) == results


def test_plays_that_say_too_little_are_left_out_and_counted(archive: Archive) -> None:
    file = read(
        archive,
        WINGSPAN,
        play("p2", 1, score(1, "3"), score(2, "4")),
        play("p3", 1, ignored=True),
        play("p4", 9, score(1, won=True)),
        play("p5", 1, score(1, won=True), playDate="yesterday"),
        play("p6", 1, score(1, won=True), playDate="0001-01-01 00:00:00"),
        play("p7", 1),
    )
    assert (len(file.plays), file.ignored, file.undecided, file.broken) == (1, 1, 2, 3)


def test_games_of_the_companion_come_back_as_its_own(archive: Archive) -> None:
    duel(archive, "Ana", "Ben")
    (ours,) = read_plays(archive)
    back = json.dumps(as_bgstats([ours])).encode()
    assert bgstats_file.read_bgstats(archive, back, "back.bgsplay")[:2] == ((), 1)
    handed = json.loads(back)
    handed["plays"][0]["uuid"] = "another, given by the app"
    assert bgstats_file.read_bgstats(archive, json.dumps(handed).encode(), "back.bgsplay").ours == 1


def test_a_game_that_is_known_here_counts_as_that(archive: Archive) -> None:
    games = [{"id": 1, "name": "rummy SCORE sheet"}]
    kept, *_ = read(archive, play("p", 1, score(1, "9", won=True), score(2, "4")), games=games).plays
    assert (kept.game, kept.result.players[0].final) == ("rummy", {"points": 9})
    add_page(archive, crowns.ONE.replace("title = ", "bgg = 42\ntitle = ", 1))
    kept, *_ = read(archive, play("p", 1, score(1, won=True)), games=[{"id": 1, "name": "Else", "bggId": 42}]).plays
    assert (kept.game, kept.title) == ("crown", "Else")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"plays": []}', b"\xff\xfe{", b'{"games": 1, "plays": []}', b"[" * 100_000, b"PK\x03\x04"],
)
def test_another_file_is_refused_by_name(archive: Archive, content: bytes) -> None:
    with pytest.raises(Unreadable, match=r"“x\.json” is not an export of BG Stats"):
        bgstats_file.read_bgstats(archive, content, "x.json")


def test_names_from_outside_are_clean(archive: Archive) -> None:
    players = [{"id": 1, "name": "A\u202e\x1b[31m\n" + "x" * 5000}, {"id": 2, "name": "Ben"}]
    games = [{"id": 1, "name": "../../etc\x00\tGame"}]
    (kept,) = read(archive, play("p", 1, score(1, "9" * 400, won=True), score(2)), players=players, games=games).plays
    assert kept.title == "../../etc· Game"
    ana, _ = kept.result.players
    assert (ana.name[:6], len(ana.name), ana.final) == ("A··[31", 200, {})
    import_plays(archive, [kept], bgstats_file.BGSTATS_AUTHOR, "x")
    assert compute_statistics(archive, game=kept.title).games == 1


def test_homes_that_import_the_same_file_can_be_joined(archive: Archive, tmp_path: Path) -> None:
    store(archive, WINGSPAN)
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        store(other, WINGSPAN, play("p2", 2, score(1, won=True)))
        archive_export.export_archive(other, tmp_path / "sent")
        assert archive_export.import_archive(archive, tmp_path / "sent").new == 1
        assert listed(archive) == listed(other)
        with Archive.open(str(tmp_path / "third.sqlite")) as third:
            maintenance.copy_archive(archive, third)
            assert listed(third) == listed(other)


def test_lists_of_plays_are_checked_and_rebuilt(archive: Archive) -> None:
    store(archive, WINGSPAN)
    before = listed(archive)
    assert maintenance.check_archive(archive) == ()
    with archive.store.writing() as transaction:
        transaction.connection.exec_driver_sql("DELETE FROM results")
    (fault,) = maintenance.check_archive(archive)
    assert fault.mendable
    maintenance.repair(archive)
    assert listed(archive) == before
    assert maintenance.check_archive(archive) == ()


def test_a_forgotten_person_stays_without_a_name(archive: Archive) -> None:
    people.add_person(archive, "Cy")
    store(archive, WINGSPAN)
    forgotten = forgetting.forget_person(archive, "Cy")
    assert "Cy" not in wins_of(archive)
    assert forgotten.traces.plays == 1
    assert any("1 play from another program still names them" in str(each) for each in forgotten.traces.sentences())
    maintenance.repair(archive)
    assert "Cy" not in wins_of(archive)


# Removal


def test_a_removed_play_counts_no_more_until_it_is_restored(archive: Archive) -> None:
    store(archive, WINGSPAN)
    before = listed(archive)
    (imported,) = list_plays(archive)
    assert remove_play(archive, imported.id).is_removed
    assert listed(archive) == []
    assert maintenance.check_archive(archive) == ()
    # Neither the same file nor a change in the app brings it back.
    later = WINGSPAN | {"modificationDate": "2024-06-01 08:00:00", "durationMin": 80}
    assert store(archive, WINGSPAN, later) == (0, 0, 0)
    maintenance.repair(archive)
    assert listed(archive) == []
    assert not restore_play(archive, imported.id).is_removed
    assert listed(archive) == before
    with archive.store.reading() as transaction:
        kinds = [entry.kind for entry in transaction.read(f"play:{imported.row.play}")]
    assert kinds == ["play", "play-removed", "play-restored"], "nothing is deleted"
    assert store(archive, later) == (0, 1, 0)
    (both,) = list_plays(archive)
    remove_play(archive, both.id)
    assert listed(archive) == []
    assert maintenance.check_archive(archive) == ()


def test_an_import_can_be_undone_after_a_removal(archive: Archive) -> None:
    store(archive, WINGSPAN, play("p2", 2, score(1, won=True)))
    remove_play(archive, list_plays(archive)[0].id)
    import_log.undo_import(archive)
    assert list_plays(archive) == ()
    assert maintenance.check_archive(archive) == ()
    assert store(archive, WINGSPAN) == (1, 0, 0)


def test_a_removal_travels_with_the_archive(archive: Archive, tmp_path: Path) -> None:
    store(archive, WINGSPAN, play("p2", 2, score(1, won=True)))
    remove_play(archive, list_plays(archive)[0].id)
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        store(other, WINGSPAN, play("p2", 2, score(1, won=True)))
        archive_export.export_archive(archive, tmp_path / "sent")
        archive_export.import_archive(other, tmp_path / "sent")
        assert listed(other) == listed(archive)
        import_log.undo_import(other)
        assert len(listed(other)) == 2
        assert maintenance.check_archive(other) == ()


# Lists of scores


def scores(text: str, game: str = "rummy", **choices: Any) -> ScoreList:
    return score_list.read_scores(text.encode(), "scores.csv", Choices(game, **choices))


def facts(text: str, **choices: Any) -> list[str]:
    """Each game of a list in short: its day, and whoever won, lost or drew with their points."""
    return [
        " ".join(
            [
                f"{each.at:%m-%d}",
                *(
                    f"{player.name}:{player.result[0]}{player.final.get('points', '')}"
                    for player in each.result.players
                ),
            ]
        )
        for each in scores(text, **choices).plays
    ]


@pytest.mark.parametrize(
    "text",
    [
        "date,players,scores\n2024-05-31,Ana; Ben,12; 30\n2024-06-01,Ana; Ben; Cy,5;5;1\n",
        "date;Ana;Ben;Cy\n2024-05-31;12;30;\n2024-06-01;5;5;1\n",
        "Date\tPlayer\tScore\n31.5.2024\tAna\t12\n31.5.2024\tBen\t30\n\n1.6.2024\tAna\t5\n1.6.2024\tBen\t5\n1.6.2024\tCy\t1",
        "\ufeffDatum;Spieler;Punkte\r\n31.05.2024;Ana;12\r\n31.05.2024;Ben;30\r\n1.6.2024;Ana;5\r\n1.6.2024;Ben;5\r\n1.6.2024;Cy;1\r\n",
    ],
)
def test_scores_are_read_in_each_layout(text: str) -> None:
    assert facts(text) == ["05-31 Ana:l12 Ben:w30", "06-01 Ana:w5 Ben:w5 Cy:l1"]
    assert scores(text).problems == ()


def test_games_of_one_day_are_told_apart() -> None:
    text = "date,player,score\n2024-01-02,Ana,3\n2024-01-02,Ben,4\n2024-01-02,Ana,3\n2024-01-02,Ben,4\n"
    assert facts(text) == ["01-02 Ana:l3 Ben:w4"] * 2
    assert len({each.source for each in scores(text).plays}) == 2
    numbered = "date,number,player,score\n2024-01-02,1,Ana,3\n2024-01-02,2,Ben,4\n"
    assert len(scores(numbered + "2024-01-02,2,Cy,5\n").problems) == 1


def test_what_is_unclear_is_asked() -> None:
    with pytest.raises(NotationError, match="--game"):
        scores("date,Ana\n2024-01-01,3\n", game="")
    unclear = "date,Ana,Ben\n3/4/2024,1,2\n"
    with pytest.raises(NotationError, match="“3/4/2024” begin with the day or the month"):
        scores(unclear)
    assert facts(unclear, dates="dmy")[0][:5] == "04-03"
    assert facts(unclear, dates="mdy")[0][:5] == "03-04"
    assert facts("date,Ana,Ben\n3/4/2024,1,2\n3/13/2024,1,2\n")[0][:5] == "03-04"
    with pytest.raises(NotationError, match="highest or the lowest"):
        scores(unclear, game="Golf", dates="dmy")
    (golf,) = scores(unclear, game="Golf", dates="dmy", lowest_wins=True).plays
    assert (golf.title, golf.game, golf.result.outcome) == ("Golf", "", "seat1")
    (named,) = scores("date,players,winner\n2024-01-01,Ana & Ben,Ben\n", game="Golf").plays
    assert named.result.outcome == "seat2"


def test_rows_that_cannot_be_read_are_named() -> None:
    read = scores("date,Ana,Ben,notes\n2024-02-30,1,2,\n\n2024-02-28,x,2,\n2024-02-27,1,2,fun\n2024-02-26,1,2,\n")
    assert [str(problem) for problem in read.problems] == [
        "Row 2: there is no date such as 2024-05-31.",
        "Row 4: “x” is no score.",
        "Row 5: “fun” is no score.",
    ]
    assert len(read.plays) == 1
    (problem,) = scores('date,players,scores\n2024-01-01,"Ana, Ben",1\n').problems
    assert str(problem) == "Row 2: the number of scores (1) is not that of the players (2)."


@pytest.mark.parametrize("text", ["", "\n\n", "Ana,Ben\n1,2\n", "\x00\x01"])
def test_a_table_without_dates_is_none(text: str) -> None:
    with pytest.raises(Unreadable, match=r"“scores\.csv” is not a table of scores"):
        scores(text)


def test_a_list_is_imported_once(archive: Archive) -> None:
    some = scores("date,Ana,Ben\n2024-01-01,3,4\n2024-01-01,3,4\n").plays
    assert len(import_plays(archive, some, score_list.SCORES_AUTHOR, "scores.csv").new) == 2
    more = scores("date,Ana,Ben\n2024-01-01,3,4\n2024-01-01,3,4\n2024-01-01,4,3\n").plays
    assert [len(sort_plays(archive, more).new), sort_plays(archive, more).stored] == [1, 2]
    finish(archive, MatchResult("ana", (side("Ana", "won"), side("Ben", "lost"))), "rummy")
    assert wins_of(archive) == {"Ana": (3, 1, 2), "Ben": (3, 2, 1)}


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("12", 12),
        ("70+12", 82),
        ("-3", -3),
        ("\u22123", -3),
        ("10-3", 7),
        ("4,5", "4.5"),
        ("", None),
        ("a", None),
        ("9" * 50, None),
    ],
)
def test_a_score_is_a_number_or_a_sum(text: str, total: object) -> None:
    assert read_score(text) == (None if total is None else Decimal(str(total)))
