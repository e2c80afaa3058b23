"""What is no longer shown is no longer kept."""

import gc
import weakref
from typing import Any

from textual.screen import Screen
from textual.widget import Widget

from companion.tui.screens.help import Help
from companion.tui.screens.home.home import Home
from tests.tui.conftest import Seat

ROUNDS = 6


async def test_closed_screens_and_what_they_drew_are_not_kept(sit: Seat) -> None:
    kept: list[list[weakref.ref[object]]] = []
    async with sit() as hand:
        for _ in range(ROUNDS):
            await hand.press("f1")
            await hand.until(lambda: isinstance(hand.app.screen, Help))
            await hand.settle()
            kept.append([weakref.ref(each) for each in held(hand.app.screen)])
            await hand.press("escape")
            await hand.until(lambda: isinstance(hand.app.screen, Home))
        gc.collect()
        alive = [sum(ref() is not None for ref in refs) for refs in kept]
        # Events and timers may still point to what was closed last, and to single widgets before.
        assert sum(alive) <= 2 * len(kept[0]), alive


def held(screen: Screen[Any]) -> list[object]:
    """Return the widgets of a screen, and what keeps their strips."""
    return [each for widget in screen.walk_children(Widget) for each in (widget, widget._styles_cache)]
