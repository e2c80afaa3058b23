"""Fractions of a two-level factorial: few runs from which the effects of many levers can still be told apart.

Each lever gets a column, a whole number read as a row of bits, and is at its second value in the runs that share an odd
number of bits with it. What is then confused with what follows from the columns: effects whose columns add up, bit by
bit, to the same. In resolution V no two of all levers and pairs of levers do, in IV no lever with a pair.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from companion.tabletop.action import RuleError

MOST_BITS: Final = 7
"""Of a run's number: 128 runs."""


def two_level_columns(count: int) -> tuple[int, ...]:
    """The columns of so many levers, in as few runs as resolution V can be had in up to 128, else IV.

    Raises RuleError for more levers than 128 runs can hold.
    """
    for bits in range(1, MOST_BITS + 1):
        columns = _resolution_v(bits)
        if len(columns) >= count:
            return columns[:count]
    for bits in range(1, MOST_BITS + 1):
        if 1 << (bits - 1) >= count:
            return _resolution_iv(bits)[:count]
    raise RuleError(f"Up to {1 << (MOST_BITS - 1)} levers are swept at once, not {count}.")


def parity(bits: int) -> int:
    """1 where an odd number of bits is set."""
    return bits.bit_count() & 1


def _resolution_v(bits: int) -> tuple[int, ...]:
    """Columns of which no four or fewer add up to nothing, found one after the other."""
    columns: list[int] = []
    taken = {0}
    for column in range(1, 1 << bits):
        if column in taken:
            continue
        columns.append(column)
        for size in (1, 2, 3):
            taken |= {_sum(chosen) for chosen in combinations(columns, size)}
    return tuple(columns)


def _sum(columns: tuple[int, ...]) -> int:
    total = 0
    for column in columns:
        total ^= column
    return total


def _resolution_iv(bits: int) -> tuple[int, ...]:
    """Columns with an odd number of bits, of which no three add up to nothing: single bits first."""
    odd = [column for column in range(1, 1 << bits) if parity(column)]
    return tuple(sorted(odd, key=lambda column: (column.bit_count(), column)))
