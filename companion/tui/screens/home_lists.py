"""Home's lists: the table to go on with first, all tables and decks searched while somebody types."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Input
from textual.widgets.option_list import Option

from companion.archive import DeckRow, ListPage, SessionRow, deck_id
from companion.games import registry
from companion.tui import drawing, frame
from companion.tui.screens.base import TypingScreen, key_name
from companion.tui.widgets.bars import KeyBar, Status, StatusLine
from companion.tui.widgets.panel import PagedList
from companion.tui.widgets.welcome import Welcome

if TYPE_CHECKING:
    from companion.archive import Archive


def sessions(page: ListPage[SessionRow]) -> tuple[list[Option], int]:
    """A page of sessions as options, and how many there are in all."""
    return [Option(session_row(row), row.session) for row in page.rows], page.total


def decks(page: ListPage[DeckRow]) -> tuple[list[Option], int]:
    """A page of decks as options, and how many there are in all."""
    return [Option(deck_row(row), row.deck) for row in page.rows], page.total


def session_row(row: SessionRow) -> Content:
    """What was played, who sat there, where it stands or how it ended, and when that was."""
    title = row.title or registry.game(row.game).title
    state = f"{row.where or 'nobody'} · sealed" if row.sealed else row.where or "not begun"
    when = f"{row.changed.astimezone():%Y-%m-%d}, {_ago(row.changed)}"
    return Content.assemble((title, "bold"), f" · {drawing.single(state)}\n", (f"{when} · {row.session}", drawing.DIM))


def deck_row(row: DeckRow) -> Content:
    """A deck's name, its id, and what it has been through."""
    holder = f" · {row.holder}" if row.holder else ""
    figures = " · ".join(f"{figure.title} {figure.value}" for figure in row.figures)
    about = " · ".join(part for part in ("retired" if row.retired else "", figures) if part) + holder
    return Content.assemble((row.name, "bold"), "\n", (f"{deck_id.show(row.deck)} · {about}", drawing.DIM))


def current_time() -> datetime:
    """The time from which is counted how long ago something was."""
    return datetime.now(UTC)


def _ago(when: datetime) -> str:
    """How long ago, in the one unit that matters."""
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    minutes = int((current_time() - aware).total_seconds()) // 60
    if minutes < 1:
        return "just now"
    for size, unit in ((60 * 24, "day"), (60, "hour"), (1, "minute")):
        if minutes >= size:
            count = minutes // size
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


# Nothing that home does not show at first is loaded before it is on the screen: hence the imports inside functions.

T = TypeVar("T")

_PAGE = 100
_SEARCH, _BEGIN = "type any part of a name, or scan a box", "↑ ↓ choose how to begin, Enter goes on"
_ROOM_FOR_BOTH = 16


