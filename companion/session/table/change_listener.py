"""A thread that follows what other programs write into an archive."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from companion.archive import Archive, ArchiveError
from companion.archive.storage.changes import Changes

_POLL_SECONDS: Final = 0.1
"""Seconds after which the thread checks whether to stop."""


class ChangeListener:
    """A thread that calls `on_change` after each change of an archive, and `on_look` several times a second.

    It runs from `start` to `stop`, or as a context manager. If the archive cannot be read, the thread tries again after
    the next change and reports nothing: the next writer gets the ArchiveError.
    """

    def __init__(
        self, archive: Archive, on_change: Callable[[], object], on_look: Callable[[], object] = lambda: None
    ) -> None:
        self._archive = archive
        self._on_change = on_change
        self._on_look = on_look
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the thread, also again after `stop`."""
        self._stopped.clear()
        self._thread = threading.Thread(target=self._run, name="what others write", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and wait until it has ended."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        """Start the thread."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the thread."""
        self.stop()

    def _run(self) -> None:
        changes = Changes(self._archive.store.engine)
        while not self._stopped.is_set():
            with contextlib.suppress(ArchiveError):
                if changes.wait(_POLL_SECONDS):
                    self._on_change()
                self._on_look()
        changes.close()
