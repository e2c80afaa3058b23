"""The screen of the archive, where its file is damaged or in use: what it shows, and that its lock stays."""

import contextlib
import shutil
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from companion.archive import Archive, ArchiveError, StoredLine
from companion.archive.people import people
from companion.archive.recovery import backups, last_seen
from companion.tui.archives import Archives
from companion.tui.screens.archive import ArchiveScreen
from companion.tui.screens.home.home import Home
from tests.archive import household
from tests.archive.locks import another_program, damage, delete, has_lock
from tests.tui.conftest import Seat
from tests.tui.hand import Hand
from tests.tui.test_lists import at_list, page_text

pytestmark = pytest.mark.posix


@pytest.fixture
def session(place: Path) -> str:
    """Of an archive that holds something and has a backup."""
    with Archive.open(str(place), by="test") as archive:
        household.fill(archive)
        session = archive.new_session("duel", "Sunday")
        archive.append_lines(session, 1, [StoredLine("table duel", 1)])
    backups.make_backup(place, "evening", datetime.now(UTC))
    return session


async def _choose(hand: Hand, text: str, row: str) -> None:
    screen = hand.app.screen
    assert isinstance(screen, ArchiveScreen)
    await hand.press(*text)
    await hand.until(lambda: screen.rows.chosen == row)
    await hand.press("enter")


def titles(hand: Hand) -> list[str]:
    screen = hand.app.screen
    assert isinstance(screen, ArchiveScreen)
    return [str(row.prompt) for row in screen.rows.options]


@pytest.mark.sample(4)
@pytest.mark.linux
@pytest.mark.usefixtures("session")
@pytest.mark.parametrize("table", ["entries", "sessions", "decks", "people"])
async def test_a_check_shows_what_is_damaged_and_keeps_the_lock(sit: Seat, place: Path, table: str) -> None:
    async with sit() as hand:
        damage(place, table)
        await at_list(hand, "ctrl+o")
        await _choose(hand, "check", "check")
        await hand.until(lambda: "problem was found" in hand.status or "problems were found" in hand.status)
        await hand.until(lambda: "✗" in page_text(hand))
        assert isinstance(hand.app.screen, ArchiveScreen)
        assert has_lock(place)


@pytest.mark.slow
@pytest.mark.linux
async def test_a_restore_that_is_refused_leaves_the_lock(sit: Seat, place: Path, session: str) -> None:
    (backup,) = backups.list_backups(place)
    async with sit() as hand:
        with another_program(place):
            await at_list(hand, "ctrl+o")
            await _choose(hand, "evening", backup.path.name)
            await hand.until(lambda: "Enter again" in hand.status)
            await hand.settle()
            await hand.press("enter")
            await hand.until(
                lambda: isinstance(hand.app.screen, Home) and "Another window or program has" in hand.status
            )
            await hand.settle()
            assert has_lock(place)
            archive = hand.app.archive
            assert archive is not None
            archive.append_lines(session, 2, [StoredLine("note kept", 2)])
            assert has_lock(place)
    with Archive.open(str(place)) as again:
        assert [line.line for line in again.lines(session)] == ["table duel", "note kept"]


@pytest.mark.linux
@pytest.mark.usefixtures("session")
async def test_a_restore_beside_a_late_reader_leaves_the_lock(place: Path) -> None:
    (backup,) = backups.list_backups(place)
    archives, is_over = Archives(str(place)), threading.Event()
    own = await archives.open()

    def read_lists() -> None:
        while not is_over.wait(0.001):
            with contextlib.suppress(ArchiveError):
                own.sessions()

    reader = threading.Thread(target=read_lists)
    reader.start()
    try:
        with another_program(place), pytest.raises(ArchiveError, match=r"has “.*” open"):
            await archives.go_back(backup.path)
    finally:
        is_over.set()
        reader.join()
    assert has_lock(place)
    archives.close()


@pytest.fixture
def older(place: Path, session: str) -> str:  # noqa: ARG001
    """Somebody whose name is in the backup and no more in the archive, where an older copy lies now."""
    shutil.copy(place, place.with_name("copy"))
    with Archive.open(str(place), by="test") as archive:
        people.add_person(archive, "Zoe")
    backups.make_backup(place, "evening", datetime.now(UTC))
    shutil.copy(place.with_name("copy"), place)
    return "Zoe"


