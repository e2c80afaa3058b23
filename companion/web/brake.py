"""Limits on the writing of one phone: entries and bytes, per minute and per evening."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil, inf
from typing import Final, NamedTuple

from templates.languages.messages import Message, phrase

MINUTE: Final = 60.0
_TICK: Final = 1e-6
"""Tolerance in seconds."""


class Limits(NamedTuple):
    """The most that one phone may write: entries and bytes of UTF-8 within a minute, and within an evening."""

    minute_entries: int = 300
    minute_bytes: int = 64 * 1024
    evening_entries: int = 6_000
    evening_bytes: int = 1024 * 1024


LIMITS: Final = Limits()


@dataclass(eq=False)
class WebEntry:
    """An entry of `size` bytes that a phone is about to write. `is_made` is set once it is written."""

    moment: float
    size: int
    is_made: bool = False


class Refusal(NamedTuple):
    """The refusal of an entry: the phone waits for some `seconds`, or, if None, for the host."""

    seconds: int | None

    @property
    def sentence(self) -> Message:
        """The sentence for the phone's owner."""
        if self.seconds is None:
            return phrase(
                "This phone has reached the limit of an evening. The host can let it continue by sending it away and "
                "letting it in again, on the page Phones, or with Ctrl+G, its name, and F8 twice."
            )
        return phrase(
            "This phone enters more than anybody can read; it can continue in {seconds} s. Nothing was done.",
            seconds=self.seconds,
        )


class Braked(Exception):
    """The refusal of an entry by a phone. The message is for its owner."""


class Brake:
    """The entries that phones have written, by their ids.

    It is thread-safe, and in memory alone, as it protects this program's archive from its own visitors.
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._minutes: dict[str, deque[WebEntry]] = {}
        self._evenings: dict[str, tuple[int, int]] = {}
        self._waits_until: dict[str, float] = {}

    @contextmanager
    def writing(self, phone: str, size: int, now: float) -> Iterator[WebEntry]:
        """Count an entry of `size` bytes, begun at a moment of `time.monotonic`. Raises Braked.

        An entry that is not made by the end of the block is discounted.
        """
        entry = self.count(phone, size, now)
        if isinstance(entry, Refusal):
            raise Braked(entry.sentence)
        try:
            yield entry
        finally:
            if not entry.is_made:
                self.take_back(phone, entry)

    def count(self, phone: str, size: int, now: float) -> WebEntry | Refusal:
        """Count an entry, or return its refusal."""
        with self._lock:
            refusal = self._find_refusal(phone, size, now)
            self._waits_until[phone] = (
                0.0 if refusal is None else inf if refusal.seconds is None else now + refusal.seconds
            )
            if refusal is not None:
                return refusal
            entry = WebEntry(now, size)
            self._minutes[phone].append(entry)
            entries, total = self._evenings.get(phone, (0, 0))
            self._evenings[phone] = (entries + 1, total + size)
            return entry

    def seconds_left(self, phone: str, now: float) -> float:
        """Return the seconds that a phone still has to wait: infinity until it is forgiven, 0 if it may write."""
        return max(0.0, self._waits_until.get(phone, 0.0) - now)

    def take_back(self, phone: str, entry: WebEntry) -> None:
        """Discount an entry without effect."""
        with self._lock:
            if phone in self._minutes:
                with suppress(ValueError):  # it is more than a minute old
                    self._minutes[phone].remove(entry)
                entries, total = self._evenings[phone]
                self._evenings[phone] = (entries - 1, total - entry.size)

    def forgive(self, phone: str) -> None:
        """Forget the entries of a phone: the host lets it continue."""
        with self._lock:
            self._minutes.pop(phone, None)
            self._evenings.pop(phone, None)
            self._waits_until.pop(phone, None)

    def _find_refusal(self, phone: str, size: int, now: float) -> Refusal | None:
        limits = self._limits
        entries, total = self._evenings.get(phone, (0, 0))
        if entries >= limits.evening_entries or total + size > limits.evening_bytes:
            return Refusal(None)
        recent = self._minutes.setdefault(phone, deque())
        while recent and recent[0].moment + MINUTE <= now + _TICK:
            recent.popleft()
        # Find the moment when enough of the oldest entries are a minute old to leave room for one more.
        count, written, free_at = len(recent), sum(entry.size for entry in recent), now
        for entry in recent:
            if count < limits.minute_entries and written + size <= limits.minute_bytes:
                break
            count, written, free_at = count - 1, written - entry.size, entry.moment + MINUTE
        return None if free_at == now else Refusal(ceil(free_at - now - _TICK))
