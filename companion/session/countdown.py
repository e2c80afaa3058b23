"""A countdown for each turn or round, for tables that want one: what is left, and never a rule of the table.

It is kept beside the session and not in its log, runs only while somebody has the table on a screen here, and begins
anew with each turn, round, or whatever the table counts.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from companion.tabletop.table import TableView

OFF: Final = "off"
LEAST: Final = 5
MOST: Final = 3600
_WISH: Final = r"(\d{1,4})(\s+bell)?"


class CountdownWish(msgspec.Struct, frozen=True):
    """What people want: `seconds` for each turn or round, 0 for no countdown; and whether a bell rings at its end."""

    seconds: int = 0
    bell: bool = False

    @property
    def text(self) -> str:
        """As people write it: `off`, `90`, `90 bell`."""
        return f"{self.seconds}{' bell' if self.bell else ''}" if self.seconds else OFF


def read_wish(text: str) -> CountdownWish | None:
    """`off`, `90` or `90 bell`; None for any other text."""
    text = text.strip().lower()
    if text in ("", OFF):
        return CountdownWish()
    match = re.fullmatch(_WISH, text)
    if match is None or not LEAST <= int(match[1]) <= MOST:
        return None
    return CountdownWish(int(match[1]), bool(match[2]))


class Countdown:
    """The countdown of one table. Each method is told the time, in seconds of a clock that never goes back."""

    def __init__(self) -> None:
        self.wish = CountdownWish()
        self._counts: object = None
        self._spent = 0.0
        self._since: float | None = None
        self._rang = False

    def follow(self, view: TableView, now: float) -> None:
        """Begin anew where the table counts another turn or round than before."""
        counts = view.count.value if view.count else None
        whose = next((seat.seat for seat in view.seats if "active" in seat.flags), "")
        if (counts, whose) != self._counts:
            self._counts = (counts, whose)
            self._spent, self._rang = 0.0, False
            self._since = now if self._since is not None else None

    def go_on(self, now: float) -> None:
        """Run, as the table is on a screen."""
        if self._since is None:
            self._since = now

    def pause(self, now: float) -> None:
        """Stand still, as the table was left."""
        self._spent += now - self._since if self._since is not None else 0.0
        self._since = None

    def left(self, now: float) -> int | None:
        """Whole seconds that are left, 0 once the time is up; None where nobody wants a countdown."""
        if not self.wish.seconds:
            return None
        running = now - self._since if self._since is not None else 0.0
        return max(0, self.wish.seconds - int(self._spent + running))

    def left_of(self, view: TableView, now: float) -> int | None:
        """The same at a table that is followed; once the game is over, or before it begins, there is no countdown."""
        self.follow(view, now)
        return None if view.outcome is not None or not (view.count and view.count.value) else self.left(now)

    @property
    def state(self) -> tuple[object, ...]:
        """All that counts besides the time: whoever has drawn this draws it again once that changes."""
        return self.wish, self._counts, self._spent, self._since

    @property
    def is_running(self) -> bool:
        """Whether time passes for it now."""
        return self._since is not None and self.wish.seconds > 0

    def rings(self, now: float) -> bool:
        """Whether the bell is to ring now: once, as the time is up, where people want that."""
        if not self.wish.bell or self._rang or self.left(now) != 0:
            return False
        self._rang = True
        return True


_CELLS: Final = 8


def draw_left(left: int, seconds: int) -> str:
    """`━━━━━─── 0:56`, and `time is up` at the end."""
    if not left:
        return "time is up"
    full = -(-left * _CELLS // seconds)
    return f"{'━' * full}{'─' * (_CELLS - full)} {brief_left(left)}"


def brief_left(left: int) -> str:
    """`0:56`"""
    return f"{left // 60}:{left % 60:02}"
