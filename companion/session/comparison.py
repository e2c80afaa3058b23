"""What differs between two views of a table, counter by counter: the same for every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from companion.games.table import Counter, TableView, write_value

_OUTCOME, _STEP = "outcome", "step"
_TOLD_ELSEWHERE = (_OUTCOME, _STEP)
"""Counters of the table that a view has fields for."""
_TABLE = "table"
_MOST = 12
"""Figures that a sentence names; people read no more of them."""


class Difference(msgspec.Struct, frozen=True):
    """A figure that is not the same on both tables.

    `target` is how notation names whose it is, `who` what people call that ("" for the table itself), `what` the
    figure. `before` and `after` are its values as text, "" where it is not there. `shown` is as of the counter.
    """

    target: str
    who: str
    what: str
    before: str
    after: str
    shown: bool = True

    @property
    def text(self) -> str:
        """`HP 12 → 15`; `comes` or `is gone` where it is a whole thing."""
        if not self.what:
            return "comes" if self.after else "is gone"
        return f"{self.what} {self.before or 'none'} → {self.after or 'none'}"


def differences(before: TableView, after: TableView) -> tuple[Difference, ...]:
    """Everything that differs: the outcome first, then seats, things and the table."""
    return (*_outcome(before, after), *_seats(before, after), *_things(before, after), *_table(before, after))


def sentence(found: Iterable[Difference], most: int = _MOST) -> str:
    """`Ana: HP 12 → 15, Hand 3 → 2. Wolf is gone.`; what goes beyond `most` figures is only counted."""
    told = sorted(found, key=lambda difference: not difference.shown)
    kept, rest = told[:most], len(told) - most
    parts = [_about(who, list(group)) for who, group in groupby(_by_who(kept), key=lambda difference: difference.who)]
    more = [f"And {rest} more."] if rest > 0 else []
    return " ".join((*parts, *more))


def _by_who(found: Sequence[Difference]) -> list[Difference]:
    order = {difference.who: at for at, difference in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda difference: order[difference.who])


def _about(who: str, found: Sequence[Difference]) -> str:
    texts = ", ".join(difference.text for difference in found)
    if not who:
        return f"{texts}."
    return f"{who} {texts}." if not found[0].what else f"{who}: {texts}."


def _outcome(before: TableView, after: TableView) -> Iterator[Difference]:
    if before.outcome != after.outcome:
        yield Difference(_TABLE, "", "Outcome", before.outcome or "", after.outcome or "")


def _table(before: TableView, after: TableView) -> Iterator[Difference]:
    if before.step != after.step:
        yield Difference(_TABLE, "", "Step", _step_title(before), _step_title(after))
    yield from _counters(_TABLE, "", _own(before), _own(after))


def _own(view: TableView) -> tuple[Counter, ...]:
    return tuple(counter for counter in view.counters if counter.name not in _TOLD_ELSEWHERE)


def _step_title(view: TableView) -> str:
    return next((step.title for step in view.steps if step.name == view.step), view.step)


def _seats(before: TableView, after: TableView) -> Iterator[Difference]:
    now = {seat.seat: seat for seat in after.seats}
    for seat in before.seats:
        if seat.seat not in now:
            yield Difference(seat.seat, seat.name, "", seat.name, "")
        else:
            yield from _counters(seat.seat, seat.name, seat.counters, now[seat.seat].counters)
    known = {seat.seat for seat in before.seats}
    yield from (Difference(seat.seat, seat.name, "", "", seat.name) for seat in after.seats if seat.seat not in known)


def _things(before: TableView, after: TableView) -> Iterator[Difference]:
    """What lies there, by name and title: another thing in the same place is another thing."""
    now = {(thing.target, thing.title): thing for thing in after.things()}
    known = {(thing.target, thing.title): thing for thing in before.things()}
    for key, thing in known.items():
        if key in now:
            yield from _counters(thing.target, thing.title, thing.counters, now[key].counters)
        else:
            yield Difference(thing.target, thing.title, "", thing.title, "")
    for key, thing in now.items():
        if key not in known:
            yield Difference(thing.target, thing.title, "", "", thing.title)


def _counters(target: str, who: str, before: Sequence[Counter], after: Sequence[Counter]) -> Iterator[Difference]:
    old = {counter.name: counter for counter in before}
    new = {counter.name: counter for counter in after}
    for name in dict.fromkeys((*old, *new)):
        counter = new.get(name) or old[name]
        was, is_now = _text(old.get(name)), _text(new.get(name))
        if was != is_now:
            yield Difference(target, who, counter.caption, was, is_now, counter.shown)


def _text(counter: Counter | None) -> str:
    return "" if counter is None else write_value(counter.value)
