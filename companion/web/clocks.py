"""The clock of a table on pages: the times up to the last line, from which a page counts on by itself."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from companion.session.core.session import Session
from companion.session.reports.clock_reading import ClockReader, SeatClock, has_clock
from companion.tabletop.action import RuleError
from companion.tabletop.table.common_actions import Clock
from companion.web.phones import Audience
from templates.languages.messages import Message, phrase


class TimeOnPage(NamedTuple):
    """The time of a player's turns: `seconds` up to the last line, and since then from `since` on, in ms since 1970.

    `of` are the seconds of a time of their own, 0 without one; `since` is 0 while others have the turn. `clock` is the
    same when the page is made.
    """

    name: str
    seconds: int
    of: int
    since: int
    clock: SeatClock


class ClockOnPage(NamedTuple):
    """The clock of a table with the time of each player."""

    times: tuple[TimeOnPage, ...]
    is_paused: bool


class ClockButton(NamedTuple):
    """A button for the clock: what it does in a line, and in words."""

    what: str
    text: Message


def show_clock(session: Session) -> ClockOnPage | None:
    """Return the clock of a table for its pages; None if it has none."""
    reader = ClockReader()
    reading = reader.read(session, datetime.now(UTC))
    if reading is None:
        return None
    running = reader.running(session)
    since = int(running.since.timestamp() * 1000) if running.since else 0
    minutes = session.log.state.clock.minutes
    times = (
        TimeOnPage(
            each.name,
            running.times.seconds.get(each.seat, 0),
            minutes.get(each.seat, 0) * 60,
            since if each.has_turn else 0,
            each,
        )
        for each in reading.seats
    )
    return ClockOnPage(tuple(times), reading.is_paused)


def clock_buttons(session: Session, audience: Audience) -> tuple[ClockButton, ...]:
    """Return the buttons by which somebody can start, pause and end the clock now; all who may act can."""
    if not audience.notes() or not has_clock(session):
        return ()
    buttons = (
        ClockButton("up", phrase("Count the time of each turn")),
        ClockButton("pause", phrase("Pause the clock")),
        ClockButton("go", phrase("Let the clock go on")),
        ClockButton("off", phrase("End the clock")),
    )
    return tuple(button for button in buttons if _is_accepted(session, button.what))


def _is_accepted(session: Session, what: str) -> bool:
    try:
        session.preview(Clock(what))
    except RuleError:
        return False
    return True
