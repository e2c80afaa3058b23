"""What is no longer shown is no longer kept."""

import gc
import weakref

from textual.widget import Widget

from companion.tui.screens.help import Help
from companion.tui.screens.home import Home
from tests.tui.conftest import Seat

ROUNDS = 4


async def test_widgets_of_closed_screens_and_their_strips_are_not_kept(sit: Seat) -> None:
    kept: list[weakref.ref[object]] = []
    async with sit() as hand:
        for number in range(ROUNDS):
            await hand.press("f1")
            await hand.until(lambda: isinstance(hand.app.screen, Help))
            await hand.settle()
            if number < ROUNDS - 1:  # something may still point to what was closed last
                for widget in hand.app.screen.walk_children(Widget):
                    kept += [weakref.ref(widget), weakref.ref(widget._styles_cache)]
            await hand.press("escape")
            await hand.until(lambda: isinstance(hand.app.screen, Home))
        gc.collect()
        assert len(kept) > 2 * ROUNDS
        assert [each for each in (ref() for ref in kept) if each is not None] == []
