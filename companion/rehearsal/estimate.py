"""What many games say of a figure, and how sure that is: 95 % intervals, also of the difference between two settings.

A figure of one game is a numerator and a denominator; of all games it is the quotient of their sums. Its interval is
Wilson's where it is a share of games, else that of the delta method; two settings are compared game by game with the
same chance, so what they have in common does not blur the difference (a paired comparison).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

_Z: Final = 1.959963984540054
"""Standard deviations of a normal distribution between which 95 % lie."""

_FIELDS: Final = 15
_N, _XA, _YA, _XB, _YB, _XA2, _XAYA, _YA2, _XB2, _XBYB, _YB2, _XAXB, _XAYB, _YAXB, _YAYB = range(_FIELDS)

Pair = tuple[float, float]


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_nothing(self) -> bool:
        """Whether it is exactly 0, and sure of that: two settings that never differed."""
        return self.value == self.low == self.high == 0


class Sums:
    """Sums over the games so far, of one figure in one or two settings; those of later games are added in order."""

    def __init__(self, values: Sequence[float] = (0.0,) * _FIELDS, *, differs: bool = False) -> None:
        self.values = list(values)
        self.differs = differs
        """Whether any game came out otherwise in the second setting."""

    def add(self, one: Pair, other: Pair = (0.0, 0.0)) -> None:
        """One game more."""
        (xa, ya), (xb, yb) = one, other
        products = (xa * xa, xa * ya, ya * ya, xb * xb, xb * yb, yb * yb, xa * xb, xa * yb, ya * xb, ya * yb)
        for at, value in enumerate((1.0, xa, ya, xb, yb, *products)):
            self.values[at] += value
        self.differs = self.differs or one != other

    def merge(self, later: Sums) -> None:
        """The games of another one, which come behind those here."""
        for at, value in enumerate(later.values):
            self.values[at] += value
        self.differs = self.differs or later.differs

    @property
    def games(self) -> int:
        """How many games."""
        return int(self.values[_N])

    def estimate(self) -> Estimate | None:
        """The figure in the first setting; None where nothing was counted."""
        return _estimate(self.values, _XA, _YA, _XA2, _XAYA, _YA2)

    def other(self) -> Estimate | None:
        """The same in the second setting."""
        return _estimate(self.values, _XB, _YB, _XB2, _XBYB, _YB2)

    def difference(self) -> Estimate | None:
        """The first less the second; exactly 0 where no game differed; None where one of them says nothing."""
        v = self.values
        if not (v[_YA] and v[_YB]):
            return None
        if not self.differs:
            return Estimate(0.0, 0.0, 0.0)
        ra, rb = v[_XA] / v[_YA], v[_XB] / v[_YB]
        own = v[_XA2] - 2 * ra * v[_XAYA] + ra * ra * v[_YA2]
        others = v[_XB2] - 2 * rb * v[_XBYB] + rb * rb * v[_YB2]
        both = v[_XAXB] - rb * v[_XAYB] - ra * v[_YAXB] + ra * rb * v[_YAYB]
        variance = own / v[_YA] ** 2 + others / v[_YB] ** 2 - 2 * both / (v[_YA] * v[_YB])
        return _interval(ra - rb, variance, v[_N])


def _estimate(v: Sequence[float], x: int, y: int, xx: int, xy: int, yy: int) -> Estimate | None:
    if not v[y]:
        return None
    ratio = v[x] / v[y]
    if v[yy] == v[y] == v[_N] and v[xx] == v[x]:
        return _wilson(v[x], v[_N])
    return _interval(ratio, (v[xx] - 2 * ratio * v[xy] + ratio * ratio * v[yy]) / v[y] ** 2, v[_N])


def _wilson(successes: float, games: float) -> Estimate:
    share, z2 = successes / games, _Z * _Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = _Z * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


def _interval(value: float, variance: float, games: float) -> Estimate:
    # Of one game nothing is sure; what rounding leaves below 0 is 0.
    half = _Z * math.sqrt(max(0.0, variance) * games / (games - 1)) if games > 1 else math.inf
    return Estimate(value, value - half, value + half)


def merge(batches: Iterable[Mapping[str, Sums]]) -> dict[str, Sums]:
    """The sums of batches in their order, by figure."""
    total: dict[str, Sums] = {}
    for batch in batches:
        for key, sums in batch.items():
            total.setdefault(key, Sums()).merge(sums)
    return total
