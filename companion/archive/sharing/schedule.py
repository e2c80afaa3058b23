"""Synchronization while a program runs: when it starts, every few seconds, and when it ends, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import companion.archive
from companion.archive.errors import ArchiveError
from companion.archive.fault_log import record_fault
from companion.archive.sharing.local_state import state_file

if TYPE_CHECKING:
    from types import TracebackType

    from companion.archive.archive import Archive
    from companion.archive.sharing.sharing import Synchronizer
    from companion.archive.store import Store

_EVERY: Final = 15.0
"""Seconds between two looks at the folder, which take a millisecond if nothing has changed."""
_END_SECONDS: Final = 4.0
"""Seconds that the last synchronization may take; what it leaves is shared at the next start."""


class SharingSchedule:
    """A schedule of the synchronization of one archive; nothing happens while it is not shared.

    `on_run` is called in the schedule's thread after each synchronization, with the number of entries that came in.
    """

    def __init__(
        self, archive: Archive, on_run: Callable[[int], object] = lambda _: None, every: float = _EVERY
    ) -> None:
        self._archive, self._on_run, self._every = archive, on_run, every
        self._ending = threading.Event()
        self._has_failed = False
        self._synchronizer: Synchronizer | None = None
        self._store: Store | None = None
        self._thread = threading.Thread(target=self._run, name="share the archive", daemon=True)

    def __enter__(self) -> SharingSchedule:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def is_running(self) -> bool:
        """True until the schedule has ended."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Synchronize now, and again and again."""
        self._thread.start()

    def stop(self) -> None:
        """Synchronize once more, and end. A folder that does not answer is not waited for."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        while not self._has_failed:
            is_last = self._ending.is_set()
            self._synchronize()
            if is_last:
                break
            self._ending.wait(self._every)

    def _synchronize(self) -> None:
        try:
            store = self._archive.store_if_there()
            if store is None or store.file is None or not state_file(store.file).is_file():
                return
            if self._synchronizer is None or self._store is not store:
                # Most archives are not shared; for those it is not loaded. A backup that was restored begins anew.
                self._synchronizer, self._store = companion.archive.Synchronizer(self._archive), store
            if self._synchronizer.is_due():
                self._on_run(self._synchronizer.run())
        except ArchiveError:
            pass  # the next write reports it
        except Exception as error:
            # A fault of the sharing ends the sharing, and not the game.
            record_fault(error)
            self._has_failed = True
            self._ending.set()
