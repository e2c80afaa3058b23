"""What phones hear while a page is open: server-sent events with what changed, here and in other programs."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive import Archive, ArchiveError
from companion.archive.changes import Changes
from companion.session.shared_session import LiveSessions
from companion.web.phones import Audience, Phones
from companion.web.tables import Rendered, SharedTable

_TURN: Final = 0.1
"""Seconds after which the thread looks whether it shall end."""
_NOTE_EVERY: Final = 60.0


class Messenger:
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
                if changes.wait(_TURN):
                    self._sessions.catch_up()
                    self._phones.refresh()
                if time.monotonic() - noted > _NOTE_EVERY:
                    noted = time.monotonic()
                    self._phones.note()
        changes.close()


BEAT: Final = 15.0
"""Seconds after which a phone hears something in any case."""
_RETRY: Final = b"retry: 1000\n\n"
_BEAT: Final = b"event: beat\ndata: 1\n\n"
AGAIN: Final = b"event: again\ndata: 1\n\n"
ENOUGH: Final = b"event: enough\ndata: 1\n\n"


def event(kind: str, data: Any, number: int) -> bytes:
    """One event; JSON has no line ends of its own."""
    return b"event: %s\nid: %d\ndata: %s\n\n" % (kind.encode(), number, msgspec.json.encode(data))


def audience(phones: Phones, phone: str, session: str) -> Audience | None:
    """For whom a page is rendered on a phone; None where nothing is shown to it."""
    known = phones.get(phone)
    if known is None or known.away:
        return None
    return Audience.of(known, session, phones.permissions_of(known))


class Page(NamedTuple):
    """What the page shows that opens a stream: a log so long (-1 for none), for `whom` ("" where it does not say):
    another program that serves the archive may have rendered it, and have heard of a seat or of permissions before
    us, or after.
    """

    have: int
    whom: str = ""


class Stream:
    """The events of one open page."""

    def __init__(self, shown: SharedTable, phones: Phones, phone: str, token: str, page: Page) -> None:
        self.phone = phone
        self._shown = shown
        self._phones = phones
        self._token = token
        self._have, self._whom = page
        self._sent: dict[str, str] = {}
        self._bell = asyncio.Event()
        self._ended = False
        self._last = b""

    def end(self, last: bytes = b"") -> None:
        """Nothing more is to be heard but this."""
        self._ended, self._last = True, last
        self._bell.set()

    async def events(self) -> AsyncIterator[bytes]:
        """All events, until the page is closed, or something else has to be shown."""
        at_first = await self._at_first()
        self._shown.bells.add(self._bell)
        await asyncio.to_thread(self._phones.comes, self.phone)
        try:
            yield _RETRY
            while not self._ended:
                self._bell.clear()
                now = self._audience()
                if now is None or now != at_first:
                    yield AGAIN
                    return
                yield self._news(await self._shown.rendered(now))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), BEAT)
            if self._last:
                yield self._last
        finally:
            self._shown.bells.discard(self._bell)
            self._phones.goes(self.phone)

    def _audience(self) -> Audience | None:
        return audience(self._phones, self.phone, self._shown.live.session.id)

    async def _at_first(self) -> Audience | None:
        """For whom the page is, None where it is for somebody else: then it is the page that is behind, or we are."""
        found = self._audience()
        if found is not None and self._whom not in ("", found.page):
            with contextlib.suppress(ArchiveError):
                await asyncio.to_thread(self._phones.refresh)
            found = self._audience()
        return found if found is None or self._whom in ("", found.page) else None

    def _news(self, page: Rendered) -> bytes:
        """What is new on a page; a beat where nothing is."""
        if not self._sent and self._have == page.length:
            self._sent = page.sections
        fresh = {name: html for name, html in page.sections.items() if self._sent.get(name) != html}
        if not fresh and self._have == page.length:
            return _BEAT
        # Who comes back after a while hears how things are, and not only the last that happened.
        told = self._shown.told if self._sent else ""
        self._sent, self._have = page.sections, page.length
        sections = {name: html for name, html in page.for_phone(self._token).items() if name in fresh}
        return event("table", {"sections": sections, "told": told}, page.length)
