"""What is looked at before any page is: connections that are too slow or too many, and for whom a request is meant."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from ipaddress import IPv4Network, IPv6Address, ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol


class ConnectionLimits(NamedTuple):
    """Seconds within which a whole head of a request must have come, from the moment at which it could begin, and
    within which a browser takes in what lies ready for it; connections in all, and of one address.
    """

    request_seconds: float = 10.0
    send_seconds: float = 30.0
    max_connections: int = 400
    max_per_address: int = 60

    @property
    def max_requests_per_address(self) -> int:
        """Requests of one address there, at a time: a hall full of phones may have one, and nobody takes all room."""
        return (self.max_connections + 1) // 2


class Connection(H11Protocol):
    """One connection. It is idle while no request is answered on it; of too many, the one idle longest goes first."""

    limits = ConnectionLimits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Another one; there must be room for it."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._wait()
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        alike = [each for each in others if each.client and self.client and each.client[0] == self.client[0]]
        if len(alike) >= self.limits.max_per_address:
            self._make_room(alike)
        elif len(others) >= self.limits.max_connections:
            self._make_room(others)

    def data_received(self, data: bytes) -> None:
        """Part of a request, or all of it."""
        super().data_received(data)
        if not self.is_idle:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        """Another request may follow."""
        super().on_response_complete()
        if self.is_idle:
            self._since = self.loop.time()
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._stop_waiting()
        self._is_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The browser takes in less than is sent: whoever does so for long has gone, or wants to hold us up.

        To close it would be too kind, as that waits until all was taken in.
        """
        super().pause_writing()
        self._unread = self.loop.call_later(self.limits.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It has taken in what lay ready."""
        self._is_read()
        super().resume_writing()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _make_room(self, others: list[Connection]) -> None:
        idle = [each for each in others if each.is_idle and not each.transport.is_closing()]
        min(idle, key=lambda each: each._since, default=self).transport.abort()

    def _wait(self) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(self.limits.request_seconds, self._let_go)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _let_go(self) -> None:
        if self.is_idle:
            self.transport.abort()


def connection_class(named: ConnectionLimits | None, *, proxied: bool) -> type[Connection]:
    """What uvicorn makes of each connection. All of those behind a proxy have its address."""
    usual = named or ConnectionLimits()

    class Limited(Connection):
        """A connection of one server."""

        limits = usual._replace(max_per_address=usual.max_connections) if proxied else usual

    return Limited


CONTENT_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("style", "script", "img", "connect")),
        *("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"),
    )
)
HEADERS: Final = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    # Not no-referrer: with that, browsers hide from us, too, whence a form comes.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
_METHODS: Final = frozenset({"GET", "HEAD", "POST"})


class BodyLimit(NamedTuple):
    """How large the body of a request may be, and how many seconds it may take to arrive. As usual, the longest line in
    any script as forms write it, which is twelve letters for one.
    """

    size: int = 128 * 1024
    seconds: float = 15.0


class Site(NamedTuple):
    """Where pages are served: `origins` are all addresses by which browsers know us (`http://10.0.0.5:8686`),
    `proxies` those whose word is believed on whom they bring, and `elsewhere` networks from which nobody comes in.
    """

    origins: frozenset[str]
    proxies: frozenset[str] = frozenset()
    foreign_networks: tuple[IPv4Network, ...] = ()

    @property
    def hosts(self) -> frozenset[str]:
        """The addresses as the header Host says them; the usual port goes without saying."""
        named = {origin.partition("://")[2] for origin in self.origins}
        return frozenset(named | {f"{host}:{port}" for host in named if ":" not in host for port in (80, 443)})

    @property
    def is_encrypted(self) -> bool:
        """Whether nobody on the way can read along."""
        return all(origin.startswith("https://") for origin in self.origins)


class RequestRefused(Exception):
    """A request that gets no page: its status."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class RequestGuard:
    """Lets through what may be a person's browser on one of our pages."""

    def __init__(self, app: ASGIApp, place: Site, limits: Mapping[str, BodyLimit], most_of_one: int) -> None:
        """`limits` are those of single paths, where they are others than usual; `most_of_one` is how many requests of
        one address are answered at a time: behind a proxy, no connection says whose it is.
        """
        self._app = app
        self._most_of_one = most_of_one
        self._under_way: Counter[str] = Counter()
        self._place = place
        self._hosts = place.hosts
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Response(send)
        try:
            self._look(scope)
            scope["address"] = self._address(scope)
            limit = self._limits.get(scope["path"], BodyLimit())
            with self._share(scope["address"]):
                await self._app(scope, _LimitedBody(receive, limit).receive, answer.send)
        except RequestRefused as refused:
            if not answer.begun:
                closing = {"connection": "close"}
                await PlainTextResponse(_SENTENCES[refused.status], refused.status, closing)(
                    scope, receive, answer.send
                )

    def _look(self, scope: Scope) -> None:
        """Raises Refused."""
        if self._place.foreign_networks and self._is_elsewhere(scope):
            raise RequestRefused(HTTPStatus.MISDIRECTED_REQUEST)
        headers = Headers(scope=scope)
        hosts = [host.lower() for host in headers.getlist("host")]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            raise RequestRefused(HTTPStatus.MISDIRECTED_REQUEST)
        if scope["method"] not in _METHODS:
            raise RequestRefused(HTTPStatus.METHOD_NOT_ALLOWED)
        origins = [origin.lower() for origin in headers.getlist("origin")]
        if scope["method"] == "POST" and (len(origins) != 1 or origins[0] not in self._place.origins):
            raise RequestRefused(HTTPStatus.FORBIDDEN)
        limit = self._limits.get(scope["path"], BodyLimit())
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit.size:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def _is_elsewhere(self, scope: Scope) -> bool:
        """Whether somebody in another network of this machine has found a way through it."""
        client = scope["client"][0] if scope.get("client") else ""
        if client in self._place.proxies:
            return False
        address = ip_address(client)
        return any(address in network for network in self._place.foreign_networks)

    @contextmanager
    def _share(self, address: str) -> Iterator[None]:
        """One more of an address. Raises Refused."""
        if self._under_way[address] >= self._most_of_one:
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        self._under_way[address] += 1
        try:
            yield
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    def _address(self, scope: Scope) -> str:
        """Where a request comes from: the other end, or whom a proxy of ours names last."""
        client = scope["client"][0] if scope.get("client") else ""
        if client in self._place.proxies:
            named = ", ".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")
            others = [name.strip() for name in named if name.strip() not in self._place.proxies]
            client = others[-1] if others and others[-1] else client
        return address_key(client)


def address_key(address: str) -> str:
    """An address as tries are counted by it: who has one of IPv6 has as many more as they like beside it."""
    try:
        found = ip_address(_without_port(address))
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


def _without_port(address: str) -> str:
    """Some proxies name the port, too. Raises ValueError."""
    is_bare = address.count(":") > 1 and not address.startswith("[")
    return address if is_bare else urlsplit(f"//{address}").hostname or ""


_SENTENCES: Final = {
    HTTPStatus.MISDIRECTED_REQUEST: "This is not an address under which pages are served here.",
    HTTPStatus.METHOD_NOT_ALLOWED: "That cannot be done with a page here.",
    HTTPStatus.FORBIDDEN: "This did not come from one of the pages here; load the page again and repeat.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "That is more than can be taken in here.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too much at once comes from where you are; try again in a moment.",
    HTTPStatus.REQUEST_TIMEOUT: "That came too slowly.",
}


class _Response:
    """What is sent, with what every answer tells the browser."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await self._send(message)


class _LimitedBody:
    """A body as it arrives: not more of it than may be, and not for longer."""

    def __init__(self, receive: Receive, limit: BodyLimit) -> None:
        self._receive = receive
        self._left = limit.size
        self._until = asyncio.get_running_loop().time() + limit.seconds
        self._whole = False

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()  # waits for the browser to go, however long that takes
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self._whole = not message.get("more_body", False)
        return message
