"""The web server of the pages: its address, its application, and its discovery by phones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.archive import Archive, ArchiveError
from companion.archive.web_access import Permissions
from companion.session.table.shared_session import SharedSessions
from companion.tabletop.action import NotationError, RuleError
from companion.web import address, templates
from companion.web.address import AddressError, Interface, PortTaken
from companion.web.brake import Braked
from companion.web.decks import DeckRoutes
from companion.web.evening import EveningRoutes
from companion.web.guard import (
    BodyLimit,
    ConnectionLimits,
    RequestGuard,
    RequestRefused,
    Site,
    connection_class,
    is_loopback,
)
from companion.web.host.archive_care.importing import IMPORT_PATH
from companion.web.host.archive_care.uploads import UPLOAD_LIMIT
from companion.web.host.deck_care.photographs import SPREAD_LIMIT, SPREAD_PATH
from companion.web.host.deck_care.play_importing import (
    PLAY_FILE_LIMIT,
    PLAY_FILE_PATH,
    PLAY_FORM_LIMIT,
    PLAY_IMPORT_PATH,
)
from companion.web.host.decks import PHOTOGRAPH_PATH
from companion.web.host.designs.designer import DESIGN_TABLE_LIMIT, DESIGN_TABLE_PATH
from companion.web.host.door import HOST_PATH, HostDoor, HostGuard
from companion.web.host.frame import HostPages
from companion.web.host.one_instance import leave_note
from companion.web.host.own_games.game_editor import EDIT_LIMIT, EDIT_PATH
from companion.web.host.routes import list_host_routes
from companion.web.languages import ReaderLanguage
from companion.web.leagues import LeagueRoutes
from companion.web.login import LoginRoutes
from companion.web.pages import WebPages, braked_page, fault_page, not_found_page, refusal_page, unavailable_page
from companion.web.phones import Phones
from companion.web.scanning import PICTURE_LIMIT, SCAN_PATH, ScanRoutes
from companion.web.screen import ScreenRoutes
from companion.web.sharing.deck_lists import LIST_LIMIT, LIST_PATH, DeckListRoutes
from companion.web.sharing.desk import SharingDesk
from companion.web.sharing.games import LOOK_PATH, PAGE_LIMIT, GameRoutes
from companion.web.sharing.passports import PassportRoutes
from companion.web.sharing.upload_folder import SOURCE_LIMIT, SOURCE_PATH
from companion.web.table_routes import PlayRoutes, TableRoutes
from templates.languages.messages import phrase

_ROUTE_CLASSES: Final = (
    LoginRoutes,
    TableRoutes,
    PlayRoutes,
    ScreenRoutes,
    DeckRoutes,
    EveningRoutes,
    LeagueRoutes,
    DeckListRoutes,
    PassportRoutes,
)

BODY_LIMITS: Final[dict[str, BodyLimit]] = {
    SCAN_PATH: PICTURE_LIMIT,
    PHOTOGRAPH_PATH: PICTURE_LIMIT,
    SPREAD_PATH: SPREAD_LIMIT,
    LOOK_PATH: PAGE_LIMIT,
    LIST_PATH: LIST_LIMIT,
    EDIT_PATH: EDIT_LIMIT,
    DESIGN_TABLE_PATH: DESIGN_TABLE_LIMIT,
    IMPORT_PATH: UPLOAD_LIMIT,
    SOURCE_PATH: SOURCE_LIMIT,
    PLAY_IMPORT_PATH: PLAY_FORM_LIMIT,
    PLAY_FILE_PATH: PLAY_FILE_LIMIT,
}
"""Body limits of paths that accept more than a form."""

_WORTH_COMPRESSING: Final = 1000
"""The least size in bytes of a page that is compressed."""
_CACHE_FOR_EVER: Final = "public, max-age=31536000, immutable"


def list_routes(pages: WebPages, host_pages: HostPages) -> list[Route]:
    """Return the routes of all pages and static files."""
    desk = SharingDesk()
    groups = (*(kind(pages) for kind in _ROUTE_CLASSES), ScanRoutes(pages, desk), GameRoutes(pages, desk))
    return [
        *(route for group in groups for route in group.routes),
        *list_host_routes(host_pages),
        *(Route(f"/{name}", _serve_static) for name in templates.STATIC_FILES),
    ]


def create_app(
    pages: WebPages,
    max_per_address: int,
    door: HostDoor | None = None,
    port: int = 0,
    end_program: Callable[[], None] = lambda: None,
) -> ASGIApp:
    """Return the ASGI application, which answers at most `max_per_address` requests of one address at a time.

    Without a `door` nobody gets the host's pages. `port` is that of the server, `end_program` ends it soon.
    """
    errors = {
        RequestRefused: refusal_page,
        Braked: braked_page,
        HTTPException: not_found_page,
        ArchiveError: unavailable_page,
        NotationError: unavailable_page,
        RuleError: unavailable_page,
        Exception: fault_page,
    }
    # Event streams are not compressed.
    compressed = [Middleware(GZipMiddleware, minimum_size=_WORTH_COMPRESSING)]
    host_pages = HostPages(pages, door or HostDoor(), port, end_program)
    app = Starlette(routes=list_routes(pages, host_pages), exception_handlers=errors, middleware=compressed)
    app.router.redirect_slashes = False
    inner = app if door is None else HostGuard(app, door, lambda: host_pages.cookie)
    # Refusals are in the reader's language, too.
    return ReaderLanguage(RequestGuard(inner, pages.site, BODY_LIMITS, max_per_address))


async def _serve_static(request: Request) -> Response:
    """Serve the styles, scripts and icons of all pages."""
    name = request.url.path[1:]
    # Browsers request a worker by a fixed address, and check it for changes.
    cached = "no-cache" if name == templates.WORKER else _CACHE_FOR_EVER
    headers = {"cache-control": cached}
    return Response(templates.static_file(name), media_type=templates.STATIC_FILES[name], headers=headers)


_GRACE_SECONDS: Final = 1
"""Seconds that responses may still take when the server ends."""
_HEAD_BYTES: Final = 16 * 1024
_KEEP_ALIVE_SECONDS: Final = 5
_SWITCH_SECONDS: Final = 0.0005
"""Seconds for which a rendering thread keeps the interpreter from a writing one.

