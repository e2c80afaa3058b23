"""The archives of a running companion: the current one, and the pages that serve it to phones."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

import companion.archive
from companion import tui
from companion.archive.errors import ArchiveError
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from pathlib import Path

    from companion.archive import Archive
    from companion.archive.sharing.schedule import SharingSchedule
    from companion.archive.web_access import Permissions, Phone, WebAccess
    from companion.session.table.shared_session import SharedSessions


class CannotServe(Exception):
    """The pages cannot be served; the message gives the reason and the way out."""


class Guests(Protocol):
    """The phones that were admitted. Methods that change them block on the disk."""

    doors: WebAccess

    def refresh(self) -> None:
        """Read the changes that other programs made. Raises ArchiveError."""

    def locked_seconds(self) -> int:
        """Return the seconds for which the PIN admits no phone. Raises ArchiveError."""

    def all(self) -> Sequence[Phone]:
        """Return all phones, including those that were sent away, in the order of arrival."""

    def permissions_of(self, phone: Phone) -> Permissions:
        """Return the permissions of a phone."""

    def is_here(self, phone: Phone) -> bool:
        """Return True while a page is open on the phone."""

    def choose_face_down(self, *, is_on: bool) -> None:
        """Set whether answers to secret questions are chosen face down on phones."""
        ...

    def allow(self, phone: str, permissions: Permissions) -> None:
        """Set the permissions of a phone. Raises ArchiveError."""

    def allow_all(self, permissions: Permissions) -> None:
        """Set the permissions of all phones that have none of their own. Raises ArchiveError."""

    def send_away(self, phone: str, *, away: bool = True) -> None:
        """Send a phone away, so that it sees nothing, or let it come back. Raises ArchiveError."""

    def held_seconds(self, phone: Phone) -> float:
        """Return the seconds for which a phone may not write because it has written too much; 0 if it may.

        Infinite until it is sent away and let back.
        """

    def renew_pin(self) -> None:
        """Replace the PIN; phones that are in stay in. Raises ArchiveError."""


class PhonePages(Protocol):
    """Pages that are being served: the URL for phones, its QR code in half blocks, a warning about who can reach them,
    and how to serve them in another network ("" for nothing).
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
    @property
    def is_serving(self) -> bool: ...
    def open_designer(self, design: str) -> HostPage: ...


class HostPage(NamedTuple):
    """A page of the host: the link to it, good once on this machine, and whether a browser was opened for it."""

    link: str
    is_open: bool


class Serve(Protocol):
    """Serves the tables of an archive while its context is open: to phones, or the host's pages to this machine."""

    def __call__(
        self, archive: Archive, sessions: SharedSessions, *, is_for_host: bool = False
    ) -> AbstractContextManager[PhonePages]:
        """Raise CannotServe or ArchiveError if the pages cannot be served."""


def _serve_nothing(
    archive: Archive,  # noqa: ARG001
    sessions: SharedSessions,  # noqa: ARG001
    *,
    is_for_host: bool = False,  # noqa: ARG001
) -> AbstractContextManager[PhonePages]:
    raise CannotServe(phrase("This screen was started without pages for phones; start companion itself to open them."))


class PageServer:
    """The pages that are served, if any: to phones, or the host's. Its methods block, and are called in a thread."""

    def __init__(self, serve: Serve | None = None, *, is_for_host: bool = False) -> None:
        self._serve = serve or _serve_nothing
        self._is_for_host = is_for_host
        self._open = ExitStack()
        self.served: PhonePages | None = None

    def open(self, archive: Archive, sessions: SharedSessions) -> PhonePages:
        """Return the pages; open them first if they are closed. Raises CannotServe, ArchiveError."""
        if self.served is not None and not self.served.is_serving:
            self.close()
        if self.served is None:
            with contextlib.ExitStack() as opening:
                pages = self._serve(archive, sessions, is_for_host=self._is_for_host)
                self.served = opening.enter_context(pages)
                self._open = opening.pop_all()
        return self.served

    def close(self) -> None:
        """Stop serving pages."""
        self.served = None
        self._open.close()


_LOOK_EVERY = 0.1
"""Seconds between two checks for the changes of other processes; each check takes half a millisecond."""


