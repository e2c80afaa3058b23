"""`companion serve`: pages for the phones at the table, on this network, until it is ended."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from companion.archive.doors import HANDS, is_pin
from companion.cli.common import Misused, archive_option, harmless

if TYPE_CHECKING:
    import socket

    from companion.archive.doors import Hands
    from companion.web.guard import Place
    from companion.web.server import Server

_MAY = {"look": "look only", "own": "answer for their own seat", "all": "do everything"}
_GRACE = 1.5
"""Seconds that an end in order may take."""
_ON_BLACK_AND_WHITE = "\x1b[30;107m{}\x1b[0m"


@click.command("serve")
@click.option("--host", metavar="ADDR", help="Address to serve at; else one of this network. 0.0.0.0 is all of them.")
@click.option("--interface", metavar="NAME", help="The same, by the name of a network interface, such as wlan0.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Port; else 8686. 0 is any that is free.")
@click.option("--pin", metavar="NNNNNN", help="Six digits; else those of before. Others show all phones out.")
@click.option("--hands", type=click.Choice(HANDS), default="look", show_default=True, help="What phones may do.")
@click.option("--public-url", metavar="URL", help="How phones reach a proxy before it, such as https://cards.example.")
@click.option("--trusted-proxy", metavar="ADDR", multiple=True, help="A proxy whose word on addresses is believed.")
@click.option("--announce/--no-announce", default=True, help="Tell this network the name of the pages.")
@archive_option
def command(
    host: str | None,
    interface: str | None,
    port: int | None,
    pin: str | None,
    hands: Hands,
    public_url: str | None,
    trusted_proxy: tuple[str, ...],
    announce: bool,
    archive: str | None,
) -> None:
    """Serve pages for the phones at the table, until Ctrl+C.

    Prints the address, the PIN that phones are asked for, and a QR code of the address. Only this network reaches the
    pages, unless another address is named. --hands look shows the table, own lets people answer for their own seat,
    all lets everybody do everything.

    \b
    Examples: companion serve
              companion serve --hands own --pin 271828
    """
    if pin is not None and not is_pin(pin):
        raise Misused("A PIN is six digits, such as 271828.")
    from companion.archive import Archive
    from companion.session.live import LiveSessions
    from companion.web import address
    from companion.web.server import Server

    with Archive.open(archive) as opened:
        named = host or _address_of(interface) or address.usual(address.interfaces())
        listening = _listening(named, port)
        serves_at = listening.getsockname()[1]
        place = _place(named, serves_at, public_url, trusted_proxy)
        server = Server(opened, LiveSessions(opened), listening, place, pin or "", hands)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: _end(server))
        shown = public_url or address.url(_shown(named), serves_at)
        _tell(shown, server.phones.doors.pin, hands)
        _warn(named)
        with address.announced(named, serves_at, wanted=announce and not public_url) as name:
            if name:
                click.echo(f"Also called {name}, for phones that know names of a network.")
            server.run()
    click.echo("The pages are closed.")


def _end(server: Server) -> None:
    """End in order; all that was shown is on disk already, so whatever does not end in time is left behind."""
    last = threading.Timer(_GRACE, os._exit, (0,))
    last.daemon = True
    last.start()
    server.stop()


def _address_of(interface: str | None) -> str:
    """The address of an interface by its name; "" where none is named."""
    from companion.web import address

    if interface is None:
        return ""
    known = {each.name: each.address for each in reversed(address.interfaces())}
    if interface not in known:
        names = ", ".join(known) or "none with an address"
        raise Misused(f"There is no interface {interface} with an address here; there is {names}.")
    return known[interface]


def _listening(host: str, port: int | None) -> socket.socket:
    from companion.web import address

    try:
        return address.listen(host, address.PORT if port is None else port)
    except address.AddressError as error:
        raise Misused(str(error)) from None


def _place(host: str, port: int, public_url: str | None, proxies: tuple[str, ...]) -> Place:
    from companion.web import address
    from companion.web.guard import Place

    if public_url is None:
        return Place(address.origins(host, port, address.interfaces(), (address.name(),)), frozenset(proxies))
    parts = urlsplit(public_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise Misused("A public URL names a host and no page, such as https://cards.example.")
    return Place(frozenset({f"{parts.scheme}://{parts.netloc}".lower()}), frozenset(proxies))


def _shown(host: str) -> str:
    """The address that phones shall use."""
    from companion.web import address

    return address.usual(address.interfaces()) if host in address.EVERYWHERE else host


def _tell(url: str, pin: str, hands: Hands) -> None:
    from companion.web import address

    for row in address.picture(url):
        click.echo(_ON_BLACK_AND_WHITE.format(row) if sys.stdout.isatty() else row)
    click.echo(harmless(f"Address  {url}"))
    click.echo(f"PIN      {pin}")
    click.echo(f"Phones may {_MAY[hands]}. Ctrl+C closes the pages.")


def _warn(host: str) -> None:
    from companion.web import address

    told = address.warning(host)
    if told:
        click.echo(told, err=True)
