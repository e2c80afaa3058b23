"""Differences between two views of a table, counter by counter, and what fell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from companion.session.core.moments import Moment
from companion.tabletop.corrections import as_corrected, find_correction
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.notation.arguments import TARGET, Words
from companion.tabletop.table.common_actions import Add, Set
from companion.tabletop.table.table import Counter, TableView, Thing

_OUTCOME, _STEP = "outcome", "step"
_VIEW_FIELDS = (_OUTCOME, _STEP)
"""Counters of the table that are also fields of a view."""
_TABLE = "table"
_MOST = 12
"""Maximum number of figures named in a sentence."""


class Difference(msgspec.Struct, frozen=True):
    """A figure that differs between two tables.

    `target` is its owner in notation, `who` the owner's display name ("" for the table itself), and `what` the figure,
    or "" for a whole thing. `before` and `after` are its values as text, "" if it is missing. `is_visible` is that of
    the counter; a whole thing is visible if a line can name it. An attack, or a card on its way, is reported by the
    line that brings it.
    """

    target: str
    who: str
    what: str
    before: str
    after: str
    is_visible: bool = True

    @property
    def text(self) -> str:
        """The change as text: `HP 12 → 15`, or `comes` or `is gone` for a whole thing.

        If no line can name the thing, `New` or `Gone`.
        """
        if not self.what:
            if not self.is_visible:
                return "New" if self.after else "Gone"
            return "comes" if self.after else "is gone"
        return f"{self.what} {self.before or 'none'} → {self.after or 'none'}"


def differences(before: TableView, after: TableView) -> tuple[Difference, ...]:
    """Return all differences: the outcome first, then seats, things and the table."""
    was, now = before.outcome, after.outcome
    outcome = () if was == now else (Difference(_TABLE, "", "Outcome", was or "", now or ""),)
    return (*outcome, *_seats(before, after), *_things(before, after), *_table(before, after))


def describe(differing: Iterable[Difference], most: int = _MOST) -> str:
    """Return differences as text; those after `most` figures are only counted.

    For example, `Ana: HP 12 → 15, Hand 3 → 2. Wolf is gone.`
    """
    ordered = sorted(differing, key=lambda difference: not difference.is_visible)
    named, rest = ordered[:most], len(ordered) - most
    order = {difference.who: at for at, difference in reversed(list(enumerate(named)))}
    by_who = sorted(named, key=lambda difference: order[difference.who])
    parts = [_about(who, list(group)) for who, group in groupby(by_who, key=lambda difference: difference.who)]
    more = [f"And {rest} more."] if rest > 0 else []
    return " ".join((*parts, *more))


def _about(who: str, group: Sequence[Difference]) -> str:
    texts = ", ".join(difference.text for difference in group)
    if not who:
        return f"{texts}."
    if group[0].what:
        return f"{who}: {texts}."
    return f"{who} {texts}." if group[0].is_visible else f"{texts}: {who}."


def _table(before: TableView, after: TableView) -> Iterator[Difference]:
    if before.step != after.step:
        yield Difference(_TABLE, "", "Step", _step_title(before), _step_title(after))
    yield from _counters(_TABLE, "", _own(before), _own(after))


def _own(view: TableView) -> tuple[Counter, ...]:
    return tuple(counter for counter in view.counters if counter.name not in _VIEW_FIELDS)


def _step_title(view: TableView) -> str:
    return next((str(step.title) for step in view.steps if step.name == view.step), view.step)


def _seats(before: TableView, after: TableView) -> Iterator[Difference]:
    now = {seat.seat: seat for seat in after.seats}
    for seat in before.seats:
        if seat.seat not in now:
            yield Difference(seat.seat, seat.name, "", seat.name, "")
        else:
            yield from _counters(seat.seat, seat.name, seat.counters, now[seat.seat].counters)
    before_seats = {seat.seat for seat in before.seats}
    yield from (
        Difference(seat.seat, seat.name, "", "", seat.name) for seat in after.seats if seat.seat not in before_seats
    )


def _things(before: TableView, after: TableView) -> Iterator[Difference]:
    """Yield the differences of things, matched by name and title: another title in the same place is another thing.

    The table's own figures are reported as its own, wherever they are drawn.
    """
    now = {(thing.target, thing.title): thing for thing in after.things() if thing.target != _TABLE}
    earlier = {(thing.target, thing.title): thing for thing in before.things() if thing.target != _TABLE}
    for key, thing in earlier.items():
        if key in now:
            yield from _counters(thing.target, str(thing.title), thing.counters, now[key].counters)
        else:
            yield Difference(thing.target, str(thing.title), "", str(thing.title), "", _has_name(thing))
    for key, thing in now.items():
        if key not in earlier:
            yield Difference(thing.target, str(thing.title), "", "", str(thing.title), _has_name(thing))


def _has_name(thing: Thing) -> bool:
    """Return True if a line can name a thing; otherwise its title may be a whole sentence."""
    words = Words.of(thing.target)
    TARGET.read(words, ())
    return not words


def _counters(target: str, who: str, before: Sequence[Counter], after: Sequence[Counter]) -> Iterator[Difference]:
    old = {counter.name: counter for counter in before}
    new = {counter.name: counter for counter in after}
    for name in dict.fromkeys((*old, *new)):
        counter = new.get(name) or old[name]
        was, is_now = _text(old.get(name)), _text(new.get(name))
        if was != is_now:
            yield Difference(target, who, str(counter.caption), was, is_now, counter.is_visible)


def _text(counter: Counter | None) -> str:
    return str("" if counter is None else counter.figure)


_POINTS = 6
"""Maximum number of turning points reported. Decisions and falls are always reported."""


class Point(msgspec.Struct, frozen=True):
    """A turning point: the `line` of the log, what fell, and what happened, in sentences."""

    line: int
    fell: tuple[str, ...]
    sentence: str
    hit: int = 0
    """The largest figure lost."""
    decided: bool = False
    """True if the sentence itself says who felled what."""

    @property
    def worth(self) -> tuple[bool, bool, int]:
        """The sort key if there is no room for all: decisions first, then falls, then the largest hits."""
        return self.decided, bool(self.fell), self.hit


class GameEnding(msgspec.Struct, frozen=True):
    """The end of a game: its title, its turning points in order, and everybody's figures at the end."""

    title: str
    points: tuple[Point, ...]
    people: tuple[tuple[str, str], ...]


