"""Tables of ready games with the most seats and the largest figures, so that a figure that is cut reads as another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Final

from companion.archive import Archive
from companion.session.core import archive_journal
from companion.session.core.session import Session
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.table.table import Counter, TableView
from tests.games.described import pages

NAMES: Final = ("ana", "benedikt", "cleo", "dora", "emil", "fay", "gustav", "hildegard")
_LARGEST: Final = 99_989
_STEP: Final = 61
_SMALL: Final = (8, 5, 3, 1)
"""Figures that are no beginning of a large one."""
_NUMBER: Final = re.compile(r"[−-]?\d+")


def extreme_table(archive: Archive, game: str) -> str:
    """A table of a ready game, with the most seats, and every figure as large as its page allows, or as far below 0.

    All large ones begin with 9 and have five digits, and no two are equal.
    """
    session = archive_journal.start(archive, game)
    _, _, most = pages.ready(game).description.play.players.rpartition("-")
    for line in (*(f"seat {seat}" for seat in NAMES[: int(most)]), "first ana", "begin seed 1"):
        with suppress(RuleError, NotationError):  # where all play together, nobody is first
            session.enter(line)
    numbers = count(_LARGEST, -_STEP)
    view = session.view()
    owners = [*((s.seat, s.counters) for s in view.seats), ("table", view.counters)]
    owners += [(thing.target, thing.counters) for thing in view.things()]
    for at, (target, counters) in enumerate(owners):
        for counter in counters:
            if counter.number is not None and counter.settable and counter.name != "round":
                _set_extreme(session, target, counter, next(numbers) * (-1 if at % 2 else 1))
    return session.id


def _set_extreme(session: Session, target: str, counter: Counter, number: int) -> None:
    """Set a figure to the first value that the page allows and that puts nobody out."""
    for value in (number, -number, *_SMALL):
        with suppress(RuleError, NotationError):
            session.enter(f"set {target} {counter.name} {value}")
            view = session.view()
            if view.outcome is None and not any(seat.is_out for seat in view.seats):
                return
            session.enter("undo")


def visible_counters(view: TableView) -> Iterator[Counter]:
    """All figures of a table that a screen should show."""
    counters = (*(seat.counters for seat in view.seats), *(thing.counters for thing in view.things()))
    yield from (c for each in counters for c in each if c.is_visible and c.number is not None)


def wrong_numbers(view: TableView, text: str) -> set[str]:
    """The numbers of a text that are no figures of the table, as one that was cut."""
    counters = [*view.counters, *visible_counters(view), *(c for seat in view.seats for c in seat.counters)]
    figures = {str(c.figure) for c in counters if c.number is not None}
    tops = {str(c.top) for c in counters if c.top}
    seats = {str(number) for number in range(1, len(view.seats) + 1)}
    others = set(_NUMBER.findall(str(view.match)))
    zones = (*view.zones, *(zone for seat in view.seats for zone in seat.zones))
    others |= {number for zone in zones for number in _NUMBER.findall(str(zone.title))}
    return {number.replace("-", "−") for number in _NUMBER.findall(text)} - figures - tops - seats - others
