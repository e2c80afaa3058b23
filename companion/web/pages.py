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
from companion.session.shared_session import SharedSessions
from companion.web import templates
from companion.web.guard import Place, Refused
from companion.web.phones import Phones
from companion.web.stream import ENOUGH, Stream
from companion.web.tables import SharedTable, Tables
from companion.web.visitor import Visitor, visitor

TABLE: Final = re.compile(r"/t/[0-9A-Za-z]{8}")
"""The address of a table's page."""
DECK: Final = re.compile(r"/[dD]/[0-9A-Za-z-]{13,16}")
"""The address of a deck's page."""
WAY_ON: Final = re.compile(rf"{TABLE.pattern}|{DECK.pattern}|/decks|/scan")
"""Where somebody may want to go who has to say the PIN first."""
_OPEN_AT_ONCE: Final = 4
"""Pages of one phone that hear what happens: browsers make six connections, and taps need some of them."""

Handler = Callable[[Request], Awaitable[Response]]
Inside = Callable[[Request, Visitor], Awaitable[Response]]


class Pages:
    """The pages of one archive: `tables` and `phones` are what they show, `place` is where they are served."""

    def __init__(self, archive: Archive, sessions: SharedSessions, phones: Phones, place: Place) -> None:
        self.archive = archive
        self.tables = Tables(sessions)
        self.phones = phones
        self.place = place
        self._streams: dict[Stream, None] = {}

    def ring(self) -> None:
        """Let all open pages look: who may see them has changed."""
        self.tables.ring()

    def end(self) -> None:
        """Let no page hear any more: the server ends."""
        for stream in tuple(self._streams):
            stream.end()
        self.tables.close()

    def inside(self, page: Inside) -> Handler:
        """A page for those only who were let in; others come to the PIN, and from there to the page they wanted."""

        @wraps(page)
        async def handle(request: Request) -> Response:
            who = await visitor(request, self.phones)
            if who.is_in:
                return await page(request, who)
            path = request.url.path
            return go(f"/pin?to={path}" if request.method == "GET" and WAY_ON.fullmatch(path) else "/pin")

        return handle

    async def find_table(self, request: Request) -> SharedTable:
        """The table that an address names. Raises HTTPException, ArchiveError, NotationError, RuleError."""
        if not TABLE.fullmatch(f"/t/{request.path_params['session']}"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            return await self.tables.open(request.path_params["session"])
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None

    def follow(self, stream: Stream) -> Response:
        """An answer that goes on for as long as the page is open."""
        return events(self._followed(stream))

    async def _followed(self, stream: Stream) -> AsyncIterator[bytes]:
        # A phone that slept or went away may never have closed its pages: those of before make room for the newest.
        before = [each for each in self._streams if each.phone == stream.phone]
        for old in before[: max(0, len(before) + 1 - _OPEN_AT_ONCE)]:
            old.end(ENOUGH)
            self._streams.pop(old)
        self._streams[stream] = None
        try:
            async for event in stream.events():
                yield event
        finally:
            self._streams.pop(stream, None)


def events(said: AsyncIterator[bytes]) -> Response:
    """Server-sent events, which no proxy on the way shall keep back."""
    return StreamingResponse(said, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def go(where: str) -> Response:
    """Have the browser ask for another page, whatever it has sent here."""
    return RedirectResponse(where, HTTPStatus.SEE_OTHER)


def message(heading: str, text: str, status: HTTPStatus) -> Response:
    """A page that only says something."""
    return HTMLResponse(templates.page("message.html", heading=heading, text=text), status)


# What goes wrong, as pages; none of them repeats what was asked for.


async def refused(_: Request, error: Exception) -> Response:
    """What the guard lets nobody do, noticed while a page was made."""
    status = error.status if isinstance(error, Refused) else HTTPStatus.FORBIDDEN
    return message("Not so", "This did not come from one of the pages here. Load the page again and repeat.", status)


async def no_page(_: Request, error: Exception) -> Response:
    """An address without a page, or with one that is only to be looked at."""
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.NOT_FOUND
    return message("Nothing is here", "There is no such page. The table is where it was.", status)


async def cannot(_: Request, error: Exception) -> Response:
    """The archive or the rules cannot do it, and say why."""
    return message("That cannot be done", str(error), HTTPStatus.SERVICE_UNAVAILABLE)


async def failed(_: Request, __: Exception) -> Response:
    """A fault of the program."""
    text = "That failed, and nothing was changed. Load the page again; the table is as it was."
    return message("That failed", text, HTTPStatus.INTERNAL_SERVER_ERROR)
