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
from companion.web.decks import Decks
from companion.web.guard import Guard, Limit, Limits, Place, Refused, protocol
from companion.web.login import ComingIn
from companion.web.pages import Pages
from companion.web.phones import Phones
from companion.web.scanning import ADDRESS, LIMIT, Scanning
from companion.web.stream import Messenger
from companion.web.table_routes import AtTable, TakingPart

_KINDS: Final = (ComingIn, AtTable, TakingPart, Decks, Scanning)

LIMITS: Final[dict[str, Limit]] = {ADDRESS: LIMIT}
"""Paths that take in more than a form does, each with what it takes."""

_FOR_EVER: Final = "public, max-age=31536000, immutable"


def application(pages: Pages, most_of_one: int) -> ASGIApp:
    """What a server runs; it answers at most so many requests of one address at a time."""
    routes = [route for kind in _KINDS for route in kind(pages).routes]
    routes += [Route(f"/{name}", _file) for name in templates.FILES]
    errors = {
        Refused: answers.refused,
        HTTPException: answers.no_page,
        ArchiveError: answers.cannot,
        NotationError: answers.cannot,
        RuleError: answers.cannot,
        Exception: answers.failed,
    }
    made = Starlette(routes=routes, exception_handlers=errors)
    made.router.redirect_slashes = False
    return Guard(made, pages.place, LIMITS, most_of_one)


async def _file(request: Request) -> Response:
    """The style, the script and the icon of all pages."""
    name = request.url.path[1:]
    return Response(templates.file(name), media_type=templates.FILES[name], headers={"cache-control": _FOR_EVER})


_GRACE: Final = 1
"""Seconds that pages which are under way have when the server ends."""
_HEAD_BYTES: Final = 16 * 1024
_KEEP_ALIVE: Final = 5


class _Quiet(uvicorn.Server):
    """A server that leaves signals to whoever runs it, and lets open pages go before it waits for them."""

    def __init__(self, config: uvicorn.Config, pages: Pages) -> None:
        super().__init__(config)
        self._pages = pages

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._pages.end()
        await super().shutdown(sockets)


class Server:
    """Pages of an archive on a socket that listens already, at `port`. `phones` is who is there."""

    def __init__(
        self,
        archive: Archive,
        sessions: LiveSessions,
        listening: socket.socket,
        place: Place,
        pin: str = "",
        permissions: Permissions | None = None,
        limits: Limits | None = None,
    ) -> None:
        """`sessions` are those of the whole process. Raises ArchiveError where the archive cannot be written to."""
        self.phones = Phones(archive, pin, permissions)
        self.port: int = listening.getsockname()[1]
        self._archive = archive
        self._sessions = sessions
        self._socket = listening
        self._pages = Pages(archive, sessions, self.phones, place)
        config = uvicorn.Config(
            application(self._pages, (limits or Limits()).most_behind_a_proxy),
            http=protocol(limits, proxied=bool(place.proxies)),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_GRACE,
            h11_max_incomplete_event_size=_HEAD_BYTES,
        )
        self._server = _Quiet(config, self._pages)
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
            self._loop.call_soon_threadsafe(self._pages.ring)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.phones.changed = self._ring
        messenger = Messenger(self._archive, self._sessions, self.phones)
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


class Hosted(NamedTuple):
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
        return address.picture(self.url)


@contextlib.contextmanager
def hosting(archive: Archive, sessions: LiveSessions, wanted: ServeOptions) -> Iterator[Hosted]:
    """Pages of an archive, ready to be served: `server.run` does it here, `server.start` in a thread of its own.

    They are announced for as long as the block lasts. Raises AddressError, ArchiveError.
    """
    found = address.interfaces()
    host = _host(wanted, found)
    public = _public(wanted.public_url)
    with contextlib.ExitStack() as open_:
        listening = open_.enter_context(address.listen(host, wanted.port))
        where, port = listening.getsockname()[:2]
        host = where if where in address.EVERYWHERE else host
        tells = wanted.announce and not public
        name = open_.enter_context(address.announced(host, port)) if tells else ""
        known = public or address.origins(host, port, found, (name,) if name else ())
        place = Place(known, frozenset(wanted.proxies), address.elsewhere(where, found))
        server = Server(archive, sessions, listening, place, wanted.pin, wanted.permissions)
        shown = address.usual(found) if host in address.EVERYWHERE else host
        url = next(iter(public), address.url(shown, port))
        warning, others = ("", "") if public else _describe_reach(wanted, where, found)
        yield Hosted(server, url, warning, others, address.url(name, port) if name else "")


def _host(wanted: ServeOptions, found: Sequence[Interface]) -> str:
    """Where to serve. Raises AddressError."""
    if wanted.interface and not wanted.host:
        return address.of_interface(wanted.interface, found)
    return wanted.host or address.usual(found)


def _describe_reach(wanted: ServeOptions, where: str, found: Sequence[Interface]) -> tuple[str, str]:
    """What people must know of who reaches the pages, and how to serve in another network."""
    if wanted.host or wanted.interface:
        return address.warning(where), ""
    if where == address.HERE:
        return address.without_network(found), ""
    return "", address.others(where, found)


def _public(url: str) -> frozenset[str]:
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
