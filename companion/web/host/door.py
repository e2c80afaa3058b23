"""The way into the host's pages: a link that is good once, sessions that end with the server, and only this machine.

Everything else gets the answer of an unknown page. A browser sends its cookies to every port of its machine, where
other users may listen, and other users see the link in the list of processes; on Linux, each connection must therefore
belong to the user who serves.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.web.guard import is_local_connection, plain_address
from companion.web.templates import host_messages
from companion.web.visitor import HOST_SESSION
from templates.languages.messages import Text

LINK_SECONDS: Final = 120.0
"""Seconds for which a link is good."""
HOST_PATH: Final = "/host"
"""The path of the home page; the others are below it."""
_SECRET_BYTES: Final = 24
_MAX_LINKS: Final = 20
"""The most links that are good at a time, the newest ones."""
_MAX_SESSIONS: Final = 50
"""The most browsers of the host, the newest ones."""
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
"""Headers of proxies: what comes through one may come from anywhere."""
_LOCAL_NAMES: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_ROOT: Final = 0
_PROC_FILES: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_UID_COLUMN: Final = 7

ReadOwner = Callable[[Scope], int | None]
K = TypeVar("K")
V = TypeVar("V")


class HostLink(NamedTuple):
    """A link that was not used yet: until when it is good, and the page of the host that it leads on to."""

    until: float
    page: str


class HostDoor:
    """The links and sessions of the host. They are in memory alone, and end with the server. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._key = secrets.token_bytes()
        self.starter_key = secrets.token_hex(_SECRET_BYTES)
        """The key by which another start of the program proves that it may have a link."""
        self._links: dict[bytes, HostLink] = {}
        self._sessions: dict[str, None] = {}
        self._messages: dict[str, Text] = {}

    def make_link(self, page: str = HOST_PATH) -> str:
        """Return the path of a link that is good once, for two minutes, and leads on to a page of the host."""
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        with self._lock:
            self._links[self._digest("link", secret)] = HostLink(self._clock() + LINK_SECONDS, page)
            _drop_oldest(self._links, _MAX_LINKS)
        return f"{HOST_PATH}/enter/{secret}"

    def find_page(self, secret: str) -> str:
        """Return the page that an unused link leads on to, the home page for any other."""
        with self._lock:
            link = self._links.get(self._digest("link", secret))
            return HOST_PATH if link is None else link.page

    def enter(self, secret: str) -> str:
        """Use up a link; return the id of a new session, or "" if the link is used, too old, or none of ours."""
        with self._lock:
            # Digests are compared, so that the time of a comparison says nothing about the secret.
            link = self._links.pop(self._digest("link", secret), None)
            if link is None or link.until <= self._clock():
                return ""
            session = secrets.token_hex(_SECRET_BYTES)
            self._sessions[session] = None
            _drop_oldest(self._sessions, _MAX_SESSIONS)
        return session

    def has_session(self, session: str) -> bool:
        """Return True if this id was given to a browser that may still use it."""
        return bool(session) and session in self._sessions

    def leave(self, session: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(session, None)
            self._messages.pop(session, None)

    def leave_message(self, session: str, text: Text) -> None:
        """Leave a message for the next page that the host sees, whichever that is; "" for none."""
        with self._lock:
            self._messages[session] = text
            _drop_oldest(self._messages, _MAX_SESSIONS)

    def take_message(self, session: str) -> Text:
        """Return the message that was left, once; "" if there is none."""
        return self._messages.pop(session, "")

    def form_token(self, session: str) -> str:
        """Return the token that each form of the host's pages sends."""
        return self._digest("host form", session).hex()

    def is_form_token(self, session: str, text: str) -> bool:
        """Return True if a form came from a page of this session."""
        return hmac.compare_digest(text.encode(errors="replace"), self.form_token(session).encode())

    def _digest(self, purpose: str, text: str) -> bytes:
        return hmac.digest(self._key, f"{purpose}:{text}".encode(errors="replace"), "sha256")


def _drop_oldest(kept: dict[K, V], most: int) -> None:
    while len(kept) > most:
        del kept[next(iter(kept))]


def host_cookie_name(key: str, port: int) -> str:
    """Return the name of the host's cookie. It differs by archive and port: the ports of a machine share cookies."""
    return f"companion-host-{sha256(f'host:{key}:{port}'.encode()).hexdigest()[:8]}"


class HostGuard:
    """ASGI middleware that marks the requests of this machine's own user, with the session of their cookie.

    `scope[HOST_SESSION]` is the id of a session, or "" if a browser here has none. Other requests are not marked.
    """

    def __init__(
        self, app: ASGIApp, door: HostDoor, cookie: Callable[[], str], read_owner: ReadOwner | None = None
    ) -> None:
        """Initialize the middleware; `cookie` returns the name of the host's cookie."""
        self._app = app
        self._door = door
        self._cookie = cookie
        self._read_owner = read_owner or read_peer_owner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or not self._may_be_host(scope):
            await self._app(scope, receive, send)
            return
        # Other programs at this address may set cookies that Python's own parser refuses.
        session = cookie_parser(Headers(scope=scope).get("cookie", "")).get(self._cookie(), "")
        has_session = self._door.has_session(session)
        is_at_door = scope["path"] == HOST_PATH or scope["path"].startswith(f"{HOST_PATH}/")
        if (has_session or is_at_door) and is_own_user(self._read_owner(scope)):
            scope[HOST_SESSION] = session if has_session else ""
        # What scripts fetch is seen by nobody.
        is_seen = Headers(scope=scope).get("sec-fetch-dest", "document") == "document"
        take = partial(self._door.take_message, session if is_seen else "")
        mark = host_messages.set(take if scope.get(HOST_SESSION) else None)
        try:
            await self._app(scope, receive, send)
        finally:
            host_messages.reset(mark)

    def _may_be_host(self, scope: Scope) -> bool:
        """Return True if a request comes from this machine, by a name of its own, and through no proxy."""
        headers = Headers(scope=scope)
        return (
            is_local_connection(scope)
            and all(is_local_host(host) for host in headers.getlist("host"))
            and not any(name in headers for name in _FORWARDED)
        )


def is_local_host(header: str) -> bool:
    """Return True if a Host header names this machine by its loopback address or as localhost."""
    with suppress(ValueError):
        return urlsplit(f"//{header}").hostname in _LOCAL_NAMES
    return False


def is_own_user(owner: int | None) -> bool:
    """Return True if the owner of a connection is the user who serves; None is a system that does not say.

    An administrator can read this process anyway, and on some systems passes connections on.
    """
    return owner is None or sys.platform == "win32" or owner in (os.getuid(), _ROOT)


def read_peer_owner(scope: Scope) -> int | None:
    """Return the user id of the browser's end of a connection on this machine.

    It is -1 if the system lists no such connection, and None if it has no such list, as only Linux has.
    """
    tables = list(_read_connections())
    if not tables:
        return None
    client, server = scope["client"], scope["server"]
    for table in tables:
        owner = find_owner(table, (client[0], client[1]), (server[0], server[1]))
        if owner is not None:
            return owner
    return -1


def _read_connections() -> Iterator[str]:
    """Yield the system's lists of connections, as far as it has them."""
    if sys.platform == "linux":
        for file in _PROC_FILES:
            with suppress(OSError):
                yield file.read_text(encoding="ascii", errors="replace")


def find_owner(table: str, local: tuple[str, int], remote: tuple[str, int]) -> int | None:
    """Return the user id of the connection from `local` to `remote` in the text of `/proc/net/tcp`, or None."""
    wanted = (plain_address(local[0]), local[1]), (plain_address(remote[0]), remote[1])
    ports = f":{local[1]:04X}", f":{remote[1]:04X}"
    for row in table.splitlines()[1:]:
        cells = row.split()
        if len(cells) <= _UID_COLUMN or not (cells[1].endswith(ports[0]) and cells[2].endswith(ports[1])):
            continue
        with suppress(ValueError, OSError):
            if (_read_end(cells[1]), _read_end(cells[2])) == wanted:
                return int(cells[_UID_COLUMN])
    return None


def _read_end(text: str) -> tuple[IPv4Address | IPv6Address, int]:
    """Return the address and port in a cell of `/proc/net/tcp`, whose words are in this machine's byte order."""
    address, _, port = text.partition(":")
    words = bytes.fromhex(address)
    ordered = b"".join(
        int.from_bytes(words[at : at + 4], "big").to_bytes(4, sys.byteorder) for at in range(0, len(words), 4)
    )
    family = socket.AF_INET if len(ordered) == 4 else socket.AF_INET6
    return plain_address(socket.inet_ntop(family, ordered)), int(port, 16)
