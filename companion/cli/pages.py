"""Pages for phones beside a screen: what serves them, handed to the screens, which know no network."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.session.shared_session import LiveSessions
    from companion.tui.archives import Served


@contextlib.contextmanager
def beside(archive: Archive, sessions: LiveSessions, **wanted: Any) -> Iterator[Served]:
    """Pages as `companion serve` opens them, served in a thread of their own; `wanted` says what shall be otherwise.

    Raises CannotServe, ArchiveError.
    """
    from companion.tui.archives import CannotServe
    from companion.web.address import AddressError
    from companion.web.server import ServeOptions, hosting

    with contextlib.ExitStack() as pages:
        try:
            hosted = pages.enter_context(hosting(archive, sessions, ServeOptions(**wanted)))
        except AddressError as error:
            raise CannotServe(str(error)) from None
        hosted.server.start()
        pages.callback(hosted.server.stop)
        yield hosted
