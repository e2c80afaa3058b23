"""A new table: which game, who sits there, and with which decks."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.suggester import SuggestFromList
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError
from companion.games import registry
from companion.games.action import NotationError, RuleError
from companion.games.kinds import RESERVED, write_text
from companion.session import store
from companion.session.session import Session
from companion.tui.fault_tolerant import FaultTolerant
from companion.tui.widgets.keys import KeyBar
from companion.tui.widgets.status_line import Status, StatusLine

SEATS = 5


class NewTable(FaultTolerant, Screen[str | None]):
    """Names and decks, clockwise; gives back the id of the session that it opened."""

    CSS_PATH = "new_table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", id="new.back", tooltip="Back home; nothing is opened"),
        Binding("ctrl+o", "open", "Open the table", id="new.open", tooltip="Open the table with those who sit there"),
        Binding("down", "app.focus_next", "Next field", id="new.next", show=False, tooltip="To the next field"),
        Binding("up", "app.focus_previous", "Field before", id="new.before", show=False, tooltip="To the field before"),
    ]

    status_line = getters.query_one(StatusLine)

    def __init__(self, archive: Archive, decks: Sequence[str]) -> None:
        super().__init__()
        self._archive = archive
        self._decks = decks
        self._game = registry.GAMES[0]

    def compose(self) -> ComposeResult:
        """The games where there are several, then a row for each seat."""
        yield Static("New table", id="title")
        if len(registry.GAMES) > 1:
            yield OptionList(*(Option(registry.game(name).title, name) for name in registry.GAMES), id="games")
        yield Static("Who sits there, clockwise, and the deck that lies before them (leave it empty for a loose one).")
        for number in range(1, SEATS + 1):
            with Horizontal(classes="seat"):
                yield Static(f"{number}", classes="number")
                yield _field(f"name{number}", "name")
                yield _field(f"deck{number}", "deck: a name or a scanned box", self._decks)
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Ready for the first name."""
        self.query_one("#name1", Input).focus()
        self.status_line.show(Status("Enter goes on; on an empty name it opens the table.", "help"))
        self.query_one(KeyBar).show(
            (
                ("Enter", "Next field", ""),
                ("→", "Complete", ""),
                ("^O", "Open the table", "screen.open"),
                ("Esc", "Back", "screen.leave"),
            )
        )

    @on(OptionList.OptionSelected, "#games")
    def game_chosen(self, event: OptionList.OptionSelected) -> None:
        """Play this one."""
        self._game = str(event.option_id)
        self.query_one("#name1", Input).focus()

    @on(Input.Submitted)
    async def entered(self, event: Input.Submitted) -> None:
        """Enter leads on; an empty name ends the list."""
        event.stop()
        field = str(event.input.id)
        if (field.startswith("name") and not event.value.strip() and self._lines()) or field == f"deck{SEATS}":
            await self.action_open()
        else:
            self.focus_next()

    def _lines(self) -> list[str]:
        """The `seat` lines for what is filled in."""
        lines: list[str] = []
        taken: set[str] = set()
        for number in range(1, SEATS + 1):
            name = self.query_one(f"#name{number}", Input).value.strip()
            deck = self.query_one(f"#deck{number}", Input).value.strip()
            if name or deck:
                seat = seat_word(name or f"seat{number}", taken)
                taken.add(seat)
                said = [f"name {write_text(name)}"] if name else []
                said += [f"deck {write_text(deck)}"] if deck else []
                lines.append(" ".join((f"seat {seat}", *said)))
        return lines

    async def action_open(self) -> None:
        """Seat everybody on a table of their own, then keep it: a wrong deck leaves nothing half-done."""
        lines = self._lines()
        if not lines:
            self.status_line.show(Status("Type at least one name, or Esc to go back.", "wrong"))
            return
        try:
            session = await asyncio.to_thread(_seated, self._archive, self._game, lines)
        except (NotationError, RuleError, ArchiveError) as error:
            self.status_line.show(Status(str(error), "wrong"))
        else:
            self.dismiss(session)

    def action_leave(self) -> None:
        """Back; nothing is opened."""
        self.dismiss(None)


def _seated(archive: Archive, game: str, lines: Sequence[str]) -> str:
    session = Session.new(registry.game(game), None, store.ArchiveShelf(archive))
    session.do(*(session.notation.parse(line) for line in lines))
    return store.keep(archive, session)


def _field(name: str, placeholder: str, known: Sequence[str] = ()) -> Input:
    suggester = SuggestFromList(known, case_sensitive=False) if known else None
    field = Input(id=name, placeholder=placeholder, compact=True, suggester=suggester)
    field.cursor_blink = False
    return field


def seat_word(name: str, taken: set[str]) -> str:
    """The word by which notation calls somebody: the first of the name, made different from those taken."""
    first = re.sub(r"[^\w-]", "", name.split()[0] if name.split() else "").lower()
    if not first or first.isdecimal() or first in RESERVED:
        first = f"p{first}"
    word, number = first, 2
    while word in taken:
        word, number = f"{first}{number}", number + 1
    return word
