"""The list of results: kept with each line and each seal, made anew from what is stored, without forgotten names."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.archive import Archive, StoredLine, maintenance
from companion.archive.exchange import archive_export, import_log
from companion.archive.people import forgetting, people
from companion.archive.storage.results import ResultRow, read_results, relist
from companion.archive.storage.schema import results
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.evening import BossFight, Dungeon, EveningHit
from companion.session.core import archive_journal
from companion.tabletop.evening import Participant
from companion.tabletop.notation.cards import Card
from companion.tabletop.table.match_result import Contender, MatchResult
from tests.archive import bands
from tests.games.constructed.test_table import enter, seated

WON = MatchResult("win", (Contender("ana", "Ana", "won"),), 7)


def listed(archive: Archive) -> list[ResultRow]:
    with archive.store.reading() as transaction:
        return list(read_results(transaction))


def make_anew(archive: Archive) -> None:
    with archive.store.writing() as transaction:
        relist(transaction)


def finish(archive: Archive, result: MatchResult, game: str = "keepsake") -> str:
    """A session that ended so."""
    session = archive.new_session(game)
    archive.append_lines(session, 1, [StoredLine("seal", 1, result=result)])
    return session


def old_dungeon(archive: Archive, evening: Dungeon | None, result: MatchResult | None = None) -> tuple[str, str]:
    """A dungeon as it was sealed before more was kept with its last line: its session, and the band."""
    band = bands.found_band(archive)
    session = archive.new_session("decknforge")
    played = m.DungeonPlayed("Ana", "win", 6, 9, 21, evening)
    archive.seal(session, 1, [StoredLine("seal", 1, result=result)], {band: [played]})
    make_anew(archive)
    return session, band


def test_a_result_is_listed_with_the_line_that_ends_the_game(archive: Archive) -> None:
    session = seated(archive, "solforge")
    assert listed(archive) == []
    enter(session, "concede ben")
    (row,) = listed(archive)
    assert (row.session, row.game, row.result.outcome, row.result.rules) == (session.id, "solforge", "ana", {})
    enter(session, "undo")
    assert listed(archive) == []
    enter(session, "concede ana", "seal")
    assert [row.result.outcome for row in listed(archive)] == ["ben"]
    assert maintenance.check_archive(archive) == ()


def test_a_house_rule_is_kept_with_the_result(archive: Archive) -> None:
    session = archive_journal.start(archive, "decknforge")
    enter(session, "seat ana", "seat ben", "rule pressure 3", "begin seed 1", "concede ana", "concede ben")
    assert [row.result.rules for row in listed(archive)] == [{"pressure": "3"}]


def test_an_old_dungeon_is_listed_by_what_its_band_remembers(archive: Archive) -> None:
    participants = (Participant("ana", "Ana", deck="?"), Participant("ben", "Ben"))
    fight = BossFight(1, "ana", Card("AS"), "Grave Wyrm", rounds=3, dead=True, killer="ben")
    evening = Dungeon(participants, "win", minutes=80, fights=(fight,), best_hit=EveningHit("ben", Card("KS"), 17))
    session, _ = old_dungeon(archive, evening)
    (row,) = listed(archive)
    assert (row.session, row.result.outcome, row.result.turns, row.result.minutes) == (session, "win", 21, 80)
    assert [player.result for player in row.result.players] == ["won", "won"]
    assert {(tally.kind, tally.name, tally.seat) for tally in row.result.tallies} == {
        ("boss", "Grave Wyrm", "ben"),
        ("hit", "K♠", "ben"),
    }
    assert row.result.rules is None
    assert maintenance.check_archive(archive) == ()


def test_of_one_that_kept_no_evening_the_bare_result_is_listed(archive: Archive) -> None:
    _, band = old_dungeon(archive, None)
    (row,) = listed(archive)
    (ana,) = row.result.players
    assert (ana.name, ana.result, ana.deck, row.result.figures) == ("Ana", "won", band, {"bosses": 6})
    assert row.result.tallies == ()


def test_what_a_line_says_counts_and_the_band_adds_the_rest(archive: Archive) -> None:
    evening = Dungeon((Participant("ana", "Ana"),), "win", best_hit=EveningHit("ana", Card("KS"), 17))
    old_dungeon(archive, evening, WON)
    (row,) = listed(archive)
    assert (row.result.turns, row.result.players) == (7, WON.players)
    assert [(tally.kind, tally.amount) for tally in row.result.tallies] == [("hit", 17)]


def test_a_changed_list_is_a_fault_that_repair_mends(archive: Archive) -> None:
    finish(archive, WON)
    session = finish(archive, WON)
    before = listed(archive)
    with archive.store.writing() as transaction:
        other = results.c.session == session
        transaction.connection.execute(sa.update(results).where(other).values(game="whist"))
        transaction.connection.execute(sa.delete(results).where(sa.not_(other)))
    faults = maintenance.check_archive(archive)
    assert len(faults) == 2
    assert all(fault.mendable for fault in faults)
    assert [fault.stream for fault in maintenance.check_archive(archive, thorough=False)] == [f"session:{session}"]
    maintenance.repair(archive)
    assert listed(archive) == before
    assert maintenance.check_archive(archive) == ()


def test_a_forgotten_persons_results_stay_without_the_name(archive: Archive) -> None:
    xan = people.add_person(archive, "Xanthippe").person
    by_id = Contender("ana", "Xanthippe", "won", xan)
    finish(archive, MatchResult("win", (by_id,)))
    finish(archive, MatchResult("loss", (Contender("x", "xanthippe", "lost"), Contender("b", "Ben", "lost"))))
    forgetting.forget_person(archive, "Xanthippe")
    for _ in range(2):  # also once the list is made anew, as long as it is there to say who is meant
        players = [player for row in listed(archive) for player in row.result.players]
        assert [(player.person, player.name) for player in players] == [(xan, ""), (xan, ""), ("", "Ben")]
        assert maintenance.check_archive(archive) == ()
        maintenance.repair(archive)


def test_a_namesake_keeps_what_only_the_name_says(archive: Archive) -> None:
    first, _ = (people.add_person(archive, "Ana").person for _ in range(2))
    finish(archive, MatchResult("win", (Contender("a", "Ana", "won"),)))
    forgetting.forget_person(archive, first)
    assert [player.name for row in listed(archive) for player in row.result.players] == ["Ana"]


def test_results_go_along_and_leave_with_an_import(archive: Archive, tmp_path: Path) -> None:
    with Archive.open(str(tmp_path / "other.sqlite")) as other:
        finish(other, WON)
        old_dungeon(other, Dungeon((Participant("ana", "Ana"),), "win", best_hit=EveningHit("ana", Card("KS"), 17)))
        archive_export.export_archive(other, tmp_path / "sent")
        ours = finish(archive, WON)
        archive_export.import_archive(archive, tmp_path / "sent")
        assert [row for row in listed(archive) if row.session != ours] == listed(other)
        import_log.undo_import(archive)
        assert [row.session for row in listed(archive)] == [ours]
        with Archive.open(str(tmp_path / "third.sqlite")) as third:
            maintenance.copy_archive(other, third)
            assert listed(third) == listed(other)


@pytest.mark.files
def test_an_archive_of_before_lists_its_results_when_it_is_opened(tmp_path: Path) -> None:
    place = str(tmp_path / "archive.sqlite")
    with Archive.open(place) as archive:
        finish(archive, WON)
        old_dungeon(archive, Dungeon((Participant("ana", "Ana"),), "win", best_hit=EveningHit("ana", Card("KS"), 17)))
        before = listed(archive)
        with archive.store.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                for table in ("results", "rehearsals", "hands", "secret_choices", "plays"):
                    connection.execute(sa.text(f"DROP TABLE {table}"))
                for column in (
                    "phones DROP COLUMN waiting",
                    "people DROP COLUMN language",
                    "doors DROP COLUMN face_down",
                ):
                    connection.execute(sa.text(f"ALTER TABLE {column}"))
                connection.execute(sa.text("UPDATE alembic_version SET version_num = '0014'"))
    with Archive.open(place) as archive:
        assert listed(archive) == before
