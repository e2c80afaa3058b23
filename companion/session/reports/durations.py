"""A quiet clock: the time that the round and the evening have taken so far, from the times of the lines.

It is separate, as nothing at the table depends on it. It limits no time and makes no announcements.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from companion.session.core.evenings import PAUSE, entered_at, evening_began
from companion.session.core.moments import Moment
from companion.session.core.session import Session
from templates.languages.dates import duration
from templates.languages.messages import Text, joined, phrase


class Elapsed(msgspec.Struct, frozen=True):
    """The time that the evening has taken, and the current round, turn, or whatever the table counts.

    `counted` is the name of that round, such as `Round 3`; "" if the table counts nothing yet.
    """

    evening: timedelta
    counted: Text = ""
    round: timedelta = timedelta()

    @property
    def parts(self) -> tuple[Text, ...]:
        """The times as text, such as `Round 3: 12 min`, `evening: 1 h 40 min`."""
        # Translators: {round} is such as “Round 3”.
        of_round = phrase("{round}: {duration}", round=self.counted, duration=duration(self.round))
        of_evening = phrase("evening: {duration}", duration=duration(self.evening))
        return (of_round, of_evening) if self.counted else (of_evening,)

    @property
    def short(self) -> Text:
        """The time of the round, or of the evening before anything is counted."""
        return self.parts[0]


class Clock:
    """The clock of one screen. It caches the moments of the current round, so that reading it is cheap."""

    def __init__(self) -> None:
        self._counts: dict[Moment, int | None] = {}

    def read(self, session: Session, now: datetime) -> Elapsed | None:
        """Return the elapsed time at `now`; None after a long pause. It stops once the game is over."""
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
        return Elapsed(now - began, joined(" ", (counter.caption, counter.figure)), now - since)

    def _round(self, session: Session) -> datetime | None:
        """Return the time of the line with which the current count began."""
        earlier, self._counts = self._counts, {}
        first: Moment | None = None
        times: list[datetime] = []
        for moment in session.log.position.head.past():
            count = earlier[moment] if moment in earlier else session.game.display.current_count(moment.state)
            if first is not None and count != self._counts[first]:
                break
            self._counts[moment], first = count, moment
            at = entered_at(session.log.lines[moment.number - 1])
            times += [] if at is None else [at]
        # An inserted line precedes lines that were entered earlier.
        return min(times, default=None)
