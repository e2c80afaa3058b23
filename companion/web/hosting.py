"""Pages as a host opens them: where they are served, what phones call that, and what has to be said of it.

Separate from the server, which is handed a socket; a command and a screen both open pages so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from companion.archive import Archive
from companion.archive.doors import Hands
from companion.session.live import LiveSessions
from companion.web import address
from companion.web.address import AddressError
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
    reaches them ("" where it is this network), `name` what the network nearby knows them by ("" for nothing).
    """

    server: Server
    url: str
    warning: str
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
    host = wanted.host or _address_of(wanted.interface) or address.usual(address.interfaces())
    public = _public(wanted.public_url)
    with address.listen(host, wanted.port) as listening:
        port = listening.getsockname()[1]
        known = public or address.origins(host, port, address.interfaces(), (address.name(),))
        place = Place(known, frozenset(wanted.proxies))
        server = Server(archive, sessions, listening, place, wanted.pin, wanted.hands)
        shown = address.usual(address.interfaces()) if host in address.EVERYWHERE else host
        url = next(iter(public), address.url(shown, port))
        with address.announced(host, port, wanted=wanted.announce and not public) as name:
            yield Hosted(server, url, "" if public else address.warning(host), name)


def _address_of(interface: str) -> str:
    """The address of an interface by its name; "" where none is named. Raises AddressError."""
    if not interface:
        return ""
    known = {each.name: each.address for each in reversed(address.interfaces())}
    if interface not in known:
        names = ", ".join(known) or "none with an address"
        raise AddressError(f"There is no interface {interface} with an address here; there is {names}.")
    return known[interface]


def _public(url: str) -> frozenset[str]:
    """The address of a proxy, as browsers say it; none where none is named. Raises AddressError."""
    if not url:
        return frozenset()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise AddressError("A public URL names a host and no page, such as https://cards.example.")
    return frozenset({f"{parts.scheme}://{parts.netloc}".lower()})