With Python's own 0.005, a line of the host, which needs the interpreter some thirty times, takes twice as long beside
busy phones.
"""


class _PageServer(uvicorn.Server):
    """A uvicorn server that leaves signals to its owner, and ends streams before it waits for responses."""

    def __init__(self, config: uvicorn.Config, pages: WebPages) -> None:
        super().__init__(config)
        self._pages = pages

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pages.close()
        await super().shutdown(sockets)


class Server:
    """A server of an archive's pages on listening sockets, at `port`. `phones` are the admitted phones.

    `door` admits the host's browser, if the host's pages are served.
    """

    def __init__(
        self,
        archive: Archive,
        sessions: SharedSessions,
        listener: socket.socket,
        site: Site,
        pin: str = "",
        permissions: Permissions | None = None,
        limits: ConnectionLimits | None = None,
        door: HostDoor | None = None,
        own_listener: socket.socket | None = None,
    ) -> None:
        """Create a server.

        `sessions` are those of the whole process. With a `door` the host's pages are served, too; `own_listener` is a
        second socket for them, which only this machine reaches. Raises ArchiveError if the archive is not writable.
        """
        self.phones = Phones(archive, pin, permissions)
        self.port: int = listener.getsockname()[1]
        self._archive = archive
        self._sessions = sessions
        self.door = door
        self._sockets = [listener, *([own_listener] if own_listener else [])]
        self._pages = WebPages(archive, sessions, self.phones, site)
        config = uvicorn.Config(
            create_app(
                self._pages, (limits or ConnectionLimits()).max_requests_per_address, door, self.port, self._end_soon
            ),
            http=connection_class(limits, proxied=bool(site.proxies)),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACE_SECONDS,
            h11_max_incomplete_event_size=_HEAD_BYTES,
        )
        self._server = _PageServer(config, self._pages)
        self._thread: threading.Thread | None = None
        self._started = threading.Event()

    def run(self) -> None:
        """Serve in this thread until `stop` is called, in any thread or by a signal."""
        # Messages about invalid requests help no one, least of all in the middle of a terminal screen.
        logging.getLogger("uvicorn.error").addHandler(logging.NullHandler())
        logging.getLogger("uvicorn.error").propagate = False
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_SECONDS))
        asyncio.run(self._run())

    def start(self) -> None:
        """Serve in a background thread, and return once that listens."""
        self._thread = threading.Thread(target=self.run, name="pages", daemon=True)
        self._thread.start()
        self._started.wait()

    def stop(self) -> None:
        """Stop within two seconds. Wait for that after `start`, and return at once if `run` serves."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    @property
    def is_serving(self) -> bool:
        """Return True from `start` until the server has ended."""
        return self._thread is not None and self._thread.is_alive()

    def _end_soon(self) -> None:
        self._server.should_exit = True

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        self.phones.on_change = lambda: loop.call_soon_threadsafe(self._pages.notify)
        self._pages.on_change = lambda: loop.call_soon_threadsafe(self._pages.tables.notify_finished)
        self._pages.changes.start()
        self._started.set()
        try:
            await self._server.serve(self._sockets)
        finally:
            await asyncio.to_thread(self._pages.changes.stop)
            self.phones.on_change = lambda: None


