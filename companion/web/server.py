""""""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.archive import Archive, ArchiveError
from companion.archive.web_access import Permissions
from companion.session.shared_session import LiveSessions
from companion.tabletop.action import NotationError, RuleError
from companion.web import address, templates
from companion.web import pages as answers
from companion.web.address import AddressError, Interface
from companion.web.decks import DeckRoutes
from companion.web.guard import BodyLimit, ConnectionLimits, RequestGuard, RequestRefused, Site, connection_class
from companion.web.login import LoginRoutes
from companion.web.pages import Pages
from companion.web.phones import Phones
from companion.web.scanning import PICTURE_LIMIT, SCAN_PATH, ScanRoutes
from companion.web.table_routes import PlayRoutes, TableRoutes
from companion.web.tables import ChangeListener

_ROUTE_CLASSES: Final = (LoginRoutes, TableRoutes, PlayRoutes, DeckRoutes, ScanRoutes)

BODY_LIMITS: Final[dict[str, BodyLimit]] = {SCAN_PATH: PICTURE_LIMIT}
"""Paths that take in more than a form does, each with what it takes."""

_CACHE_FOR_EVER: Final = "public, max-age=31536000, immutable"


def create_app(pages: Pages, most_of_one: int) -> ASGIApp:
    """What a server runs; it answers at most so many requests of one address at a time."""
    routes = [route for kind in _ROUTE_CLASSES for route in kind(pages).routes]
    routes += [Route(f"/{name}", _serve_static) for name in templates.STATIC_FILES]
    errors = {
        RequestRefused: answers.refusal_page,
        HTTPException: answers.not_found_page,
        ArchiveError: answers.unavailable_page,
        NotationError: answers.unavailable_page,
        RuleError: answers.unavailable_page,
        Exception: answers.fault_page,
    }
    made = Starlette(routes=routes, exception_handlers=errors)
    made.router.redirect_slashes = False
    return RequestGuard(made, pages.place, BODY_LIMITS, most_of_one)


async def _serve_static(request: Request) -> Response:
    """The style, the script and the icon of all pages."""
    name = request.url.path[1:]
    return Response(
        templates.static_file(name), media_type=templates.STATIC_FILES[name], headers={"cache-control": _CACHE_FOR_EVER}
    )


_GRACE_SECONDS: Final = 1
"""Seconds that pages which are under way have when the server ends."""
_HEAD_BYTES: Final = 16 * 1024
_KEEP_ALIVE_SECONDS: Final = 5


class _PageServer(uvicorn.Server):
    """A server that leaves signals to whoever runs it, and lets open pages go before it waits for them."""

    def __init__(self, config: uvicorn.Config, pages: Pages) -> None:
        super().__init__(config)
        self._pages = pages

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pages.close()
        await super().shutdown(sockets)


