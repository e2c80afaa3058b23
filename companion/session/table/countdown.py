"""An optional countdown for each turn or round. It is never a rule of the table.

It is kept beside the session and not in its log, runs only while the table is on a screen here, and restarts with each
turn, round, or whatever the table counts.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from companion.tabletop.table.table import TableView
from templates.languages.messages import Text, phrase

OFF: Final = "off"
LEAST: Final = 5
MOST: Final = 3600
_WISH: Final = r"(\d{1,4})(\s+bell)?"


class CountdownWish(msgspec.Struct, frozen=True):
    """A setting of the countdown: `seconds` for each turn or round, 0 for none, and whether a bell rings at the end."""

    seconds: int = 0
    bell: bool = False

    @property
    def text(self) -> str:
        """The setting as typed: `off`, `90`, `90 bell`."""
        return f"{self.seconds}{' bell' if self.bell else ''}" if self.seconds else OFF


def read_wish(text: str) -> CountdownWish | None:
    """Parse `off`, `90` or `90 bell`; return None for any other text."""
    text = text.strip().lower()
    if text in ("", OFF):
        return CountdownWish()
    match = re.fullmatch(_WISH, text)
    if match is None or not LEAST <= int(match[1]) <= MOST:
        return None
    return CountdownWish(int(match[1]), bool(match[2]))


class Countdown:
    """The countdown of one table. Each method gets the time, in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self.wish = CountdownWish()
        self._counts: object = None
        self._spent = 0.0
        self._since: float | None = None
        self._rang = False

    def follow(self, view: TableView, now: float) -> None:
        """Restart the countdown if the table counts another turn or round than before."""
        counts = view.count.value if view.count else None
        whose = next((seat.seat for seat in view.seats if "active" in seat.flags), "")
        if (counts, whose) != self._counts:
            self._counts = (counts, whose)
            self._spent, self._rang = 0.0, False
            self._since = now if self._since is not None else None

    def go_on(self, now: float) -> None:
        """Run, because the table is on a screen."""
        if self._since is None:
            self._since = now

    def pause(self, now: float) -> None:
        """Pause, because the table is off the screen."""
        self._spent += now - self._since if self._since is not None else 0.0
        self._since = None

    def seconds_left(self, now: float) -> int | None:
        """Return the whole seconds left, 0 once the time is up, or None if the countdown is off."""
        if not self.wish.seconds:
            return None
        running = now - self._since if self._since is not None else 0.0
        return max(0, self.wish.seconds - int(self._spent + running))

    def left_of(self, view: TableView, now: float) -> int | None:
        """Follow a table and return the seconds left, or None before the game begins and after it ends."""
        self.follow(view, now)
        return None if view.outcome is not None or not (view.count and view.count.value) else self.seconds_left(now)

    @property
    def state(self) -> tuple[object, ...]:
        """The state of the countdown besides the time; a drawing of it is out of date once this changes."""
        return self.wish, self._counts, self._spent, self._since

    @property
    def is_running(self) -> bool:
        """Return True if the countdown is running."""
        return self._since is not None and self.wish.seconds > 0

    def rings(self, now: float) -> bool:
        """Return True once when the time is up, if the bell is on."""
        if not self.wish.bell or self._rang or self.seconds_left(now) != 0:
            return False
        self._rang = True
        return True


_CELLS: Final = 8


def draw_left(left: int, seconds: int) -> Text:
    """Return a bar with the time left, `━━━━━─── 0:56`, or `time is up`."""
    if not left:
        return phrase("time is up")
    full = -(-left * _CELLS // seconds)
    return f"{'━' * full}{'─' * (_CELLS - full)} {brief_left(left)}"


def brief_left(left: int) -> str:
    """Return the time left as `0:56`."""
    return f"{left // 60}:{left % 60:02}"