class ServeOptions(NamedTuple):
    """The options for serving pages; each has a default.

    `host` is an address or name of this machine, `interface` a network interface instead. `public_url` is the address
    of a proxy for phones, and `proxies` are those whose X-Forwarded-For is trusted.
    """

    host: str = ""
    interface: str = ""
    port: int = address.PORT
    pin: str = ""
    permissions: Permissions | None = None
    public_url: str = ""
    proxies: tuple[str, ...] = ()
    announce: bool = True
    face_down: bool | None = None
    """True if phones choose face down, False if not; None leaves it as it was."""
    opens: bool = False
    """True if the host's pages are served, too, to this machine alone."""


class HostedPages(NamedTuple):
    """Pages that are served, or are about to be.

    `url` is the address for phones, and `own_url` that for this machine, "" without the host's pages. `warning` is
    about who can reach them, and `others` about serving in another network; both are "" if there is nothing to report.
    `name` is their URL by multicast DNS, "" if there is none.
    """

    server: Server
    url: str
    warning: str
    others: str
    name: str
    own_url: str = ""

    def make_link(self, page: str = HOST_PATH) -> str:
        """Return the URL by which the host's browser comes in: good once, for two minutes, on this machine only.

        It leads on to a page of the host.
        """
        assert self.server.door is not None
        return f"{self.own_url}{self.server.door.make_link(page)}"

    @property
    def pin(self) -> str:
        """The six-digit PIN for phones."""
        return self.server.phones.doors.pin

    @property
    def guests(self) -> Phones:
        """The admitted phones."""
        return self.server.phones

    @property
    def picture(self) -> tuple[str, ...]:
        """The QR code of the address with the secret that replaces the PIN tonight, to be displayed black on white."""
        return address.render_qr(f"{self.url.rstrip('/')}/j/{self.guests.invitation}")