def newly_fallen(before: TableView, after: TableView) -> tuple[str, ...]:
    """Return the seats that are newly out, and the things whose large figure is gone or used up."""
    out = {seat.seat for seat in before.seats if seat.is_out}
    seats = [f"{seat.name} is out" for seat in after.seats if seat.is_out and seat.seat not in out]
    return (*seats, *_fallen_things(before, after))


def _fallen_things(before: TableView, after: TableView, *, also_spent: bool = False) -> Iterator[str]:
    """Yield things whose large figure is gone or used up; with `also_spent`, also those that had none left before."""
    now = {(thing.target, thing.title): thing for thing in after.things()}
    for thing in before.things():
        figure = _large(thing.counters)
        if figure is None or (_remaining_amount(figure) <= 0 and not also_spent):
            continue
        there = now.get((thing.target, thing.title))
        if there is None:
            yield f"{thing.title} is gone"
        elif (left := _large(there.counters)) is not None and _remaining_amount(left) <= 0:
            yield f"{thing.title} falls"


def _large(counters: Iterable[Counter]) -> Counter | None:
    return next((counter for counter in counters if counter.big and counter.number is not None), None)


def _remaining_amount(counter: Counter) -> int:
    """Return what is left of a figure; for one that counts harm, the distance from its maximum."""
    number = counter.number or 0
    return (counter.top or number + 1) - number if counter.full == "harm" else number


def last_fallen(game: Game, moments: Sequence[Moment]) -> tuple[str, ...]:
    """Return what fell in the last intention."""
    if not moments:
        return ()
    last = moments[-1]
    first = next((moment for moment in moments if moment.group == last.group), last)
    if first.before is None or _names_another_thing(game, last):
        return ()
    return newly_fallen(game.view(first.before.state), game.view(last.state))


