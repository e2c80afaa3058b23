"""Pages as a host opens them: where they are served, what phones call that, and what has to be said of it.

Separate from the server, which is handed a socket; a command and a screen both open pages so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from companion.archive import Archive
from companion.archive.doors import Hands
from companion.session.live import LiveSessions
from companion.web import address, announcing
from companion.web.address import AddressError, Interface
from companion.web.guard import Place
from companion.web.phones import Phones
from companion.web.server import Server


class Wanted(NamedTuple):
    """Where and for whom pages shall be served; what is left open is what is usual.

    `host` is an address or name of this machine, `interface` the same by the name of a network interface; `public_url`
    is how phones reach a proxy before it, and `proxies` are those whose word on addresses is believed.
    """

    host: str = ""
    interface: str = ""
    port: int = address.PORT
    pin: str = ""
    hands: Hands | None = None
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
def hosting(archive: Archive, sessions: LiveSessions, wanted: Wanted) -> Iterator[Hosted]:
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
        name = open_.enter_context(announcing.announced(host, port)) if tells else ""
        known = public or address.origins(host, port, found, (name,) if name else ())
        place = Place(known, frozenset(wanted.proxies), address.elsewhere(where, found))
        server = Server(archive, sessions, listening, place, wanted.pin, wanted.hands)
        shown = address.usual(found) if host in address.EVERYWHERE else host
        url = next(iter(public), address.url(shown, port))
        warning, others = ("", "") if public else _said(wanted, where, found)
        yield Hosted(server, url, warning, others, address.url(name, port) if name else "")


def _host(wanted: Wanted, found: Sequence[Interface]) -> str:
    """Where to serve. Raises AddressError."""
    if wanted.interface and not wanted.host:
        return address.of_interface(wanted.interface, found)
    return wanted.host or address.usual(found)


def _said(wanted: Wanted, where: str, found: Sequence[Interface]) -> tuple[str, str]:
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
