"""The rows below the command bar: what was wrong and the way out, what just happened, or how a line is written."""

from __future__ import annotations

from typing import Literal, NamedTuple

from textual.content import Content

from companion.tui import drawing
from companion.tui.widgets.panel import Panel


class Status(NamedTuple):
    """A sentence to show, and of which kind it is: `wrong` and `help` are about the typed line and go with it."""

    text: str
    kind: Literal["wrong", "told", "asked", "help"] = "told"


_LOOKS = {
    "wrong": ("✗ ", "bold $text-error"),
    "told": ("", "$text"),
    "asked": ("? ", "bold $text-warning"),
    "help": ("", drawing.DIM),
}


class StatusLine(Panel[Status]):
    """One sentence at a time."""

    grows = True

    @staticmethod
    def draw(part: Status, width: int) -> list[Content]:
        """The sentence, over as many rows as it takes."""
        mark, style = _LOOKS[part.kind]
        rows = [
            row
            for line in part.text.splitlines()
            for row in Content.styled(mark + drawing.single(line), style).wrap(width)
        ]
        return rows or [Content("")]
