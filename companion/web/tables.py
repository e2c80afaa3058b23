"""Tables on phones: rendered once for each change and audience, and sent to open pages as events."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, deck_id
from companion.session.core.decks_in_play import MovedDeck
from companion.session.core.session import Session
from companion.session.reports.clock_reading import SeatClock, has_clock, read_clock_of
from companion.session.table import rematch
from companion.session.table.change_listener import ChangeListener
from companion.session.table.countdown import Countdown
from companion.session.table.rematch import FollowingTable
from companion.session.table.shared_session import News, SharedSession, SharedSessions
from companion.session.table.table_client import TableClient
from companion.session.table.terms import glossary
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.table.common_actions import SetClock
from companion.web import templates
from companion.web.answering import AvailableActions
from companion.web.phones import Audience, Phones
from companion.web.table_page import SECTIONS, build_page
from companion.web.visitor import random_id
from templates.languages.messages import Message, Text, current_language, phrase

_MAX_RENDERED: Final = 100
"""The most rendered pages of a table in memory."""
_MAX_TABLES: Final = 40
"""The most tables in memory; beyond that, tables without open pages are dropped first."""

TOKEN_MARK: Final = random_id()
"""A placeholder in rendered sections for the token of a phone: random, so that no foreign text can contain it."""
LENGTH_MARK: Final = random_id()
"""A placeholder in rendered sections for the length of the log, so that sections change only with their content."""


class PageKind(NamedTuple):
    """A kind of page that shows a table: its sections by the ids of their elements.

    A `public` page is the same for every seat.
    """

    sections: tuple[str, ...]
    public: bool = False


PHONE_PAGE: Final = PageKind(SECTIONS)
_RENDERER: Final = ThreadPoolExecutor(1, "renderer")
"""Renders one page after the other: concurrent rendering takes as long, and blocks threads that write."""
EVERYBODY: Final = Audience("", "look")
"""The audience of a public page, which has no private content."""


class RenderedTable(NamedTuple):
    """A rendered page of a table: the `length` of its log in lines, and its `sections` as HTML by their ids."""

    length: int
    title: str
    sections: dict[str, str]
    countdown: tuple[object, ...] = ()
    """The state of the displayed countdown."""
    moved: tuple[MovedDeck, ...] = ()
    """The decks whose records are reported as changed."""
    following: FollowingTable | None = None
    """The newer table that the page leads to."""

    def for_phone(self, token: str) -> dict[str, str]:
        """Return the sections with the token of a phone and the length of the log filled in."""
        return {
            name: html.replace(TOKEN_MARK, token).replace(LENGTH_MARK, str(self.length))
            for name, html in self.sections.items()
        }


FindNext = Callable[[Session], FollowingTable | None]


class SharedTable:
    """A table that phones show, rendered once for each change and audience, however many phones show it.

    `sentence` is the last event, and `listeners` are set on any change. All of it belongs to the event loop, except
    `on_change`, which is called in the writer's thread.
    """

    def __init__(self, live: SharedSession, loop: asyncio.AbstractEventLoop, find_next: FindNext) -> None:
        """Share a table; `find_next` returns the table that follows it once its game is over."""
        self.live = live
        self.following: FollowingTable | None = None
        self._find_next = find_next
        self._seen_length = -1
        self._is_over = False
        self.sentence: Text = ""
        self.listeners: set[asyncio.Event] = set()
        self._loop = loop
        self._sitting = TableClient(live)
        # By audience, kind and language.
        self._rendered: OrderedDict[tuple[Audience, PageKind, str], asyncio.Future[RenderedTable]] = OrderedDict()
        self._sitting.watch(self.on_change)

    def on_change(self, news: News) -> None:
        """Notify all listeners in the event loop of a change; thread-safe.

        Suggestions to the host are no change of the table.
        """
        if news.line:
            return
        self._loop.call_soon_threadsafe(self._take, news)

    def _take(self, news: News) -> None:
        # “In another window” makes no sense on a phone.
        self.sentence = news.happened or news.sentence
        self.notify()

    def notify(self) -> None:
        """Have all open pages check for changes."""
        for listener in self.listeners:
            listener.set()

    def sitting(self, audience: Audience) -> TableClient:
        """Return another client of this table, for one phone.

        Its actions are logged under its owner's name, and it sees what its seat may see.
        """
        return self._sitting.another(audience.by, audience.seat)

    async def page_for(self, audience: Audience, kind: PageKind = PHONE_PAGE) -> RenderedTable:
        """Return the current page of an audience."""
        page = await self.recent_page_for(audience, kind)
        return page if self.is_shown_by(page) else await self.page_for(audience, kind)

    async def recent_page_for(self, audience: Audience, kind: PageKind = PHONE_PAGE) -> RenderedTable:
        """Return the page of an audience, rendered on first use: the current one, or that just before a change."""
        await self._look_for_next()
        key = (audience, kind, current_language().code)
        task = self._rendered.get(key)
        if task is None or (task.done() and (task.exception() or not self._is_current(task.result()))):
            # The thread renders in the language of this reader.
            render = partial(copy_context().run, render_table, self._sitting, audience, kind, self.following)
            task = self._loop.run_in_executor(_RENDERER, render)
            self._rendered[key] = task
            while len(self._rendered) > _MAX_RENDERED:
                self._rendered.popitem(last=False)
        return await asyncio.shield(task)

    def _is_current(self, page: RenderedTable) -> bool:
        is_same = page.countdown == self.live.countdown.state and page.following == self.following
        return self.is_shown_by(page) and is_same

    async def _look_for_next(self) -> None:
        """Find the table that follows this one; before the end of its game, look for none."""
        length = self.live.length
        if length == self._seen_length and not self._is_over:
            return
        self._is_over = await asyncio.to_thread(lambda: bool(str(rematch.describe_next(self.live.session))))
        self._seen_length = length
        if self._is_over:
            with contextlib.suppress(ArchiveError, NotationError, RuleError):
                self.following = await asyncio.to_thread(self._find_next, self.live.session)
        else:
            self.following = None

    def notify_if_over(self) -> None:
        """Have the open pages check for changes if another table may follow this one."""
        if self._is_over:
            self.notify()

    def is_shown_by(self, page: RenderedTable) -> bool:
        """Return True if a page shows the table as it is now."""
        return page.length == self.live.length and page.moved == self.live.session.moved_decks

    def close(self) -> None:
        """Stop listening to the table."""
        self._sitting.leave()


def render_table(
    sitting: TableClient, audience: Audience, kind: PageKind = PHONE_PAGE, following: FollowingTable | None = None
) -> RenderedTable:
    """Render the current page of a table for an audience, with the table that is `following` once its game is over."""
    sitting = sitting.another(audience.by, audience.seat)
    while True:
        moved, position = sitting.session.moved_decks, sitting.session.log.position
        page, actions = build_page(sitting, audience.seat), AvailableActions.of(sitting.session, audience)
        # A line that was added meanwhile may be in one half of the page and not in the other. The length alone does not
        # show it: it may be read after the line, and the view before.
        if position is sitting.session.log.position and page.length == len(sitting.session.log.lines):
            break
    countdown = sitting.countdown
    countdown.follow(sitting.view, time.monotonic())
    state = countdown.state
    context: dict[str, Any] = {
        "page": page,
        "countdown": _page_countdown(countdown) if not page.outcome else None,
        "session": sitting.session.id,
        "mark": TOKEN_MARK,
        "at": LENGTH_MARK,
        "actions": actions,
        "following": following,
        "clock": show_clock(sitting.session),
        "clock_buttons": clock_buttons(sitting.session, audience),
    }
    if not kind.public:
        context["meanings"] = word_links(sitting)
    sections = {name: templates.render(f"{name}.html", **context) for name in kind.sections}
    return RenderedTable(page.length, page.title, sections, state, moved, following)


def word_links(sitting: TableClient) -> templates.WordLinks:
    """Return the links from words of a table to what they mean."""
    return templates.WordLinks(sitting.session.id, glossary(sitting.session.game))


class CountdownOnPage(NamedTuple):
    """A running countdown: the seconds of a turn, and its end, in milliseconds since 1970."""

    seconds: int
    until: int


def _page_countdown(countdown: Countdown) -> CountdownOnPage | None:
    left = countdown.seconds_left(time.monotonic())
    if left is None or not countdown.is_running:
        return None
    return CountdownOnPage(countdown.wish.seconds, int((time.time() + left) * 1000))


class TimeOnPage(NamedTuple):
    """The time of a player's turns: `seconds` up to the last line, and further from `since` on, in ms since 1970.

    `since` is 0 while others have the turn. `of` are the seconds of a time of their own, 0 without one.
    """

    name: str
    seconds: int
    of: int
    since: int
    clock: SeatClock


class ClockOnPage(NamedTuple):
    """The clock of a table with the time of each player."""

    times: tuple[TimeOnPage, ...]
    is_paused: bool


class ClockButton(NamedTuple):
    """A button for the clock: what it does in a line, and in words."""

    what: str
    text: Message


def show_clock(session: Session) -> ClockOnPage | None:
    """Return the clock of a table for its pages; None if it has none."""
    reading, running = read_clock_of(session, datetime.now(UTC)), session.log.running_clock()
    if reading is None or running is None:
        return None
    since = int(running.since.timestamp() * 1000) if running.since and running.is_running else 0
    minutes = session.log.state.clock.minutes
    times = (
        TimeOnPage(
            each.name,
            running.times.seconds.get(each.seat, 0),
            minutes.get(each.seat, 0) * 60,
            since if each.has_turn else 0,
            each,
        )
        for each in reading.seats
    )
    return ClockOnPage(tuple(times), reading.is_paused)


def clock_buttons(session: Session, audience: Audience) -> tuple[ClockButton, ...]:
    """Return the buttons by which somebody can start, pause and end the clock now; all who may act can."""
    if not audience.notes() or not has_clock(session):
        return ()
    buttons = (
        ClockButton("up", phrase("Count the time of each turn")),
        ClockButton("pause", phrase("Pause the clock")),
        ClockButton("go", phrase("Let the clock go on")),
        ClockButton("off", phrase("End the clock")),
    )
    return tuple(button for button in buttons if _is_accepted(session, button.what))


def _is_accepted(session: Session, what: str) -> bool:
    try:
        session.preview(SetClock(what))
    except RuleError:
        return False
    return True


class Tables:
    """The tables of an archive's sessions that phones show."""

    def __init__(self, archive: Archive, sessions: SharedSessions) -> None:
        self._archive = archive
        self._sessions = sessions
        self._tables: OrderedDict[str, SharedTable] = OrderedDict()

    async def open(self, session: str) -> SharedTable:
        """Return a table by its session's whole id in any spelling. Raises ArchiveError, NotationError or RuleError."""
        table = self._tables.get(deck_id.read_symbols(session)[0])
        if table is None:
            live = await asyncio.to_thread(self._sessions.open, session)
            # Another request may have opened it meanwhile.
            table = self._tables.get(live.session.id)
            if table is None or table.live is not live:
                table = self._tables[live.session.id] = SharedTable(
                    live,
                    asyncio.get_running_loop(),
                    partial(rematch.find_following, self._archive, self._sessions),
                )
        self._tables.move_to_end(table.live.session.id)
        idle = [name for name, each in self._tables.items() if not each.listeners]
        for name in idle[: max(0, len(self._tables) - _MAX_TABLES)]:
            self._tables.pop(name).close()
        return table

    def notify_finished(self) -> None:
        """Have the open pages of finished games check if a new table follows."""
        for table in self._tables.values():
            table.notify_if_over()

    def notify(self) -> None:
        """Have all open pages check if they may still be displayed."""
        for table in self._tables.values():
            table.notify()

    def close(self) -> None:
        """Stop listening to all tables."""
        for table in self._tables.values():
            table.close()
        self._tables.clear()


