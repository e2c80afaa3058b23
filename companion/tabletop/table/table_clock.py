"""The clock of a table: whether it runs, and the time that each seat has of its own.

It is part of the state, as lines start and stop it. How long anything takes follows from the times of the lines and is
no part of the state, so that a log replays the same at any time; see `companion.session.core.clock_times`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.notation.arguments import CLOCK_WORDS
from companion.tabletop.table.common_actions import EACH, SetClock
from companion.tabletop.table.state import Resolution, TableClock, at_seat
from templates.languages.messages import Message, phrase, phrases


class TurnTimes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The time that the clock of a table has counted, in whole seconds.

    `seconds` is that of each seat while it had the turn, and `table` that of all turns, including those of nobody.
    `gaps` is the number of stretches in which it ran, but for which the time is not known.
    """

    table: int = 0
    seconds: dict[str, int] = {}
    gaps: int = 0


def set_clock(resolution: Resolution[Any], action: SetClock, people: Sequence[Any]) -> None:
    """Start, stop or set the clock of a table. Raises RuleError if it is in that state already, or the game is over."""
    state = resolution.state
    if state.outcome is not None:
        raise RuleError(phrase("The game is over, and with it the clock."))
    clock = state.clock or TableClock()
    if action.minutes is not None and action.what in CLOCK_WORDS:
        raise RuleError(phrase("`clock {word}` takes no minutes; `clock SEAT 25` does.", word=action.what))
    match action.what:
        case "up":
            text = _start(resolution, clock)
        case "pause":
            text = _pause(resolution, clock)
        case "go":
            text = _go_on(resolution, clock)
        case "off":
            text = _switch_off(resolution, clock)
        case _:
            text = _give_time(resolution, clock, action, people)
    resolution.tell(text)


def _start(resolution: Resolution[Any], clock: TableClock) -> Message:
    if clock.is_on:
        raise RuleError(
            phrase("The clock counts already; `clock pause` stops it, and `clock off` ends it.")
            if clock.is_running
            else phrase("The clock is paused; `clock go` lets it go on.")
        )
    resolution.change(clock=msgspec.structs.replace(clock, is_on=True, is_running=True))
    return phrase("From now on the clock counts the time of the table and of each turn.")


def _pause(resolution: Resolution[Any], clock: TableClock) -> Message:
    if not clock.is_running:
        raise RuleError(
            phrase("The clock is paused already; `clock go` lets it go on.") if clock.is_on else _no_clock_yet()
        )
    resolution.change(clock=msgspec.structs.replace(clock, is_running=False))
    return phrase("The clock is paused.")


def _go_on(resolution: Resolution[Any], clock: TableClock) -> Message:
    if clock.is_running or not clock.is_on:
        raise RuleError(phrase("The clock is running already.") if clock.is_on else _no_clock_yet())
    resolution.change(clock=msgspec.structs.replace(clock, is_running=True))
    return phrase("The clock goes on.")


def _switch_off(resolution: Resolution[Any], clock: TableClock) -> Message:
    if not clock.is_on:
        raise RuleError(_no_clock_yet())
    resolution.change(clock=TableClock())
    return phrase("The clock is off; what it has counted is kept.")


def _give_time(resolution: Resolution[Any], clock: TableClock, action: SetClock, people: Sequence[Any]) -> Message:
    """Give one seat or each one a time of its own for the whole game; 0 takes it away."""
    is_each = action.what == EACH and all(person.seat != EACH for person in people)
    named = people if is_each else (at_seat(people, action.what),)
    if action.minutes is None:
        raise RuleError(phrase("Say how many minutes: `clock {seat} 25`; with 0, there is no limit.", seat=action.what))
    others = {seat: minutes for seat, minutes in clock.minutes.items() if all(seat != each.seat for each in named)}
    minutes = others | ({each.seat: action.minutes for each in named} if action.minutes else {})
    is_running = clock.is_running or not clock.is_on
    resolution.change(clock=TableClock(is_on=True, is_running=is_running, minutes=minutes))
    if not action.minutes:
        if is_each:
            return phrase("Nobody has a time of their own any more.")
        return phrase("{player} has no time of their own any more.", player=named[0].name)
    if is_each:
        return phrases(
            "Everybody has {n} minute for all turns together.",
            "Everybody has {n} minutes for all turns together.",
            n=action.minutes,
        )
    return phrases(
        "{player} has {n} minute for all turns together.",
        "{player} has {n} minutes for all turns together.",
        n=action.minutes,
        player=named[0].name,
    )


def _no_clock_yet() -> Message:
    return phrase("No clock counts here; `clock up` starts one.")
