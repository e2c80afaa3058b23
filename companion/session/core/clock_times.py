"""The time that the clock of a table has counted, from the times of the lines that count.

The time between two lines belongs to the seat whose turn it was on the table between them. Lines that were taken back,
amended or inserted later count as they are corrected, as if they had been right from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice, takewhile
from typing import Any, Final

import msgspec

from companion.session.core.moments import Line, Moment
from companion.tabletop.game import Game
from companion.tabletop.table.table_clock import TurnTimes

_FEW: Final = 50
"""The number of new lines up to which an earlier reading is continued."""
LONGEST_TURN: Final = timedelta(hours=3)
"""The longest time between two lines that is counted: beyond that, nobody knows when people stopped playing."""


class RunningClock(msgspec.Struct, frozen=True):
    """The times that a clock has counted up to the last line, and who has the turn since then.

    `since` is the time of that line, None if it is not known. `seat` has the turn, "" if nobody alone has it.
    """

    times: TurnTimes = TurnTimes()
    since: datetime | None = None
    seat: str = ""
    is_running: bool = False

    def at(self, now: datetime) -> TurnTimes:
        """Return what the clock has counted at a time, as its table has it on screen."""
        if not self.is_running or self.since is None or not timedelta() <= now - self.since <= LONGEST_TURN:
            return self.times
        return _with_time(self.times, self.seat, int((now - self.since).total_seconds()))

    def after(self, game: Game, state: Any, at: datetime | None) -> RunningClock:
        """Return the clock after one more line, which leads to a state and was entered at a time."""
        times = _with_stretch(self.times, self.seat, self.since, at) if self.is_running else self.times
        has_turns = state.clock is not None and state.outcome is None
        return RunningClock(times, at, seat_on_turn(game, state) if has_turns else "", is_running(game, state))


ReadClock = tuple[Moment, RunningClock | None]
"""A clock as it was read before, and the moment up to which it was."""


def read_clock(
    game: Game, head: Moment, lines: Sequence[Line], earlier: ReadClock | None = None
) -> RunningClock | None:
    """Return the clock of a table at a moment; `lines` are those of its log. None if nobody has asked for one.

    If only a few lines follow on the moment of an `earlier` reading, it goes on from there.
    """
    last = (head.gap.before or head) if head.gap else head
    if last.state.clock is None:
        return None
    before, clock = earlier or (None, None)
    new = [*islice(takewhile(lambda moment: moment is not before, last.past()), _FEW)]
    if clock is None or not new or new[-1].before is not before:
        clock, new = RunningClock(), [*last.past()]
    moments = new[::-1]
    for moment, at in zip(moments, _entry_times(moments, lines), strict=True):
        clock = clock.after(game, moment.state, at)
    return clock


def clock_times(game: Game, head: Moment, lines: Sequence[Line]) -> TurnTimes | None:
    """Return what the clock of a table has counted up to a moment; None if nothing is known of it."""
    clock = read_clock(game, head, lines)
    return clock.times if clock is not None and (clock.times.table or clock.times.gaps) else None


def is_running(game: Game, state: Any) -> bool:
    """Return True if the clock of a table counts now: it is not paused, and the game goes on."""
    return state.clock is not None and state.clock.is_running and game.display.is_under_way(state)


def seat_on_turn(game: Game, state: Any) -> str:
    """Return the seat whose turn it is; "" if nobody alone has it."""
    display = game.display
    return next((one.seat for one in display.people(state) if "active" in display.flags(state, one)), "")


def _entry_times(moments: Sequence[Moment], lines: Sequence[Line]) -> list[datetime | None]:
    """Return the times at which lines were entered; an inserted line gets that of the line that follows it."""
    times: list[datetime | None] = []
    following: Moment | None = None
    for moment in reversed(moments):
        at = lines[moment.number - 1].at if moment.number <= len(lines) else ""
        is_inserted = following is not None and moment.number > following.number
        times.append(times[-1] if is_inserted else datetime.fromisoformat(at) if at else None)
        following = following if is_inserted else moment
    return times[::-1]


def _with_stretch(times: TurnTimes, seat: str, since: datetime | None, until: datetime | None) -> TurnTimes:
    """Return the times with those of a seat between two lines; one that nobody can know is a gap."""
    if since is None or until is None or not timedelta() <= until - since <= LONGEST_TURN:
        return msgspec.structs.replace(times, gaps=times.gaps + 1)
    return _with_time(times, seat, int((until - since).total_seconds()))


def _with_time(times: TurnTimes, seat: str, seconds: int) -> TurnTimes:
    if not seconds:
        return times
    own = {**times.seconds, seat: times.seconds.get(seat, 0) + seconds} if seat else times.seconds
    return msgspec.structs.replace(times, table=times.table + seconds, seconds=own)
