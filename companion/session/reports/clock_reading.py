"""The clock of a table as screens show it: the time of each player's turns, and what is left of a time of their own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, Literal, NamedTuple

import msgspec

from companion.session.core.session import Session
from companion.tabletop.table.common_actions import SetClock
from templates.languages.messages import Text, joined, phrase, phrases

LOW: Final = 60
"""Seconds of a time of one's own from which on a screen warns."""


class SeatClock(NamedTuple):
    """The time of a player's turns in seconds, and what is `left` of a time of their own; None without one."""

    seat: str
    name: str
    seconds: int
    left: int | None = None
    has_turn: bool = False

    @property
    def standing(self) -> Literal["", "low", "bad"]:
        """The standing of a time of their own: little or nothing is left."""
        if self.left is None or self.left > LOW:
            return ""
        return "low" if self.left > 0 else "bad"

    @property
    def figure(self) -> Text:
        """The time that is left, if they have one of their own, else what their turns have taken: `12:04`."""
        if self.left is None:
            return write_time(self.seconds)
        if self.left >= 0:
            return phrase("{time} left", time=write_time(self.left))
        return phrase("{time} over", time=write_time(-self.left))

    @property
    def text(self) -> Text:
        """The player with that time."""
        return joined(" ", (self.name, self.figure))

    @property
    def sentence(self) -> Text:
        """The time of the player's turns, and what is left of a time of their own, as a sentence."""
        if self.left is None:
            return phrase("{player}'s turns: {time}.", player=self.name, time=write_time(self.seconds))
        if self.left >= 0:
            return phrase(
                "{player}'s turns: {time}, {left} left.",
                player=self.name,
                time=write_time(self.seconds),
                left=write_time(self.left),
            )
        return phrase(
            "{player}'s turns: {time}, {over} more than agreed.",
            player=self.name,
            time=write_time(self.seconds),
            over=write_time(-self.left),
        )


class ClockReading(msgspec.Struct, frozen=True):
    """The times that a clock shows at one moment.

    `table` is the time of the table in seconds, `is_running` if it counts now, `is_paused` if somebody has paused it,
    and `gaps` the number of stretches whose time is not known. `is_on` is False after somebody has ended it, and
    `is_over` True once the game is over.
    """

    seats: tuple[SeatClock, ...]
    table: int
    is_running: bool
    is_paused: bool
    gaps: int = 0
    is_on: bool = True
    is_over: bool = False

    @property
    def warning(self) -> Text:
        """The sentence on the player whose turn it is, if little or nothing is left of their time; else ""."""
        return next((each.sentence for each in self.seats if each.has_turn and each.standing), "")

    @property
    def is_urgent(self) -> bool:
        """Return True if little or nothing is left of the time of the player whose turn it is."""
        return any(each.has_turn and each.standing for each in self.seats)

    @property
    def parts(self) -> tuple[Text, ...]:
        """The times as short texts: each player, the table, and a pause."""
        return (*(each.text for each in self.seats), self._of_table, *self._remarks)

    @property
    def of_seats(self) -> tuple[Text, ...]:
        """The times of the players alone, and a pause; that of the table if there are none."""
        return (*(each.text for each in self.seats), *self._remarks) if self.seats else self.parts

    @property
    def brief(self) -> Text:
        """The time of the player whose turn it is, else that of the table."""
        whose = next((each.text for each in self.seats if each.has_turn), self._of_table)
        return joined(" · ", (whose, *self._remarks))

    @property
    def _of_table(self) -> Text:
        return phrase("table {time}", time=write_time(self.table))

    @property
    def _remarks(self) -> tuple[Text, ...]:
        return (phrase("paused"),) if self.is_paused else ()

    @property
    def sentences(self) -> Iterator[Text]:
        """Yield all of it as sentences."""
        yield from (each.sentence for each in self.seats)
        yield phrase("The table: {time}.", time=write_time(self.table))
        if self.gaps:
            yield phrases(
                "For {n} stretch nobody knows the time.", "For {n} stretches nobody knows the time.", n=self.gaps
            )
        if self.is_paused:
            yield phrase("The clock is paused; `clock go` lets it go on.")


def read_clock_of(session: Session, now: datetime) -> ClockReading | None:
    """Return what the clock of a table shows now; None if it has none, or has ended it."""
    reading = read_counted_times(session, now)
    return reading if reading is not None and reading.is_on else None


def read_counted_times(session: Session, now: datetime) -> ClockReading | None:
    """Return what the clock of a table has counted, also after somebody has ended it; None if it never had one."""
    clock, running = session.log.state.clock, session.log.running_clock()
    if clock is None or running is None:
        return None
    times, view = running.at(now), session.view()
    seats = tuple(
        SeatClock(
            seat.seat,
            seat.name,
            times.seconds.get(seat.seat, 0),
            clock.minutes[seat.seat] * 60 - times.seconds.get(seat.seat, 0) if seat.seat in clock.minutes else None,
            seat.seat == running.seat,
        )
        for seat in view.seats
        if seat.seat in times.seconds or seat.seat in clock.minutes or seat.seat == running.seat
    )
    is_over = view.outcome is not None
    is_paused = clock.is_on and not clock.is_running and not is_over
    return ClockReading(seats, times.table, running.is_running, is_paused, times.gaps, clock.is_on, is_over)


def has_clock(session: Session) -> bool:
    """Return True if the lines of a table's clock mean the same as at other tables."""
    return SetClock in session.game.actions


def describe_clock(reading: ClockReading | None) -> Iterator[Text]:
    """Yield sentences on what the clock shows, or on what can be counted if there is none."""
    if reading is None:
        yield phrase(
            "No clock counts here. `clock up` counts the time of each turn; `clock ana 25` gives Ana 25 minutes for "
            "all her turns, `clock each 25` everybody; `clock 90` gives each turn 90 seconds."
        )
        return
    yield from reading.sentences
    if reading.is_over:
        return
    if not reading.is_on:
        yield phrase("The clock is off; `clock up` goes on counting.")
    elif not reading.is_paused:
        yield phrase("`clock pause` stops the clock, `clock off` ends it.")


def toggle_clock(session: Session) -> SetClock | None:
    """Return the action that pauses a running clock or lets a paused one go on; None if there is none."""
    clock = session.log.state.clock
    if clock is None or not clock.is_on or session.log.state.outcome is not None:
        return None
    return SetClock("pause" if clock.is_running else "go")


def write_time(seconds: int) -> str:
    """Return a time as `4:05` or `1:04:05`."""
    minutes, rest = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
