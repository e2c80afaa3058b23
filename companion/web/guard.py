"""Limits on connections and requests, checked before any page: number, speed, size, host, origin."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from templates.languages.messages import phrase


class ConnectionLimits(NamedTuple):
    """The limits of a server: its timeouts and its most connections, in all and from one address.

    `request_seconds` is for the head of a request to arrive, and `send_seconds` for a browser to read the response.
    """

    request_seconds: float = 10.0
    send_seconds: float = 30.0
    max_connections: int = 400
    max_per_address: int = 60

    @property
    def max_requests_per_address(self) -> int:
        """The most concurrent requests of one address behind a proxy, where a hall full of phones may share one."""
        return (self.max_connections + 1) // 2


class Connection(H11Protocol):
    """A connection, which is idle while no request is answered on it.

    If there are too many, one with an incomplete body is closed, else the one idle longest.
    """

    limits = ConnectionLimits()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Close another connection if there are too many, and start the deadline of the first request."""
        super().connection_made(transport)
        self._idle_since = self.loop.time()
        self._request_deadline: asyncio.TimerHandle | None = None
        self._send_deadline: asyncio.TimerHandle | None = None
        self._start_deadline()
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        same_address = [each for each in others if each.client and self.client and each.client[0] == self.client[0]]
        if len(same_address) >= self.limits.max_per_address:
            self._make_room(same_address)
        elif len(others) >= self.limits.max_connections:
            self._make_room(others)

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request. Its deadline ends when its head is complete."""
        super().data_received(data)
        if not self.is_idle:
            self._cancel_deadline()

    def on_response_complete(self) -> None:
        """Start the deadline of the next request."""
        super().on_response_complete()
        if self.is_idle:
            self._idle_since = self.loop.time()
            self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the deadlines."""
        self._cancel_deadline()
        self._cancel_send_deadline()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Abort the connection unless the browser reads in time. Closing it would wait until all was read."""
        super().pause_writing()
        self._send_deadline = self.loop.call_later(self.limits.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the deadline for reading."""
        self._cancel_send_deadline()
        super().resume_writing()

    @property
    def is_idle(self) -> bool:
        """Return True if no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def is_unfinished(self) -> bool:
        """Return True if the body of a request is incomplete."""
        return self.cycle is not None and not self.cycle.response_complete and self.cycle.more_body

    def _make_room(self, others: list[Connection]) -> None:
        """Close a connection without work, preferably one that waits for a body."""
        spare = [each for each in others if (each.is_idle or each.is_unfinished) and not each.transport.is_closing()]
        min(spare, key=lambda each: (each.is_idle, each._idle_since), default=self).transport.abort()

    def _start_deadline(self) -> None:
        self._cancel_deadline()
        self._request_deadline = self.loop.call_later(self.limits.request_seconds, self._abort_idle)

    def _cancel_deadline(self) -> None:
        if self._request_deadline is not None:
            self._request_deadline.cancel()
            self._request_deadline = None

    def _cancel_send_deadline(self) -> None:
        if self._send_deadline is not None:
            self._send_deadline.cancel()
            self._send_deadline = None

    def _abort_idle(self) -> None:
        if self.is_idle:
            self.transport.abort()


def connection_class(limits: ConnectionLimits | None, *, proxied: bool) -> type[Connection]:
    """Return the connection class for uvicorn. Behind a proxy all connections have one address."""
    base = limits or ConnectionLimits()

    class Limited(Connection):
        """A connection of one server."""

        limits = base._replace(max_per_address=base.max_connections) if proxied else base

    return Limited


CONTENT_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("style", "script", "img", "connect", "manifest")),
        *("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"),
    )
)
HEADERS: Final = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    # With no-referrer, browsers would send no Origin with a form.
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # Browsers give a camera only to pages of this machine itself, or over HTTPS, and ask their user.
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
}


TRUSTWORTHY_HEADERS: Final = {"cross-origin-opener-policy": "same-origin"}
"""The headers of pages by HTTPS or within this machine; browsers complain about them elsewhere."""


class BodyLimit(NamedTuple):
    """The most bytes in the body of a request, and the most seconds for it to arrive.

    The default size is that of the longest line in any script when a form encodes it, twelve bytes a letter.
    """

    size: int = 128 * 1024
    seconds: float = 15.0


class Site(NamedTuple):
    """The addresses of the pages.

    `origins` are all origins that browsers use for them (`http://10.0.0.5:8686`), `proxies` the addresses whose
    X-Forwarded-For is trusted, and `foreign_networks` those that are not served. `own_origins` are those that only
    browsers of this machine may use, over its loopback addresses. `url` is the address for phones, and `notices` say
    who can reach it, and how to serve in another network.
    """

    origins: frozenset[str]
    proxies: frozenset[str] = frozenset()
    foreign_networks: tuple[IPv4Network, ...] = ()
    own_origins: frozenset[str] = frozenset()
    url: str = ""
    notices: tuple[str, ...] = ()

    def origins_for(self, *, is_local: bool) -> frozenset[str]:
        """Return the origins that a browser may use; `is_local` is True for a connection within this machine."""
        return self.origins | self.own_origins if is_local else self.origins

    @property
    def is_encrypted(self) -> bool:
        """Return True if every origin is HTTPS, so that cookies may be marked as secure."""
        return all(origin.startswith("https://") for origin in self.origins)


def list_hosts(origins: frozenset[str]) -> frozenset[str]:
    """Return the values of the Host header for these origins, with and without the default port."""
    hosts = {origin.partition("://")[2] for origin in origins}
    return frozenset(hosts | {f"{host}:{port}" for host in hosts if ":" not in host for port in (80, 443)})


def is_local_connection(scope: Scope) -> bool:
    """Return True if both ends of a connection are at a loopback address of this machine."""
    ends = (scope.get("client"), scope.get("server"))
    return all(end is not None and is_loopback(end[0]) for end in ends)


def is_loopback(address: str) -> bool:
    """Return True for an address of this machine that no other one reaches."""
    with suppress(ValueError):
        return plain_address(address).is_loopback
    return False


def plain_address(address: str) -> IPv4Address | IPv6Address:
    """Return an address; for an IPv4 address in the form of IPv6, the IPv4 one. Raises ValueError."""
    ip = ip_address(address)
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip


class RequestRefused(Exception):
    """A refused request, with its status."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status


