"""Shared parts of all pages: the archive's tables and phones, access control, and short answers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import wraps
from http import HTTPStatus
from pathlib import Path
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from companion.archive import Archive, SessionRow, Unknown
from companion.archive.fault_log import record_fault
from companion.games import registry
from companion.session.table.shared_session import SharedSessions
from companion.web import templates
from companion.web.guard import RequestRefused, Site
from companion.web.phones import Phones
from companion.web.tables import (
    RELOAD_EVENT,
    TOO_MANY_EVENT,
    EventStream,
    SharedTable,
    Tables,
    listen_for_changes,
)
from companion.web.visitor import Visitor, find_visitor
from templates.languages.dates import clock_time, date_and_time
from templates.languages.messages import Message, Text, phrase

TABLE_PATH: Final = re.compile(r"/t/[0-9A-Za-z]{8}")
"""The path of a table's page."""
DECK_PATH: Final = re.compile(r"/[dD]/[0-9A-Za-z-]{13,16}")
"""The path of a deck's page."""
LEAGUE_PATH: Final = re.compile(r"/l/[0-9A-Z]{6}")
"""The path of a league's page."""
RETURN_PATH: Final = re.compile(
    rf"{TABLE_PATH.pattern}(?:/screen)?|/screen|{DECK_PATH.pattern}|{LEAGUE_PATH.pattern}|/decks|/decks/new|/leagues|/scan|/games|/g/[0-9a-f]{{16}}"
)
"""The paths to which a user returns after the PIN."""
_MAX_TABLES: Final = 20
_TONIGHT: Final = timedelta(hours=12)
"""The only table that was changed within this time is tonight's."""
_MAX_STREAMS: Final = 4
"""The most event streams of one phone: browsers make six connections, and taps need some of them."""

Handler = Callable[[Request], Awaitable[Response]]
PageHandler = Callable[[Request, Visitor], Awaitable[Response]]


class WebPages:
    """The pages of one archive.

    `sessions` are those of the process; `tables` and `phones` are the content of the pages, `site` has their addresses.
    """

    def __init__(self, archive: Archive, sessions: SharedSessions, phones: Phones, site: Site) -> None:
        self.archive = archive
        self.sessions = sessions
        self.tables = Tables(archive, sessions)
        self.phones = phones
        self.site = site
        self.changes = listen_for_changes(archive, sessions, phones, lambda: self.on_change())
        """The listener for what others write; the server starts and stops it."""
        self.on_change: Callable[[], object] = lambda: None
        """Called after each change, in the listener's thread."""
        self._sessions = sessions
        self._streams: dict[EventStream, None] = {}
        self._endings: list[Callable[[], None]] = []

    def at_end(self, end: Callable[[], None]) -> None:
        """Have `end` called when the server ends; it does not wait for anything."""
        self._endings.append(end)

    def notify(self) -> None:
        """Have all open pages check if they may still be displayed."""
        self.tables.notify()

    @contextmanager
    def suspend_archive(self) -> Iterator[Path]:
        """Yield the archive's file while it is closed; call `start_over` afterwards. Raises ArchiveError."""
        self.changes.stop()
        try:
            with self.archive.suspend() as file:
                yield file
        finally:
            self.changes.start()

    async def start_over(self) -> None:
        """Forget all that was read from the archive, as another one may be in its place; open pages load again."""
        for stream in tuple(self._streams):
            stream.close(RELOAD_EVENT)
        self.tables.close()
        self._sessions.forget()
        await run_in_threadpool(self.phones.refresh)

    def close(self) -> None:
        """End all streams and long tasks when the server ends."""
        for end in self._endings:
            end()
        for stream in tuple(self._streams):
            stream.close()
        self.tables.close()

    def require_login(self, page: PageHandler) -> Handler:
        """Restrict a page to admitted phones. Others are redirected to the PIN, and then to the requested page."""

        @wraps(page)
        async def handle(request: Request) -> Response:
            who = await find_visitor(request, self.phones)
            if who.is_admitted:
                return await page(request, who)
            path = request.url.path
            return redirect(f"/pin?to={path}" if request.method == "GET" and RETURN_PATH.fullmatch(path) else "/pin")

        return handle

    async def open_tables(self) -> list[SessionRow]:
        """Return the open tables, the one changed last first."""
        page = await run_in_threadpool(self.archive.page_of_sessions)
        return [row for row in page.rows if not row.is_closed][:_MAX_TABLES]

    async def list_tables(self) -> list[tuple[SessionRow, Text, Text]]:
        """Return the open tables as the list shows them, each with its game and the time at which it was opened."""
        now = self.archive.now()
        rows = await self.open_tables()
        return [(row, registry.title(row.game, row.page), describe_start(row.started, now)) for row in rows]

    async def find_tonights_row(self) -> SessionRow | None:
        """Return the only table that was changed tonight, or None."""
        now = self.archive.now()
        recent = [row for row in await self.open_tables() if now - row.changed < _TONIGHT]
        return recent[0] if len(recent) == 1 else None

    async def find_tonights(self) -> str:
        """Return the session of the only table that was changed tonight, or ""."""
        row = await self.find_tonights_row()
        return row.session if row else ""

    async def find_table(self, request: Request) -> SharedTable:
        """Return the table of an address. Raises HTTPException, ArchiveError, NotationError or RuleError."""
        session = request.path_params.get("session") or request.query_params.get("table", "")
        if not TABLE_PATH.fullmatch(f"/t/{session}"):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        try:
            return await self.tables.open(session)
        except Unknown:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None

    def stream(self, stream: EventStream) -> Response:
        """Return a response that lasts while the page is open."""
        return event_response(self._events(stream))

    async def _events(self, stream: EventStream) -> AsyncIterator[bytes]:
        # A phone that slept or left may never have closed its pages: the oldest make room for the newest.
        earlier = [each for each in self._streams if each.phone == stream.phone]
        for old in earlier[: max(0, len(earlier) + 1 - _MAX_STREAMS)]:
            old.close(TOO_MANY_EVENT)
            self._streams.pop(old)
        self._streams[stream] = None
        try:
            async for event in stream.events():
                yield event
        finally:
            self._streams.pop(stream, None)