@contextlib.contextmanager
def host_pages(archive: Archive, sessions: SharedSessions, options: ServeOptions) -> Iterator[HostedPages]:
    """Prepare the pages of an archive: `server.run` serves them in this thread, `server.start` in the background.

    They are announced during the block. Raises AddressError or ArchiveError.
    """
    interfaces = address.find_interfaces()
    if options.interface and not options.host:
        host = address.host_of_interface(options.interface, interfaces)
    else:
        host = options.host or address.default_host(interfaces)
    public = _public_origin(options.public_url)
    if options.opens and (public or options.proxies):
        raise AddressError(
            phrase(
                "The host’s pages are for this machine alone: leave out --open, or --public-url and --trusted-proxy."
            )
        )
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(address.listen(host, options.port))
        bound, port = listener.getsockname()[:2]
        host = bound if bound in address.ANY_ADDRESS else host
        own_host, own_listener = _listen_to_host(bound, port, stack) if options.opens else ("", None)
        announces = options.announce and not public
        name = stack.enter_context(address.announce(host, port)) if announces else ""
        origins = public or address.list_origins(host, port, interfaces, (name,) if name else ())
        site = Site(origins, frozenset(options.proxies), address.other_networks(bound, interfaces))
        if options.opens:
            own_hosts = {own_host, "localhost"}
            site = site._replace(own_origins=frozenset(address.make_url(each, port) for each in own_hosts))
        door = HostDoor() if options.opens else None
        reachable = address.default_host(interfaces) if host in address.ANY_ADDRESS else host
        url = next(iter(public), address.make_url(reachable, port))
        warning, alternatives = ("", "") if public else _describe_reach(options, bound, interfaces)
        site = site._replace(url=url, notices=tuple(filter(None, (warning, alternatives))))
        server = Server(
            archive, sessions, listener, site, options.pin, options.permissions, door=door, own_listener=own_listener
        )
        if options.face_down is not None:
            server.phones.choose_face_down(is_on=options.face_down)
        own_url = address.make_url(own_host, port) if options.opens else ""
        if door is not None:
            stack.enter_context(leave_note(archive, own_url, door.starter_key))
        yield HostedPages(
            server, url, warning, alternatives, address.make_url(name, port) if name else "", own_url=own_url
        )


def _listen_to_host(bound: str, port: int, stack: contextlib.ExitStack) -> tuple[str, socket.socket | None]:
    """Return the loopback address of the host's pages, and a socket there, None if the phones' one hears it already.

    Raises PortTaken.
    """
    if bound in address.ANY_ADDRESS:
        return address.LOOPBACK, None
    if is_loopback(bound):
        return bound, None
    return address.LOOPBACK, stack.enter_context(address.listen(address.LOOPBACK, port))


_MAX_PORTS: Final = 20
"""The most ports that are tried one after another; then any free one is taken."""


@contextlib.contextmanager
def host_at_free_port(
    archive: Archive, sessions: SharedSessions, options: ServeOptions, wait: Callable[[], None] = lambda: None
) -> Iterator[HostedPages]:
    """Prepare the pages as `host_pages` does, but if the port is taken, at the next free one, which `others` names.

    `wait` is called once before that.
    """
    with contextlib.ExitStack() as pages:
        hosted: HostedPages | None = None
        for port in (*range(options.port, min(options.port + _MAX_PORTS, 65536)), 0):
            with contextlib.suppress(PortTaken):
                hosted = pages.enter_context(host_pages(archive, sessions, options._replace(port=port)))
                break
            if port == options.port:
                wait()
        assert hosted is not None
        if port != options.port:
            text = phrase(
                "Another program uses port {port}; the pages are at {address}.",
                port=str(options.port),
                address=hosted.url,
            )
            hosted = hosted._replace(others=" ".join(filter(None, (str(text), hosted.others))))
        yield hosted


def _describe_reach(options: ServeOptions, bound: str, interfaces: Sequence[Interface]) -> tuple[str, str]:
    """Return a warning about who can reach the pages, and how to serve in another network."""
    if options.host or options.interface:
        return address.describe_exposure(bound), ""
    if bound == address.LOOPBACK:
        return address.describe_no_network(interfaces), ""
    return "", address.describe_alternatives(bound, interfaces)


def _public_origin(url: str) -> frozenset[str]:
    """Return the origin of a proxy as browsers write it, or none if none is named. Raises AddressError."""
    if not url:
        return frozenset()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise AddressError(phrase("A public URL has a host but no page, such as https://cards.example."))
    try:
        # Browsers encode non-ASCII letters of a name, and omit the default port.
        host, port = parts.hostname.encode("idna").decode(), parts.port
    except (UnicodeError, ValueError):
        raise AddressError(phrase("A public URL has a host with a name, such as https://cards.example.")) from None
    host = f"[{host}]" if ":" in host else host
    usual = port in (None, {"http": 80, "https": 443}[parts.scheme])
    return frozenset({f"{parts.scheme}://{host}" if usual else f"{parts.scheme}://{host}:{port}"})