_PRESENCE_SECONDS: Final = 60.0


def listen_for_changes(
    archive: Archive, sessions: SharedSessions, phones: Phones, notify: Callable[[], object]
) -> ChangeListener:
    """Return a listener that keeps tables and phones up to date, and saves every minute which phones are present.

    `notify` is called after each change, in the listener's thread.
    """
    saved = time.monotonic()

    def read_anew() -> None:
        sessions.catch_up()
        phones.refresh()
        notify()

    def save_presence() -> None:
        nonlocal saved
        if time.monotonic() - saved > _PRESENCE_SECONDS:
            saved = time.monotonic()
            phones.save_presence()

    return ChangeListener(archive, read_anew, save_presence)


_MAX_REST: Final = 0.1
"""The most seconds that a stream pauses between two changes."""
BEAT_SECONDS: Final = 15.0
"""Seconds after which a phone gets an event in any case."""
_RETRY_EVENT: Final = b"retry: 1000\n\n"
_BEAT_EVENT: Final = b"event: beat\ndata: 1\n\n"
RELOAD_EVENT: Final = b"event: again\ndata: 1\n\n"
TOO_MANY_EVENT: Final = b"event: enough\ndata: 1\n\n"


def encode_event(kind: str, data: Any, number: int) -> bytes:
    """Encode a server-sent event with `data` as JSON, which has no line breaks of its own, and `number` as its id."""
    return b"event: %s\nid: %d\ndata: %s\n\n" % (kind.encode(), number, msgspec.json.encode(data))


