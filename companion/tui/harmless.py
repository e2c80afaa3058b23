"""The gate between the screens and the terminal: whatever is drawn passes here, wherever it came from.

Separate because no screen and no widget needs to know of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from companion.games.text import harmless


class Harmless(LineFilter):
    """Takes out of what is drawn what would steer the terminal; every cell stays in its place.

    It comes behind other filters, as one with them: each by itself would have every line made anew.
    """

    def __init__(self, others: Sequence[LineFilter]) -> None:
        super().__init__()
        self._others = others

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """What the others make of the segments; those that hold such a symbol without it."""
        for each in self._others:
            segments = each.apply(segments, background)
        if all(text.isprintable() for text, _, control in segments if not control):
            return segments
        return [
            Segment(_in_cells(text), style) if not control else Segment(text, style, control)
            for text, style, control in segments
        ]


@cache
def behind(others: tuple[LineFilter, ...]) -> Harmless:
    """The gate behind other filters, always the same one: what was drawn through it is known by it."""
    return Harmless(others)


def _in_cells(text: str) -> str:
    """A text made harmless; what takes no room in it leaves none."""
    shown = harmless(text)
    return "".join(new for old, new in zip(text, shown, strict=True) if new == old or cell_len(old))
