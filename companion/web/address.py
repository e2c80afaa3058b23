"""Addresses of the pages: the machine's addresses, the URL for phones, its QR code, and its name by multicast DNS."""

from __future__ import annotations

import contextlib
import errno
import os
import platform
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Network, ip_address
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.tabletop.errors import SentenceError
from companion.tabletop.text import in_quotes
from labels.drawing import qr
from templates.languages.messages import Message, listed, phrase

if TYPE_CHECKING:
    from zeroconf import ServiceInfo


PORT: Final = 8686
"""The default port, which is fixed, as phones remember addresses."""
ANY_ADDRESS: Final = frozenset({"0.0.0.0", "::"})
LOOPBACK: Final = "127.0.0.1"
_BACKLOG: Final = 256
_FAR_ADDRESS: Final = ("192.0.2.1", 9)
"""An unassigned address of the documentation range."""
_VIRTUAL_INTERFACES: Final = re.compile(r"docker|veth|br-|virbr|vmnet|vbox|tun|tap|wg|tailscale|zt", re.IGNORECASE)
"""Name prefixes of interfaces that lead to no phone."""


class AddressError(SentenceError, ValueError):
    """An address at which pages cannot be served. The message has the reason and the remedy."""


class PortTaken(AddressError):
    """A port that another program uses already."""


class Interface(NamedTuple):
    """A network interface of this machine: its name, its IPv4 address, and the prefix length of its network."""

    name: str
    address: str
    bits: int = 24

    @property
    def network(self) -> IPv4Network:
        """The network of the interface."""
        return IPv4Network((self.address, self.bits), strict=False)


def find_interfaces() -> tuple[Interface, ...]:
    """Return the interfaces with an IPv4 address, which every phone has; those that phones may use come first."""
    import ifaddr

    interfaces = [
        Interface(adapter.nice_name, ip.ip, ip.network_prefix)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str) and not ip_address(ip.ip).is_loopback
    ]
    return sort_interfaces(interfaces, _outward_address())


def sort_interfaces(interfaces: Iterable[Interface], way_out: str) -> tuple[Interface, ...]:
    """Sort interfaces: those that phones may use come first, and of these the one with the address `way_out`."""

    def key(each: Interface) -> tuple[bool, bool, bool, str]:
        # Without a router a machine assigns itself a link-local address.
        return not is_near(each), ip_address(each.address).is_link_local, each.address != way_out, each.name

    return tuple(sorted(interfaces, key=key))


def is_near(interface: Interface) -> bool:
    """Return True if phones may be in the interface's network: it is private, and no virtual machine's."""
    return ip_address(interface.address).is_private and not _VIRTUAL_INTERFACES.match(interface.name)