def find_audience(phones: Phones, phone: str, session: str, kind: PageKind = PHONE_PAGE) -> Audience | None:
    """Return the audience for a page on a phone, or None if the phone may see nothing."""
    entry = phones.get(phone)
    if entry is None or entry.away:
        return None
    if kind.public:
        return EVERYBODY
    hand, held_seats = phones.hand_of(phone, session), phones.held_seats(session)
    choice, is_secret = phones.choice_of(phone, session), phones.doors.face_down
    viewer = Audience.of(entry, session, phones.permissions_of(entry), hand, held_seats, choice, is_secret)
    return viewer._replace(is_host=True) if phones.is_host(phone) else viewer


class PageState(NamedTuple):
    """The state of an open page at the start of its stream: the length of its log, -1 for none, and its audience's key.

    The key is "" if the page does not send it. Another program that serves the archive may have rendered the page, and
    have noticed changed seats or permissions earlier or later than this one.
    """

    length: int
    audience_key: str = ""


class EventStream:
    """The event stream of one open page."""

    def __init__(
        self,
        table: SharedTable,
        phones: Phones,
        phone: str,
        token: str,
        page: PageState,
        kind: PageKind = PHONE_PAGE,
    ) -> None:
        self.phone = phone
        self._kind = kind
        self._table = table
        self._phones = phones
        self._token = token
        self._length, self._audience_key = page
        self._sections: dict[str, str] = {}
        self._wakeup = asyncio.Event()
        self._ended = False
        self._last_event = b""

    def close(self, last: bytes = b"") -> None:
        """End the stream with this event."""
        self._ended, self._last_event = True, last
        self._wakeup.set()

    async def events(self) -> AsyncIterator[bytes]:
        """Yield all events, until the page is closed, or must be reloaded."""
        viewer = await self._first_audience()
        self._table.listeners.add(self._wakeup)
        await asyncio.to_thread(self._phones.open_page, self.phone)
        try:
            yield _RETRY_EVENT
            while not self._ended:
                self._wakeup.clear()
                current = self._audience()
                # A new audience needs a reload; new cards, held seats or a choice of the same one do not.
                if (
                    current is None
                    or viewer is None
                    or current._replace(hand=viewer.hand, held_seats=viewer.held_seats, choice=viewer.choice) != viewer
                ):
                    yield RELOAD_EVENT
                    return
                begun = time.monotonic()
                page = await self._table.recent_page_for(current, self._kind)
                if not self._table.is_shown_by(page):
                    self._wakeup.set()
                yield self._next_event(page)
                # When changes follow each other quickly, half of the time is left to writers.
                await asyncio.sleep(min(time.monotonic() - begun, _MAX_REST))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wakeup.wait(), BEAT_SECONDS)
            if self._last_event:
                yield self._last_event
        finally:
            self._table.listeners.discard(self._wakeup)
            self._phones.close_page(self.phone)

    def _audience(self) -> Audience | None:
        return find_audience(self._phones, self.phone, self._table.live.session.id, self._kind)

    async def _first_audience(self) -> Audience | None:
        """Return the audience of the page, or None if the page is for another one, since it or our data is outdated."""
        audience = self._audience()
        if audience is not None and self._audience_key not in ("", audience.key):
            with contextlib.suppress(ArchiveError):
                await asyncio.to_thread(self._phones.refresh)
            audience = self._audience()
        return audience if audience is None or self._audience_key in ("", audience.key) else None

    def _next_event(self, page: RenderedTable) -> bytes:
        """Return an event with the changed sections, or a beat if there are none."""
        if not self._sections and self._length == page.length:
            self._sections = page.sections
        changed = {name for name, html in page.sections.items() if self._sections.get(name) != html}
        if not changed and self._length == page.length:
            return _BEAT_EVENT
        # A page that reconnects announces the state as a whole, and not only the last event.
        sentence = templates.simplify(str(self._table.sentence)) if self._sections else ""
        self._sections, self._length = page.sections, page.length
        sections = {name: html for name, html in page.for_phone(self._token).items() if name in changed}
        return encode_event("table", {"sections": sections, "told": sentence}, page.length)
