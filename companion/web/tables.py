"""The tables as phones see them: each is rendered once for a change and a seat, however many phones show it.

Separate from `stream.py`, which brings them to one phone. Everything here belongs to the loop that serves, but for
`Shown.heard`, which whoever writes calls in their own thread.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Final, NamedTuple

from companion.archive import deck_id
from companion.session.shared_session import LiveSession, LiveSessions, News
from companion.session.table_client import Sitting
from companion.web import templates
from companion.web.answering import AvailableActions
from companion.web.phones import Audience
from companion.web.table_page import SECTIONS, table_page
from companion.web.visitor import stranger

_MOST: Final = 40
"""Tables that are kept at hand; those that no phone shows go first."""

MARK: Final = stranger()
"""Stands in rendered sections where each phone has its token: no text from elsewhere can hold it."""
AT: Final = stranger()
"""Stands where a form says how long the log is that its page shows, so that sections stay alike as long as they are."""


class Rendered(NamedTuple):
    """A table's page: its log is so many lines long, and `sections` are its parts as HTML, by the ids of their
    elements.
    """

    length: int
    title: str
    sections: dict[str, str]

    def for_phone(self, token: str) -> dict[str, str]:
        """The sections with the token of a phone, and with the length of the log."""
        return {name: html.replace(MARK, token).replace(AT, str(self.length)) for name, html in self.sections.items()}


class SharedTable:
    """One table that phones show. `bells` ring when there is something new."""

    def __init__(self, live: LiveSession, loop: asyncio.AbstractEventLoop) -> None:
        self.live = live
        self.told = ""
        self.bells: set[asyncio.Event] = set()
        self._loop = loop
        self._sitting = Sitting(live)
        self._rendered: dict[Audience, asyncio.Task[Rendered]] = {}
        self._sitting.watch(self.heard)

    def heard(self, news: News) -> None:
        """Somebody has changed the table; in their thread."""
        self._loop.call_soon_threadsafe(self._take, news)

    def _take(self, news: News) -> None:
        self.told = news.sentence
        self.ring()

    def ring(self) -> None:
        """Let all who show it look."""
        for bell in self.bells:
            bell.set()

    def sitting(self, by: str = "") -> Sitting:
        """A further sitting at this table, for one phone; what is done there was done `by` its owner."""
        return self._sitting.another(by)

    async def rendered(self, audience: Audience) -> Rendered:
        """The page as it is now for these, made by whoever asks first."""
        task = self._rendered.get(audience)
        if task is None or (task.done() and (task.exception() or task.result().length != self.live.length)):
            task = asyncio.create_task(asyncio.to_thread(partial(render, self._sitting, audience)))
            self._rendered[audience] = task
        found = await asyncio.shield(task)
        # It may have been begun before the last change.
        return found if found.length == self.live.length else await self.rendered(audience)

    def close(self) -> None:
        """Hear no more of it."""
        self._sitting.leave()


def render(sitting: Sitting, audience: Audience) -> Rendered:
    """A table's page for an audience, as it is at this moment."""
    while True:
        page, at_hand = table_page(sitting, audience.seat), AvailableActions.of(sitting.session, audience)
        # A line more, while we looked, may be seen in one half of it and not in the other.
        if page.length == len(sitting.session.log.lines):
            break
    shown = {"page": page, "session": sitting.session.id, "mark": MARK, "at": AT, "hand": at_hand}
    return Rendered(page.length, page.title, {name: templates.page(f"{name}.html", **shown) for name in SECTIONS})


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

    def ring(self) -> None:
        """Let all phones look: who may be there has changed."""
        for shown in self._shown.values():
            shown.ring()

    def close(self) -> None:
        """Hear no more of any table."""
        for shown in self._shown.values():
            shown.close()

    def _let_go(self) -> None:
        idle = [session for session, shown in self._shown.items() if not shown.bells]
        for session in idle[: max(0, len(self._shown) - _MOST)]:
            self._shown.pop(session).close()