def _names_another_thing(game: Game, moment: Moment) -> bool:
    """Return True if a line only corrects which thing lies there, so that nothing fell."""
    if moment.before is None or isinstance(moment.action, Add | Set):
        return False
    return find_correction(game, PlayedAction(moment.before.state, moment.action, moment.state), None) is not None


def tell_ending(game: Game, moments: Sequence[Moment]) -> GameEnding:
    """Return the end of a game from its corrected log.

    Views the table after each line, so it is slow for a long log.
    """
    points: list[Point] = []
    played = [PlayedAction(each.before.state, each.action, each.state) for each in moments if each.before is not None]
    before, state = game.view(played[0].before), played[0].before
    for moment, deed in zip(moments[-len(played) :], as_corrected(game, played), strict=True):
        after = before if deed.after is state else game.view(deed.after)
        if before.outcome is None and after is not before and not deed.is_absorbed:
            points.append(_point(moment, before, after))
        before, state = after, deed.after
        if after.outcome is not None:
            break
    last = game.view(moments[-1].state)
    points = list(_fallen_once(points))
    worth = sorted((point for point in points if any(point.worth)), key=lambda point: point.worth, reverse=True)
    best = worth[: max(_POINTS, sum(point.decided or bool(point.fell) for point in worth))]
    # In the order of events: a line that was inserted later has a higher number.
    turning_points = [point for point in points if point in best]
    # The visible figures of each seat, except zeros.
    people = (
        (seat.name, " · ".join(f"{c.caption} {c.figure}" for c in seat.counters if c.is_visible and c.number))
        for seat in last.seats
    )
    return GameEnding(outcome_title(last), tuple(turning_points), tuple(people))


def _fallen_once(points: Sequence[Point]) -> Iterator[Point]:
    """Yield points with each fall only at its decisive point: players may have set the figure to 0 before that."""
    felled = {each for point in points if point.decided for each in point.fell}
    for point in points:
        if point.decided:
            yield point
        else:
            yield msgspec.structs.replace(point, fell=tuple(each for each in point.fell if each not in felled))


def _point(moment: Moment, before: TableView, after: TableView) -> Point:
    """Return a moment as a point, described by its decisive messages, or else by all of them.

    A manual correction is not a hit.
    """
    fallen = newly_fallen(before, after)
    decided = " ".join(str(tell.text) for tell in moment.tells if tell.decides)
    if decided:
        spent = (each for each in _fallen_things(before, after, also_spent=True) if each not in fallen)
        fallen = (*fallen, *spent)
    hit = 0 if isinstance(moment.action, Add | Set) else _hit(before, after)
    sentence = " ".join(str(tell.text) for tell in moment.tells)
    # The name of the fallen is already in `fell`.
    name, colon, happened = sentence.partition(": ")
    if colon and any(each.startswith(f"{name} ") for each in fallen):
        sentence = happened
    sentence = decided or sentence
    return Point(moment.number, fallen, sentence, hit, bool(decided))


def _hit(before: TableView, after: TableView) -> int:
    """Return the largest figure lost by anything that is still there."""
    holders = {seat.seat: seat.counters for seat in after.seats} | {t.target: t.counters for t in after.things()}
    old_holders = {seat.seat: seat.counters for seat in before.seats} | {t.target: t.counters for t in before.things()}
    lost = [0]
    for target, counters in old_holders.items():
        had, has = _large(counters), _large(holders.get(target, ()))
        if had is not None and has is not None:
            lost.append(_remaining_amount(had) - _remaining_amount(has))
    return max(lost)


def outcome_title(view: TableView) -> str:
    """Return the outcome in a word or two: `Won`, `Lost`, `A draw`, or the winners."""
    words = {"win": "Won", "loss": "Lost", "draw": "A draw"}
    if view.winners:
        return f"{' and '.join(view.winners)} {'wins' if len(view.winners) == 1 else 'win'}"
    return words.get(view.outcome or "", view.outcome or "")
