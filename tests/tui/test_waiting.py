"""Waiting for the archive: who enters a line is told how long, and the line stays until it is kept."""

import sqlite3
from pathlib import Path

from companion.archive import Archive
from tests.tui.conftest import Seat


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
