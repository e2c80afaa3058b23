"""The frame of the host's pages: who may open them, forms with their token, and the navigation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.archive import Archive
from companion.web import templates
from companion.web.guard import RequestRefused
from companion.web.host.door import HOST_PATH, HostDoor, host_cookie_name
from companion.web.pages import Handler, WebPages
from companion.web.sharing.upload_folder import UploadFolder
from companion.web.visitor import HOST_SESSION, join_fields
from templates.languages.messages import Text, phrase, phrase_in

_MAX_FIELDS: Final = 400


class Host(NamedTuple):
    """The host at a browser: their session, and the token of their forms."""

    id: str
    token: str


HostHandler = Callable[[Request, Host], Awaitable[Response]]


class NavigationEntry(NamedTuple):
    """An entry of the navigation, with the key that opens it. Only entries whose page exists are shown."""

    path: str
    title: Text
    key: str = ""


NAVIGATION: Final = (
    NavigationEntry(HOST_PATH, phrase("Home")),
    NavigationEntry("/host/new", phrase("New table"), "F2"),
    NavigationEntry("/host/decks", phrase("Decks"), "F4"),
    NavigationEntry("/scan", phrase("Scan")),
    NavigationEntry("/host/games", phrase_in("list of games", "Games")),
    NavigationEntry("/host/print", phrase_in("verb", "Print")),
    NavigationEntry("/host/designs", phrase("Label designs")),
    NavigationEntry("/host/people", phrase("People")),
    NavigationEntry("/host/leagues", phrase("Leagues")),
    NavigationEntry("/host/statistics", phrase("Statistics")),
    NavigationEntry("/host/rehearsals", phrase("Rehearsals")),
    NavigationEntry("/host/phones", phrase("Phones")),
    NavigationEntry("/host/archive", phrase("Archive")),
    NavigationEntry("/host/settings", phrase("Settings")),
    NavigationEntry("/host/doctor", phrase("Doctor")),
)
"""The navigation of all pages, in order. The keys are those of the terminal where browsers leave them."""


class ShownEntry(NamedTuple):
    """An entry of the navigation on a page."""

    path: str
    title: Text
    key: str
    is_current: bool


class HostPages:
    """The host's pages of one archive: `pages` are those for phones, `door` admits the host.

    `end_program` ends the program that serves them, soon and in order.
    """

    def __init__(
        self, pages: WebPages, door: HostDoor, port: int = 0, end_program: Callable[[], None] = lambda: None
    ) -> None:
        self.pages = pages
        self.door = door
        self.end_program = end_program
        self.uploads = UploadFolder()
        """The files for labels that the host has sent."""
        self._port = port
        self._paths: frozenset[str] = frozenset()

    @property
    def archive(self) -> Archive:
        """The archive that is served."""
        return self.pages.archive

    @property
    def cookie(self) -> str:
        """The name of the host's cookie."""
        return host_cookie_name(self.pages.phones.doors.key, self._port)

    def set_cookie(self, response: Response, session: str) -> None:
        """Store the id of a session in the browser's cookie."""
        response.set_cookie(self.cookie, session, httponly=True, samesite="strict")

    def offer(self, routes: Sequence[Route]) -> None:
        """Show the entries of the navigation to which these routes lead, and scanning, which phones do, too."""
        self._paths = frozenset(("/scan", *(route.path for route in routes)))

    def require_host(self, page: HostHandler) -> Handler:
        """Restrict a page to the host; others on this machine see how to come in, and everybody else no page."""

        @wraps(page)
        async def handle(request: Request) -> Response:
            session = find_host_session(request)
            return await page(request, Host(session, self.door.form_token(session))) if session else entry_page()

        return handle

    async def read_host_form(self, request: Request, host: Host) -> dict[str, str]:
        """Return the fields of a form by name; repeated fields are joined by spaces.

        Raises RequestRefused if the form is unreadable or its token is wrong.
        """
        return join_fields(await self.read_host_fields(request, host))

    async def read_host_fields(self, request: Request, host: Host) -> list[tuple[str, str]]:
        """Return the fields of a form in their order, as `read_host_form` does."""
        try:
            text = (await request.body()).decode()
            fields = parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
        except ValueError:
            raise RequestRefused(HTTPStatus.FORBIDDEN) from None
        self.check_token(host, dict(reversed(fields)).get("token", ""))
        return fields

    def check_token(self, host: Host, token: str) -> None:
        """Raise RequestRefused if a form did not come from a page of this host."""
        if not self.door.is_form_token(host.id, token):
            raise RequestRefused(HTTPStatus.FORBIDDEN)

    def render_host(
        self, template: str, host: Host, *, here: str = "", status: HTTPStatus = HTTPStatus.OK, **context: Any
    ) -> Response:
        """Return a page in the frame. `here` is the path of its entry in the navigation.

        Templates extend `host/frame.html`; `token` is the token of their forms.
        """
        entries = [
            ShownEntry(entry.path, entry.title, entry.key, entry.path == here)
            for entry in NAVIGATION
            if entry.path in self._paths
        ]
        html = templates.render(template, **{"token": host.token, "navigation": entries, "is_over": False, **context})
        return HTMLResponse(html, status)


def find_host_session(request: Request) -> str:
    """Return the host's session of a request, or "" for a browser of this machine without one.

    Raises HTTPException, as for an unknown page, for all others.
    """
    session = request.scope.get(HOST_SESSION)
    if session is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return str(session)


def entry_page() -> Response:
    """Return the page for a browser without a session: how the host comes in."""
    html = templates.render("host/entering.html")
    return HTMLResponse(html, HTTPStatus.FORBIDDEN)
