"""Home's lists: the table to continue first, then all tables and decks, searched while the user types."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

import msgspec
from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input
from textual.widgets.option_list import Option

from companion.archive import DeckRow, ListPage, SessionRow, deck_id, fast_read
from companion.archive.deck_id import DeckIdError
from companion.archive.errors import ArchiveError
from companion.games import registry
from companion.tui import drawing, frame
from companion.tui.screens.base import StatusLineScreen, TypingScreen, key_name
from companion.tui.widgets.bars import KeyBar, StatusLine
from companion.tui.widgets.overview import Keys, OverviewPanel, OverviewPart
from companion.tui.widgets.panel import PagedList, Panel, PlainContainer
from companion.tui.widgets.welcome import Welcome
from templates.languages.dates import numeric_date, time_ago
from templates.languages.messages import Text, joined, phrase, phrase_in

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.games.listing import ListedGame


class ListedRows(msgspec.Struct, frozen=True):
    """A page of a list as options, the total number of rows, and the row that the user most likely wants."""

    options: list[Option]
    total: int
    wanted: int = 0


def sessions(page: ListPage[SessionRow]) -> ListedRows:
    """Return a page of sessions, with the table to continue.

    On the first page, a game that waits for its seal comes first and is that table; else it is the first that is not
    over and has players.
    """
    rows = sorted(page.rows, key=lambda row: not row.needs_seal) if page.at == 0 else list(page.rows)
    unsealed = (at for at, row in enumerate(rows) if row.needs_seal)
    waiting = (at for at, row in enumerate(rows) if not row.has_ended and not row.is_empty)
    wanted = next(chain(unsealed, waiting), 0)
    return ListedRows([Option(session_row(row), row.session) for row in rows], page.total, wanted)


def decks(page: ListPage[DeckRow]) -> ListedRows:
    """Return a page of decks."""
    return ListedRows([Option(deck_row(row), row.deck) for row in page.rows], page.total)


def session_row(row: SessionRow) -> Content:
    """Return a table's title, its state or result with the players, and its date."""
    title = row.title or str(registry.title(row.game, row.page))
    states: list[Text] = [row.where or (phrase("nobody") if row.is_closed else phrase("not begun"))]
    # Translators: The state of a table: the game is written into the records of its decks, or not yet.
    states += [phrase_in("game", "sealed")] if row.is_closed else []
    states += [phrase("not sealed yet")] if row.needs_seal else []
    state = drawing.narrow_glyphs(str(joined(" · ", states)))
    when = f"{numeric_date(row.changed)}, {time_ago(row.changed, current_time())}"
    return Content.assemble((title, drawing.BOLD), f" · {state}\n", (f"{when} · {row.session}", drawing.DIM))


def deck_row(row: DeckRow) -> Content:
    """Return a deck's name, its history in figures, its holder, and its id."""
    figures = " · ".join(f"{figure.caption} {figure.value}" for figure in row.figures)
    # Translators: A deck that is no longer played.
    retired = str(phrase_in("deck", "retired")) if row.retired else ""
    parts = (retired, figures, row.holder, deck_id.show(row.deck))
    return Content.assemble((row.name, drawing.BOLD), "\n", (" · ".join(filter(None, parts)), drawing.DIM))


def current_time() -> datetime:
    """Return the time from which the lists count how long ago something was."""
    return datetime.now(UTC)


T = TypeVar("T")

PAGE_ROWS = 100
"""The number of rows that are read at once."""
_EARLY_SECONDS = 0.2
"""The seconds that the first paint may wait for the disk."""
_SEARCH = phrase("type any part of a name, or scan a box")
_BEGIN = phrase("type what you play; a digit or ↑ ↓ choose, Enter goes on")
_TABLES, _DECKS = phrase("Tables"), phrase("Decks")
_ROOM_FOR_BOTH = 16


def read_early_lists(archive_url: str | None) -> fast_read.HomeLists | None:
    """Read the lists of home from the archive's file; None if it cannot be read, or the disk is too slow."""
    lists: list[fast_read.HomeLists | None] = []
    reading = threading.Thread(target=lambda: lists.append(fast_read.read_lists(archive_url, PAGE_ROWS)), daemon=True)
    reading.start()
    reading.join(_EARLY_SECONDS)
    return lists[0] if lists else None


