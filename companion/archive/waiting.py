"""Waiting for the archive, which any program may have to: how long already, who is told, and for how long at most.

Another program writes, a server is away or stalls, a disk is slow, tables are changed.
"""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator

WaitListener = Callable[[int], object]
"""Is told for how many seconds somebody has been waiting, from 1 on each second, and 0 once that is over."""

_LOOK_EVERY = 0.25
_SEEN = 1.0
"""Seconds after which a wait is shown, and somebody can have it end."""
_ENDS_WITHIN = 1.5
"""Seconds in which whoever waits has noticed that it is over."""


_WAITING = "waiting for the archive"


def describe_wait(seconds: int) -> str:
    """What to show while somebody waits; "" once it is over."""
    return f"{waits.doing}, {seconds} s" if seconds else ""


class Waits:
    """The waits of this process. A thread looks at them while there are any, where somebody wants to be told."""

    def __init__(self) -> None:
        self.doing = _WAITING
        """What `describe_wait` calls the wait."""
        self._listener: WaitListener | None = None
        self._since: dict[object, float] = {}
        self._announced = 0
        self._lock = threading.Lock()
        self._has_begun = threading.Event()
        self._is_watched = False
        self._here = threading.local()
        self._ended = -math.inf
        """The moment until when all waits that began before it are over, as soon as they could be seen."""

    def listen(self, listener: WaitListener | None) -> None:
        """From now on `shown` is told, in any thread; nobody with None."""
        self._listener = listener
        self._ended = -math.inf

    def end(self, *, for_good: bool = False) -> None:
        """Have nobody wait any longer who waits now, in whatever thread: what they wait for fails. `for_good`, nobody
        waits for more than a moment from now on, until `show`.
        """
        self._ended = math.inf if for_good else time.monotonic()

    def are_over(self, began: float) -> bool:
        """Whether what this thread has waited for since a moment of `time.monotonic` fails now, as somebody wants."""
        began = min(began, getattr(self._here, "since", math.inf))
        return began < self._ended and time.monotonic() - began > _SEEN

    def settle(self) -> None:
        """Returns once nobody waits any more, or has not noticed in time that waits have ended."""
        deadline = time.monotonic() + _ENDS_WITHIN
        while self._since and time.monotonic() < deadline:
            time.sleep(_ENDS_WITHIN / 10)

    @contextlib.contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """This thread waits at most so many seconds in the block, all of its waits together."""
        outer = getattr(self._here, "since", math.inf), getattr(self._here, "until", math.inf)
        now = time.monotonic()
        self._here.since, self._here.until = min(outer[0], now), min(outer[1], now + seconds)
        try:
            yield
        finally:
            self._here.since, self._here.until = outer

    @property
    def left(self) -> float:
        """For how many seconds more this thread may wait, below 0 where that is over; infinite without a limit."""
        now = time.monotonic()
        return -math.inf if self.are_over(now) else getattr(self._here, "until", math.inf) - now

    @contextlib.contextmanager
    def waiting(self, since: float | None = None) -> Iterator[None]:
        """What happens in the block may be a wait, which began now or at `since`, a moment of `time.monotonic`."""
        if self._listener is None:
            yield
            return
        wait = object()
        with self._lock:
            self._since[wait] = time.monotonic() if since is None else since
            if not self._is_watched:
                self._is_watched = True
                threading.Thread(target=self._watch, name="waits", daemon=True).start()
        self._has_begun.set()
        try:
            yield
        finally:
            with self._lock:
                del self._since[wait]
                if not self._since:
                    self._announce(0)

    @contextlib.contextmanager
    def working(self, doing: str) -> Iterator[None]:
        """The same where the archive itself is worked on, which may take long: `doing` says what."""
        self.doing = doing
        try:
            with self.waiting():
                yield
        finally:
            self.doing = _WAITING

    def _watch(self) -> None:
        while True:
            self._has_begun.wait()
            self._has_begun.clear()
            while self._since:
                time.sleep(_LOOK_EVERY)
                with self._lock:
                    if self._since:
                        self._announce(int(time.monotonic() - min(self._since.values())))

    def _announce(self, seconds: int) -> None:
        if seconds != self._announced and self._listener is not None:
            self._announced = seconds
            self._listener(seconds)


waits = Waits()
"""The waits of this process, one object for all archives."""