def _outward_address() -> str:
    """Return the address from which this machine reaches the internet, or "" if it does not. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(_FAR_ADDRESS)
        address: str = probe.getsockname()[0]
        return address
    return ""


def default_host(interfaces: Sequence[Interface]) -> str:
    """Return the default address to serve at: that of one network, never all, or the loopback if there is none."""
    return next((each.address for each in interfaces if is_near(each)), LOOPBACK)


def host_of_interface(name: str, interfaces: Sequence[Interface]) -> str:
    """Return the address of an interface by its name. Raises AddressError."""
    addresses = {each.name: each.address for each in reversed(interfaces)}
    if name not in addresses:
        quoted = in_quotes(name)
        if not addresses:
            text = phrase(
                "There is no interface {name} with an address here; there is none with an address.", name=quoted
            )
        else:
            text = phrase(
                "There is no interface {name} with an address here; there is {names}.",
                name=quoted,
                names=listed(sorted(addresses)),
            )
        raise AddressError(text)
    return addresses[name]


def describe_exposure(host: str) -> str:
    """Return a warning about who can reach pages at an address, or "" for a local network."""
    if host in ANY_ADDRESS:
        return str(
            phrase("All networks of this machine can open the pages, not only this one; --interface selects one.")
        )
    address = ip_address(host) if _is_ip(host) else None
    if address is not None and address.is_loopback:
        return str(phrase("Only this machine can open the pages; --host names another address."))
    if address is not None and not address.is_private:
        return str(
            phrase(
                "{address} is not an address of a local network: the whole internet may open the pages; --host names "
                "another.",
                address=host,
            )
        )
    return ""


def describe_no_network(interfaces: Sequence[Interface]) -> str:
    """Return the reason that pages are served to this machine alone, and the remedy."""
    if not interfaces:
        return str(
            phrase("This machine is in no network, so only it can open the pages: join one, and open them again.")
        )
    first, *more = _option_names(interfaces)
    if not more:
        return str(
            phrase(
                "No network for phones was found, so only this machine can open the pages; for another: companion "
                "serve --interface {interface}.",
                interface=first,
            )
        )
    return str(
        phrase(
            "No network for phones was found, so only this machine can open the pages; for another: companion serve "
            "--interface {interface} (or {others}).",
            interface=first,
            others=listed(more),
        )
    )


def describe_alternatives(host: str, interfaces: Sequence[Interface]) -> str:
    """Return the chosen network and how to choose another, or "" if there is only one."""
    alternatives = [each for each in _other_interfaces(host, interfaces) if is_near(each)]
    name = next((each.name for each in interfaces if each.address == host), "")
    if not alternatives:
        return ""
    first, *more = _option_names(alternatives)
    if not more:
        return str(
            phrase(
                "Phones must be in the network of {name}; for another: companion serve --interface {interface}.",
                name=name,
                interface=first,
            )
        )
    return str(
        phrase(
            "Phones must be in the network of {name}; for another: companion serve --interface {interface} (or "
            "{others}).",
            name=name,
            interface=first,
            others=listed(more),
        )
    )


def other_networks(host: str, interfaces: Sequence[Interface]) -> tuple[IPv4Network, ...]:
    """Return the other networks of this machine. By its routing, packets to `host` may come from there, too."""
    return tuple(each.network for each in _other_interfaces(host, interfaces))


def _other_interfaces(host: str, interfaces: Sequence[Interface]) -> list[Interface]:
    """Return the interfaces in other networks than `host`. By cable and Wi-Fi a machine may be in one network twice."""
    own = next((each for each in interfaces if each.address == host), None)
    if own is None:
        return []
    return [each for each in interfaces if each.name != own.name and not each.network.overlaps(own.network)]


def _option_names(interfaces: Sequence[Interface]) -> Iterable[str]:
    """Return the names of interfaces as they are typed in a command."""
    return dict.fromkeys(each.name if " " not in each.name else f'"{each.name}"' for each in interfaces)


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address. Port 0 selects a free one. Raises AddressError, PortTaken."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise AddressError(
            phrase("There is no address {address}; name one of this machine with --host.", address=in_quotes(host))
        ) from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # A port can be reused at once. On Windows this option would let two programs share it.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                phrase(
                    "Another program already uses port {port} of {address}; end it, or choose another port with "
                    "--port.",
                    port=str(port),
                    address=host,
                )
            ) from None
        raise AddressError(_describe_failure(error, host, port)) from None
    return listener


def _describe_failure(error: OSError, host: str, port: int) -> Message:
    if isinstance(error, PermissionError):
        return phrase("Port {port} is reserved for the system; choose one above 1023 with --port.", port=str(port))
    return phrase(
        "Nothing can be served at {address}, port {port}: {reason}.",
        address=host,
        port=str(port),
        reason=error.strerror or str(error),
    )


def make_url(host: str, port: int) -> str:
    """Return the URL of an address: `http://10.0.0.5:8686`."""
    host_part = f"[{host}]" if ":" in host else host
    return f"http://{host_part}{'' if port == 80 else f':{port}'}"


def list_origins(host: str, port: int, interfaces: Iterable[Interface], names: Iterable[str] = ()) -> frozenset[str]:
    """Return all origins that browsers may use for pages at an address, and under these names."""
    hosts = {host, *names}
    if host in ANY_ADDRESS:
        hosts = {LOOPBACK, "localhost", *names, *(each.address for each in interfaces)}
    elif _is_ip(host) and ip_address(host).is_loopback:
        hosts |= {"localhost"}
    return frozenset(make_url(each.lower(), port) for each in hosts)


def render_qr(address: str) -> tuple[str, ...]:
    """Return the QR code of an address in rows of half blocks with a quiet zone, to be displayed black on white.

    It holds the address in capitals, which mean the same and make a smaller code.
    """
    margin, side = b"\xff" * (2 * qr.QUIET_ZONE), qr.rows(address.upper())
    wide = [qr.QUIET_ZONE * b"\xff" + row + qr.QUIET_ZONE * b"\xff" for row in side]
    blank = b"\xff" * (len(side) + len(margin))
    rows = [*[blank] * qr.QUIET_ZONE, *wide, *[blank] * (qr.QUIET_ZONE + len(side) % 2)]
    return tuple("".join(_half_blocks(*pair)) for pair in zip(rows[::2], rows[1::2], strict=True))


def _half_blocks(upper: bytes, lower: bytes) -> Iterator[str]:
    for above, below in zip(upper, lower, strict=True):
        yield " " if above and below else "▄" if above else "▀" if below else "█"


_SERVICE_TYPE: Final = "_http._tcp.local."
_MAX_NAMES: Final = 9
"""The most machines of one name, or programs on one machine, that get unique names."""


def candidate_names() -> tuple[str, ...]:
    """Return names for this machine in its network: `companion-NAME.local`, and alternatives if that is in use."""
    plain = re.sub(r"[^a-z0-9]+", "-", platform.node().partition(".")[0].lower()).strip("-")[:40]
    name = f"companion-{plain or 'table'}"
    return (f"{name}.local", *(f"{name}-{number}.local" for number in range(2, _MAX_NAMES + 1)))


def make_service_info(name: str, address: str, port: int) -> ServiceInfo:
    """Return the multicast DNS record for pages at an address, under a name."""
    from zeroconf import ServiceInfo

    instance = f"{name.removesuffix('.local')}.{_SERVICE_TYPE}"
    addresses = [socket.inet_aton(address)]
    return ServiceInfo(_SERVICE_TYPE, instance, port, addresses=addresses, server=f"{name}.", properties={"path": "/"})


@contextlib.contextmanager
def announce(host: str, port: int) -> Iterator[str]:
    """Announce pages by multicast DNS during the block, and yield their name.

    The name is "" if no other machine reaches the address, or if it cannot be announced.
    """
    with contextlib.ExitStack() as stack:
        yield _announce(host, port, stack) if _is_of_one_network(host) else ""


def _is_of_one_network(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.version == 4 and not address.is_loopback and not address.is_unspecified


def _announce(host: str, port: int, stack: contextlib.ExitStack) -> str:
    from zeroconf import Error, NonUniqueNameException, Zeroconf

    with contextlib.suppress(OSError, Error):
        zeroconf = Zeroconf(interfaces=[host])
        stack.callback(zeroconf.close)
        for name in candidate_names():
            with contextlib.suppress(NonUniqueNameException):
                zeroconf.register_service(make_service_info(name, host, port))
                return name
    return ""
