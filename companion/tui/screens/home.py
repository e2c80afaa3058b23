"""Home: tables to go on with, decks, a new table, and a place to scan or type a box's id."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from companion.tui.screens.typing import TypingScreen
from companion.tui.widgets.keys import Key, KeyBar
from companion.tui.widgets.status_line import Status, StatusLine

# Nothing that is not on home itself is loaded before it is on the screen: hence the imports inside functions.
if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.tui.screens.adopt import DeckAdopted

T = TypeVar("T")

_ADOPT = "adopt"


class Home(TypingScreen[None]):
    """What there is. The lists fill when the archive is open."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", id="home.help", tooltip="What the keys do"),
        Binding("f2", "new", "New table", id="home.new", tooltip="Choose who plays and with which decks"),
        Binding("f3", "adopt", "Adopt", id="home.adopt", tooltip="Take in a deck that has lived on paper"),
        Binding("left,right", "other_list", "Other list", id="home.other", show=False, tooltip="To the other list"),
        Binding("escape", "to_lists", "Back", id="home.back", show=False, tooltip="Clear the field, back to the lists"),
    ]

    @dataclass
    class TableRequested(Message):
        """The table of this session is to be shown."""

        session: str

    sessions = getters.query_one("#sessions", OptionList)
    decks = getters.query_one("#decks", OptionList)
    box = getters.query_one("#box", Input)
    status_line = getters.query_one(StatusLine)

    def __init__(self) -> None:
        super().__init__()
        self.archive: Archive | None = None
        self._names: list[str] = []

    def compose(self) -> ComposeResult:
        """Two lists, the field, a row to say something, the keys."""
        with Container(id="lists"):
            sessions = OptionList(id="sessions")
            sessions.border_title = "Tables"
            yield sessions
            decks = OptionList(id="decks")
            decks.border_title = "Decks"
            yield decks
        placeholder = "scan a box, or type its id or the beginning of a name"
        box = Input(id="box", compact=True, placeholder=placeholder, select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Ready for the arrow keys; what is typed or scanned goes into the field by itself."""
        self.sessions.focus()
        self.say("Opening the archive …")
        self.show_keys()

    def show_keys(self) -> None:
        """The keys, by the names they have after remapping."""
        own = [active.binding for active in self.active_bindings.values() if active.node is self]
        keys: dict[str, Key] = {"": ("Enter", "Open", "")}
        for binding in own:
            action = _namespaced(binding.action)
            if binding.show:
                keys.setdefault(action, (self.app.get_key_display(binding), binding.description, action))
        self.query_one(KeyBar).show((*keys.values(), ("^Q", "Quit", "app.quit")))

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something below the field."""
        self.status_line.show(Status(text, "wrong" if wrong else "told"))

    def cannot_open(self, why: str) -> None:
        """The archive cannot be opened."""
        self.say(f"{why} Nothing can be kept; Ctrl+Q ends.", wrong=True)

    async def refresh_lists(self) -> None:
        """Read both lists from the archive."""
        from companion.tui.screens import rows

        archive = self.archive
        if archive is None:
            return
        read = await self._asked(lambda: (archive.sessions(), archive.decks()))
        if read is None:
            return
        sessions, decks = read
        self._names = [row.name for row in decks if not row.retired]
        _fill(self.sessions, [Option(rows.session_row(row), row.session) for row in sessions])
        _fill(self.decks, [Option(rows.deck_row(row), row.deck) for row in decks])
        self.sessions.border_subtitle = "" if sessions else "none yet: F2 opens one"
        self.decks.border_subtitle = "" if decks else "none yet: companion deck new --help"
        self.say(f"Archive: {archive.name}")

    async def _asked(self, question: Callable[[], T]) -> T | None:
        """An answer from the archive, read in a thread; None, and a word on it, where there is none."""
        from companion.archive import ArchiveError
        from companion.archive.deck_id import DeckIdError

        try:
            return await asyncio.to_thread(question)
        except (ArchiveError, DeckIdError) as error:
            self.say(str(error), wrong=True)
            return None

    def _opened(self) -> Archive | None:
        if self.archive is None:
            self.say("The archive is not open yet; a moment, please.", wrong=True)
        return self.archive

    @property
    def field(self) -> Input:
        """The field for ids and names."""
        return self.box

    @on(OptionList.OptionSelected, "#sessions")
    def session_chosen(self, event: OptionList.OptionSelected) -> None:
        """Go on with a table."""
        self.post_message(self.TableRequested(str(event.option_id)))

    @on(OptionList.OptionSelected, "#decks")
    async def deck_chosen(self, event: OptionList.OptionSelected) -> None:
        """Open a deck's record."""
        await self._show_deck(str(event.option_id))

    @on(Input.Submitted, "#box")
    async def entered(self, event: Input.Submitted) -> None:
        """A scanned or typed id, or a name: open that deck's record."""
        text = event.value.strip()
        if text and await self._show_deck(text):
            self.box.value = ""
        else:
            # What is typed or scanned next takes its place.
            self.box.select_all()

    async def _show_deck(self, text: str) -> bool:
        archive = self._opened()
        if archive is None:
            return False

        from companion.tui.screens.deck import DeckScreen, look_up

        found = await self._asked(lambda: look_up(archive, text))
        if found is not None:
            self.app.push_screen(DeckScreen(archive, found))
        return found is not None

    def action_new(self) -> None:
        """A new table."""
        from companion.tui.screens.new_table import NewTable

        archive = self._opened()
        if archive is not None:
            self.app.push_screen(NewTable(archive, self._names), self._seated)

    def _seated(self, session: str | None) -> None:
        if session is not None:
            self.post_message(self.TableRequested(session))

    def action_adopt(self) -> None:
        """A deck from its paper record sheet."""
        from companion.tui.screens.adopt import Adopt

        archive = self._opened()
        if archive is None:
            return
        if not self.app.is_screen_installed(_ADOPT):
            # An installed screen is kept as it is left, so nothing is lost that somebody has typed there.
            self.app.install_screen(Adopt(archive), _ADOPT)
        self.app.push_screen(_ADOPT, self._adopted)

    async def _adopted(self, adopted: DeckAdopted | None) -> None:
        from companion.tui.screens.deck import DeckScreen, look_up

        archive = self._opened()
        if adopted is None or archive is None:
            return
        await self.refresh_lists()
        found = await self._asked(lambda: look_up(archive, adopted.deck))
        if found is not None:
            self.app.push_screen(DeckScreen(archive, found, adopted.told))

    def action_to_lists(self) -> None:
        """From the field back to the lists."""
        self.box.value = ""
        self.set_focus(self.sessions)

    def action_other_list(self) -> None:
        """From one list to the other."""
        self.set_focus(self.decks if self.sessions.has_focus else self.sessions)

    def action_help(self) -> None:
        """What the keys do."""
        from companion.tui.screens.help import Help

        self.app.push_screen(Help(self.active_bindings))


def _namespaced(action: str) -> str:
    return action if "." in action else f"screen.{action}"


def _fill(options: OptionList, rows: list[Option]) -> None:
    at = options.highlighted or 0
    options.clear_options()
    options.add_options(rows)
    options.highlighted = min(at, len(rows) - 1) if rows else None