class RequestGuard:
    """ASGI middleware that accepts only requests that browsers send from the pages here."""

    def __init__(self, app: ASGIApp, site: Site, limits: Mapping[str, BodyLimit], max_per_address: int) -> None:
        """Initialize the middleware.

        `limits` are those of paths that differ from the default. `max_per_address` is the most concurrent requests of
        one address, since behind a proxy no connection identifies its client.
        """
        self._app = app
        self._max_per_address = max_per_address
        self._active: Counter[str] = Counter()
        self._site = site
        self._accepted = {
            is_local: (origins, list_hosts(origins))
            for is_local in (False, True)
            for origins in (site.origins_for(is_local=is_local),)
        }
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        response = _Response(send, is_trustworthy=self._site.is_encrypted or is_local_connection(scope))
        try:
            self._check(scope)
            scope["address"] = self._address(scope)
            limit = self._limits.get(scope["path"], BodyLimit())
            with self._slot(scope["address"]):
                await self._app(scope, _LimitedBody(receive, limit).receive, response.send)
        except RequestRefused as refused:
            if not response.started:
                page = PlainTextResponse(str(_SENTENCES[refused.status]), refused.status, {"connection": "close"})
                await page(scope, receive, response.send)

    def _check(self, scope: Scope) -> None:
        """Check a request. Raises RequestRefused for a foreign network, host or origin, and for too large a body."""
        if self._site.foreign_networks and self._is_foreign(scope):
            raise RequestRefused(HTTPStatus.MISDIRECTED_REQUEST)
        headers = Headers(scope=scope)
        if "content-length" in headers and "transfer-encoding" in headers:
            # A proxy may use the other header, and what follows would be read as another request.
            raise RequestRefused(HTTPStatus.BAD_REQUEST)
        accepted_origins, accepted_hosts = self._accepted[is_local_connection(scope)]
        hosts = [host.lower() for host in headers.getlist("host")]
        if len(hosts) != 1 or hosts[0] not in accepted_hosts:
            raise RequestRefused(HTTPStatus.MISDIRECTED_REQUEST)
        origins = [origin.lower() for origin in headers.getlist("origin")]
        if scope["method"] == "POST" and (len(origins) != 1 or origins[0] not in accepted_origins):
            raise RequestRefused(HTTPStatus.FORBIDDEN)
        limit = self._limits.get(scope["path"], BodyLimit())
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limit.size:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    def _is_foreign(self, scope: Scope) -> bool:
        """Return True if a request comes from another network of this machine, which is routed here, too."""
        client = scope["client"][0] if scope.get("client") else ""
        if client in self._site.proxies:
            return False
        address = ip_address(client)
        return any(address in network for network in self._site.foreign_networks)

    @contextmanager
    def _slot(self, address: str) -> Iterator[None]:
        """Count a request of an address while it is answered. Raises RequestRefused if there are too many."""
        if self._active[address] >= self._max_per_address:
            raise RequestRefused(HTTPStatus.TOO_MANY_REQUESTS)
        self._active[address] += 1
        try:
            yield
        finally:
            self._active[address] -= 1
            if not self._active[address]:
                del self._active[address]

    def _address(self, scope: Scope) -> str:
        """Return the key of a request's address: the peer, or the last one that a trusted proxy names."""
        client = scope["client"][0] if scope.get("client") else ""
        if client in self._site.proxies:
            names = ", ".join(Headers(scope=scope).getlist("x-forwarded-for")).split(",")
            others = [name.strip() for name in names if name.strip() not in self._site.proxies]
            client = others[-1] if others and others[-1] else client
        return address_key(client)


