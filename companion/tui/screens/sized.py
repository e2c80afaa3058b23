"""Screens that know how large they are from the beginning. Textual tells them after it has laid everything out as if
they were small, then has to choose all styles anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from textual.screen import Screen

R = TypeVar("R")


class SizedScreen(Screen[R]):
    """A screen that begins with the classes of the app's breakpoints, such as `-wide`."""

    def __init__(self) -> None:
        super().__init__()
        width, height = self.app.size
        self.add_class(*_reached(width, self.app.HORIZONTAL_BREAKPOINTS), *_reached(height, self.app.VERTICAL_BREAKPOINTS))


def _reached(size: int, breakpoints: Sequence[tuple[int, str]] | None) -> Sequence[str]:
    """The class of the greatest breakpoint that a size comes up to."""
    return [name for least, name in sorted(breakpoints or ()) if size >= least][-1:]
