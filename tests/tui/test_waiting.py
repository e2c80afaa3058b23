"""Waiting for the archive: who enters a line is told how long, and the line stays until it is kept."""

import sqlite3
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.session import store
from tests.archive import postgres
from tests.tui.conftest import Seat, Watched
from tests.tui.hand import Hand

pytestmark = pytest.mark.posix


async def test_a_line_that_waits_for_another_program_is_told_and_then_kept(
    sit: Seat, duel: str, place: Path, archive: Archive
) -> None:
    async with sit(duel) as hand:
        stubborn = sqlite3.connect(place, isolation_level=None)
        stubborn.execute("BEGIN IMMEDIATE")
        hand.type("draw ana", "<enter>")
        await hand.until(lambda: "waiting for the archive, 2 s" in hand.said)
        assert hand.bar == "draw ana"
        stubborn.close()
        await hand.until(lambda: hand.bar == "")
        await hand.until(lambda: "waiting" not in hand.said)
    assert archive.lines(duel)[-1].line.startswith("draw ana")


async def test_an_evening_goes_on_when_the_server_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.archive.store.BUSY_SECONDS", 1.5)
    with postgres.running() as server:
        server.sql("CREATE DATABASE evening")
        with Archive.open(server.url("evening"), by="test") as archive:
            session = store.start(archive, "duel")
            for line in ('seat ana name "Ana"', 'seat ben name "Ben"', "begin seed 1"):
                session.enter(line)
            duel = archive.sessions()[0].session
        app = Watched(server.url("evening"), duel)
        async with app.run_test(size=(120, 40)) as pilot:
            hand = Hand(app, pilot)
            await hand.at_table()
            server.stop()
            hand.type("draw ana", "<enter>")
            await hand.until(lambda: "waiting for the archive" in hand.said)
            await hand.until(lambda: "does not answer; repeat once it is there again" in hand.said)
            assert hand.bar == "draw ana"
            assert "Ana" in hand.table.log_view.text
            server.start()
            hand.type("<enter>")
            await hand.until(lambda: hand.bar == "")
        with Archive.open(server.url("evening")) as archive:
            assert [line.line.split()[0] for line in archive.lines(duel)].count("draw") == 1
        assert app.faults == []
