"""A deck that has lived on paper: a text to be written over with what its record sheet says, then taken in."""

from __future__ import annotations

import asyncio
import tomllib
from typing import ClassVar, NamedTuple

from textual import getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static, TextArea

from companion.archive import Archive, ArchiveError, shelf
from companion.games.action import NotationError, RuleError
from companion.press import templates
from companion.tui.screens.typing import key_name
from companion.tui.textual_private import FaultTolerant
from companion.tui.widgets.keys import KeyBar
from companion.tui.widgets.status_line import Status, StatusLine

_WHAT_TO_DO = Status("Write over it what the paper says, line by line; # begins a remark.", "help")


class DeckAdopted(NamedTuple):
    """The id of a deck that was taken in, and what is to be told about it."""

    deck: str
    told: str


class Adopt(FaultTolerant, Screen[DeckAdopted | None]):
    """The example of a record sheet, ready to be written over; gives back the deck that was taken in, if any."""

    CSS_PATH = "adopt.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape", "leave", "Back", id="adopt.back", tooltip="Back home; what is typed stays until the program ends"
        ),
        Binding("ctrl+s", "take_in", "Take it in", id="adopt.take", tooltip="Take in the deck that the text tells"),
    ]

    paper = getters.query_one("#paper", TextArea)
    status_line = getters.query_one(StatusLine)

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self._archive = archive

    def compose(self) -> ComposeResult:
        """A title, the text, a row to say something, the keys."""
        yield Static("Adopt a deck from its paper record sheet", id="title")
        paper = TextArea(templates.paper_deck(), id="paper", show_line_numbers=True)
        paper.cursor_blink = False
        yield paper
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Ready to type."""
        self.paper.focus()
        self.status_line.show(_WHAT_TO_DO)
        self.query_one(KeyBar).show(
            (
                (key_name(self, "adopt.take"), "Take it in", "screen.take_in"),
                (key_name(self, "adopt.back"), "Back, keep the text", "screen.leave"),
                ("^Z", "Undo", ""),
                ("^Y", "Redo", ""),
            )
        )

    def action_take_in(self) -> None:
        """Take the deck in beside the screen; until that has ended, the text stands still."""
        if not self.paper.read_only:
            self.paper.read_only = True
            self.status_line.show(Status("Taking it in …"))
            self.run_worker(self._take_in(self.paper.text), name="adopt a deck")

    async def _take_in(self, text: str) -> None:
        try:
            adopted = await asyncio.to_thread(_adopted, self._archive, text)
        except (NotationError, RuleError, ArchiveError) as error:
            self.status_line.show(Status(str(error), "wrong"))
        else:
            self.paper.load_text(templates.paper_deck())
            self.status_line.show(_WHAT_TO_DO)
            # The command palette may have been opened meanwhile.
            self.pop_until_active()
            self.dismiss(adopted)
        finally:
            self.paper.read_only = False

    def action_leave(self) -> None:
        """Back; the text stays as it is. Not while a deck is being taken in, which would then go untold."""
        if not self.paper.read_only:
            self.dismiss(None)


def _adopted(archive: Archive, text: str) -> DeckAdopted:
    """Take in the deck that a text tells. Raises NotationError, RuleError, ArchiveError."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of a number without end, Python says no more than ValueError
        raise NotationError(f"This is not TOML: {error}.") from None
    deck, record, warnings = shelf.adopt(archive, data)
    return DeckAdopted(deck, "\n".join((f"{record.name} is adopted.", *(f"Mind: {warning}" for warning in warnings))))
