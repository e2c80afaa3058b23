"""The counter that keys and clicks change at one screen; presses in quick succession make one change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from companion.tabletop.notation.notation import write
from companion.tabletop.table.common_actions import Add
from companion.tabletop.table.table import Counter, TableView
from companion.tabletop.words import title_of_word
from templates.languages.messages import Text, joined

_LARGE: Final = 5
"""Usual steps in a large one, if the game has no other."""


class CounterEntry:
    """A change of a counter that is being keyed in. It takes effect only once it is entered.

    `number` was typed after the last sign; None if nothing was.
    """

    def __init__(self, target: str, counter: str) -> None:
        self.target = target
        self.counter = counter
        self.number: int | None = None
        self._presses = 0
        self._sign = 1

    def press(self, sign: int, step: int = 1) -> None:
        """Add one press of `+` (1) or `−` (−1), by `step`."""
        self._presses += sign * step
        self._sign = sign

    @property
    def amount(self) -> int:
        """The change so far."""
        return self._presses if self.number is None else self._sign * self.number


class Selected(NamedTuple):
    """A target and the name of one of its counters, "" if keys can change none; both "" if nothing is selected."""

    target: str = ""
    counter: str = ""


NOTHING = Selected()


class Selection:
    """The selected counter of one screen, and the tally that is being keyed in on it, or None."""

    def __init__(self, view: Callable[[], TableView]) -> None:
        self._view = view
        self._chosen = NOTHING
        self.tally: CounterEntry | None = None

    @property
    def chosen(self) -> Selected:
        """The selected counter, as far as it still exists."""
        return NOTHING if self._chosen == NOTHING else on(self._view(), *self._chosen)

    def choose(self, target: str) -> bool:
        """Select a seat or a thing; return False if keys can change none of its counters."""
        return self._choose(on(self._view(), target))

    def move(self, by: int) -> bool:
        """Select the target `by` places after the selected one; return False if there is none."""
        return self._choose(beside(self._view(), self.chosen, by))

    def move_counter(self, by: int) -> bool:
        """Select the counter `by` places after the selected one, of the same target; return False if there is none."""
        return self._choose(other_counter(self._view(), self.chosen, by))

    def _choose(self, target: Selected) -> bool:
        if target != NOTHING:
            self._chosen = target
        return target != NOTHING

    def press(self, sign: int, *, large: bool = False) -> bool:
        """Increase (1) or decrease (−1) the selected counter by its usual step, or a `large` one.

        Returns False if nothing is selected.
        """
        if not self.chosen.counter:
            return False
        if self.tally is None:
            self.tally = CounterEntry(*self.chosen)
        usual, *others = chosen_counter(self._view(), self.chosen).steps
        self.tally.press(sign, next(iter(others), _LARGE * usual) if large else usual)
        return True

    def take_tally(self) -> CounterEntry | None:
        """Return the change that was keyed in and end it; None if there is none."""
        tally, self.tally = self.tally, None
        return tally

    def let_go(self) -> None:
        """Drop the change that is being keyed in, else the selection."""
        if self.take_tally() is None:
            self._chosen = NOTHING

    @property
    def title(self) -> Text:
        """The display name of the selected counter."""
        return counter_title(self._view(), self.chosen)

    @property
    def name(self) -> Text:
        """The display name of the selected seat or thing."""
        view = self._view()
        names: dict[str, Text] = {seat.seat: seat.name for seat in view.seats}
        names |= {thing.target: thing.title for thing in view.things()}
        return names.get(self.chosen.target, self.chosen.target)


def as_action(tally: CounterEntry) -> Add:
    """Return the action that a tally stands for."""
    return Add(tally.target, tally.counter, tally.amount)


def as_text(tally: CounterEntry) -> str:
    """Return a tally as the beginning of a line, after which a reason can be typed."""
    return f"{write(as_action(tally))} "


def changeable(view: TableView, target: str) -> tuple[Counter, ...]:
    """Return the counters of a target that keys can change, its life and the big ones first."""
    of = [c for c in view.counters_of(target) or () if c.settable and c.number is not None]
    return tuple(sorted(of, key=lambda counter: (not counter.life, not counter.big)))


def is_choosable(view: TableView, target: str) -> bool:
    """Return True if players can change anything of a target, and so may want to read all of it."""
    return any(counter.settable for counter in view.counters_of(target) or ())


def facts_of(view: TableView, target: str) -> tuple[Text, ...]:
    """Return everything about a target, even what a screen has no room for: figures, flags, keywords."""
    counters = [c for c in view.counters_of(target) or () if (c.is_visible or c.is_minor) and c.says_something]
    figures = [
        c.caption if c.value is True else joined(" ", (c.caption, c.figure if c.top is None else f"{c.figure}/{c.top}"))
        for c in counters
    ]
    flags: tuple[Text, ...] = next((seat.flags for seat in view.seats if seat.seat == target), ())
    values = {str(c.caption if c.value is True else c.figure) for c in counters if c.number is None}
    words = next((thing.words for thing in view.things() if thing.target == target), ())
    return (*figures, *(word for word in (*map(title_of_word, flags), *words) if str(word) not in values))


def life_figure(view: TableView, target: str) -> str:
    """Return the counter that a target's name alone means: its life, else a big one, else the only one; "" if none."""
    of = changeable(view, target)
    return of[0].name if len(of) == 1 or (of and (of[0].life or of[0].big)) else ""


def choosable(view: TableView) -> tuple[str, ...]:
    """Return the seats, the things in the middle, and those of the seats of which players can change something."""
    zones = (*view.zones, *(zone for seat in view.seats for zone in seat.zones))
    targets = (*(seat.seat for seat in view.seats), *(thing.target for zone in zones for thing in zone.things))
    return tuple(target for target in targets if is_choosable(view, target))


def select_seat(view: TableView, number: int) -> Selected:
    """Return the seat with this number, clockwise from 1; 0 is the first thing in the middle."""
    if number == 0:
        targets = [thing.target for zone in view.zones for thing in zone.things][:1]
    else:
        targets = [seat.seat for seat in view.seats][number - 1 : number]
    return on(view, targets[0]) if targets else NOTHING


def on(view: TableView, target: str, counter: str = "") -> Selected:
    """Return a target with this counter if it has it, else with its first one, or with none if keys can change none."""
    names = [c.name for c in changeable(view, target)]
    if not names:
        return Selected(target) if is_choosable(view, target) else NOTHING
    return Selected(target, counter if counter in names else names[0])


def beside(view: TableView, chosen: Selected, by: int) -> Selected:
    """Return the target `by` places after the selected one."""
    targets = choosable(view)
    if not targets:
        return NOTHING
    if chosen.target not in targets:
        return on(view, targets[0 if by > 0 else -1])
    return on(view, targets[(targets.index(chosen.target) + by) % len(targets)], chosen.counter)


def other_counter(view: TableView, chosen: Selected, by: int = 1) -> Selected:
    """Return the same target with the counter `by` places after the selected one."""
    names = [c.name for c in changeable(view, chosen.target)]
    return Selected(chosen.target, names[(names.index(chosen.counter) + by) % len(names)]) if names else chosen


def counter_title(view: TableView, chosen: Selected) -> Text:
    """Return the display name of a counter."""
    return chosen_counter(view, chosen).caption if chosen.counter else ""


def chosen_counter(view: TableView, chosen: Selected) -> Counter:
    """Return the selected counter. Raises LookupError if it is gone."""
    return next(c for c in view.counters_of(chosen.target) or () if c.name == chosen.counter)
