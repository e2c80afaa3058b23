"""Waits for the archive, which any program may meet: their duration, the listener that is notified, and their limit.

Reasons are another program that writes, a server that is away or stalls, a slow disk, and a migration.
"""

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator

from templates.languages.messages import Text, phrase

WaitListener = Callable[[int], object]
"""A callback that gets the seconds of the present wait, each second from 1 on, and 0 once it is over."""

_LOOK_EVERY = 0.25
_SEEN = 1.0
"""Seconds after which a wait is shown, and can be cancelled."""
_ENDS_WITHIN = 1.5
"""Seconds within which a waiting thread notices that its wait was cancelled."""


_WAITING = phrase("waiting for the archive")


def describe_wait(seconds: int) -> Text:
    """Return the text to show during a wait; "" once it is over."""
    if not seconds:
        return ""
    # Translators: {doing} is what a program waits for, or does: “waiting for the archive”; s are seconds.
    return phrase("{doing}, {seconds} s", doing=waits.doing, seconds=str(seconds))


class Waits:
    """The waits of this process. If there is a listener, a thread watches them as long as there are any."""

    def __init__(self) -> None:
        self.doing: Text = _WAITING
        """The text of `describe_wait` for the wait."""
        self._listener: WaitListener | None = None
        self._since: dict[object, float] = {}
        self._announced = 0
        self._lock = threading.Lock()
        self._has_begun = threading.Event()
        self._is_watched = False
        self._here = threading.local()
        self._ended = -math.inf
        """Waits that began before this time are cancelled as soon as they are old enough to be shown."""

    def listen(self, listener: WaitListener | None) -> None:
        """Notify `listener` from now on, in any thread; None removes it."""
        self._listener = listener
        self._ended = -math.inf

    def end(self, *, for_good: bool = False) -> None:
        """Cancel all present waits, in every thread: their operations fail.

        With `for_good`, no later wait lasts more than a moment, until `listen` is called.
        """
        self._ended = math.inf if for_good else time.monotonic()

    def are_over(self, began: float) -> bool:
        """Return True if an operation that began at `began` (`time.monotonic`) must fail, as waits were cancelled."""
        began = min(began, getattr(self._here, "since", math.inf))
        return began < self._ended and time.monotonic() - began > _SEEN

    def settle(self) -> None:
        """Return once there are no waits any more, or their threads had time to notice that they were cancelled."""
        deadline = time.monotonic() + _ENDS_WITHIN
        while self._since and time.monotonic() < deadline:
            time.sleep(_ENDS_WITHIN / 10)

    @contextlib.contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """Limit the waits of this thread in the block to `seconds` in all."""
        outer = getattr(self._here, "since", math.inf), getattr(self._here, "until", math.inf)
        now = time.monotonic()
        self._here.since, self._here.until = min(outer[0], now), min(outer[1], now + seconds)
        try:
            yield
        finally:
            self._here.since, self._here.until = outer

    @property
    def seconds_left(self) -> float:
        """Seconds that this thread may still wait, negative if the time is over; infinite without a limit."""
        now = time.monotonic()
        return -math.inf if self.are_over(now) else getattr(self._here, "until", math.inf) - now

    @contextlib.contextmanager
    def waiting(self, since: float | None = None) -> Iterator[None]:
        """Mark the block as a possible wait, which began now or at `since` (`time.monotonic`)."""
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
    def working(self, doing: Text) -> Iterator[None]:
        """Mark the block as long work on the archive itself; `doing` describes it."""
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
