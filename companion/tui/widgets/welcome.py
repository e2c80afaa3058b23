"""What somebody sees who has nothing yet: what this is, and four ways to begin."""

from __future__ import annotations

from typing import Final

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.tui import drawing
from companion.tui.textual_private import FaultTolerant

_WAYS: Final = (
    ("found", "Build a deck", "From new cards, step by step; the app adds up and can draw for you."),
    ("adopt", "Adopt a deck", "Take in one that has lived on paper, from its record sheet."),
    ("new", "Play at once", "With plain cards: say who sits there, and begin. Nothing is recorded of the decks."),
    ("sample", "Look around", "In a sample campaign: three decks, two evenings, and a table in the middle of a fight."),
)


class Welcome(FaultTolerant, OptionList, can_focus=False):
    """Four ways to begin; each is the action that Home has for it, without its namespace."""

    BORDER_TITLE = "Welcome"

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        heading = Content(
            "The cards are yours and lie on the table. This lies beside them: it remembers, adds up, and says why."
        )
        ways = (Option(_row(title, about), action) for action, title, about in _WAYS)
        super().__init__(Option(heading, disabled=True), None, *ways, id=id)

    @property
    def chosen(self) -> str:
        """The highlighted way."""
        return "" if self.highlighted is None else str(self.get_option_at_index(self.highlighted).id)


def _row(title: str, about: str) -> Content:
    return Content.assemble((title, "bold"), "\n", (about, drawing.DIM))
