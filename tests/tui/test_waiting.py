"""Waiting for the archive: who enters a line is told how long, and the line stays until it is kept."""

import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.tui.screens.help import Help
from companion.tui.screens.home.home import Home
from companion.tui.screens.people import PeopleScreen
from tests.archive import postgres
from tests.tui.conftest import Seat, Watched
from tests.tui.hand import Hand

pytestmark = pytest.mark.posix


@pytest.mark.slow
async def test_a_line_that_waits_is_told_and_then_kept(sit: Seat, duel: str, place: Path, archive: Archive) -> None:
    async with sit(duel) as hand:
        stubborn = sqlite3.connect(place, isolation_level=None)
        stubborn.execute("BEGIN IMMEDIATE")
        hand.type("draw ana", "<enter>")
        await hand.until(lambda: "waiting for the archive" in hand.status)
        assert hand.bar == "draw ana"
        stubborn.close()
        await hand.until(lambda: hand.bar == "")
        await hand.until(lambda: "waiting" not in hand.status)
    assert archive.lines(duel)[-1].line.startswith("draw ana")


@pytest.mark.slow
async def test_an_evening_goes_on_when_the_server_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.archive.store.BUSY_SECONDS", 1.5)
    with postgres.running() as server:
        server.sql("CREATE DATABASE evening")
        with Archive.open(server.url("evening"), by="test") as archive:
            session = archive_journal.start(archive, "duel")
            for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
                session.enter(line)
            duel = archive.sessions()[0].session
        app = Watched(server.url("evening"), duel)
        async with app.run_test(size=(120, 40)) as pilot:
            hand = Hand(app, pilot)
            await hand.at_table()
            server.stop()
            hand.type("draw ana", "<enter>")
            await hand.until(lambda: "waiting for the archive" in hand.status)
            await hand.until(lambda: "does not answer; try again once it is back" in hand.status)
            assert hand.bar == "draw ana"
            assert "Ana" in hand.table.log_view.text
            server.start()
            hand.type("<enter>")
            await hand.until(lambda: hand.bar == "")
        with Archive.open(server.url("evening")) as archive:
            assert [line.line.split()[0] for line in archive.lines(duel)].count("draw") == 1
        assert app.faults == []


# A server that keeps its connections and says nothing.

LINE = "draw ana"
AWAY = "does not answer; try again once it is back"


@pytest.fixture
def evening(server: postgres.Server, database: str) -> str:
    """A duel on the server that has begun; Ana is to draw."""
    with Archive.open(server.url(database), by="test") as archive:
        session = archive_journal.start(archive, "duel")
        for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
            session.enter(line)
        return archive.sessions()[0].session


@asynccontextmanager
async def sat_down(wire: postgres.Wire, session: str | None) -> AsyncIterator[Hand]:
    """Somebody at a table, or at home, of an archive behind a wire."""
    app = Watched(wire.url, session)
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: app.archive is not None)
        if session is not None:
            await hand.at_table()
        yield hand
    assert app.faults == []


async def enter_into_the_void(hand: Hand, wire: postgres.Wire) -> None:
    """Enter a line that nobody answers, and wait until that is seen."""
    wire.stall()
    hand.type(LINE, "<enter>")
    await hand.until(lambda: "waiting for the archive" in hand.status)


def draws(server: postgres.Server, database: str, session: str) -> int:
    """How often the line is kept."""
    with Archive.open(server.url(database)) as archive:
        return [line.line.split()[0] for line in archive.lines(session)].count("draw")


async def test_esc_ends_a_wait_and_the_line_stays_typed(
    wire: postgres.Wire, evening: str, server: postgres.Server, database: str
) -> None:
    async with sat_down(wire, evening) as hand:
        await enter_into_the_void(hand, wire)
        hand.type("<escape>")
        began = time.monotonic()
        await hand.until(lambda: AWAY in hand.status)
        assert time.monotonic() - began < 2
        assert hand.bar == LINE
        wire.come_back()
        hand.type("<enter>")
        await hand.until(lambda: hand.bar == "")
    assert draws(server, database, evening) == 1