@pytest.mark.slow
@pytest.mark.usefixtures("older")
async def test_an_older_archive_is_taken_as_it_is_by_its_row(sit: Seat, place: Path) -> None:
    before = place.read_bytes()
    async with sit() as hand:
        await hand.until(lambda: "is older than this computer last saw it" in hand.status)
        assert "“Take it as it is”" in hand.status
        assert "companion archive" not in hand.status
        await at_list(hand, "ctrl+o")
        assert "is older than this computer last saw it" in page_text(hand)
        assert "companion archive" not in page_text(hand)
        await _choose(hand, "take it", "accept")
        await hand.until(lambda: "Enter again takes it as it is" in hand.status)
        assert place.read_bytes() == before
        await hand.settle()
        await hand.press("enter")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and "is accepted as it is" in hand.status)
        await hand.settle()
        archive = hand.app.archive
        assert archive is not None
        people.add_person(archive, "Yan")
        await at_list(hand, "ctrl+o")
        await hand.until(lambda: "Where it is" in titles(hand))
        assert "Take it as it is" not in titles(hand)
    assert last_seen.recall(place) == backups.read_growth(place)
    with Archive.open(str(place)) as again:
        assert {"Ana", "Yan"} <= {person.name for person in people.all_people(again)}
        assert not again.store.read_only_reason


@pytest.mark.slow
@pytest.mark.usefixtures("session")
async def test_an_archive_that_is_as_it_was_has_no_row_to_take_it(sit: Seat) -> None:
    async with sit() as hand:
        await at_list(hand, "ctrl+o")
        await hand.until(lambda: "Where it is" in titles(hand))
        assert "Take it as it is" not in titles(hand)


@pytest.mark.slow
async def test_a_line_stays_typed_where_its_file_was_deleted(
    sit: Seat, duel: str, archive: Archive, place: Path
) -> None:
    archive.close()
    async with sit(duel) as hand:
        delete(place)
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "was deleted, renamed, replaced or overwritten" in hand.status)
        await hand.bar_holds("draw ana 9s")
        assert "9♠" not in hand.table.log_view.text
    (copy,) = place.parent.glob("archive-rescued-*.sqlite")
    with Archive.open(str(copy)) as rescued:
        assert [line.line for line in rescued.lines(duel)][-1] == "begin seed 1"


@pytest.mark.slow
async def test_leaving_a_table_and_ending_the_program_leave_a_backup(
    sit: Seat, duel: str, archive: Archive, place: Path
) -> None:
    archive.close()

    def copies() -> list[Path]:
        return [each.path for each in backups.list_backups(place) if each.why == "evening"]

    def lines(backup: Path) -> list[str]:
        return [body for (stream, _), body in household.stored(backup).items() if stream == f"session:{duel}"]

    async with sit(duel) as hand:
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "9♠" in hand.table.log_view.text)
        await hand.press("ctrl+b")
        await hand.until(lambda: len(copies()) == 1)
        (backup,) = copies()
        assert backup.parent == place.with_name("archive.sqlite.backups")
        assert any("draw ana" in line for line in lines(backup))
        await hand.until(lambda: isinstance(hand.app.screen, Home) and hand.home.sessions.total == 1)
        await hand.press("enter")
        await hand.at_table()
        await hand.enter("note later")
        await hand.until(lambda: "later" in hand.table.log_view.text)
        await hand.press("ctrl+q")
        await hand.until(lambda: not hand.app.is_running)
    (ended,) = copies()
    assert ended != backup, "within an hour the later one takes its place"
    assert any("later" in line for line in lines(ended))


@pytest.mark.slow
async def test_a_line_stays_typed_where_the_disk_is_full(sit: Seat, duel: str, archive: Archive) -> None:
    archive.close()
    async with sit(duel) as hand:
        assert hand.app.archive is not None
        # No page more than there are.
        sa.event.listen(
            hand.app.archive.store.engine,
            "checkout",
            lambda connection, *_: connection.execute("PRAGMA max_page_count = 1"),
        )
        line = f"note {'x' * 9000}"
        hand.table.bar.value = line
        await hand.press("enter")
        await hand.until(lambda: "disk is full" in hand.status)
        await hand.bar_holds(line)
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(hand.app.screen, Home) and hand.home.sessions.total == 1)
        await hand.press("enter")
        await hand.at_table()
        assert "begin" in hand.table.log_view.text.lower()


@pytest.mark.slow
async def test_a_line_stays_typed_where_nothing_may_be_written(
    sit: Seat, duel: str, archive: Archive, place: Path
) -> None:
    archive.close()
    shutil.copy(place, place.with_suffix(".copy"))
    with Archive.open(str(place)) as newer:
        people.add_person(newer, "Zoe")
    shutil.copy(place.with_suffix(".copy"), place)
    before = place.read_bytes()
    async with sit(duel) as hand:
        await hand.enter("draw ana 9s")
        await hand.until(lambda: "is older than this computer last saw it" in hand.status)
        await hand.bar_holds("draw ana 9s")
        assert "9♠" not in hand.table.log_view.text
    assert place.read_bytes() == before