class SearchingScreen(TypingScreen[None], StatusLineScreen[None]):
    """Two lists, or the welcome if both are empty, and the field that searches both."""

    sessions = getters.query_one("#sessions", PagedList)
    decks = getters.query_one("#decks", PagedList)
    overview = getters.query_one(OverviewPanel)
    box = getters.query_one("#box", Input)

    def __init__(self, lists: fast_read.HomeLists | None = None) -> None:
        super().__init__()
        self._early_lists = lists
        self.archive: Archive | None = None
        self.is_sample = False
        self._active_list: PagedList | None = None
        self._backup_state: Text = ""
        self._archive_text = ""
        """The first line of the message about the archive that was shown last."""
        self._welcome: Welcome | None = None

    def show_keys(self) -> None:
        """Show the keys that apply now."""
        raise NotImplementedError

    @property
    def welcome(self) -> Welcome | None:
        """The ways to begin, if the lists are empty."""
        return self._welcome if self._welcome is not None and self._welcome.display else None

    @property
    def field(self) -> Input:
        """The field for names and ids."""
        return self.box

    def compose(self) -> ComposeResult:
        """Yield two lists beside the overview, the field, the status line and the keys."""
        with PlainContainer(id="sides"):
            with PlainContainer(id="lists"):
                sessions = self._active_list = PagedList(id="sessions", classes="-active")
                sessions.border_title = str(_TABLES)
                yield sessions
                decks = PagedList(id="decks")
                decks.border_title = str(_DECKS)
                decks.is_active = False
                yield decks
            yield OverviewPanel(id="overview")
        box = Input(id="box", placeholder=str(_SEARCH), select_on_focus=False)
        box.cursor_blink = False
        yield box
        yield StatusLine()
        yield KeyBar()

    async def show_language(self) -> None:
        """Show everything again in the language of the screens, which has changed."""
        self.sessions.border_title, self.decks.border_title = str(_TABLES), str(_DECKS)
        if self._welcome is not None:
            await self._welcome.remove()
            self._welcome = None
        for panel in self.query(Panel):
            panel.refresh(layout=True)
        if self.archive is not None and await self.refresh_lists():
            self._tell_archive(self.archive)
        self.refresh_overview()

    def on_resize(self, event: events.Resize) -> None:
        """Show only the active list if there is no room for both."""
        self.set_class(event.size.height < _ROOM_FOR_BOTH, "-one-list")

    def _turn_to(self, active: PagedList) -> None:
        """Make this the list that the arrow keys move in."""
        self._active_list = active
        for each in (self.sessions, self.decks):
            each.is_active = each is active
            each.set_class(each is active, "-active")

    def show_early_lists(self) -> None:
        """Show the lists that were read before the archive opened, if any."""
        if early := self._early_lists:
            self._early_lists = None
            for each, rows in ((self.sessions, sessions(early.sessions)), (self.decks, decks(early.decks))):
                each.show(rows.options, 0, rows.total, rows.wanted)

    async def refresh_lists(self) -> bool:
        """Read the first page of both lists again, filtered by the typed text; return True if they could be read."""
        archive = self.archive
        if archive is None or self._is_ending:
            return False
        text = self.box.value.strip()
        if self.welcome is not None and self.welcome.way_of_digit(text):
            text = ""  # the digit of a game is no search
        sessions, decks = self.sessions, self.decks
        no_match = phrase("There is none with this name; {key} lists all.", key=key_name(self, "home.back"))
        # Translators: A list of tables that is empty.
        no_tables = phrase("None yet; {key} opens the first one.", key=key_name(self, "home.new"))
        # Translators: A list of decks that is empty.
        no_decks = phrase("None yet; {key} builds the first one.", key=key_name(self, "home.found"))
        for each, nothing in ((sessions, no_tables), (decks, no_decks)):
            each.nothing = str(no_match if text else nothing)
        if not await self._show_page(sessions, text) or not await self._show_page(decks, text) or self._is_ending:
            return False
        is_empty = not (sessions.total or decks.total or (text and self.welcome is None))
        self.query_one("#sides").display = not is_empty
        welcome = await self._show_welcome(is_shown=is_empty)
        self.box.placeholder = str(_BEGIN if is_empty else _SEARCH)
        self.show_keys()
        if welcome is not None and not welcome.option_count:
            games = await self._read_games(archive)
            if games is not None and not self._is_ending:
                welcome.offer(games)
        if welcome is not None and is_empty:
            welcome.search(text)
        return True

    async def _read_games(self, archive: Archive) -> Sequence[ListedGame] | None:
        """Return all games; None, with a message, if they cannot be read."""
        from companion.session.table import game_pages

        return await self._run_query(lambda: tuple(game_pages.all_games(archive)))

    async def _show_welcome(self, *, is_shown: bool) -> Welcome | None:
        """Show or hide the ways to begin; they are made when the lists are first empty."""
        if self._welcome is not None:
            self._welcome.display = is_shown
        elif is_shown:
            self._welcome = Welcome(id="welcome")
            await self.mount(self._welcome, after="#sides")
        return self.welcome

    @work(exclusive=True, group="overview")
    async def refresh_overview(self) -> None:
        """Read and show the overview again, after the lists."""
        archive = self.archive
        if archive is None:
            return
        from companion.archive.overview import read_overview

        overview = await self._run_query(lambda: read_overview(archive))
        if overview is not None and not self._is_ending and archive is self.archive:
            keys = Keys(*(key_name(self, f"home.{name}") for name in ("new", "found", "other")))
            self.overview.show(OverviewPart(overview, current_time(), keys))

    @property
    def _is_ending(self) -> bool:
        """True if the program is exiting, and its widgets are gone already."""
        return not self.query(PagedList)

    def _tell_archive(self, archive: Archive) -> None:
        if self.is_sample:
            self.say(phrase("A sample in a file of its own: try anything, nothing of yours is touched."))
        else:
            self._archive_text = str(phrase("Archive: {name}", name=archive.name))
            self.say(joined("\n", filter(None, (self._archive_text, self._backup_state))))

    def show_shared(self, entries: int) -> None:
        """Show what came in from other devices, if home is shown, and the state of the shared folder."""
        if entries and self.is_current and not self.box.value:
            self._search()
            self.refresh_overview()
        self.refresh_backup_state()

    @work(exclusive=True, group="elsewhere")
    async def refresh_backup_state(self) -> None:
        """Show the state of the copy elsewhere and of the shared folder again; their disks may be slow to answer."""
        from companion.archive.sharing.elsewhere import describe_elsewhere

        file = self.archive.store.file if self.archive is not None and not self.is_sample else None
        key = key_name(self, "home.archive")
        state: Text = "" if file is None else await asyncio.to_thread(describe_elsewhere, file, key)
        before, self._backup_state = self._backup_state, str(state)
        if self._backup_state != before and self.archive is not None and not self._is_ending and self._tells_archive:
            self._tell_archive(self.archive)

    @property
    def _tells_archive(self) -> bool:
        """True if the status line has no other message."""
        status = self.status_line.part
        return status is None or (bool(self._archive_text) and status.text.startswith(self._archive_text))

    async def _show_page(self, paged_list: PagedList, text: str, row: int | None = None) -> bool:
        """Show the page of a list that has this row, the first if None; return True if it could be read."""
        archive, at = self.archive, (row or 0) - (row or 0) % PAGE_ROWS
        if archive is None:
            return False
        read_page: Callable[[], ListedRows]
        if paged_list.id == "sessions":
            read_page = lambda: sessions(archive.page_of_sessions(text, at, PAGE_ROWS))  # noqa: E731
        else:
            read_page = lambda: decks(archive.page_of_decks(text, at, PAGE_ROWS))  # noqa: E731
        page = await self._run_query(read_page)
        if page is None:
            return False
        paged_list.show(page.options, at, page.total, page.wanted if row is None else row - at)
        return True

    async def _run_query(self, question: Callable[[], T]) -> T | None:
        """Run a query on the archive in a thread; report an error and return None if it fails."""
        try:
            return await asyncio.to_thread(question)
        except (ArchiveError, DeckIdError) as error:
            self.say(frame.describe_error(error), wrong=True)
            return None

    @on(Input.Changed, "#box")
    def search_while_typing(self) -> None:
        """Search while the user types, for the latest text only; clear the last message."""
        if self.archive is not None:
            self._tell_archive(self.archive)
        self._search()

    @work(exclusive=True, group="search")
    async def _search(self) -> None:
        await self.refresh_lists()

    async def action_move(self, by: int) -> None:
        """Move `by` rows down the list, and past its edge to the next page."""
        if (welcome := self.welcome) is not None:
            (welcome.action_cursor_down if by > 0 else welcome.action_cursor_up)()
            return
        assert self._active_list is not None
        row = self._active_list.move(by)
        if row is not None:
            await self._show_page(self._active_list, self.box.value.strip(), row)

    async def action_page(self, by: int) -> None:
        """Move by as many rows as fit the list."""
        assert self._active_list is not None
        await self.action_move(by * max(1, self._active_list.size.height // 2))

    def action_other_list(self) -> None:
        """Switch to the other list."""
        self._turn_to(self.decks if self._active_list is self.sessions else self.sessions)

    def action_clear(self) -> None:
        """Clear the field, so that everything is listed again."""
        self.box.value = ""

    def on_screen_resume(self) -> None:
        """Refresh the lists after changes here or elsewhere, once there is an archive."""
        if self.archive is not None:
            self._search()
            self.refresh_overview()
            self.refresh_backup_state()
