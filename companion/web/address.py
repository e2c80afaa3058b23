"""Where pages are served: the machine's addresses, the one that phones shall use, its picture, and its name.

Separate because it is known before anything is served, and nothing is sent to find it out.
"""

from __future__ import annotations

import contextlib
import platform
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.text import quoted
from labels import qr

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

PORT: Final = 8686
"""Where pages are, unless another port is named: phones remember addresses."""
EVERYWHERE: Final = frozenset({"0.0.0.0", "::"})
HERE: Final = "127.0.0.1"
_BACKLOG: Final = 256
_NOT_FOR_PHONES: Final = re.compile(r"docker|veth|br-|virbr|vmnet|vbox|tun|tap|wg|tailscale|zt", re.IGNORECASE)
"""Beginnings of the names of interfaces that lead to no phone."""


class AddressError(ValueError):
    """A sentence about an address at which no pages can be served."""


class Interface(NamedTuple):
    """A way out of this machine, by its name, with the address that others there know it by."""

    name: str
    address: str


def interfaces() -> tuple[Interface, ...]:
    """The ways to a network nearby, those that phones may be on first; IPv4, as every phone and router speaks it."""
    import ifaddr

    found = [
        Interface(adapter.nice_name, ip.ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str) and not ip_address(ip.ip).is_loopback
    ]
    return tuple(sorted(found, key=_order))


def _order(interface: Interface) -> tuple[bool, bool, str]:
    address = ip_address(interface.address)
    return (
        bool(_NOT_FOR_PHONES.match(interface.name)),
        not address.is_private or address.is_link_local,
        interface.name,
    )


def usual(found: Sequence[Interface]) -> str:
    """The address to serve at where none is named: of this network, never all; our own where there is none."""
    near = (each.address for each in found if ip_address(each.address).is_private and not _is_virtual(each))
    return next(near, HERE)


def _is_virtual(interface: Interface) -> bool:
    return bool(_NOT_FOR_PHONES.match(interface.name))


def warning(host: str) -> str:
    """What people must know of who reaches pages there; "" where it is this network."""
    if host in EVERYWHERE:
        return "All networks of this machine reach the pages, not only this one."
    address = ip_address(host) if _is_ip(host) else None
    if address is not None and address.is_loopback:
        return "Only this machine reaches the pages."
    if address is not None and not address.is_private:
        return f"{host} is no address of a local network: the whole internet may reach the pages."
    return ""


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any that is free. Raises AddressError."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise AddressError(f"There is no address {quoted(host)}; name one of this machine with --host.") from None
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(where)
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        raise AddressError(_why(error, host, port)) from None
    return made


def _why(error: OSError, host: str, port: int) -> str:
    if isinstance(error, PermissionError):
        return f"Port {port} is for the system alone; name one above 1023 with --port."
    if isinstance(error.errno, int) and error.errno == _in_use():
        return f"Another program serves at port {port} of {host} already; end it, or name another with --port."
    return f"Nothing can be served at {host}, port {port}: {error.strerror or error}."


def _in_use() -> int:
    import errno

    return errno.EADDRINUSE


def url(host: str, port: int) -> str:
    """An address as a browser knows it: `http://10.0.0.5:8686`."""
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}{'' if port == 80 else f':{port}'}"


def origins(host: str, port: int, found: Iterable[Interface], names: Iterable[str] = ()) -> frozenset[str]:
    """All addresses by which browsers may know pages that are served there, under these names, too."""
    hosts = {host, *names}
    if host in EVERYWHERE:
        hosts = {HERE, "localhost", *names, *(each.address for each in found)}
    elif _is_ip(host) and ip_address(host).is_loopback:
        hosts |= {"localhost"}
    return frozenset(url(each.lower(), port) for each in hosts)


def picture(address: str) -> tuple[str, ...]:
    """The QR code of an address in rows of half blocks, with the white around it that cameras need.

    To be shown black on white. In capitals, which mean the same there and make a smaller code.
    """
    white, side = b"\xff" * (2 * qr.QUIET_ZONE), qr.rows(address.upper())
    wide = [qr.QUIET_ZONE * b"\xff" + row + qr.QUIET_ZONE * b"\xff" for row in side]
    blank = b"\xff" * (len(side) + len(white))
    rows = [*[blank] * qr.QUIET_ZONE, *wide, *[blank] * (qr.QUIET_ZONE + len(side) % 2)]
    return tuple("".join(_cells(*pair)) for pair in zip(rows[::2], rows[1::2], strict=True))


def _cells(upper: bytes, lower: bytes) -> Iterator[str]:
    for above, below in zip(upper, lower, strict=True):
        yield " " if above and below else "▄" if above else "▀" if below else "█"


def name() -> str:
    """What this machine is called in its network: `companion-NAME.local`."""
    plain = re.sub(r"[^a-z0-9]+", "-", platform.node().partition(".")[0].lower()).strip("-")[:40]
    return f"companion-{plain or 'table'}.local"


def service(address: str, port: int) -> ServiceInfo:
    """What is announced of pages at an address, by the name of this machine."""
    from zeroconf import ServiceInfo

    kind = "_http._tcp.local."
    called = name().removesuffix(".local")
    return ServiceInfo(
        kind,
        f"{called}.{kind}",
        port,
        addresses=[socket.inet_aton(address)],
        server=f"{name()}.",
        properties={"path": "/"},
    )


@contextlib.contextmanager
def announced(host: str, port: int, *, wanted: bool) -> Iterator[str]:
    """Tells the network nearby the name of pages for as long as the block lasts, and gives it.

    "" where that is not wanted, nobody else reaches the pages, or it cannot be told: they work without it.
    """
    with contextlib.ExitStack() as telling:
        told = ""
        if wanted and _is_ip(host) and host not in EVERYWHERE and ip_address(host).version == 4:
            told = "" if ip_address(host).is_loopback else _announce(host, port, telling)
        yield told


def _announce(host: str, port: int, telling: contextlib.ExitStack) -> str:
    from zeroconf import Error, Zeroconf

    try:
        zeroconf = Zeroconf(interfaces=[host])
        telling.callback(zeroconf.close)
        zeroconf.register_service(service(host, port), allow_name_change=True)
    except (OSError, Error):
        return ""
    return url(name(), port)
