"""The rows below the command bar: what was wrong and the way out, what just happened, or how a line is written."""

from __future__ import annotations

from typing import Literal, NamedTuple

from textual.content import Content

from companion.tui import drawing
from companion.tui.widgets.panel import Panel


class Status(NamedTuple):
    """A sentence to show, and of which kind it is: `wrong` and `help` are about the typed line and go with it.

    One that `waits` stands there for as long as the archive is waited for.
    """

    text: str
    kind: Literal["wrong", "told", "asked", "help", "waits"] = "told"


_LOOKS = {
    "wrong": ("✗ ", "bold $text-error"),
    "told": ("", "$text"),
    "asked": ("? ", "bold $text-warning"),
    "help": ("", drawing.DIM),
    "waits": ("… ", "bold $text-warning"),
}


class StatusLine(Panel[Status]):
    """One sentence at a time."""

    grows = True
    _instead: Status | None = None

    def show(self, part: Status) -> None:
        """Show this; while the archive is waited for, as soon as that is over."""
        if self._instead is None:
            super().show(part)
        else:
            self._instead = part

    def wait(self, sentence: str) -> None:
        """Show for how long the archive is waited for, beside what is wrong; "" shows again what belongs here."""
        belongs, self._instead = self._instead or self.part or Status(""), None
        both = Status(f"{belongs.text} ({sentence})", "wrong") if belongs.kind == "wrong" else Status(sentence, "waits")
        self.show(both if sentence else belongs)
        self._instead = belongs if sentence else None

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
