"""What every page needs: the archive's tables and phones, who may see it, and short answers.

Separate from the pages themselves, so that each kind of them is a module of its own beside the others.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from companion.archive import Archive, Unknown
from companion.session.shared_session import LiveSessions
from companion.web import templates
from companion.web.guard import RequestRefused, Site
from companion.web.phones import Phones
from companion.web.tables import TOO_MANY_EVENT, EventStream, SharedTable, Tables
from companion.web.visitor import Visitor, find_visitor

TABLE_PATH: Final = re.compile(r"/t/[0-9A-Za-z]{8}")
"""The address of a table's page."""
DECK_PATH: Final = re.compile(r"/[dD]/[0-9A-Za-z-]{13,16}")
"""The address of a deck's page."""
RETURN_PATH: Final = re.compile(rf"{TABLE_PATH.pattern}|{DECK_PATH.pattern}|/decks|/scan")
"""Where somebody may want to go who has to say the PIN first."""
_MAX_STREAMS: Final = 4
"""Pages of one phone that hear what happens: browsers make six connections, and taps need some of them."""

Handler = Callable[[Request], Awaitable[Response]]
PageHandler = Callable[[Request, Visitor], Awaitable[Response]]


class Pages:
    """The pages of one archive: `tables` and `phones` are what they show, `place` is where they are served."""

    def __init__(self, archive: Archive, sessions: LiveSessions, phones: Phones, place: Site) -> None:
        self.archive = archive
        self.tables = Tables(sessions)
        self.phones = phones
        self.place = place
        self._streams: dict[EventStream, None] = {}

    def notify(self) -> None:
        """Let all open pages look: who may see them has changed."""
        self.tables.notify()

    def close(self) -> None:
        """Let no page hear any more: the server ends."""
        for stream in tuple(self._streams):
            stream.close()
        self.tables.close()

    def require_login(self, page: PageHandler) -> Handler:
        """A page for those only who were let in; others come to the PIN, and from there to the page they wanted."""

        @wraps(page)
        async def handle(request: Request) -> Response:
            who = await find_visitor(request, self.phones)
            if who.is_admitted:
                return await page(request, who)
            path = request.url.path
            return redirect(f"/pin?to={path}" if request.method == "GET" and RETURN_PATH.fullmatch(path) else "/pin")

        return handle

    async def find_table(self, request: Request) -> SharedTable:
        """The table that an address names. Raises HTTPException, ArchiveError, NotationError, RuleError."""
        if not TABLE_PATH.fullmatch(f"/t/{request.path_params['session']}"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            return await self.tables.open(request.path_params["session"])
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None

    def stream(self, stream: EventStream) -> Response:
        """An answer that goes on for as long as the page is open."""
        return event_response(self._followed(stream))

    async def _followed(self, stream: EventStream) -> AsyncIterator[bytes]:
        # A phone that slept or went away may never have closed its pages: those of before make room for the newest.
        before = [each for each in self._streams if each.phone == stream.phone]
        for old in before[: max(0, len(before) + 1 - _MAX_STREAMS)]:
            old.close(TOO_MANY_EVENT)
            self._streams.pop(old)
        self._streams[stream] = None
        try:
            async for event in stream.events():
                yield event
        finally:
            self._streams.pop(stream, None)


def event_response(said: AsyncIterator[bytes]) -> Response:
    """Server-sent events, which no proxy on the way shall keep back."""
    return StreamingResponse(said, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def redirect(where: str) -> Response:
    """Have the browser ask for another page, whatever it has sent here."""
    return RedirectResponse(where, HTTPStatus.SEE_OTHER)


def message_page(heading: str, text: str, status: HTTPStatus) -> Response:
    """A page that only says something."""
    return HTMLResponse(templates.render("message.html", heading=heading, text=text), status)


# What goes wrong, as pages; none of them repeats what was asked for.


async def refusal_page(_: Request, error: Exception) -> Response:
    """What the guard lets nobody do, noticed while a page was made."""
    status = error.status if isinstance(error, RequestRefused) else HTTPStatus.FORBIDDEN
    return message_page(
        "Not so", "This did not come from one of the pages here. Load the page again and repeat.", status
    )


async def not_found_page(_: Request, error: Exception) -> Response:
    """An address without a page, or with one that is only to be looked at."""
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.NOT_FOUND
    return message_page("Nothing is here", "There is no such page. The table is where it was.", status)


async def unavailable_page(_: Request, error: Exception) -> Response:
    """The archive or the rules cannot do it, and say why."""
    return message_page("That cannot be done", str(error), HTTPStatus.SERVICE_UNAVAILABLE)


async def fault_page(_: Request, __: Exception) -> Response:
    """A fault of the program."""
    text = "That failed, and nothing was changed. Load the page again; the table is as it was."
    return message_page("That failed", text, HTTPStatus.INTERNAL_SERVER_ERROR)
