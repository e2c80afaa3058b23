"""Which counter `+` and `-` would change: the chosen seat or thing, and one of its counters. Knows no widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.table import Counter, TableView
from companion.tui import drawing


class Choice(NamedTuple):
    """A target and the name of one of its counters; both "" where nothing is chosen."""

    target: str = ""
    counter: str = ""


NOTHING = Choice()


def changeable(view: TableView, target: str) -> tuple[Counter, ...]:
    """The counters of a target that keys can change, the big ones first."""
    of = [c for c in view.counters_of(target) or () if c.settable and drawing.number(c) is not None]
    return tuple(sorted(of, key=lambda counter: not counter.big))


def choosable(view: TableView) -> tuple[str, ...]:
    """The seats, then the things in the middle: everything with a counter that keys can change."""
    targets = [*(seat.seat for seat in view.seats), *(thing.target for zone in view.zones for thing in zone.things)]
    return tuple(target for target in targets if changeable(view, target))


def numbered(view: TableView, number: int) -> Choice:
    """The seat with this number, clockwise from 1; 0 is the first thing in the middle."""
    if number == 0:
        targets: Sequence[str] = [thing.target for zone in view.zones for thing in zone.things][:1]
    else:
        targets = [seat.seat for seat in view.seats][number - 1 : number]
    return on(view, targets[0]) if targets else NOTHING


def on(view: TableView, target: str, counter: str = "") -> Choice:
    """A target with this counter, where it has it, else with its first one."""
    names = [c.name for c in changeable(view, target)]
    return Choice(target, counter if counter in names else names[0]) if names else NOTHING


def beside(view: TableView, choice: Choice, by: int) -> Choice:
    """The target that comes `by` places after the chosen one."""
    targets = choosable(view)
    if not targets:
        return NOTHING
    if choice.target not in targets:
        return on(view, targets[0 if by > 0 else -1])
    return on(view, targets[(targets.index(choice.target) + by) % len(targets)], choice.counter)


def other_counter(view: TableView, choice: Choice) -> Choice:
    """The same target with its next counter."""
    names = [c.name for c in changeable(view, choice.target)]
    return Choice(choice.target, names[(names.index(choice.counter) + 1) % len(names)]) if names else NOTHING


def title(view: TableView, choice: Choice) -> str:
    """What people call the chosen counter."""
    found = (c for c in view.counters_of(choice.target) or () if c.name == choice.counter)
    return next((drawing.title_of(c) for c in found), "")


def name(view: TableView, choice: Choice) -> str:
    """What people call the chosen target."""
    names = {seat.seat: seat.name for seat in view.seats} | {thing.target: thing.title for thing in view.things()}
    return names.get(choice.target, choice.target)
