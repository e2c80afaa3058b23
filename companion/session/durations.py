"""A quiet clock: how long the round and the evening have taken so far, from the times at which lines were entered.

Separate, as nothing at the table depends on it. It counts nobody down and says nothing by itself.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from companion.session.evenings import PAUSE, entered_at, evening_began, span
from companion.session.log import Moment
from companion.session.session import Session


class Elapsed(msgspec.Struct, frozen=True):
    """How long the evening has taken, and of it the present round (or turn, or whatever the table counts).

    `counted` is that round by its name, as `Round 3`; "" where the table counts nothing yet.
    """

    evening: timedelta
    counted: str = ""
    round: timedelta = timedelta()

    @property
    def parts(self) -> tuple[str, ...]:
        """`Round 3: 12 min`, `evening: 1 h 40 min`."""
        of_round = (f"{self.counted}: {span(self.round)}",) if self.counted else ()
        return (*of_round, f"evening: {span(self.evening)}")

    @property
    def short(self) -> str:
        """`Round 3: 12 min`; before anything is counted, `evening: 1 h 40 min`."""
        return self.parts[0]


class Clock:
    """The clock of one screen. It remembers the moments of the present round, so that a look costs next to nothing."""

    def __init__(self) -> None:
        self._counts: dict[Moment, int | None] = {}

    def read(self, session: Session, now: datetime) -> Elapsed | None:
        """How long it has taken at `now`; None where nobody has played for long. Once a game is over, it stands."""
        times = [at for line in session.log.lines if (at := entered_at(line)) is not None]
        if not times:
            return None
        if session.view().outcome:
            now = times[-1]
        if now - times[-1] > PAUSE:
            return None
        began = evening_began(times)
        counter = session.view().count
        if counter is None or not counter.value:
            return Elapsed(now - began)
        since = max(self._round(session) or began, began)
        return Elapsed(now - began, f"{counter.caption} {counter.figure}", now - since)

    def _round(self, session: Session) -> datetime | None:
        """When the line was entered with which the present count began."""
        earlier, self._counts = self._counts, {}
        first: Moment | None = None
        times: list[datetime] = []
        for moment in session.log.position.head.past():
            count = earlier[moment] if moment in earlier else session.game.current_count(moment.state)
            if first is not None and count != self._counts[first]:
                break
            self._counts[moment], first = count, moment
            at = entered_at(session.log.lines[moment.number - 1])
            times += [] if at is None else [at]
        # What was inserted stands before what was entered earlier.
        return min(times, default=None)
