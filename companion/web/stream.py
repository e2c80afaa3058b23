"""What one phone hears while a table's page is open on it: server-sent events with the parts that have changed.

An event `table` has the log's length as its id, so that a phone that slept says where it stopped; `beat` says that the
host is there; `again` asks for the whole page anew, as somebody has another seat, other hands, or was sent away.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec

from companion.web.hands import Audience
from companion.web.phones import Phones
from companion.web.tables import Rendered, Shown

BEAT: Final = 15.0
"""Seconds after which a phone hears something in any case."""
_RETRY: Final = b"retry: 1000\n\n"
_BEAT: Final = b"event: beat\ndata: 1\n\n"
AGAIN: Final = b"event: again\ndata: 1\n\n"


def event(kind: str, data: Any, number: int) -> bytes:
    """One event; JSON has no line ends of its own."""
    return b"event: %s\nid: %d\ndata: %s\n\n" % (kind.encode(), number, msgspec.json.encode(data))


def audience(phones: Phones, phone: str, session: str) -> Audience | None:
    """For whom a page is rendered on a phone; None where nothing is shown to it."""
    known = phones.get(phone)
    if known is None or known.away:
        return None
    return Audience.of(known, session, phones.hands(known))


class Stream:
    """The events of one open page. `have` is the length of the log as that page shows it, -1 where it shows none."""

    def __init__(self, shown: Shown, phones: Phones, phone: str, token: str, have: int) -> None:
        self._shown = shown
        self._phones = phones
        self._phone = phone
        self._token = token
        self._have = have
        self._sent: dict[str, str] = {}
        self._bell = asyncio.Event()
        self._ended = False

    def end(self) -> None:
        """Nothing more is to be heard."""
        self._ended = True
        self._bell.set()

    async def events(self) -> AsyncIterator[bytes]:
        """All events, until the page is closed, or something else has to be shown."""
        session = self._shown.live.session.id
        at_first = audience(self._phones, self._phone, session)
        self._shown.bells.add(self._bell)
        await asyncio.to_thread(self._phones.comes, self._phone)
        try:
            yield _RETRY
            while not self._ended:
                self._bell.clear()
                now = audience(self._phones, self._phone, session)
                if now is None or now != at_first:
                    yield AGAIN
                    return
                yield self._news(await self._shown.rendered(now))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), BEAT)
        finally:
            self._shown.bells.discard(self._bell)
            self._phones.goes(self._phone)

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
