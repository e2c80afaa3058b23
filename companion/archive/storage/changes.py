"""Notifications of changes to the archive: a file is polled many times a second, a server notifies.

A waiting thread has a connection of its own and does nothing else.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import DBAPIError

from companion.archive.storage.wal_guard import READ_ERRORS

if TYPE_CHECKING:
    import sqlalchemy as sa

_LOOK_EVERY: Final = 0.04
"""Seconds between two polls of a file, each of which takes some microseconds."""
_AGAIN_AFTER: Final = 0.5
"""Seconds after which a broken connection is tried again."""
_CHANNEL: Final = "companion"

ASK_EVERY: Final = 15.0
"""Seconds of silence after which the connection to a server is tested: a server that stalls sends nothing, either."""


def announce(connection: sa.Connection) -> None:
    """Have the server notify all waiting connections, when the transaction is committed, that something was written."""
    connection.exec_driver_sql(f"NOTIFY {_CHANNEL}")


class Changes:
    """A listener for changes of an archive. Not thread-safe; the archive's own changes count, too."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._is_file = engine.dialect.name == "sqlite"
        self._connection: Any = None
        self._heard_at = 0.0
        self._version: object = None

    def wait(self, seconds: float) -> bool:
        """Wait at most this many seconds; return True if anything was written since the last wait.

        While the archive is unreachable no change is reported; its return counts as a change.
        """
        try:
            return self._wait(seconds)
        except self._failures():
            self.close()
            time.sleep(min(seconds, _AGAIN_AFTER))
            return False

    def close(self) -> None:
        """Close the connection; the next wait makes another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # A broken connection cannot be repaired and must not be reused.
            with contextlib.suppress(*self._failures()):
                connection.invalidate()

    def _wait(self, seconds: float) -> bool:
        fresh = self._connection is None
        if fresh:
            self._connection = self._engine.raw_connection()
            self._listen()
            self._heard_at = time.monotonic()
        if self._is_file:
            return self._poll(seconds)
        if time.monotonic() - self._heard_at > ASK_EVERY:
            self._connection.driver_connection.execute("SELECT 1")
            self._heard_at = time.monotonic()
        return fresh or self._is_notified(seconds)

    def _is_notified(self, seconds: float) -> bool:
        driver = self._connection.driver_connection
        usual, driver.patience = driver.patience, None
        try:
            return any(True for _ in driver.notifies(timeout=seconds, stop_after=1))
        finally:
            driver.patience = usual

    def _listen(self) -> None:
        if not self._is_file:
            self._connection.driver_connection.autocommit = True
            self._connection.driver_connection.execute(f"LISTEN {_CHANNEL}")

    def _poll(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            (version,) = self._connection.cursor().execute("PRAGMA data_version").fetchone()
            if version != self._version:
                self._version = version
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_EVERY)

    def _failures(self) -> tuple[type[Exception], ...]:
        """Return the errors of a broken connection; a server's driver is loaded only if there is a server."""
        if self._is_file:
            return (DBAPIError, *READ_ERRORS)
        import psycopg

        return (DBAPIError, psycopg.Error)
