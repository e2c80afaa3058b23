"""Which counter keys and clicks would change at one screen, and by how much: presses within a moment are one change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.tabletop.common_actions import Add
from companion.tabletop.notation import write
from companion.tabletop.table import Counter, TableView


class Tally:
    """A change of a counter that is still being keyed in. Nothing of it holds before it is entered.

    `number` is what was typed behind the last sign, None as long as nothing was.
    """

    def __init__(self, target: str, counter: str) -> None:
        self.target = target
        self.counter = counter
        self.number: int | None = None
        self._presses = 0
        self._sign = 1

    def press(self, sign: int, step: int = 1) -> None:
        """One more `+` (1) or `−` (−1), by so much."""
        self._presses += sign * step
        self._sign = sign

    @property
    def amount(self) -> int:
        """The change so far."""
        return self._presses if self.number is None else self._sign * self.number


class Selected(NamedTuple):
    """A target and the name of one of its counters; both "" where nothing is chosen."""

    target: str = ""
    counter: str = ""


NOTHING = Selected()


class Selection:
    """The chosen counter of one screen, and the tally that is being keyed in on it (None where none is)."""

    def __init__(self, view: Callable[[], TableView]) -> None:
        self._view = view
        self._chosen = NOTHING
        self.tally: Tally | None = None

    @property
    def chosen(self) -> Selected:
        """What is chosen, as far as it is still there."""
        return NOTHING if self._chosen == NOTHING else on(self._view(), *self._chosen)

    def choose(self, target: str) -> bool:
        """Choose a seat or a thing; False where nothing of it can be changed by keys."""
        return self._choose(on(self._view(), target))

    def move(self, by: int) -> bool:
        """Choose what comes `by` places after the chosen seat or thing; False where there is nothing to choose."""
        return self._choose(beside(self._view(), self.chosen, by))

    def move_counter(self, by: int) -> bool:
        """Choose the counter `by` places after the chosen one, of the same seat or thing; False where none is."""
        return self._choose(other_counter(self._view(), self.chosen, by))

    def _choose(self, target: Selected) -> bool:
        if target != NOTHING:
            self._chosen = target
        return target != NOTHING

    def press(self, sign: int, *, large: bool = False) -> bool:
        """More (1) or less (−1) of the chosen counter, by its usual step or a `large` one; False where none is
        chosen.
        """
        if self.chosen == NOTHING:
            return False
        if self.tally is None:
            self.tally = Tally(*self.chosen)
        usual, *others = chosen_counter(self._view(), self.chosen).steps
        self.tally.press(sign, next(iter(others), usual) if large else usual)
        return True

    def take_tally(self) -> Tally | None:
        """The change that was keyed in, which ends with this; None where there was none."""
        tally, self.tally = self.tally, None
        return tally

    def let_go(self) -> None:
        """Drop the change that is keyed in, else choose nothing."""
        if self.take_tally() is None:
            self._chosen = NOTHING

    @property
    def title(self) -> str:
        """What people call the chosen counter."""
        return counter_title(self._view(), self.chosen)

    @property
    def name(self) -> str:
        """What people call the chosen seat or thing."""
        view = self._view()
        names = {seat.seat: seat.name for seat in view.seats} | {thing.target: thing.title for thing in view.things()}
        return names.get(self.chosen.target, self.chosen.target)


def as_action(tally: Tally) -> Add:
    """The action that a tally stands for."""
    return Add(tally.target, tally.counter, tally.amount)


def as_text(tally: Tally) -> str:
    """A tally as the line behind which it can be said why."""
    return f"{write(as_action(tally))} "


def changeable(view: TableView, target: str) -> tuple[Counter, ...]:
    """The counters of a target that keys can change, its life and the big ones first."""
    of = [c for c in view.counters_of(target) or () if c.settable and c.number is not None]
    return tuple(sorted(of, key=lambda counter: (not counter.life, not counter.big)))


def life_figure(view: TableView, target: str) -> str:
    """The counter that a target's name alone means: its life; else what is read from afar, else the only one."""
    of = changeable(view, target)
    return of[0].name if len(of) == 1 or (of and (of[0].life or of[0].big)) else ""


def choosable(view: TableView) -> tuple[str, ...]:
    """The seats, the things in the middle, then those before the seats: all that has a counter keys can change."""
    zones = (*view.zones, *(zone for seat in view.seats for zone in seat.zones))
    targets = (*(seat.seat for seat in view.seats), *(thing.target for zone in zones for thing in zone.things))
    return tuple(target for target in targets if changeable(view, target))


def numbered(view: TableView, number: int) -> Selected:
    """The seat with this number, clockwise from 1; 0 is the first thing in the middle."""
    if number == 0:
        targets = [thing.target for zone in view.zones for thing in zone.things][:1]
    else:
        targets = [seat.seat for seat in view.seats][number - 1 : number]
    return on(view, targets[0]) if targets else NOTHING


def on(view: TableView, target: str, counter: str = "") -> Selected:
    """A target with this counter, where it has it, else with its first one."""
    names = [c.name for c in changeable(view, target)]
    return Selected(target, counter if counter in names else names[0]) if names else NOTHING


def beside(view: TableView, chosen: Selected, by: int) -> Selected:
    """The target that comes `by` places after the chosen one."""
    targets = choosable(view)
    if not targets:
        return NOTHING
    if chosen.target not in targets:
        return on(view, targets[0 if by > 0 else -1])
    return on(view, targets[(targets.index(chosen.target) + by) % len(targets)], chosen.counter)


def other_counter(view: TableView, chosen: Selected, by: int = 1) -> Selected:
    """The same target with the counter `by` places after the chosen one."""
    names = [c.name for c in changeable(view, chosen.target)]
    return Selected(chosen.target, names[(names.index(chosen.counter) + by) % len(names)]) if names else NOTHING


def counter_title(view: TableView, chosen: Selected) -> str:
    """What people call a counter."""
    return chosen_counter(view, chosen).caption if chosen.counter else ""


def chosen_counter(view: TableView, chosen: Selected) -> Counter:
    """The counter that is chosen. Raises LookupError where it is gone."""
    return next(c for c in view.counters_of(chosen.target) or () if c.name == chosen.counter)
