"""`companion serve`: pages for the phones at the table, without a screen."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import webbrowser
from functools import partial
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from companion.archive.sharing.schedule import SharingSchedule
from companion.archive.web_access import PERMISSIONS, is_pin
from companion.cli.browsers import can_open_browser
from companion.cli.common import Misused, archive_option, open_archive, print_table, sanitize
from companion.session.table.shared_session import SharedSessions
from companion.web.address import PORT, AddressError
from companion.web.host.one_instance import find_link
from companion.web.server import ServeOptions, host_at_free_port, host_pages
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.archive.web_access import Permissions
    from companion.web.server import HostedPages, Server


_MAY: Final = {
    "look": phrase("Phones may look only; companion serve --hands own lets people play. Ctrl+C closes the pages."),
    "own": phrase("Phones may answer for their own seat. Ctrl+C closes the pages."),
    "all": phrase("Phones may do everything. Ctrl+C closes the pages."),
}


_GRACE_SECONDS = 1.5
"""Seconds that an orderly exit may take."""


_LINE_BYTES = 1024


_START_SECONDS = 1.5
"""Seconds to wait for another companion that took the port just now."""


_LOOK_SECONDS = 0.25


_BLACK_ON_WHITE = "\x1b[30;107m{}\x1b[0m"


@click.command("serve")
@click.option("--host", metavar="ADDR", default="", help="Address to listen on; default: an address in this network.")
@click.option("--interface", metavar="NAME", default="", help="Network interface to listen on, such as wlan0.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=PORT,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@click.option("--pin", metavar="NNNNNN", default="", help="Six digits; default: the previous PIN.")
@click.option(
    "--hands",
    "permissions",
    type=click.Choice(PERMISSIONS),
    help="What phones may do; default: as before, or own the first time.",
)
@click.option(
    "--face-down/--face-up",
    default=None,
    help="Whether phones choose a card in secret until all have chosen; --face-up for tables that lay real cards. "
    "Default: as before, or --face-down the first time.",
)
@click.option("--public-url", metavar="URL", default="", help="Address of the proxy that phones use.")
@click.option(
    "--trusted-proxy", metavar="ADDR", multiple=True, help="A proxy that is trusted to report the addresses of phones."
)
@click.option("--create", is_flag=True, help="Create the archive if there is none, as in a new container.")
@click.option("--announce/--no-announce", default=True, help="Announce the name of the pages in the network.")
@click.option(
    "--open",
    "opens",
    is_flag=True,
    help="Open the host's pages in the browser of this machine: everything without a terminal.",
)
@archive_option
def command(
    host: str,
    interface: str,
    port: int,
    pin: str,
    permissions: Permissions | None,
    face_down: bool | None,
    public_url: str,
    trusted_proxy: tuple[str, ...],
    create: bool,
    announce: bool,
    opens: bool,
    archive: str | None,
) -> None:
    """Serve pages for the phones at the table, until Ctrl+C.

    Prints the address, the PIN for phones, and a QR code of the address. Only your own network can open the pages,
    unless you pass another address; --host 0.0.0.0 means all networks. A new PIN logs out all phones. --hands look only
    shows the table, own lets people answer for their own seat, and all lets everybody do everything.

    With --open, the browser of this machine opens the host's pages. Only you can open them, and only here. If a
    companion of yours serves this archive already, its pages are opened instead, unless you name a port or an address.

    \b
    Examples: companion serve
              companion serve --hands look --pin 271828
    """
    if pin and not is_pin(pin):
        raise Misused(phrase("A PIN is six digits, such as 271828."))

    choices = ServeOptions(
        host, interface, port, pin, permissions, public_url, trusted_proxy, announce, face_down, opens
    )
    # Whoever names no port gets another one if that is in use, so that the host's pages always open.
    is_port_open = opens and click.get_current_context().get_parameter_source("port") is not ParameterSource.COMMANDLINE
    # Whoever wants something else than the companion that runs already has another one.
    is_plain = is_port_open and choices == ServeOptions(opens=True, announce=announce)
    # Whoever plays in the browser may have no terminal to create an archive in.
    with open_archive(archive, create=create or opens) as opened, contextlib.ExitStack() as closing:
        if opened.store.loss_reason and not opens:
            # Only the host's pages offer the ways out.
            raise opened.store.refusal
        if is_plain and (link := find_link(opened)):
            _open_other(link)
            return
        closing.enter_context(SharingSchedule(opened))
        wait = partial(_wait_for_other, opened) if is_plain else lambda: None
        host_any = partial(host_at_free_port, wait=wait) if is_port_open else host_pages
        try:
            with host_any(opened, SharedSessions(opened), choices) as hosted:
                for number in filter(None, (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None))):
                    signal.signal(number, lambda *_: _stop_soon(hosted.server))
                _print_access(hosted)
                if opens:
                    _open_host_pages(hosted)
                hosted.server.run()
        except AddressError as error:
            raise Misused(str(error)) from None
        except _OtherServes as other:
            _open_other(other.link)
            return
    click.echo(phrase("The pages are closed."))


class _OtherServes(Exception):
    """Another companion of this user serves the archive; its pages have a `link`."""

    def __init__(self, link: str) -> None:
        super().__init__(link)
        self.link = link


def _wait_for_other(archive: Archive) -> None:
    """Raise _OtherServes if the port was taken by a companion for this archive, which may have started just now."""
    until = time.monotonic() + _START_SECONDS
    while time.monotonic() < until:
        if link := find_link(archive):
            raise _OtherServes(link)
        time.sleep(_LOOK_SECONDS)


def _open_other(link: str) -> None:
    """Open the pages of the companion that serves already."""
    click.echo(phrase("The companion runs already. Its pages, once and within two minutes: {link}", link=link))
    _open_browser(link)


def _stop_soon(server: Server) -> None:
    """Exit in order; everything that was shown is on disk, so whatever does not end in time is abandoned."""
    last = threading.Timer(_GRACE_SECONDS, os._exit, (0,))
    last.daemon = True
    last.start()
    server.stop()


def _open_host_pages(hosted: HostedPages) -> None:
    """Open the host's pages in the browser of this machine, and print their link; then one more at each Enter."""
    link = hosted.make_link()
    click.echo(phrase("The host’s pages, once and within two minutes: {link}", link=link))
    threading.Thread(target=_open_browser, args=(link,), daemon=True).start()
    if sys.stdin is not None and sys.stdin.isatty():
        click.echo(phrase("Enter prints a new link."))
        threading.Thread(target=_print_links, args=(hosted,), daemon=True).start()


def _open_browser(link: str) -> None:
    if not can_open_browser() or not webbrowser.open(link):
        click.echo(phrase("No browser could be opened here: open the link yourself."), err=True)


def _print_links(hosted: HostedPages) -> None:
    """Print a new link at each Enter, as long as somebody is at the terminal."""
    with contextlib.suppress(OSError, ValueError):
        # A thread that waits in `sys.stdin` would hold its lock while the program ends.
        while os.read(sys.stdin.fileno(), _LINE_BYTES):
            click.echo(hosted.make_link())


def _print_access(hosted: HostedPages) -> None:
    for row in hosted.picture:
        click.echo(_BLACK_ON_WHITE.format(row) if sys.stdout.isatty() else row)
    access = [(phrase("Address"), hosted.url), (phrase("Name"), hosted.name), (phrase("PIN"), hosted.pin)]
    print_table(("", ""), [row for row in access if row[1]])
    click.echo(phrase("Scan the code with a phone: it needs no PIN. Whoever types the address types the PIN, too."))
    click.echo(_MAY[hosted.guests.doors.permissions])
    for sentence in filter(None, (hosted.warning, hosted.others)):
        click.echo(sanitize(sentence), err=True)
