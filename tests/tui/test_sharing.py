"""The codes of a game's page on the screen that scans: what is missing, what the page is, and one key takes it in."""

from __future__ import annotations

import pytest

from companion.archive import Archive
from companion.archive.exchange import page_codes, pages
from companion.games import registry
from companion.tui.screens.decks.scan import ScanScreen
from tests.tui.conftest import Seat
from tests.tui.evening import at_scan


@pytest.mark.slow
async def test_a_scanned_game_is_taken_in_by_one_key(sit: Seat, archive: Archive) -> None:
    codes = page_codes.write_codes(registry.ready_text("tricks") or "")
    async with sit(size=(100, 40)) as hand:
        await hand.press("f6")
        await at_scan(hand)
        screen = hand.app.screen
        assert isinstance(screen, ScanScreen)
        await hand.enter(codes[-1])
        await hand.until(lambda: f"1 of {len(codes)} codes of the page are read; missing: 1" in hand.status)
        await hand.press("f3")
        await hand.until(lambda: "not the passport of a deck" in hand.status)
        for at, code in enumerate(codes[:-2], 1):
            await hand.enter(code)
            await hand.until(lambda at=at: f"{at + 1} of {len(codes)} codes" in hand.status)  # type: ignore[misc]
        await hand.until(lambda: f"missing: {len(codes) - 1}." in hand.status)
        await hand.enter(codes[-2])
        await hand.until(lambda: f"All {len(codes)} codes of the page are read. F3 takes it in." in hand.status)
        assert "It keeps in your archive" in str(screen.describe_row("2"))
        await hand.press("f3")
        await hand.until(lambda: "its tables are called “tricks”" in hand.status)
        assert [row.name for row in pages.pages(archive)] == ["tricks"]
