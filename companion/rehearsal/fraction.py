"""Fractions of a two-level factorial: few runs from which the effects of many levers can still be distinguished.

Each lever gets a column, an integer read as a row of bits. The lever takes its second value in the runs that share an
odd number of bits with its column. The columns decide which effects are confounded: those whose columns have the same
bitwise sum (XOR). In resolution V no two levers or pairs of levers are confounded; in resolution IV no lever is
confounded with a pair.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from companion.tabletop.action import RuleError
from templates.languages.messages import phrase

MOST_BITS: Final = 7
"""Bits of a run's number: 128 runs."""


def two_level_columns(count: int) -> tuple[int, ...]:
    """Return the columns of `count` levers in the fewest runs of resolution V, up to 128; beyond that of resolution IV.

    Raises RuleError for more levers than 128 runs can hold.
    """
    for bits in range(1, MOST_BITS + 1):
        columns = _resolution_v(bits)
        if len(columns) >= count:
            return columns[:count]
    for bits in range(1, MOST_BITS + 1):
        if 1 << (bits - 1) >= count:
            return _resolution_iv(bits)[:count]
    raise RuleError(
        phrase("Up to {most} levers are swept at once, not {count}.", most=1 << (MOST_BITS - 1), count=str(count))
    )


def parity(bits: int) -> int:
    """Return 1 if an odd number of bits is set, else 0."""
    return bits.bit_count() & 1


def _resolution_v(bits: int) -> tuple[int, ...]:
    """Return columns of which no four or fewer XOR to 0, found greedily."""
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
    """Return columns with an odd number of bits, of which no three XOR to 0, single bits first."""
    odd = [column for column in range(1, 1 << bits) if parity(column)]
    return tuple(sorted(odd, key=lambda column: (column.bit_count(), column)))
