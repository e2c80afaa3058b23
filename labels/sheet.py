"""Runs: which label goes on which free position of which sheet.

Separate because it is arithmetic on positions and needs neither paper nor ink.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from labels.errors import LabelError
from labels.label import Label
from labels.stocks import Stock

Sheet = Mapping[int, Label]
"""Labels by position, counted from 1 in the stock's order."""


class PositionError(LabelError):
    """A position that cannot be read or that the stock does not have."""


def every(stock: Stock, start: int = 1) -> tuple[int, ...]:
    """The positions of a sheet from `start` on. Raises PositionError if the stock has no such position."""
    _check(start, stock)
    return tuple(range(start, stock.count + 1))


def positions(text: str, stock: Stock) -> tuple[int, ...]:
    """The positions that `3,7,20-40` names, in their order on the sheet.

    Raises PositionError if a part cannot be read, is named twice, or is not on the stock.
    """
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,4})\s*(?:[-–]\s*(\d{1,4})\s*)?", part, re.ASCII)
        if match is None:
            raise PositionError(f"“{part.strip()}” is not a position; write numbers and ranges, as in 3,7,20-40.")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise PositionError(f"The range {first}-{last} runs backwards; write {last}-{first}.")
        for end in (first, last):
            _check(end, stock)
        found.extend(range(first, last + 1))
    if len(set(found)) < len(found):
        twice = next(position for position in found if found.count(position) > 1)
        raise PositionError(f"Position {twice} is named twice.")
    return tuple(sorted(found))


def place(labels: Sequence[Label], stock: Stock, at_hand: Iterable[Sequence[int]] = ()) -> tuple[Sheet, ...]:
    """Puts the labels, in their order, on the free positions of the sheets `at_hand`, then on whole sheets.

    A sheet at hand is its free positions, filled in the order of the sheet. Sheets that stay empty are left out.
    """
    return tuple(filter(None, fill(labels, stock, at_hand)))


def fill(
    labels: Sequence[Label], stock: Stock, at_hand: Iterable[Sequence[int]] = (), wanted: Sequence[int] = ()
) -> Iterator[Sheet]:
    """One sheet after the other until all labels have their place, those at hand first; some may stay empty.

    `wanted` has the position of each label that must go to one, and 0 for the others, which take the next. Where a
    position is passed or not free, the next sheet is begun. Raises PositionError for one that the stock does not have.
    """
    for position in filter(None, wanted):
        _check(position, stock)
    whole, first = every(stock), 0
    for free in chain(map(sorted, at_hand), repeat(whole)):
        if first == len(labels):
            return
        taken = _taken(free, len(labels) - first, wanted[first : first + len(free)])
        yield _Filled(labels, first, taken)
        first += len(taken)


def _taken(free: Sequence[int], count: int, wanted: Sequence[int]) -> Sequence[int]:
    """The positions of a sheet that the next labels take, as many as it has room for."""
    if not any(wanted):
        return free[:count]
    taken: list[int] = []
    left = list(free)
    for position in wanted:
        if not left or (position and position not in left):
            break
        left = left[left.index(position) :] if position else left
        taken.append(left.pop(0))
    return taken


class _Filled(Mapping[int, Label]):
    """Labels from a certain one on at positions of a sheet; none is asked for before it is looked at."""

    def __init__(self, labels: Sequence[Label], first: int, positions: Sequence[int]) -> None:
        self._labels = labels
        self._first = first
        self._positions = positions

    def __getitem__(self, position: int) -> Label:
        at = bisect_left(self._positions, position)
        if at == len(self._positions) or self._positions[at] != position:
            raise KeyError(position)
        return self._labels[self._first + at]

    def __iter__(self) -> Iterator[int]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)


def _check(position: int, stock: Stock) -> None:
    if not 1 <= position <= stock.count:
        raise PositionError(f"Stock {stock.name} has positions 1 to {stock.count}, not {position}.")
