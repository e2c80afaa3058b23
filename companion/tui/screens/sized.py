"""Screens whose styles are chosen once as they come. Textual chooses them three times: as if the screen were small,
when it is shown, and when it has been told how large it is. They are painted once as they come, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from textual import events, on

from companion.tui.textual_private.painting import PaintsWhenSeen

R = TypeVar("R")


class SizedScreen(PaintsWhenSeen[R]):
    """A screen that begins with the classes of the app's breakpoints, such as `-wide`."""

    _is_new = True

    def __init__(self) -> None:
        super().__init__()
        width, height = self.app.size
        self.add_class(
            *_reached(width, self.app.HORIZONTAL_BREAKPOINTS), *_reached(height, self.app.VERTICAL_BREAKPOINTS)
        )

    @on(events.ScreenResume)
    def keep_styles(self, event: events.ScreenResume) -> None:
        """What stands on a screen that is new has its styles already."""
        if self._is_new:
            self._is_new = False
            event.refresh_styles = False
            # The screen itself was made before its styles were read.
            self.app.stylesheet.apply(self)
            self.keep_back()


def _reached(size: int, breakpoints: Sequence[tuple[int, str]] | None) -> Sequence[str]:
    """The class of the greatest breakpoint that a size comes up to."""
    return [name for least, name in sorted(breakpoints or ()) if size >= least][-1:]