def address_key(address: str) -> str:
    """Return the key by which requests and wrong PINs of an address are counted. An IPv6 /64 network shares one."""
    try:
        if address.count(":") <= 1 or address.startswith("["):
            # Some proxies add the port.
            address = urlsplit(f"//{address}").hostname or ""
        ip = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return f"{IPv6Address(int(ip) >> 64 << 64)}/64"
    return str(ip)


_SENTENCES: Final = {
    HTTPStatus.BAD_REQUEST: phrase("The request states two different lengths."),
    HTTPStatus.MISDIRECTED_REQUEST: phrase("No pages are served at this address."),
    HTTPStatus.FORBIDDEN: phrase(
        "This request did not come from a page of this server; load the page again and repeat it."
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: phrase("The request is too large."),
    HTTPStatus.TOO_MANY_REQUESTS: phrase("There are too many requests from your address; try again in a moment."),
    HTTPStatus.REQUEST_TIMEOUT: phrase("The request came too slowly."),
}


class _Response:
    """A sender of responses with the headers that every page has."""

    def __init__(self, send: Send, *, is_trustworthy: bool) -> None:
        self._send = send
        self._headers = {**HEADERS, **(TRUSTWORTHY_HEADERS if is_trustworthy else {})}
        self.started = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await self._send(message)


class _LimitedBody:
    """A receiver of a body within its limits of size and time."""

    def __init__(self, receive: Receive, limit: BodyLimit) -> None:
        self._receive = receive
        self._remaining = limit.size
        self._deadline = asyncio.get_running_loop().time() + limit.seconds
        self._complete = False

    async def receive(self) -> Message:
        if self._complete:
            return await self._receive()  # waits for the browser to disconnect, without a limit
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise RequestRefused(HTTPStatus.REQUEST_TIMEOUT) from None
        self._remaining -= len(message.get("body", b""))
        if self._remaining < 0:
            raise RequestRefused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self._complete = not message.get("more_body", False)
        return message
