"""Waiting for the archive, said aloud: another program writes, a server is away, a disk is slow.

Separate because whoever shows it (a terminal, a screen) knows no database, and any archive may be the one that waits.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

Shown = Callable[[int], object]
"""Is told for how many seconds somebody has been waiting, from 1 on each second, and 0 once that is over."""

_LOOK_EVERY = 0.25


def sentence(seconds: int) -> str:
    """What to show while somebody waits; "" once it is over."""
    return f"waiting for the archive, {seconds} s" if seconds else ""


class Waits:
    """The waits of this process. A thread looks at them while there are any, where somebody wants to be told."""

    def __init__(self) -> None:
        self._shown: Shown | None = None
        self._since: dict[object, float] = {}
        self._begun = threading.Event()
        self._looking = threading.Lock()

    def show(self, shown: Shown | None) -> None:
        """From now on `shown` is told, in a thread of its own; nobody with None."""
        self._shown = shown

    @contextlib.contextmanager
    def one(self, since: float | None = None) -> Iterator[None]:
        """What happens in the block may be a wait, which began now or at `since`, a moment of `time.monotonic`."""
        if self._shown is None:
            yield
            return
        wait = object()
        self._since[wait] = time.monotonic() if since is None else since
        self._begun.set()
        if self._looking.acquire(blocking=False):
            threading.Thread(target=self._look, name="waits", daemon=True).start()
        try:
            yield
        finally:
            del self._since[wait]

    def _look(self) -> None:
        told = 0
        while True:
            if not told and not self._since:
                self._begun.wait()
                self._begun.clear()
            time.sleep(_LOOK_EVERY)
            longest = self._longest()
            if longest != told and self._shown is not None:
                self._shown(longest)
                told = longest

    def _longest(self) -> int:
        began = min(self._since.copy().values(), default=None)
        return 0 if began is None else int(time.monotonic() - began)


waits = Waits()
"""Those of this process."""