def event_response(events: AsyncIterator[bytes]) -> Response:
    """Return a response of server-sent events that proxies must not buffer."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"x-accel-buffering": "no"})


def describe_start(started: datetime, now: datetime) -> Message:
    """Return when a table was opened: the time if that was today, else also the date."""
    if started.astimezone().date() == now.astimezone().date():
        return phrase("opened today at {time}", time=clock_time(started))
    return phrase("opened {when}", when=date_and_time(started))


def redirect(path: str) -> Response:
    """Redirect the browser to another page by GET."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def message_page(heading: Text, text: Text, status: HTTPStatus) -> Response:
    """Return a page with a heading and a sentence."""
    return HTMLResponse(templates.render("message.html", heading=heading, text=text), status)


# Pages for errors; none of them repeats the request.


async def refusal_page(_: Request, error: Exception) -> Response:
    """Return the page for a request that was refused by a handler."""
    status = error.status if isinstance(error, RequestRefused) else HTTPStatus.FORBIDDEN
    text = phrase("This request did not come from a page of this server. Load the page again and repeat it.")
    return message_page(phrase("Not so"), text, status)


async def not_found_page(_: Request, error: Exception) -> Response:
    """Return the page for an unknown address or method."""
    status = HTTPStatus(error.status_code) if isinstance(error, HTTPException) else HTTPStatus.NOT_FOUND
    text = phrase("There is no such page. The table has not changed.")
    return message_page(phrase("Nothing is here"), text, status)


async def braked_page(_: Request, error: Exception) -> Response:
    """Return the page for a phone that has written too much."""
    return message_page(phrase("Too much at once"), str(error), HTTPStatus.TOO_MANY_REQUESTS)


async def unavailable_page(_: Request, error: Exception) -> Response:
    """Return the page for an error of the archive or the rules, with the reason."""
    return message_page(phrase("That cannot be done"), str(error), HTTPStatus.SERVICE_UNAVAILABLE)


async def fault_page(_: Request, error: Exception) -> Response:
    """Log a fault of the program, and return a page without its details."""
    record_fault(error)
    text = phrase("That failed, and nothing was changed. Load the page again; the table is as it was.")
    return message_page(phrase("That failed"), text, HTTPStatus.INTERNAL_SERVER_ERROR)