class Archives:
    """The archives of the app: `own` is the user's, at `url`; `current` is that one or the sample.

    `live` holds the sessions of the current one that are open in this process. All are None until it is open. `pages`
    are the pages for phones of the current one, and `host_pages` those for the browser of this machine.
    """

    def __init__(self, url: str | None, serve: Serve | None = None) -> None:
        self.own: Archive | None = None
        self.current: Archive | None = None
        self.live: SharedSessions | None = None
        self.pages = PageServer(serve)
        self.host_pages = PageServer(serve, is_for_host=True)
        self.url = url
        self.on_shared: Callable[[int], object] = lambda _: None
        """Called in a thread after the user's archive was synchronized with a shared folder, with the number of entries
        that came in.
        """
        self._sharing: SharingSchedule | None = None

    @property
    def is_sample(self) -> bool:
        """True if the sample is the current archive."""
        return self.own is not None and self.current is not self.own

    def begin(self, archive: Archive, live: SharedSessions) -> None:
        """Show tables of the user's archive before it is open."""
        self.current, self.live = archive, live

    async def open(self) -> Archive:
        """Open the user's own archive without showing it; see `show`. Raises ArchiveError."""
        own = self.current or companion.archive.Archive.open_lazily(self.url)
        await asyncio.to_thread(own.ensure_open)
        self.own = own
        return own

    async def begin_sharing(self) -> None:
        """Synchronize the user's archive with its shared folder, if it has one, from now on."""
        if self.own is not None and self._sharing is None:
            await asyncio.to_thread(self._begin_sharing, self.own)

    def _begin_sharing(self, own: Archive) -> None:
        self._sharing = companion.archive.SharingSchedule(own, lambda entries: self.on_shared(entries))
        self._sharing.start()

    def _end_sharing(self) -> None:
        """Synchronize once more."""
        sharing, self._sharing = self._sharing, None
        if sharing is not None:
            sharing.stop()

    async def show(self, archive: Archive) -> None:
        """Make this archive the current one, and open its tables from now on; close the pages of another one."""
        from companion.session.table.shared_session import SharedSessions

        if self.live is None or archive is not self.current:
            await asyncio.to_thread(self.close_pages)
            self.current, self.live = archive, SharedSessions(archive)

    async def serve(self) -> PhonePages:
        """Return the pages of the current archive; open them first if they are closed.

        Raises CannotServe, ArchiveError.
        """
        assert self.current is not None
        assert self.live is not None
        return await asyncio.to_thread(self.pages.open, self.current, self.live)

    async def open_designer(self, design: str) -> HostPage:
        """Open the designer of labels in the browser of this machine; serve the host's pages first if they are not.

        Raises CannotServe, ArchiveError.
        """
        assert self.current is not None
        assert self.live is not None
        served = await asyncio.to_thread(self.host_pages.open, self.current, self.live)
        return await asyncio.to_thread(served.open_designer, design)

    def close_pages(self) -> None:
        """Stop serving pages, those for phones and the host's."""
        self.pages.close()
        self.host_pages.close()

    async def follow_others(self) -> None:
        """Show, without end, the changes that other windows and programs make at the tables that are open here."""
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            if (live := self.live) is not None:
                with contextlib.suppress(ArchiveError):  # the next write reports it
                    await asyncio.to_thread(live.catch_up)

    # Copies of the user's archive

    def back_up(self) -> None:
        """Back up the user's own archive; the sample can be made again. Raises ArchiveError, OSError."""
        if self.own is not None:
            from companion.archive import maintenance

            maintenance.end_evening(self.own)

    @property
    def can_go_back(self) -> bool:
        """True if a backup can replace the current archive: the user's own, and a file."""
        return self.own is not None and not self.is_sample and self.own.store.file is not None

    async def go_back(self, backup: Path) -> Text:
        """Replace the user's archive by a backup, and return a sentence about it. The file must not be open elsewhere.

        The caller shows the archive again, also after an error. Raises ArchiveError, OSError.
        """
        from companion.archive.recovery.restore import describe_restored, restore

        async with self._suspend_archive() as file:
            copy = await asyncio.to_thread(restore, backup, file, datetime.now(UTC))
        return describe_restored(backup, copy)

    async def accept(self) -> Text:
        """Accept the user's archive as it is, though this computer last saw more in it, so that it can be written
        again.

        Return a sentence about it. The caller shows the archive again. Raises ArchiveError.
        """
        from companion.forms import archive_upkeep

        async with self._suspend_archive() as file:
            return await asyncio.to_thread(archive_upkeep.accept, file)

    @contextlib.asynccontextmanager
    async def _suspend_archive(self) -> AsyncIterator[Path]:
        """Yield the file of the user's archive while it is closed; reopen it at the end."""
        own = self.own
        assert own is not None
        assert own.store.file is not None
        self.live = None
        await asyncio.to_thread(self.close_pages)
        await asyncio.to_thread(self._end_sharing)
        await asyncio.to_thread(own.close)
        try:
            yield own.store.file
        finally:
            self.own = await asyncio.to_thread(type(own).open, self.url)
            await asyncio.to_thread(self._begin_sharing, self.own)

    # The sample

    async def sample(self) -> Archive:
        """Open the sample, making it if there is none; the user's own archive stays open. Raises ArchiveError."""
        assert self.own is not None
        return await asyncio.to_thread(tui.sample.visit, self.own)

    async def leave(self, archive: Archive, *, discard: bool) -> None:
        """Close the sample; delete it if it is to be discarded. Raises ArchiveError."""
        await asyncio.to_thread(tui.sample.discard if discard else type(archive).close, archive)

    def close(self) -> None:
        """Share what is new, and close the current archive, and the user's own one behind the sample."""
        self._end_sharing()
        for archive in (self.current, self.own):
            if archive is not None:
                archive.close()
