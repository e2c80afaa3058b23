"""A new table: which game, who sits there, and with which decks."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.suggester import SuggestFromList
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.archive import Archive, ArchiveError
from companion.games import registry
from companion.games.action import NotationError, RuleError
from companion.session import seating
from companion.session.seating import SeatedPerson
from companion.tui.screens.typing import TypingScreen, key_name
from companion.tui.widgets.keys import KeyBar
from companion.tui.widgets.status_line import Status, StatusLine

SEATS = 5


class NewTable(TypingScreen[str | None]):
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

    @property
    def field(self) -> Input:
        """The first name, for what is typed while a game is being chosen."""
        return self.query_one("#name1", Input)

    def on_mount(self) -> None:
        """Ready for the first name."""
        self.set_focus(self.field)
        self.status_line.show(Status("Enter goes on; on an empty name it opens the table.", "help"))
        self.query_one(KeyBar).show(
            (
                ("Enter", "Next field", ""),
                ("→", "Complete", ""),
                (key_name(self, "new.open"), "Open the table", "screen.open"),
                (key_name(self, "new.back"), "Back", "screen.leave"),
            )
        )

    @on(OptionList.OptionSelected, "#games")
    def game_chosen(self, event: OptionList.OptionSelected) -> None:
        """Play this one."""
        self._game = str(event.option_id)
        self.set_focus(self.field)

    @on(Input.Submitted)
    async def entered(self, event: Input.Submitted) -> None:
        """Enter leads on; an empty name ends the list."""
        event.stop()
        field = str(event.input.id)
        if (field.startswith("name") and not event.value.strip() and self._people()) or field == f"deck{SEATS}":
            await self.action_open()
        else:
            self.focus_next()

    def _people(self) -> list[SeatedPerson]:
        """Who is filled in."""
        rows = range(1, SEATS + 1)
        people = [SeatedPerson(self._text(f"#name{number}"), self._text(f"#deck{number}"), number) for number in rows]
        return [person for person in people if person.name or person.deck]

    def _text(self, field: str) -> str:
        return self.query_one(field, Input).value.strip()

    async def action_open(self) -> None:
        """Seat everybody on a table of their own, then keep it: a wrong deck leaves nothing half-done."""
        people = self._people()
        if not people:
            self.status_line.show(Status("Type at least one name, or Esc to go back.", "wrong"))
            return
        try:
            session = await asyncio.to_thread(seating.open_table, self._archive, self._game, people)
        except (NotationError, RuleError, ArchiveError) as error:
            self.status_line.show(Status(str(error), "wrong"))
        else:
            self.dismiss(session)

    def action_leave(self) -> None:
        """Back; nothing is opened."""
        self.dismiss(None)


def _field(name: str, placeholder: str, known: Sequence[str] = ()) -> Input:
    suggester = SuggestFromList(known, case_sensitive=False) if known else None
    field = Input(id=name, placeholder=placeholder, compact=True, suggester=suggester)
    field.cursor_blink = False
    return field
