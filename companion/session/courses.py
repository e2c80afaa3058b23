"""How the figures of a table went over an evening, round by round: what its gauges showed, for charts of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.tabletop.game import Game, PlayedAction
from companion.tabletop.table import Counter, TableView


class GaugeCourse(NamedTuple):
    """One figure of several people or things: `points` are after how many rounds, and a value for each of `keys`, None
    where there was none; `sections` are after how many rounds another thing took its place, such as the next opponent.
    `unit` is what the table counts, rounds or turns.
    """

    title: str
    unit: str
    keys: tuple[str, ...]
    points: tuple[tuple[int, tuple[int | None, ...]], ...]
    sections: tuple[tuple[int, str], ...] = ()


_Values = dict[tuple[str, str], int]
"""Figures by what they are of and what they are called."""


class _Round:
    """A round or turn: its number and against whom it went, the figures as that one came, and as the round ended."""

    def __init__(self, key: tuple[int, str], start: _Values) -> None:
        self.key = key
        self.start = self.end = start


def read_courses(game: Game, played: Sequence[PlayedAction]) -> tuple[GaugeCourse, ...]:
    """What is worth a chart: of all that lies on the table for long, what it lives by; of everybody, what must be read
    from afar, and what the game names besides.

    Nothing where the table counts neither rounds nor turns, or nothing changed.
    """
    rounds: list[_Round] = []
    names: dict[tuple[str, str], str] = {}
    titles: dict[str, str] = {}
    seats: dict[str, str] = {}
    section, count = "", ""
    values: _Values = {}
    start: _Values | None = None
    for deed in played:
        view = game.view(deed.after)
        seats |= {seat.seat: seat.name for seat in view.seats}
        counters = list(_counters(view, game.display.report_counters))
        values = values | {(of, counter.name): counter.number or 0 for of, _, counter in counters}
        names |= {(of, counter.name): name for of, name, counter in counters}
        titles |= {counter.name: counter.title or counter.name for _, _, counter in counters}
        if (other := _section(view)) not in ("", section):
            section, start = other, values
        if view.count is None or not view.count.number:
            continue
        count, key = view.count.title.lower(), (view.count.number, section)
        if not rounds or rounds[-1].key != key:
            rounds.append(_Round(key, start or values))
            start = None
        rounds[-1].end = values
    return tuple(_courses(rounds, names, titles, seats, count))


def _section(view: TableView) -> str:
    """What is to be beaten now, where one thing is."""
    for zone in view.zones:
        if len(zone.things) == 1 and any(counter.life for counter in zone.things[0].counters):
            return zone.things[0].title.partition(" · ")[0]
    return ""


def _counters(view: TableView, more: Sequence[str]) -> Iterator[tuple[str, str, Counter]]:
    """The figures of a table that are worth it: of what, by its target or seat, what that is called, and the figure."""
    for zone in view.zones:
        for thing in zone.things:
            for counter in thing.counters:
                if counter.life and counter.number is not None:
                    yield thing.target, zone.title, counter
    for seat in view.seats:
        for counter in seat.counters:
            if counter.number is not None and (counter.big or counter.life or counter.name in more):
                yield seat.seat, seat.name, counter


def _courses(
    rounds: Sequence[_Round],
    names: Mapping[tuple[str, str], str],
    titles: Mapping[str, str],
    seats: Mapping[str, str],
    count: str,
) -> Iterator[GaugeCourse]:
    for things in (True, False):
        words = dict.fromkeys(word for of, word in names if (of not in seats) == things)
        for word in words:
            whose = [pair for pair in names if pair[1] == word and (pair[0] not in seats) == things]
            lasting = [pair for pair in whose if not things or _lasts(rounds, pair)]
            points = tuple(_points(rounds, lasting, begins_anew=things))
            if len({value for _, values in points for value in values if value is not None}) > 1:
                keys = tuple(names[pair] or titles[word] for pair in lasting)
                title = f"{keys[0]}: {titles[word]}" if len(keys) == 1 and keys[0] != titles[word] else titles[word]
                yield GaugeCourse(title, count, keys, points, tuple(_sections(rounds)))


def _lasts(rounds: Sequence[_Round], pair: tuple[str, str]) -> bool:
    """Whether something lay there for most of the time, and so is no passing card."""
    changes = sum(before.end.get(pair) != after.end.get(pair) for before, after in pairwise(rounds))
    return 2 * changes >= len(rounds) - 1 or len(rounds) < 2


def _points(
    rounds: Sequence[_Round], pairs: Sequence[tuple[str, str]], *, begins_anew: bool
) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """The figures as it began, and after each round; of a thing whose place another takes, as that one began too."""
    section = ""
    for number, each in enumerate(rounds):
        if number == 0 or (begins_anew and each.key[1] != section):
            if number:
                yield number, (None,) * len(pairs)
            yield number, tuple(each.start.get(pair) for pair in pairs)
        section = each.key[1]
        yield number + 1, tuple(each.end.get(pair) for pair in pairs)


def _sections(rounds: Sequence[_Round]) -> Iterator[tuple[int, str]]:
    """After how many rounds another opponent was there; nothing where it was always the same."""
    titles = [each.key[1] for each in rounds]
    if len(set(titles)) < 2:
        return
    for number, title in enumerate(titles):
        if title and (number == 0 or titles[number - 1] != title):
            yield number, title
