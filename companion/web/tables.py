"""Tables as phones show them: rendered once for a change and an audience, and sent to open pages as events."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError, deck_id
from companion.archive.changes import Changes
from companion.session.shared_session import LiveSession, LiveSessions, News
from companion.session.table_client import Sitting
from companion.web import templates
from companion.web.answering import AvailableActions
from companion.web.phones import Audience, Phones
from companion.web.table_page import SECTIONS, build_page
from companion.web.visitor import random_id

_MAX_TABLES: Final = 40
"""Tables that are kept at hand; those that no phone shows go first."""

TOKEN_MARK: Final = random_id()
"""Stands in rendered sections where each phone has its token: no text from elsewhere can hold it."""
LENGTH_MARK: Final = random_id()
"""Stands where a form says how long the log is that its page shows, so that sections stay alike as long as they are."""


class RenderedTable(NamedTuple):
    """A table's page: its log is so many lines long, and `sections` are its parts as HTML, by the ids of their
    elements.
    """

    length: int
    title: str
    sections: dict[str, str]

    def for_phone(self, token: str) -> dict[str, str]:
        """The sections with the token of a phone, and with the length of the log."""
        return {
            name: html.replace(TOKEN_MARK, token).replace(LENGTH_MARK, str(self.length))
            for name, html in self.sections.items()
        }


class SharedTable:
    """One table that phones show. `bells` ring when there is something new."""

    def __init__(self, live: LiveSession, loop: asyncio.AbstractEventLoop) -> None:
        self.live = live
        self.sentence = ""
        self.listeners: set[asyncio.Event] = set()
        self._loop = loop
        self._sitting = Sitting(live)
        self._rendered: dict[Audience, asyncio.Task[RenderedTable]] = {}
        self._sitting.watch(self.on_change)

    def on_change(self, news: News) -> None:
        """Somebody has changed the table; in their thread."""
        self._loop.call_soon_threadsafe(self._take, news)

    def _take(self, news: News) -> None:
        self.sentence = news.sentence
        self.notify()

    def notify(self) -> None:
        """Let all who show it look."""
        for bell in self.listeners:
            bell.set()

    def sitting(self, by: str = "") -> Sitting:
        """A further sitting at this table, for one phone; what is done there was done `by` its owner."""
        return self._sitting.another(by)

    async def page_for(self, audience: Audience) -> RenderedTable:
        """The page as it is now for these, made by whoever asks first."""
        task = self._rendered.get(audience)
        if task is None or (task.done() and (task.exception() or task.result().length != self.live.length)):
            task = asyncio.create_task(asyncio.to_thread(partial(render_table, self._sitting, audience)))
            self._rendered[audience] = task
        found = await asyncio.shield(task)
        # It may have been begun before the last change.
        return found if found.length == self.live.length else await self.page_for(audience)

    def close(self) -> None:
        """Hear no more of it."""
        self._sitting.leave()


def render_table(sitting: Sitting, audience: Audience) -> RenderedTable:
    """A table's page for an audience, as it is at this moment."""
    while True:
        page, at_hand = build_page(sitting, audience.seat), AvailableActions.of(sitting.session, audience)
        # A line more, while we looked, may be seen in one half of it and not in the other.
        if page.length == len(sitting.session.log.lines):
            break
    shown = {"page": page, "session": sitting.session.id, "mark": TOKEN_MARK, "at": LENGTH_MARK, "hand": at_hand}
    return RenderedTable(
        page.length, page.title, {name: templates.render(f"{name}.html", **shown) for name in SECTIONS}
    )


class Tables:
    """The tables that phones show, of an archive's sessions."""

    def __init__(self, sessions: LiveSessions) -> None:
        self._sessions = sessions
        self._shown: OrderedDict[str, SharedTable] = OrderedDict()

    async def open(self, session: str) -> SharedTable:
        """A table by its session's whole id in any spelling. Raises ArchiveError, NotationError or RuleError."""
        known = self._shown.get(deck_id.read(session)[0])
        if known is None:
            live = await asyncio.to_thread(self._sessions.open, session)
            # Another request may have opened it meanwhile.
            known = self._shown.get(live.session.id)
            if known is None or known.live is not live:
                known = self._shown[live.session.id] = SharedTable(live, asyncio.get_running_loop())
        self._shown.move_to_end(known.live.session.id)
        self._let_go()
        return known

    def notify(self) -> None:
        """Let all phones look: who may be there has changed."""
        for shown in self._shown.values():
            shown.notify()

    def close(self) -> None:
        """Hear no more of any table."""
        for shown in self._shown.values():
            shown.close()

    def _let_go(self) -> None:
        idle = [session for session, shown in self._shown.items() if not shown.listeners]
        for session in idle[: max(0, len(self._shown) - _MAX_TABLES)]:
            self._shown.pop(session).close()