class Server:
    """Pages of an archive on a socket that listens already, at `port`. `phones` is who is there."""

    def __init__(
        self,
        archive: Archive,
        sessions: LiveSessions,
        listening: socket.socket,
        place: Site,
        pin: str = "",
        permissions: Permissions | None = None,
        limits: ConnectionLimits | None = None,
    ) -> None:
        """`sessions` are those of the whole process. Raises ArchiveError where the archive cannot be written to."""
        self.phones = Phones(archive, pin, permissions)
        self.port: int = listening.getsockname()[1]
        self._archive = archive
        self._sessions = sessions
        self._socket = listening
        self._pages = Pages(archive, sessions, self.phones, place)
        config = uvicorn.Config(
            create_app(self._pages, (limits or ConnectionLimits()).max_requests_per_address),
            http=connection_class(limits, proxied=bool(place.proxies)),
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
        self._serves = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        """Serve in this thread until `stop` is called, in any thread or by a signal."""
        # Nobody wants to read about garbage that came in, least of all between the lines of a screen.
        logging.getLogger("uvicorn.error").addHandler(logging.NullHandler())
        logging.getLogger("uvicorn.error").propagate = False
        asyncio.run(self._run())

    def start(self) -> None:
        """Serve in a thread of its own; returns once that listens."""
        self._thread = threading.Thread(target=self.run, name="pages", daemon=True)
        self._thread.start()
        self._serves.wait()

    def stop(self) -> None:
        """End: within two seconds nothing is served any more. Returns at once where `run` serves, and then else."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    def _ring(self) -> None:
        """Have all open pages look whether they may still be seen."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._pages.notify)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.phones.on_change = self._ring
        messenger = ChangeListener(self._archive, self._sessions, self.phones)
        messenger.start()
        self._serves.set()
        try:
            await self._server.serve([self._socket])
        finally:
            await asyncio.to_thread(messenger.stop)
            self._loop = None


class ServeOptions(NamedTuple):
    """Where and for whom pages shall be served; what is left open is what is usual.

    `host` is an address or name of this machine, `interface` the same by the name of a network interface; `public_url`
    is how phones reach a proxy before it, and `proxies` are those whose word on addresses is believed.
    """

    host: str = ""
    interface: str = ""
    port: int = address.PORT
    pin: str = ""
    permissions: Permissions | None = None
    public_url: str = ""
    proxies: tuple[str, ...] = ()
    announce: bool = True


class HostedPages(NamedTuple):
    """Pages that are served, or are about to be: `url` is what phones open, `warning` what people must know of who
    reaches them, `others` how to serve in another network than was chosen ("" where there is nothing to say), `name`
    what the network nearby knows them by ("" for nothing).
    """

    server: Server
    url: str
    warning: str
    others: str
    name: str

    @property
    def pin(self) -> str:
        """The six digits that phones are asked for."""
        return self.server.phones.doors.pin

    @property
    def guests(self) -> Phones:
        """The phones that were let in."""
        return self.server.phones

    @property
    def picture(self) -> tuple[str, ...]:
        """The QR code of the address, to be shown black on white."""
        return address.render_qr(self.url)


@contextlib.contextmanager
def host_pages(archive: Archive, sessions: LiveSessions, wanted: ServeOptions) -> Iterator[HostedPages]:
    """Pages of an archive, ready to be served: `server.run` does it here, `server.start` in a thread of its own.

    They are announced for as long as the block lasts. Raises AddressError, ArchiveError.
    """
    found = address.find_interfaces()
    host = _choose_host(wanted, found)
    public = _public_origin(wanted.public_url)
    with contextlib.ExitStack() as open_:
        listening = open_.enter_context(address.listen(host, wanted.port))
        where, port = listening.getsockname()[:2]
        host = where if where in address.ANY_ADDRESS else host
        tells = wanted.announce and not public
        name = open_.enter_context(address.announce(host, port)) if tells else ""
        known = public or address.list_origins(host, port, found, (name,) if name else ())
        place = Site(known, frozenset(wanted.proxies), address.other_networks(where, found))
        server = Server(archive, sessions, listening, place, wanted.pin, wanted.permissions)
        shown = address.default_host(found) if host in address.ANY_ADDRESS else host
        url = next(iter(public), address.make_url(shown, port))
        warning, others = ("", "") if public else _describe_reach(wanted, where, found)
        yield HostedPages(server, url, warning, others, address.make_url(name, port) if name else "")


def _choose_host(wanted: ServeOptions, found: Sequence[Interface]) -> str:
    """Where to serve. Raises AddressError."""
    if wanted.interface and not wanted.host:
        return address.host_of_interface(wanted.interface, found)
    return wanted.host or address.default_host(found)


def _describe_reach(wanted: ServeOptions, where: str, found: Sequence[Interface]) -> tuple[str, str]:
    """What people must know of who reaches the pages, and how to serve in another network."""
    if wanted.host or wanted.interface:
        return address.describe_exposure(where), ""
    if where == address.LOOPBACK:
        return address.describe_no_network(found), ""
    return "", address.describe_alternatives(where, found)


def _public_origin(url: str) -> frozenset[str]:
    """The address of a proxy, as browsers say it; none where none is named. Raises AddressError."""
    if not url:
        return frozenset()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise AddressError("A public URL names a host and no page, such as https://cards.example.")
    try:
        # Browsers spell a name with other letters than those of ASCII in these, and leave out the usual port.
        host, port = parts.hostname.encode("idna").decode(), parts.port
    except (UnicodeError, ValueError):
        raise AddressError("A public URL names a host by its name, such as https://cards.example.") from None
    host = f"[{host}]" if ":" in host else host
    usual = port in (None, {"http": 80, "https": 443}[parts.scheme])
    return frozenset({f"{parts.scheme}://{host}" if usual else f"{parts.scheme}://{host}:{port}"})