class SearchingScreen(TypingScreen[None]):
    """Two lists, or the welcome where there is nothing to list, and the field for what is looked for in both."""

    sessions = getters.query_one("#sessions", PagedList)
    decks = getters.query_one("#decks", PagedList)
    welcome = getters.query_one(Welcome)
    box = getters.query_one("#box", Input)
    status_line = getters.query_one(StatusLine)

    def __init__(self) -> None:
        super().__init__()
        self.archive: Archive | None = None
        self.is_sample = False
        self._active_list: PagedList | None = None
        self._backup_state = ""

    def show_keys(self) -> None:
        """The keys, as they are now."""
        raise NotImplementedError

    @property
    def field(self) -> Input:
        """The field for names and ids."""
        return self.box

    def compose(self) -> ComposeResult:
        """Two lists or the welcome, the field, a row to say something, the keys."""
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

    def on_resize(self, event: events.Resize) -> None:
        """Where both lists have no room, only the one that the arrow keys move in is there."""
        self.set_class(event.size.height < _ROOM_FOR_BOTH, "-one-list")

    def _turn_to(self, active: PagedList) -> None:
        """The list that the arrow keys move in."""
        self._active_list = active
        for each in (self.sessions, self.decks):
            each.set_class(each is active, "-active")

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Tell something below the field."""
        self.status_line.show(Status(text, "wrong" if wrong else "told"))

    async def show_early_lists(self, archive: str | None) -> None:
        """Show the lists as far as they can be seen while the archive is still being opened."""
        from companion.archive import fast_read

        def read_lists() -> tuple[tuple[list[Option], int], ...]:
            lists = fast_read.read_lists(archive, _PAGE)
            return (sessions(lists.sessions), decks(lists.decks)) if lists else ()

        pages = await self._run_query(read_lists)
        if pages and not self._is_ending:
            for each, (options, total) in zip((self.sessions, self.decks), pages, strict=True):
                each.show(options, 0, total)

    async def refresh_lists(self) -> bool:
        """Read the first page of both lists anew, as far as they fit what is typed; whether they could be read."""
        archive = self.archive
        if archive is None or self._is_ending:
            return False
        text = self.box.value.strip()
        sessions, decks = self.sessions, self.decks
        first = (f"{key_name(self, 'home.new')} opens", f"{key_name(self, 'home.found')} builds")
        clears = key_name(self, "home.back")
        for each, does in zip((sessions, decks), first, strict=True):
            each.nothing = f"None is called so; {clears} lists all." if text else f"None yet; {does} the first one."
        if not await self._show_page(sessions, text) or not await self._show_page(decks, text) or self._is_ending:
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
            self.say(f"Archive: {archive.name}\n{self._backup_state}".rstrip())

    @work(exclusive=True, group="elsewhere")
    async def refresh_backup_state(self) -> None:
        """Tell anew how the offsite copy is, where one is wanted; a disk that is asked for it may take its time."""
        from companion.archive import backups

        file = self.archive.store.file if self.archive is not None and not self.is_sample else None
        state = await asyncio.to_thread(backups.offsite_state, file) if file is not None else None
        before, self._backup_state = self._backup_state, state.text if state else ""
        if self._backup_state != before and self.archive is not None and not self._is_ending and self._tells_archive:
            self._tell_archive(self.archive)

    @property
    def _tells_archive(self) -> bool:
        """Whether the row for what is said has nothing else to say."""
        status = self.status_line.part
        return status is None or status.text.startswith("Archive: ")

    async def _show_page(self, paged_list: PagedList, text: str, row: int = 0) -> bool:
        """Show the page of a list that a row is on; whether that could be read."""

        archive, at = self.archive, row - row % _PAGE
        if archive is None:
            return False
        read_page: Callable[[], tuple[list[Option], int]]
        if paged_list.id == "sessions":
            read_page = lambda: sessions(archive.page_of_sessions(text, at, _PAGE))  # noqa: E731
        else:
            read_page = lambda: decks(archive.page_of_decks(text, at, _PAGE))  # noqa: E731
        page = await self._run_query(read_page)
        if page is None:
            return False
        paged_list.show(page[0], at, page[1], row - at)
        return True

    async def _run_query(self, question: Callable[[], T]) -> T | None:
        """An answer from the archive, read in a thread; None, and a word on it, where there is none."""
        from companion.archive import ArchiveError
        from companion.archive.deck_id import DeckIdError

        try:
            return await asyncio.to_thread(question)
        except (ArchiveError, DeckIdError) as error:
            self.say(frame.describe_error(error), wrong=True)
            return None

    @on(Input.Changed, "#box")
    def search_while_typing(self) -> None:
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
        assert self._active_list is not None
        row = self._active_list.move(by)
        if row is not None:
            await self._show_page(self._active_list, self.box.value.strip(), row)

    async def action_page(self, by: int) -> None:
        """As many rows as there are on the screen."""
        assert self._active_list is not None
        await self.action_move(by * max(1, self._active_list.size.height // 2))

    def action_other_list(self) -> None:
        """From one list to the other."""
        self._turn_to(self.decks if self._active_list is self.sessions else self.sessions)

    def action_clear(self) -> None:
        """Clear the field: everything is listed again."""
        self.box.value = ""

    def on_screen_resume(self) -> None:
        """Whatever has changed meanwhile, here or elsewhere, is in the lists."""
        self._search()
        self.refresh_backup_state()
