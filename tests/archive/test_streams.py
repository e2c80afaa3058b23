"""Entries: appended in order, by one writer at a time, all of a transaction or nothing."""

import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from companion.archive import Archive, ArchiveError, Conflict, NewEntry, StoredLine, Unknown, maintenance
from companion.archive.storage import engine
from companion.archive.storage.lists import deck_stream, session_stream
from tests.archive import crowd
from tests.archive.keepsake import Founded, Played


def test_entries_come_back_in_order_with_when_and_by_whom(archive: Archive) -> None:
    session = archive.new_session("keepsake", "Friday")
    assert (
        archive.append_lines(session, 1, [StoredLine("table keepsake", 1), StoredLine("note “ä 7♠”", 2)], by="Ana") == 3
    )
    opened, first, second = archive.entries(session_stream(session))
    assert [entry.seq for entry in (opened, first, second)] == [0, 1, 2]
    assert (opened.by, first.by, second.by) == ("tests", "Ana", "Ana")
    assert second.kind == "line"
    assert second.body == '{"line":"note “ä 7♠”","group":2}'
    assert timedelta(0) <= datetime.now(UTC) - second.at < timedelta(minutes=1)


def test_a_strangers_entry_in_between_is_a_conflict_and_stays(place: str, archive: Archive) -> None:
    session = archive.new_session("keepsake")
    with Archive.open(place, by="stranger") as stranger:
        stranger.append_lines(session, 1, [StoredLine("note theirs")])
    with pytest.raises(Conflict, match="somebody else wrote first"):
        archive.append_lines(session, 1, [StoredLine("note ours")])
    assert [(line.line, line.by) for line in archive.lines(session)] == [("note theirs", "stranger")]
    assert archive.append_lines(session, 2, [StoredLine("note ours")]) == 3


def test_a_clock_that_jumps_makes_dates_wrong_and_nothing_else(place: str) -> None:
    years, today = (2026, 2099, 1970, 2020), [2026]
    with Archive.open(place, clock=lambda: datetime(today[0], 3, 14, 20, 0, tzinfo=UTC)) as archive:
        session = archive.new_session("keepsake")
        for number, today[0] in enumerate(years, 1):
            archive.append_lines(session, number, [StoredLine(f"note {number}")])
    with Archive.open(place) as again:
        assert [line.line for line in again.lines(session)] == ["note 1", "note 2", "note 3", "note 4"]
        assert tuple(entry.at.year for entry in again.entries(session_stream(session))[1:]) == years
        assert maintenance.check_archive(again) == ()


def test_a_gap_is_refused(archive: Archive) -> None:
    session = archive.new_session("keepsake")
    with pytest.raises(Conflict, match="has 1 entries, not the 5"):
        archive.append_lines(session, 5, [StoredLine("note early")])
    assert archive.lines(session) == ()


def test_of_many_writers_at_once_exactly_one_wins_each_number(place: str, archive: Archive) -> None:
    session = archive.new_session("keepsake")
    won: list[int] = []
    lost: list[int] = []

    def write(writer: int) -> None:
        with Archive.open(place, by=str(writer)) as mine:
            for number in range(1, 21):
                try:
                    mine.append_lines(session, number, [StoredLine(f"note {writer}")])
                    won.append(number)
                except Conflict:
                    lost.append(number)

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) + len(lost) == 80
    assert sorted(won) == [line.number for line in archive.lines(session)] == list(range(1, len(won) + 1))


def test_sealing_writes_every_deck_or_none(archive: Archive) -> None:
    choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
    lanterns = archive.found_deck("keepsake", [Founded("Iron Lanterns")])
    session = archive.new_session("keepsake")
    marks = {choir: [Played(3)], lanterns: [Played(2), Played(1)]}
    with pytest.raises(Unknown, match="0000-0000-0000-0"):
        archive.seal(session, 1, [StoredLine("seal")], {**marks, "0" * 13: [Played(9)]})
    assert archive.lines(session) == ()
    assert [row.figure("glory") for row in archive.decks()] == [0, 0]

    archive.seal(session, 1, [StoredLine("next"), StoredLine("seal")], marks)
    assert [line.line for line in archive.lines(session)] == ["next", "seal"]
    assert [(row.name, row.figure("glory"), row.figure("dungeons")) for row in archive.decks()] == [
        ("Grave Choir", 3, 1),
        ("Iron Lanterns", 3, 2),
    ]
    assert archive.find_session(session).sealed


def test_a_session_is_sealed_once(archive: Archive) -> None:
    choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
    session = archive.new_session("keepsake")
    archive.seal(session, 1, [StoredLine("seal")], {choir: [Played(3)]})
    with pytest.raises(ArchiveError, match="is sealed already"):
        archive.seal(session, 2, [StoredLine("seal")], {choir: [Played(3)]})
    assert archive.find_deck(choir).figure("glory") == 3
    archive.append_lines(session, 2, [StoredLine("note afterwards")])
    assert archive.find_session(session).sealed


def test_a_mark_that_makes_no_sense_is_not_kept(archive: Archive) -> None:
    choir = archive.found_deck("keepsake", [Founded("Grave Choir")])
    with pytest.raises(ArchiveError, match="cannot be read"):
        archive.append(deck_stream(choir), 2, [NewEntry("nonsense", '{"mark":"nonsense"}')])
    assert len(archive.marks(choir)) == 1


@pytest.mark.files
def test_a_full_disk_is_one_sentence_and_nothing_is_kept(archive: Archive) -> None:
    session = archive.new_session("keepsake")
    with archive.store.reading() as transaction:
        pages = int(transaction.pragma("page_count")[0])
        transaction.pragma(f"max_page_count = {pages}")
    with pytest.raises(ArchiveError, match="disk is full"):
        archive.append_lines(session, 1, [StoredLine(f'note "{"x" * 100_000}"')])
    assert archive.lines(session) == ()
    assert archive.find_session(session).lines == 0


@pytest.mark.files
def test_a_writer_that_never_stops_is_one_sentence(
    place: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = archive.new_session("keepsake")
    monkeypatch.setattr(engine, "ALONE_SECONDS", 0.05)
    stubborn = sqlite3.connect(place, isolation_level=None)
    stubborn.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(ArchiveError, match="Another program is writing"):
            archive.append_lines(session, 1, [StoredLine("note x")])
        assert archive.lines(session) == ()
    finally:
        stubborn.close()
    assert archive.append_lines(session, 1, [StoredLine("note x")]) == 2


@pytest.mark.files
def test_who_waits_to_write_looks_often_and_by_chance(
    place: str, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = archive.new_session("keepsake")
    busy = sqlite3.connect(place, isolation_level=None)
    busy.execute("BEGIN IMMEDIATE")
    pauses: list[float] = []
    waits, sleep = threading.get_ident(), time.sleep

    def pause(seconds: float) -> None:
        if threading.get_ident() != waits:
            sleep(seconds)
            return
        pauses.append(seconds)
        if sum(pauses) > 2 * engine.BUSY_SECONDS:
            busy.close()

    monkeypatch.setattr("time.sleep", pause)
    assert archive.append_lines(session, 1, [StoredLine("note x")]) == 2
    assert 0.005 <= min(pauses) < max(pauses) <= 0.02
    assert sum(pauses) < engine.ALONE_SECONDS


@pytest.mark.slow
def test_two_tables_in_two_processes_and_one_table_twice(place: str) -> None:
    result = crowd.gathered(place, [1, 2, 3, 3], seconds=1)
    assert result.lines > 4
