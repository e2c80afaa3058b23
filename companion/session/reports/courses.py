"""The course of a table's figures over an evening, round by round, for the charts of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.table.table import Counter, TableView


class GaugeCourse(NamedTuple):
    """The course of one figure of several people or things.

    `points` are pairs of a number of rounds and the values of `keys` after them, None for a missing one. `sections` are
    the numbers of rounds after which another thing took over, such as the next opponent. `unit` is what the table
    counts, by its name in notation: `round` or `turn`.
    """

    title: str
    unit: str
    keys: tuple[str, ...]
    points: tuple[tuple[int, tuple[int | None, ...]], ...]
    sections: tuple[tuple[int, str], ...] = ()


_Values = dict[tuple[str, str], int]
"""Figures by target and counter name."""


class _Round:
    """A round or turn: its number and opponent, the figures when that opponent appeared, and those at the end."""

    def __init__(self, key: tuple[int, str], start: _Values) -> None:
        self.key = key
        self.start = self.end = start


def read_courses(game: Game, played: Sequence[PlayedAction]) -> tuple[GaugeCourse, ...]:
    """Return the courses worth a chart: the life of lasting things, and the big or reported figures of seats.

    Empty if the table counts neither rounds nor turns, or if nothing changed.
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
        titles |= {counter.name: str(counter.title or counter.name) for _, _, counter in counters}
        if (other := _section(view)) not in ("", section):
            section, start = other, values
        if view.count is None or not view.count.number:
            continue
        count, key = view.count.name, (view.count.number, section)
        if not rounds or rounds[-1].key != key:
            rounds.append(_Round(key, start or values))
            start = None
        rounds[-1].end = values
    return tuple(_courses(rounds, names, titles, seats, count))


def _section(view: TableView) -> str:
    """Return the title of the current opponent if there is exactly one thing to beat."""
    for zone in view.zones:
        if len(zone.things) == 1 and any(counter.life for counter in zone.things[0].counters):
            return str(zone.things[0].short_title or zone.things[0].title)
    return ""


def _counters(view: TableView, more: Sequence[str]) -> Iterator[tuple[str, str, Counter]]:
    """Yield the figures of a table that are worth a chart: their target or seat, its name, and the counter."""
    for zone in view.zones:
        for thing in zone.things:
            for counter in thing.counters:
                if counter.life and counter.number is not None:
                    yield thing.target, str(zone.title), counter
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
    """Return True if a figure changed between at least half of the rounds, unlike that of a passing card."""
    changes = sum(before.end.get(pair) != after.end.get(pair) for before, after in pairwise(rounds))
    return 2 * changes >= len(rounds) - 1 or len(rounds) < 2


def _points(
    rounds: Sequence[_Round], pairs: Sequence[tuple[str, str]], *, begins_anew: bool
) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """Yield the figures at the start and after each round; `begins_anew` adds those at the start of each section."""
    section = ""
    for number, each in enumerate(rounds):
        if number == 0 or (begins_anew and each.key[1] != section):
            if number:
                yield number, (None,) * len(pairs)
            yield number, tuple(each.start.get(pair) for pair in pairs)
        section = each.key[1]
        yield number + 1, tuple(each.end.get(pair) for pair in pairs)


def _sections(rounds: Sequence[_Round]) -> Iterator[tuple[int, str]]:
    """Yield the number of rounds after which each opponent appeared; nothing if it was always the same."""
    titles = [each.key[1] for each in rounds]
    if len(set(titles)) < 2:
        return
    for number, title in enumerate(titles):
        if title and (number == 0 or titles[number - 1] != title):
            yield number, title
