"""The lock of a table in this process. The host gets it before any waiting guest."""

from __future__ import annotations

import threading
import time
from typing import Self


class TableLock:
    """A reentrant lock. Of the waiting threads, those that are not guests get it first."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._owner = 0
        self._depth = 0
        self._hosts_waiting = 0

    def acquire(self, timeout: float = -1.0, *, is_guest: bool = False) -> bool:
        """Acquire the lock and return True, or return False once `timeout` seconds have passed.

        A negative timeout waits without a limit.
        """
        me = threading.get_ident()
        deadline = None if timeout < 0 else time.monotonic() + timeout
        with self._condition:
            if self._owner == me:
                self._depth += 1
                return True
            self._hosts_waiting += not is_guest
            try:
                while self._owner or (is_guest and self._hosts_waiting):
                    left = None if deadline is None else deadline - time.monotonic()
                    if left is not None and left <= 0:
                        return False
                    self._condition.wait(left)
            finally:
                self._hosts_waiting -= not is_guest
                # A guest may have waited for a host whose wait has since timed out.
                self._condition.notify_all()
            self._owner, self._depth = me, 1
            return True

    def release(self) -> None:
        """Release the lock; call it once for each time that this thread acquired it."""
        with self._condition:
            if self._owner != threading.get_ident():
                raise RuntimeError("only the thread that holds the lock of a table releases it")
            self._depth -= 1
            if not self._depth:
                self._owner = 0
                self._condition.notify_all()

    def __enter__(self) -> Self:
        """Acquire the lock without a time limit."""
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        """Release the lock."""
        self.release()