_POLL_SECONDS: Final = 0.1
"""Seconds after which the thread looks whether it shall end."""
_PRESENCE_SECONDS: Final = 60.0


class ChangeListener:
    """Follows an archive from `start` to `stop`."""

    def __init__(self, archive: Archive, sessions: LiveSessions, phones: Phones) -> None:
        self._archive = archive
        self._sessions = sessions
        self._phones = phones
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="what others write", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; returns once that is so."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        changes, noted = Changes(self._archive.store.engine), time.monotonic()
        while not self._stopped.is_set():
            # What cannot be read now is read after the next change; whoever writes is told.
            with contextlib.suppress(ArchiveError):
                if changes.wait(_POLL_SECONDS):
                    self._sessions.catch_up()
                    self._phones.refresh()
                if time.monotonic() - noted > _PRESENCE_SECONDS:
                    noted = time.monotonic()
                    self._phones.save_presence()
        changes.close()


BEAT_SECONDS: Final = 15.0
"""Seconds after which a phone hears something in any case."""
_RETRY_EVENT: Final = b"retry: 1000\n\n"
_BEAT_EVENT: Final = b"event: beat\ndata: 1\n\n"
RELOAD_EVENT: Final = b"event: again\ndata: 1\n\n"
TOO_MANY_EVENT: Final = b"event: enough\ndata: 1\n\n"


def encode_event(kind: str, data: Any, number: int) -> bytes:
    """One event; JSON has no line ends of its own."""
    return b"event: %s\nid: %d\ndata: %s\n\n" % (kind.encode(), number, msgspec.json.encode(data))


def find_audience(phones: Phones, phone: str, session: str) -> Audience | None:
    """For whom a page is rendered on a phone; None where nothing is shown to it."""
    known = phones.get(phone)
    if known is None or known.away:
        return None
    return Audience.of(known, session, phones.permissions_of(known))


class PageState(NamedTuple):
    """What the page shows that opens a stream: a log so long (-1 for none), for `whom` ("" where it does not say):
    another program that serves the archive may have rendered it, and have heard of a seat or of permissions before
    us, or after.
    """

    length: int
    audience_key: str = ""


class EventStream:
    """The events of one open page."""

    def __init__(self, shown: SharedTable, phones: Phones, phone: str, token: str, page: PageState) -> None:
        self.phone = phone
        self._shown = shown
        self._phones = phones
        self._token = token
        self._have, self._whom = page
        self._sent: dict[str, str] = {}
        self._bell = asyncio.Event()
        self._ended = False
        self._last = b""

    def close(self, last: bytes = b"") -> None:
        """Nothing more is to be heard but this."""
        self._ended, self._last = True, last
        self._bell.set()

    async def events(self) -> AsyncIterator[bytes]:
        """All events, until the page is closed, or something else has to be shown."""
        at_first = await self._at_first()
        self._shown.listeners.add(self._bell)
        await asyncio.to_thread(self._phones.open_page, self.phone)
        try:
            yield _RETRY_EVENT
            while not self._ended:
                self._bell.clear()
                now = self._audience()
                if now is None or now != at_first:
                    yield RELOAD_EVENT
                    return
                yield self._news(await self._shown.page_for(now))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), BEAT_SECONDS)
            if self._last:
                yield self._last
        finally:
            self._shown.listeners.discard(self._bell)
            self._phones.close_page(self.phone)

    def _audience(self) -> Audience | None:
        return find_audience(self._phones, self.phone, self._shown.live.session.id)

    async def _at_first(self) -> Audience | None:
        """For whom the page is, None where it is for somebody else: then it is the page that is behind, or we are."""
        found = self._audience()
        if found is not None and self._whom not in ("", found.key):
            with contextlib.suppress(ArchiveError):
                await asyncio.to_thread(self._phones.refresh)
            found = self._audience()
        return found if found is None or self._whom in ("", found.key) else None

    def _news(self, page: RenderedTable) -> bytes:
        """What is new on a page; a beat where nothing is."""
        if not self._sent and self._have == page.length:
            self._sent = page.sections
        fresh = {name: html for name, html in page.sections.items() if self._sent.get(name) != html}
        if not fresh and self._have == page.length:
            return _BEAT_EVENT
        # Who comes back after a while hears how things are, and not only the last that happened.
        told = self._shown.sentence if self._sent else ""
        self._sent, self._have = page.sections, page.length
        sections = {name: html for name, html in page.for_phone(self._token).items() if name in fresh}
        return encode_event("table", {"sections": sections, "told": told}, page.length)
