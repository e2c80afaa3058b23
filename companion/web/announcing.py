"""The name of pages, told to the network nearby by multicast DNS for as long as they are served.

Separate because it is the one thing that is sent without being asked for.
"""

from __future__ import annotations

import contextlib
import platform
import re
import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from zeroconf import ServiceInfo

_KIND: Final = "_http._tcp.local."
_MOST: Final = 9
"""Machines of one name, or programs on one machine, that can be told apart."""


def names() -> tuple[str, ...]:
    """What this machine may be called in its network: `companion-NAME.local`, and what else where that is taken."""
    plain = re.sub(r"[^a-z0-9]+", "-", platform.node().partition(".")[0].lower()).strip("-")[:40]
    called = f"companion-{plain or 'table'}"
    return (f"{called}.local", *(f"{called}-{number}.local" for number in range(2, _MOST + 1)))


def service(name: str, address: str, port: int) -> ServiceInfo:
    """What is announced of pages at an address, by a name."""
    from zeroconf import ServiceInfo

    called = f"{name.removesuffix('.local')}.{_KIND}"
    known = [socket.inet_aton(address)]
    return ServiceInfo(_KIND, called, port, addresses=known, server=f"{name}.", properties={"path": "/"})


@contextlib.contextmanager
def announced(host: str, port: int) -> Iterator[str]:
    """Tells the network nearby a name of pages for as long as the block lasts, and gives it.

    "" where nobody else reaches them there, or it cannot be told: they work without it.
    """
    with contextlib.ExitStack() as telling:
        yield _announce(host, port, telling) if _is_of_one_network(host) else ""


def _is_of_one_network(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.version == 4 and not address.is_loopback and not address.is_unspecified


def _announce(host: str, port: int, telling: contextlib.ExitStack) -> str:
    from zeroconf import Error, NonUniqueNameException, Zeroconf

    with contextlib.suppress(OSError, Error):
        zeroconf = Zeroconf(interfaces=[host])
        telling.callback(zeroconf.close)
        for name in names():
            with contextlib.suppress(NonUniqueNameException):
                zeroconf.register_service(service(name, host, port))
                return name
    return ""
