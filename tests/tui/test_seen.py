"""A table that is gone on with is painted before its archive is open, and is a table like any other from then on."""

from pathlib import Path

import pytest

from companion.archive import Archive, StoredLine, fast_read
from companion.archive.storage.entries import StreamOpened, draft
from companion.session.core import archive_journal
from companion.tui.screens.home.home import Home
from companion.tui.screens.table.table import TableScreen
from tests.tui.conftest import Watched
from tests.tui.hand import Hand


def open_read_table(place: Path, session: str) -> Watched:
    return Watched(str(place), session, fast_read.read_session(str(place), session))


async def test_the_table_is_there_first_and_home_behind_it(place: Path, duel: str) -> None:
    app = open_read_table(place, duel)
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.press("enter")
        await hand.until(lambda: "spend ana strike" in hand.table.bar.placeholder)
        await hand.press("ctrl+b")
        await hand.until(lambda: isinstance(app.screen, Home) and app.screen.sessions.total == 1)
        await hand.press("enter")
        await hand.at_table()
        assert hand.table.sitting.session.moments()[-1].text.startswith("draw ana")
    assert app.faults == []


async def test_what_was_written_meanwhile_is_followed(place: Path, archive: Archive, duel: str) -> None:
    app = open_read_table(place, duel)
    archive_journal.resume(archive, duel).enter("draw ana 9S")
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.until(lambda: hand.table.sitting.session.moments()[-1].text == "draw ana 9S")
    assert app.faults == []


async def test_a_game_that_is_not_here_is_told_at_home(place: Path, archive: Archive) -> None:
    archive.append("session:AAAA1111", 0, [draft(StreamOpened("go", "an evening")), draft(StoredLine("table go", 1))])
    app = open_read_table(place, "AAAA1111")
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: isinstance(app.screen, Home) and bool(app.screen.query("#box")))
        await hand.shows("no game called “go”", hand.home.status_line)
    assert app.faults == []


@pytest.mark.posix  # Windows renames no file that is open
async def test_an_archive_that_fails_to_open_is_told_at_the_table(place: Path, duel: str) -> None:
    app = open_read_table(place, duel)
    place.rename(place.with_suffix(".away"))
    place.write_text("no database", encoding="utf-8")
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        hand = Hand(app, pilot)
        await hand.at_table()
        await hand.until(lambda: bool(app.screen.query("Toast")))
        assert isinstance(app.screen, TableScreen)
