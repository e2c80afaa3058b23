"""Whether anybody has written to the archive since the last look: a file is asked many times a second, a server tells.

Who waits has a connection of its own, in a thread that does nothing else.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy.exc import DBAPIError

from companion.archive.wal_guard import READ_ERRORS

if TYPE_CHECKING:
    import sqlalchemy as sa

_LOOK_EVERY: Final = 0.04
"""Seconds between two looks at a file, each of which takes some microseconds."""
_AGAIN_AFTER: Final = 0.5
"""Seconds after which a connection that broke is tried anew."""
_CHANNEL: Final = "companion"

ASK_EVERY: Final = 15.0
"""Seconds of silence after which a server is asked whether it is still there: one that stalls tells nothing, either."""


def announce(connection: sa.Connection) -> None:
    """Lets a server tell all who wait, once the transaction is done, that something was written."""
    connection.exec_driver_sql(f"NOTIFY {_CHANNEL}")


class Changes:
    """One who waits for news of an archive. Of one thread; what the archive itself writes counts, too."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._is_file = engine.dialect.name == "sqlite"
        self._connection: Any = None
        self._heard_at = 0.0
        self._version: object = None

    def wait(self, seconds: float) -> bool:
        """Waits at most so long; whether anybody has written since the last wait.

        While the archive is away nothing is told; when it is back, that counts as a change.
        """
        try:
            return self._wait(seconds)
        except self._failures():
            self.close()
            time.sleep(min(seconds, _AGAIN_AFTER))
            return False

    def close(self) -> None:
        """Closes the connection; the next wait makes another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # One that broke cannot be put back in order, and nobody else shall have it.
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
        """What goes wrong with a connection; the driver of a server is loaded where there is one."""
        if self._is_file:
            return (DBAPIError, *READ_ERRORS)
        import psycopg

        return (DBAPIError, psycopg.Error)
