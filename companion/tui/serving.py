"""Pages for phones, as this program opens them beside its screens: what the screens ask of whoever serves.

Separate because no screen knows a network: the command that opens the screens hands over what serves.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from companion.archive import Archive
    from companion.archive.doors import Doors, Hands, Phone
    from companion.session.live import LiveSessions


class CannotServe(Exception):
    """Nothing can be served; the message says why, and the way out."""


class Guests(Protocol):
    """The phones that were let in. What changes them waits for the disk."""

    doors: Doors

    def refresh(self) -> None:
        """Take in what other programs have changed. Raises ArchiveError."""

    def all(self) -> Sequence[Phone]:
        """All of them, those that were sent away, too; the first one first."""

    def hands(self, phone: Phone) -> Hands:
        """What a phone may do."""

    def is_here(self, phone: Phone) -> bool:
        """Whether somebody looks at a page on it."""

    def allow(self, phone: str, hands: Hands) -> None:
        """What a phone may do from now on. Raises ArchiveError."""

    def allow_all(self, hands: Hands) -> None:
        """What phones may do of which nothing else was said. Raises ArchiveError."""

    def send_away(self, phone: str, *, away: bool = True) -> None:
        """Show a phone nothing any more; or let it come back. Raises ArchiveError."""


class Served(Protocol):
    """Pages that are served now: what phones open, their QR code in half blocks, what must be said of who reaches
    them, and how to serve in another network than was chosen ("" for nothing).
    """

    @property
    def url(self) -> str: ...
    @property
    def warning(self) -> str: ...
    @property
    def others(self) -> str: ...
    @property
    def pin(self) -> str: ...
    @property
    def picture(self) -> Sequence[str]: ...
    @property
    def guests(self) -> Guests: ...


Serve = Callable[["Archive", "LiveSessions"], AbstractContextManager[Served]]
"""Serves the tables of an archive for as long as its block lasts. Raises CannotServe, ArchiveError."""


def _nowhere(archive: Archive, sessions: LiveSessions) -> AbstractContextManager[Served]:  # noqa: ARG001
    raise CannotServe(
        "This screen was begun without pages for phones; where the companion itself begins it, they can be opened."
    )


class Serving:
    """Whether pages are served, and which. What opens and closes them waits, and is called beside the screen."""

    def __init__(self, serve: Serve | None = None) -> None:
        self._serve = serve or _nowhere
        self._open = ExitStack()
        self.served: Served | None = None

    def open(self, archive: Archive, sessions: LiveSessions) -> Served:
        """The pages, opened unless they are. Raises CannotServe, ArchiveError."""
        if self.served is None:
            with contextlib.ExitStack() as opening:
                self.served = opening.enter_context(self._serve(archive, sessions))
                self._open = opening.pop_all()
        return self.served

    def close(self) -> None:
        """Serve nothing any more."""
        self.served = None
        self._open.close()