async def test_a_line_that_was_kept_in_silence_is_not_entered_twice(
    wire: postgres.Wire, evening: str, server: postgres.Server, database: str
) -> None:
    async with sat_down(wire, evening) as hand:
        wire.stall_at_commit(reached=True)
        hand.type("note who is there", "<enter>")
        await hand.until(lambda: "waiting for the archive" in hand.status)
        hand.type("<escape>")
        await hand.until(lambda: "it is not known whether it did" in hand.status)
        assert hand.bar == "note who is there"
        wire.come_back()
        await hand.until(lambda: "who is there" in hand.table.log_view.text)
        hand.type("<enter>")
        await hand.until(lambda: hand.bar == "")
        assert "That was kept already" in hand.status
        with Archive.open(server.url(database)) as archive:

            def notes() -> int:
                return [line.line for line in archive.lines(evening)].count('note "who is there"')

            assert notes() == 1
            hand.type("note who is there", "<enter>")
            await hand.until(lambda: notes() == 2)


async def test_help_opens_and_closes_while_a_line_waits(
    wire: postgres.Wire, evening: str, server: postgres.Server, database: str
) -> None:
    async with sat_down(wire, evening) as hand:
        table = hand.table
        await enter_into_the_void(hand, wire)
        hand.type("<f1>")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("conc")
        await hand.until(lambda: hand.field("find") == "conc")
        hand.type("<escape>")
        await hand.until(lambda: hand.app.screen is table)
        assert hand.bar == LINE
        assert "waiting for the archive" in hand.status
        assert "Esc ends the wait" in hand.status
        wire.come_back()
        await hand.until(lambda: hand.bar == "")
        await hand.until(lambda: "waiting" not in hand.status)
    assert draws(server, database, evening) == 1


async def test_what_is_typed_during_a_wait_comes_after_it_in_order(wire: postgres.Wire, evening: str) -> None:
    async with sat_down(wire, evening) as hand:
        await enter_into_the_void(hand, wire)
        hand.type("<enter>", "<enter>", "und", "<f1>")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("<escape>")
        await hand.until(lambda: not isinstance(hand.app.screen, Help))
        hand.type("o")
        assert hand.bar == LINE
        wire.come_back()
        await hand.until(lambda: hand.bar == "undo")


async def test_the_screen_ends_at_once_while_a_line_waits(wire: postgres.Wire, evening: str) -> None:
    began = time.monotonic()
    async with sat_down(wire, evening) as hand:
        await enter_into_the_void(hand, wire)
        began = time.monotonic()
        hand.type("<ctrl+q>")
        await hand.until(lambda: not hand.app.is_running)
    assert time.monotonic() - began < 4


async def test_a_line_that_nobody_answers_is_refused_in_ten_seconds(wire: postgres.Wire, evening: str) -> None:
    async with sat_down(wire, evening) as hand:
        began = time.monotonic()
        await enter_into_the_void(hand, wire)
        assert time.monotonic() - began < 3
        await hand.until(lambda: AWAY in hand.status)
        assert time.monotonic() - began < 12
        assert hand.bar == LINE


@pytest.mark.usefixtures("evening")
async def test_a_table_that_cannot_be_opened_in_time_is_told_at_home(wire: postgres.Wire) -> None:
    async with sat_down(wire, None) as hand:
        await hand.until(lambda: hand.home.sessions.total == 1)
        wire.stall()
        hand.type("<enter>")
        await hand.until(lambda: "waiting for the archive" in hand.status)
        hand.type("<f1>")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("<escape>")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        hand.type("<escape>")
        await hand.until(lambda: AWAY in hand.status)
        wire.come_back()
        hand.type("<enter>")
        await hand.at_table()


async def test_a_list_that_waits_is_left_by_esc_and_read_later(wire: postgres.Wire) -> None:
    async with sat_down(wire, None) as hand:
        await hand.until_welcomed()
        wire.stall()
        hand.type("<f7>")
        await hand.until(lambda: isinstance(hand.app.screen, PeopleScreen))
        await hand.until(lambda: "waiting for the archive" in hand.status)
        hand.type("<f1>")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("<escape>")
        await hand.until(lambda: isinstance(hand.app.screen, PeopleScreen))
        hand.type("<escape>")
        await hand.until(lambda: AWAY in hand.status)
        hand.type("<escape>")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        wire.come_back()


async def test_an_archive_that_cannot_be_opened_in_time_lets_go(wire: postgres.Wire) -> None:
    app = Watched(wire.url)
    wire.stall()
    async with app.run_test(size=(120, 40)) as pilot:
        hand = Hand(app, pilot)
        await hand.until(lambda: "waiting for the archive" in hand.status)
        hand.type("<f1>")
        await hand.until(lambda: isinstance(hand.app.screen, Help))
        hand.type("<escape>")
        await hand.until(lambda: isinstance(hand.app.screen, Home))
        began = time.monotonic()
        hand.type("<ctrl+q>")
        await hand.until(lambda: not hand.app.is_running)
    assert time.monotonic() - began < 4
