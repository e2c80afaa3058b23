"""The gate between the screens and the terminal: whatever is drawn passes here, wherever it came from.

Separate because no screen and no widget needs to know of it.
"""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from companion.games.text import harmless


class Harmless(LineFilter):
    """Takes out of what is drawn what would steer the terminal; every cell stays in its place."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 – every filter has it
        """The same segments; those that hold such a symbol without it."""
        if all(text.isprintable() for text, _, control in segments if not control):
            return segments
        return [
            Segment(_in_cells(text), style) if not control else Segment(text, style, control)
            for text, style, control in segments
        ]


HARMLESS: Final = Harmless()


def _in_cells(text: str) -> str:
    """A text made harmless; what takes no room in it leaves none."""
    shown = harmless(text)
    return "".join(new for old, new in zip(text, shown, strict=True) if new == old or cell_len(old))
