"""What is no longer shown is no longer kept."""

import gc
import weakref
from typing import Any

from textual.screen import Screen
from textual.widget import Widget

from companion.tui.screens.help import Help
from companion.tui.screens.home import Home
from tests.tui.conftest import Seat

ROUNDS = 4


def held(screen: Screen[Any]) -> list[object]:
    """Return the widgets of a screen, and what keeps their strips."""
    return [each for widget in screen.walk_children(Widget) for each in (widget, widget._styles_cache)]


async def test_widgets_of_closed_screens_and_their_strips_are_not_kept(sit: Seat) -> None:
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
        # Something may still point to what was closed last.
        assert [each for refs in kept[:-1] for each in (ref() for ref in refs) if each is not None] == []
        assert all(kept)
