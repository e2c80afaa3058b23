"""Runs: which label goes on which free position of which sheet.

Separate because it is arithmetic on positions and needs neither paper nor ink.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from labels.label import Label, LabelError
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
    sheets: list[Sheet] = []
    rest = list(labels)
    for free in at_hand:
        if rest:
            sheets.append(_fill(rest, sorted(free)))
            rest = rest[len(free) :]
    whole = every(stock)
    sheets.extend(_fill(rest[first:], whole) for first in range(0, len(rest), stock.count))
    return tuple(sheet for sheet in sheets if sheet)


def _fill(labels: Sequence[Label], free: Sequence[int]) -> Sheet:
    return dict(zip(free, labels, strict=False))


def _check(position: int, stock: Stock) -> None:
    if not 1 <= position <= stock.count:
        raise PositionError(f"Stock {stock.name} has positions 1 to {stock.count}, not {position}.")
