"""The archives of a running companion: which is shown, and the pages for phones that are served of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from companion.archive import Archive, Entry
    from companion.archive.web_access import Permissions, Phone, WebAccess
    from companion.session.shared_session import SharedSession, SharedSessions


class CannotServe(Exception):
    """Nothing can be served; the message says why, and the way out."""


class Guests(Protocol):
    """The phones that were let in. What changes them waits for the disk."""

    doors: WebAccess

    def refresh(self) -> None:
        """Take in what other programs have changed. Raises ArchiveError."""

    def locked_seconds(self) -> int:
        """For how many seconds nobody can come in by the PIN. Raises ArchiveError."""

    def all(self) -> Sequence[Phone]:
        """All of them, those that were sent away, too; the first one first."""

    def permissions_of(self, phone: Phone) -> Permissions:
        """What a phone may do."""

    def is_here(self, phone: Phone) -> bool:
        """Whether somebody looks at a page on it."""

    def allow(self, phone: str, permissions: Permissions) -> None:
        """What a phone may do from now on. Raises ArchiveError."""

    def allow_all(self, permissions: Permissions) -> None:
        """What phones may do of which nothing else was said. Raises ArchiveError."""

    def send_away(self, phone: str, *, away: bool = True) -> None:
        """Show a phone nothing any more; or let it come back. Raises ArchiveError."""

    def held_seconds(self, phone: Phone) -> float:
        """For how many seconds a phone may write nothing, as it has written too much; infinite until it is sent away
        and let back, 0 where it may.
        """

    def renew_pin(self) -> None:
        """Replace the PIN; who is in stays in. Raises ArchiveError."""


class PhonePages(Protocol):
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


Serve = Callable[["Archive", "SharedSessions"], AbstractContextManager[PhonePages]]
"""Serves the tables of an archive for as long as its block lasts. Raises CannotServe, ArchiveError."""


def _serve_nothing(archive: Archive, sessions: SharedSessions) -> AbstractContextManager[PhonePages]:  # noqa: ARG001
    raise CannotServe(
        "This screen was begun without pages for phones; where the companion itself begins it, they can be opened."
    )


class PageServer:
    """Whether pages are served, and which. What opens and closes them waits, and is called beside the screen."""

    def __init__(self, serve: Serve | None = None) -> None:
        self._serve = serve or _serve_nothing
        self._open = ExitStack()
        self.served: PhonePages | None = None

    def open(self, archive: Archive, sessions: SharedSessions) -> PhonePages:
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


# The app is on the screen before anything of an archive is loaded: hence the imports inside functions.


_LOOK_EVERY = 0.1
"""Seconds between two looks at what others have written, each of which takes half a millisecond."""


class Archives:
    """`own` is somebody's own archive, `url` says where; `shown` is that one or the sample, `live` the sessions of the
    shown one that are open in this process: all None until it is open. `pages` are those of the shown one, for phones.
    """

    def __init__(self, url: str | None, serve: Serve | None = None) -> None:
        self.own: Archive | None = None
        self.current: Archive | None = None
        self.live: SharedSessions | None = None
        self.pages = PageServer(serve)
        self.url = url

    @property
    def is_sample(self) -> bool:
        """Whether the sample is shown."""
        return self.own is not None and self.current is not self.own

    def see(self, entries: Sequence[Entry]) -> SharedSession:
        """A session of one's own whose stream was read already, before its archive is open.

        Raises RuleError, NotationError; nothing is shown then.
        """
        from companion.archive import Archive
        from companion.session import archive_journal
        from companion.session.shared_session import SharedSessions

        archive = Archive.open_lazily(self.url)
        live = SharedSessions(archive)
        session = live.hold(archive_journal.resume_from_entries(archive, entries))
        self.current, self.live = archive, live
        return session

    async def open(self) -> Archive:
        """Opens one's own; `show` shows it. Raises ArchiveError."""
        from companion.archive import Archive

        own = self.current or Archive.open_lazily(self.url)
        await asyncio.to_thread(own.ensure_open)
        self.own = own
        return own

    async def show(self, archive: Archive) -> None:
        """Shows this archive, and opens its tables from now on; the pages of another one are closed."""
        from companion.session.shared_session import SharedSessions

        if self.live is None or archive is not self.current:
            await asyncio.to_thread(self.pages.close)
            self.current, self.live = archive, SharedSessions(archive)

    async def serve(self) -> PhonePages:
        """The pages of the archive that is shown, opened unless they are. Raises CannotServe, ArchiveError."""
        assert self.current is not None
        assert self.live is not None
        return await asyncio.to_thread(self.pages.open, self.current, self.live)

    async def follow_others(self) -> None:
        """Shows what other windows and programs do at the tables that are open here, without end."""
        from companion.archive import ArchiveError

        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if (live := self.live) is not None:
                with contextlib.suppress(ArchiveError):  # whoever writes next is told
                    await asyncio.to_thread(live.catch_up)

    # Copies of one's own

    def back_up(self) -> None:
        """Keeps a copy of one's own as it is now; the sample can be made again. Raises ArchiveError, OSError."""
        if self.own is not None:
            from companion.archive import maintenance

            maintenance.end_evening(self.own)

    @property
    def can_go_back(self) -> bool:
        """Whether what is shown can be replaced by a backup: one's own, where it is a file."""
        return self.own is not None and not self.is_sample and self.own.store.file is not None

    async def go_back(self, backup: Path) -> str:
        """Puts a backup in the place of one's own, which nothing here may have open meanwhile; says what was done.

        It is to be shown anew, also after an error. Raises ArchiveError, OSError.
        """
        from companion.archive.restore import restore

        async with self._closed() as file:
            copy = await asyncio.to_thread(restore, backup, file, datetime.now(UTC))
        return f"{backup.name} is your archive now; what was there is kept as {copy}."

    async def accept(self) -> str:
        """Takes one's own as it is, though this computer last saw more in it, so that it is written to; says so.

        It is to be shown anew. Raises ArchiveError.
        """
        from companion.archive import last_seen

        async with self._closed() as file:
            await asyncio.to_thread(last_seen.accept, file)
        return "Your archive is taken as it is; what you write from now on is kept in it."

    @contextlib.asynccontextmanager
    async def _closed(self) -> AsyncIterator[Path]:
        """The file of one's own, which nothing here has open meanwhile; it is opened anew in the end."""
        from companion.archive import Archive

        own = self.own
        assert own is not None
        assert own.store.file is not None
        self.live = None
        await asyncio.to_thread(self.pages.close)
        await asyncio.to_thread(own.close)
        try:
            yield own.store.file
        finally:
            self.own = await asyncio.to_thread(Archive.open, self.url)

    # The sample

    async def sample(self) -> Archive:
        """The sample beside one's own, made where there is none; one's own stays open. Raises ArchiveError."""
        from companion.tui import sample

        assert self.own is not None
        return await asyncio.to_thread(sample.visit, self.own)

    async def leave(self, archive: Archive, *, discard: bool) -> None:
        """Lets go of the sample that was shown; for good, where it is to be discarded. Raises ArchiveError."""
        from companion.tui import sample

        await asyncio.to_thread(sample.discard if discard else type(archive).close, archive)

    def close(self) -> None:
        """Lets go of what is shown, and of one's own behind the sample."""
        for archive in (self.current, self.own):
            if archive is not None:
                archive.close()
