"""The pages of the tables: which are open, each as it stands, its whole log, what changes, and whose seat is whose."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from http import HTTPStatus
from typing import Final

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import SessionRow
from companion.web import wording
from companion.web.hands import Audience
from companion.web.pages import Pages, events, go, message
from companion.web.stream import AGAIN, Page, Stream, audience
from companion.web.table_page import told
from companion.web.tables import Shown
from companion.web.visitor import Visitor, form, visitor

NOTHING: Final = Markup("")
_LISTED: Final = 20
_TONIGHT: Final = timedelta(hours=12)
"""A table that was changed within this time is the one that people mean, where it is the only one."""


class AtTable:
    """The pages of the tables."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.routes = [
            Route("/", pages.inside(self.home)),
            Route("/tables", pages.inside(self.tables)),
            Route("/t/{session}", pages.inside(self.table)),
            Route("/t/{session}/log", pages.inside(self.log)),
            Route("/t/{session}/news", self.news),
            Route("/t/{session}/seat", pages.inside(self.sit), methods=["POST"]),
        ]

    async def home(self, _: Request, __: Visitor) -> Response:
        """The table, where one is open; else the list."""
        now = self._pages.archive.now()
        recent = [row for row in await self._open() if now - row.changed < _TONIGHT]
        return go(f"/t/{recent[0].session}" if len(recent) == 1 else "/tables")

    async def tables(self, _: Request, __: Visitor) -> Response:
        """The tables that are open, the one changed last first."""
        return HTMLResponse(wording.page("tables.html", tables=await self._open()))

    async def _open(self) -> list[SessionRow]:
        page = await run_in_threadpool(self._pages.archive.page_of_sessions)
        return [row for row in page.rows if not row.sealed][:_LISTED]

    async def table(self, request: Request, who: Visitor) -> Response:
        """A table, for the seat of who asks."""
        shown = await self._pages.shown(request)
        session = shown.live.session.id
        seen_by = audience(self._pages.phones, who.who, session)
        if seen_by is None:
            return go("/pin")
        return HTMLResponse(await table_page_of(shown, seen_by, who.token))

    async def log(self, request: Request, _: Visitor) -> Response:
        """All that happened at a table."""
        shown = await self._pages.shown(request)
        sitting = shown.sitting()
        log = await run_in_threadpool(lambda: tuple(told(sitting)))
        session = shown.live.session.id
        return HTMLResponse(wording.page("whole_log.html", title=sitting.view.title, session=session, log=log))

    async def news(self, request: Request) -> Response:
        """What changes at a table, for as long as its page is open."""
        phones = self._pages.phones
        who = await visitor(request, phones)
        if not who.is_in or request.method == "HEAD":
            return events(_again())
        shown = await self._pages.shown(request)
        said = request.query_params
        have = request.headers.get("last-event-id") or said.get("have", "")
        number = int(have) if have.isascii() and have.isdecimal() and len(have) < 10 else -1
        return self._pages.follow(Stream(shown, phones, who.who, who.token, Page(number, said.get("as", ""))))

    async def sit(self, request: Request, who: Visitor) -> Response:
        """This is somebody's seat: from now on the page is theirs; "" is nobody's again."""
        seat = (await form(request, who)).get("seat", "")
        shown = await self._pages.shown(request)
        session = shown.live.session.id
        if seat and seat not in (side.seat for side in shown.live.session.view().seats):
            return message("No such seat", "Nobody sits there now; look at the table again.", HTTPStatus.CONFLICT)
        await run_in_threadpool(self._pages.phones.sit, who.who, session, seat)
        shown.ring()
        # To its top, where the own questions are: browsers stay where they were on a page that comes again.
        return go(f"/t/{session}#head")


async def table_page_of(shown: Shown, seen_by: Audience, token: str, answering: Markup = NOTHING) -> str:
    """A table's page for a phone, with what is being answered on it."""
    page = await shown.rendered(seen_by)
    sections = {name: Markup(html) for name, html in page.for_phone(token).items()}
    parts = {"title": page.title, "session": shown.live.session.id, "length": page.length, "whom": seen_by.page}
    return wording.page("table.html", sections=sections, answering=answering, **parts)


async def _again() -> AsyncIterator[bytes]:
    """A page whose phone is let in no more is loaded anew, and leads to the PIN."""
    yield AGAIN
