"""Home: the table to go on with, all tables and decks to be searched while typing, and the way to everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from companion.tui.screens.typing import TypingScreen, key_name
from companion.tui.widgets.keys import Key, KeyBar
from companion.tui.widgets.paged_list import PagedList
from companion.tui.widgets.status_line import Status, StatusLine
from companion.tui.widgets.welcome import Welcome

# Nothing that is not on home itself is loaded before it is on the screen: hence the imports inside functions.
if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.session.answers import Answers
    from companion.session.filling import Fillable, Outcome

T = TypeVar("T")

_PAGE = 100
_SEARCH, _BEGIN = "type any part of a name, or scan a box", "↑ ↓ choose how to begin, Enter goes on"
_ROOM_FOR_BOTH = 16


class Home(TypingScreen[None]):
    """What there is. The lists fill when the archive is open; what is typed or scanned searches them."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", id="home.help", tooltip="What the keys do"),
        Binding("f2", "new", "New table", id="home.new", tooltip="Choose who plays and with which decks"),
        Binding("f4", "found", "Found", id="home.found", tooltip="Build a new deck, step by step"),
        Binding("f5", "go('print')", "Print", id="home.print", tooltip="Labels, record sheets, table aids, test pages"),
        Binding("f6", "go('scan')", "Scan", id="home.scan", tooltip="What a code is, from a picture or typed"),
        Binding("f3", "adopt", "Adopt", id="home.adopt", tooltip="Take in a deck that has lived on paper"),
        Binding(
            "f7", "go('people')", "People", id="home.people", tooltip="Purses with their reasons, and who holds what"
        ),
        Binding(
            "f12", "go('settings')", "Settings", id="home.settings", tooltip="Theme, printer, paper, where things are"
        ),
        Binding(
            "ctrl+o", "go('archive')", "Archive", id="home.archive", tooltip="Where it is, copies of it, is it whole"
        ),
        Binding("f9", "sample", "Sample", id="home.sample", tooltip="To a sample campaign, and back to what is yours"),
        Binding("f8", "discard", "Remove it", id="home.discard", tooltip="Delete the sample campaign"),
        Binding("tab", "other_list", "Other list", id="home.other", tooltip="To the other list"),
        Binding("up", "move(-1)", "Row above", id="home.up", show=False, tooltip="To the row above"),
        Binding("down", "move(1)", "Row below", id="home.down", show=False, tooltip="To the row below"),
        Binding("pageup", "page(-1)", "Page up", id="home.pageup", show=False, tooltip="A screen of rows up"),
        Binding("pagedown", "page(1)", "Page down", id="home.pagedown", show=False, tooltip="A screen of rows down"),
        Binding("escape", "clear", "Back", id="home.back", show=False, tooltip="Clear the field"),
    ]

    @dataclass
    class TableRequested(Message):
        """The table of this session is to be shown."""

        session: str

    @dataclass
    class SampleRequested(Message):
        """The sample campaign is to be shown, or left; `discard` deletes it as well."""

        discard: bool = False

    sessions = getters.query_one("#sessions", PagedList)
    decks = getters.query_one("#decks", PagedList)
    welcome = getters.query_one(Welcome)
    box = getters.query_one("#box", Input)
    status_line = getters.query_one(StatusLine)

    def __init__(self, *, is_behind: bool = False) -> None:
        super().__init__()
        # Behind a table that comes first there is nothing here until `furnish`.
        self._is_bare = is_behind
        self.archive: Archive | None = None
        self.is_sample = False
        self._shown: PagedList | None = None
        self._forms: dict[str, dict[str, Answers]] = {}

    @property
    def field(self) -> Input:
        """The field for names and ids."""
        return self.box

    def compose(self) -> ComposeResult:
        """Two lists or the welcome, the field, a row to say something, the keys."""
        if self._is_bare:
            return
        with Container(id="lists"):
            sessions = PagedList(id="sessions")
            sessions.border_title = "Tables"
            yield sessions
            decks = PagedList(id="decks")
            decks.border_title = "Decks"
            yield decks
        yield Welcome(id="welcome")
        box = Input(id="box", compact=True, placeholder=_SEARCH, select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    def on_mount(self) -> None:
        """Ready to type, and for the arrow keys."""
        if not self._is_bare:
            self._get_ready()

    async def furnish(self) -> None:
        """Make everything that was left out, as a table came first."""
        if self._is_bare:
            self._is_bare = False
            await self.recompose()
            self._get_ready()

    def _get_ready(self) -> None:
        self.welcome.display = False
        self.set_focus(self.box)
        self._turn_to(self.sessions)
        self.say("Opening the archive …")
        self.show_keys()

    def on_resize(self, event: events.Resize) -> None:
        """Where both lists have no room, only the one that the arrow keys move in is there."""
        self.set_class(event.size.height < _ROOM_FOR_BOTH, "-one-list")

    def _turn_to(self, shown: PagedList) -> None:
        """The list that the arrow keys move in."""
        self._shown = shown
        for each in (self.sessions, self.decks):
            each.set_class(each is shown, "-active")

    def show_keys(self) -> None:
        """The keys, by the names they have after remapping."""
        active = {each.binding.id: each.binding for each in self.active_bindings.values()}
        keys: dict[str, Key] = {}
        for own in self.BINDINGS:
            binding = active.get(own.id) if isinstance(own, Binding) else None
            if binding is not None and binding.id and binding.show:
                keys[binding.id] = (self.app.get_key_display(binding), binding.description, f"screen.{binding.action}")
        back = [(keys.pop("home.sample")[0], "Back to yours", "screen.sample")] if self.is_sample else []
        back += [keys.pop("home.discard")] if "home.discard" in keys else []
        enter = ("Enter", "Go on" if self.welcome.display else "Open", "screen.enter")
        self.query_one(KeyBar).show((enter, *back, *keys.values(), ("^Q", "Quit", "app.quit")))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 – Textual's
        """Only a sample can be removed."""
        return self.is_sample if action == "discard" else True

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something below the field."""
        self.status_line.show(Status(text, "wrong" if wrong else "told"))

    def cannot_open(self, why: str) -> None:
        """The archive cannot be opened."""
        self.say(f"{why} Nothing can be kept; Ctrl+Q ends.", wrong=True)

    async def glance(self, archive: str | None) -> None:
        """Show the lists as far as they can be seen while the archive is still being opened."""
        from companion.archive import glance
        from companion.tui.screens import rows

        def seen() -> tuple[tuple[list[Option], int], ...]:
            lists = glance.lists(archive, _PAGE)
            return (rows.sessions(lists.sessions), rows.decks(lists.decks)) if lists else ()

        found = await self._asked(seen)
        if found and not self._is_ending:
            for each, (options, total) in zip((self.sessions, self.decks), found, strict=True):
                each.show(options, 0, total)

    async def turn_to(self, archive: Archive, *, is_sample: bool) -> None:
        """Show this archive from now on."""
        self.archive, self.is_sample = archive, is_sample
        self.set_class(is_sample, "-sample")
        self.box.value = ""
        self._forms.clear()
        self.refresh_bindings()
        self.show_keys()
        if await self.refresh_lists():
            self._tell_archive(archive)

    # The lists

    async def refresh_lists(self) -> bool:
        """Read the first page of both lists anew, as far as they fit what is typed; whether they could be read."""
        archive = self.archive
        if archive is None or self._is_ending:
            return False
        text = self.box.value.strip()
        sessions, decks = self.sessions, self.decks
        first = (f"{key_name(self, 'home.new')} opens", f"{key_name(self, 'home.found')} founds")
        for each, does in zip((sessions, decks), first, strict=True):
            each.nothing = "None is called so." if text else f"None yet; {does} the first one."
        if not await self._read(sessions, text) or not await self._read(decks, text) or self._is_ending:
            return False
        is_empty = not (text or sessions.total or decks.total)
        self.query_one("#lists").display = not is_empty
        self.welcome.display = is_empty
        self.box.placeholder = _BEGIN if is_empty else _SEARCH
        self.show_keys()
        if is_empty and self.welcome.highlighted is None:
            self.welcome.action_first()
        return True

    @property
    def _is_ending(self) -> bool:
        """Whether the program ends, and its widgets have gone before it."""
        return not self.query(PagedList)

    def _tell_archive(self, archive: Archive) -> None:
        if self.is_sample:
            self.say("A sample in a file of its own: try anything, nothing of yours is touched.")
        else:
            self.say(f"Archive: {archive.name}")

    async def _read(self, shown: PagedList, text: str, row: int = 0) -> bool:
        """Show the page of a list that a row is on; whether that could be read."""
        from companion.tui.screens import rows

        archive, at = self.archive, row - row % _PAGE
        if archive is None:
            return False
        read: Callable[[], tuple[list[Option], int]]
        if shown.id == "sessions":
            read = lambda: rows.sessions(archive.page_of_sessions(text, at, _PAGE))  # noqa: E731
        else:
            read = lambda: rows.decks(archive.page_of_decks(text, at, _PAGE))  # noqa: E731
        found = await self._asked(read)
        if found is None:
            return False
        shown.show(found[0], at, found[1], row - at)
        return True

    async def _asked(self, question: Callable[[], T]) -> T | None:
        """An answer from the archive, read in a thread; None, and a word on it, where there is none."""
        from companion.archive import ArchiveError
        from companion.archive.deck_id import DeckIdError

        try:
            return await asyncio.to_thread(question)
        except (ArchiveError, DeckIdError) as error:
            self.say(str(error), wrong=True)
            return None

    @on(Input.Changed, "#box")
    def searched(self) -> None:
        """Search while somebody types; only what was typed last is looked for, and what was said before is over."""
        if self.archive is not None:
            self._tell_archive(self.archive)
        self._search()

    @work(exclusive=True, group="search")
    async def _search(self) -> None:
        await self.refresh_lists()

    async def action_move(self, by: int) -> None:
        """So many rows down the list; over its edge to the next page."""
        if self.welcome.display:
            (self.welcome.action_cursor_down if by > 0 else self.welcome.action_cursor_up)()
            return
        assert self._shown is not None
        wanted = self._shown.move(by)
        if wanted is not None:
            await self._read(self._shown, self.box.value.strip(), wanted)

    async def action_page(self, by: int) -> None:
        """As many rows as there are on the screen."""
        assert self._shown is not None
        await self.action_move(by * max(1, self._shown.size.height // 2))

    def action_other_list(self) -> None:
        """From one list to the other."""
        self._turn_to(self.decks if self._shown is self.sessions else self.sessions)

    def action_clear(self) -> None:
        """Clear the field: everything is listed again."""
        self.box.value = ""

    # What is opened

    @on(Input.Submitted, "#box")
    async def entered(self) -> None:
        """Open what is highlighted of what fits the text; what fits nothing is an id, or something is wrong with it."""
        text = self.box.value.strip()
        if self.welcome.display and not text:
            await self.run_action(f"screen.{self.welcome.chosen}")
            return
        if text:
            await self.refresh_lists()
        lists = [each for each in (self._shown, self.sessions, self.decks) if each is not None and each.chosen]
        if lists:
            await self._open(lists[0], lists[0].chosen)
        elif text and not await self._show_deck(text):
            # What is typed or scanned next takes its place.
            self.box.select_all()

    @on(OptionList.OptionSelected, "#sessions")
    @on(OptionList.OptionSelected, "#decks")
    async def clicked(self, event: OptionList.OptionSelected) -> None:
        """A click opens a row."""
        assert isinstance(event.option_list, PagedList)
        self._turn_to(event.option_list)
        await self._open(event.option_list, str(event.option_id))

    @on(OptionList.OptionSelected, "#welcome")
    async def began(self, event: OptionList.OptionSelected) -> None:
        """A click on a way to begin."""
        await self.run_action(f"screen.{event.option_id}")

    async def _open(self, shown: PagedList, which: str) -> None:
        """Go on with a table, or open a deck's record."""
        if self._opened() is None:
            return
        if shown is self.sessions:
            self.box.value = ""
            self.post_message(self.TableRequested(which))
        else:
            await self._show_deck(which)

    async def _show_deck(self, text: str, told: str = "") -> bool:
        archive = self._opened()
        if archive is None:
            return False

        from companion.tui.screens.deck import DeckScreen, look_up

        found = await self._asked(lambda: look_up(archive, text))
        if found is not None:
            self.box.value = ""
            await self.app.push_screen(DeckScreen(archive, found, told))
        return found is not None

    def on_screen_resume(self) -> None:
        """Whatever has changed meanwhile, here or elsewhere, is in the lists."""
        self._search()

    def _opened(self) -> Archive | None:
        if self.archive is None:
            self.say("The archive is not open yet; a moment, please.", wrong=True)
        return self.archive

    # What is filled in

    async def action_new(self) -> None:
        """A new table."""
        from companion.games import registry
        from companion.session.seating import TableForm

        archive = self._opened()
        if archive is not None:
            games = registry.GAMES
            await self._fill_in("table", games, lambda game: TableForm(archive, registry.game(game)), self._seated)

    async def action_found(self) -> None:
        """A new deck."""
        await self._new_deck("Found")

    async def action_adopt(self) -> None:
        """A deck from its paper record sheet."""
        await self._new_deck("Adopt")

    async def _new_deck(self, how: Literal["Found", "Adopt"]) -> None:
        from companion.games import registry
        from companion.tui.deck_form import LabelledDeckForm

        archive = self._opened()
        if archive is None:
            return
        forms = {each.name: each.founding if how == "Found" else each.adopting for each in registry.all_games()}

        def opened(game: str) -> Fillable:
            form = forms[game]
            assert form is not None
            return LabelledDeckForm(archive, registry.game(game), form, how)

        await self._fill_in(how, [name for name, form in forms.items() if form], opened, self._arrived)

    async def _fill_in(
        self,
        what: str,
        games: Sequence[str],
        opened: Callable[[str], Fillable],
        done: Callable[[Outcome | None], Awaitable[None]],
    ) -> None:
        """Show a form; what was typed into it before and not done is still there."""
        from companion.tui import drafts
        from companion.tui.screens.form import FormScreen

        assert self.archive is not None
        beside = self.archive.name
        if what not in self._forms:
            self._forms[what] = drafts.answers(beside, what)
        keep = partial(drafts.keep, beside, what)
        await self.app.push_screen(FormScreen(games, opened, self._forms[what], keep=keep), done)

    async def _seated(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self.post_message(self.TableRequested(outcome.id))

    async def _arrived(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            await self._show_deck(outcome.id, outcome.told)

    # Everything else

    def action_sample(self) -> None:
        """To the sample campaign, or back to what is one's own."""
        if self._opened() is not None:
            self.post_message(self.SampleRequested())

    def action_discard(self) -> None:
        """Back to what is one's own, and the sample is gone."""
        self.post_message(self.SampleRequested(discard=True))

    async def action_go(self, way: str) -> None:
        """To one of the other screens."""
        archive = self._opened()
        if archive is not None:
            from companion.tui.screens.ways import WAYS

            await WAYS[way](self, archive)

    def action_help(self) -> None:
        """What the keys do."""
        from companion.tui.screens.help import Help

        self.app.push_screen(Help(self.active_bindings))
