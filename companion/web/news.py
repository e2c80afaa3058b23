"""What other programs have written, brought to the tables here, and the phones that look on noted for them: a thread.

Separate because it waits, where everything else here must not.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Final

from companion.archive import Archive, ArchiveError
from companion.archive.changes import Changes
from companion.session.live import LiveSessions
from companion.web.phones import Phones

_TURN: Final = 0.1
"""Seconds after which the thread looks whether it shall end."""
_NOTE_EVERY: Final = 60.0


class Messenger:
    """Follows an archive from `start` to `stop`."""

    def __init__(self, archive: Archive, sessions: LiveSessions, phones: Phones) -> None:
        self._archive = archive
        self._sessions = sessions
        self._phones = phones
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="what others write", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; returns once that is so."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        changes, noted = Changes(self._archive.store.engine), time.monotonic()
        while not self._stopped.is_set():
            # What cannot be read now is read after the next change; whoever writes is told.
            with contextlib.suppress(ArchiveError):
                if changes.wait(_TURN):
                    self._sessions.catch_up()
                    self._phones.refresh()
                if time.monotonic() - noted > _NOTE_EVERY:
                    noted = time.monotonic()
                    self._phones.note()
        changes.close()
