"""The pages that a screen serves beside itself: for phones, or the host's, which its own browser opens."""

import contextlib
import os
import shutil
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from typing import Any

from companion.archive import Archive
from companion.cli.browsers import can_open_browser
from companion.session.table.shared_session import SharedSessions
from companion.tui.archives import CannotServe, HostPage
from companion.web.address import LOOPBACK, AddressError
from companion.web.host.designs.designer import address_to_take
from companion.web.phones import Phones
from companion.web.server import HostedPages, ServeOptions, host_at_free_port


class ServedPages:
    """Pages that are served in a thread beside the screen; see `companion.tui.archives.PhonePages`."""

    def __init__(self, hosted: HostedPages) -> None:
        self._hosted = hosted
        self.url = hosted.url
        self.warning = hosted.warning
        self.others = hosted.others

    @property
    def pin(self) -> str:
        """The six-digit PIN for phones."""
        return self._hosted.pin

    @property
    def picture(self) -> tuple[str, ...]:
        """The QR code of the address."""
        return self._hosted.picture

    @property
    def guests(self) -> Phones:
        """The admitted phones."""
        return self._hosted.guests

    @property
    def is_serving(self) -> bool:
        """True until the pages have ended."""
        return self._hosted.server.is_serving

    def open_designer(self, design: str) -> HostPage:
        """Open the designer of labels in the browser of this machine, if it has one."""
        link = self._hosted.make_link(address_to_take(design))
        return HostPage(link, can_open_browser() and _open_browser(link))


def _open_browser(link: str) -> bool:
    """Open a link in the browser without a word on the terminal, where the screen is; return True if that began."""
    opener = None if os.environ.get("BROWSER") or sys.platform in ("win32", "darwin") else shutil.which("xdg-open")
    if opener is None:
        return webbrowser.open(link)
    quiet = subprocess.DEVNULL
    subprocess.Popen([opener, link], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
    return True


@contextlib.contextmanager
def serve_pages(
    archive: Archive, sessions: SharedSessions, *, is_for_host: bool = False, **choices: Any
) -> Iterator[ServedPages]:
    """Serve pages as `companion serve` does, in a thread of their own; `choices` are fields of `ServeOptions`.

    If the port is taken, serve at the next free one, as nobody can name another one inside the program. The host's
    pages are served to this machine alone. Raises CannotServe, ArchiveError.
    """
    if is_for_host:
        choices.update(host=LOOPBACK, announce=False, opens=True)
    with contextlib.ExitStack() as pages:
        try:
            hosted = pages.enter_context(host_at_free_port(archive, sessions, ServeOptions(**choices)))
        except AddressError as error:
            raise CannotServe(str(error)) from None
        hosted.server.start()
        pages.callback(hosted.server.stop)
        yield ServedPages(hosted)
