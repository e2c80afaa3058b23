"""What many units say of a figure, and how sure that is: 95 % intervals, also of what settings differ by.

A figure of one unit is a numerator and a denominator; of all units it is the quotient of their sums. Its interval is
Wilson's where it is a share of units, else that of the delta method. Settings are compared unit by unit with the
same chance, so that what they have in common does not blur the difference (a paired comparison).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from operator import add

from companion.tabletop.estimate import Estimate, Z, wilson

Pair = tuple[float, float]
"""A numerator and a denominator."""


class Sums:
    """Sums over the units so far, of one figure on one side or several, which share their chance.

    They are exact (whole numbers, else fractions), so that they are the same in whatever order units were added.
    """

    __slots__ = ("moments", "totals", "units")

    def __init__(self) -> None:
        self.units = 0
        self.totals: list[int | Fraction] = []
        """Of each side's numerators and denominators, in turn."""
        self.moments: list[int | Fraction] = []
        """Of the products of each two of these, also of each with itself: (0, 0), (0, 1) …, (1, 1), (1, 2) …"""

    def add(self, *sides: Pair) -> None:
        """One unit more: what it gave on each side."""
        values = [_exact(value) for side in sides for value in side]
        products = [first * second for at, first in enumerate(values) for second in values[at:]]
        self._add(1, values, products)

    def merge(self, more: Sums) -> None:
        """The units of another one too, with as many sides."""
        self._add(more.units, more.totals, more.moments)

    def _add(self, units: int, totals: Sequence[int | Fraction], moments: Sequence[int | Fraction]) -> None:
        if not self.totals:
            self.totals, self.moments = [0] * len(totals), [0] * len(moments)
        self.units += units
        self.totals = list(map(add, self.totals, totals))
        self.moments = list(map(add, self.moments, moments))

    @property
    def effective_units(self) -> float:
        """How many units alike would say as much of the side that says least: Kish's, of the denominators."""
        squares = ((at, self._moment(at, at)) for at in range(1, len(self.totals), 2))
        return min(
            (float(self.totals[at] ** 2 / Fraction(square)) if square else 0.0 for at, square in squares), default=0
        )

    def estimate(self, is_share: bool = False, side: int = 0, z: float = Z) -> Estimate | None:
        """The figure of one side, within `z` standard errors; None where nothing was counted."""
        numerator, denominator = self._totals_of(side)
        if not denominator:
            return None
        if is_share:
            return wilson(int(numerator), int(denominator), z)
        return self.contrast({side: 1}, z)

    def difference(self, z: float = Z) -> Estimate | None:
        """The first side less the second."""
        return self.contrast({0: 1, 1: -1}, z)

    def contrast(self, signs: Mapping[int, int], z: float = Z) -> Estimate | None:
        """The figures of some sides, each taken so many times, together, within `z` standard errors.

        Exactly 0 where it was 0 in every unit; None where one of the sides says nothing.
        """
        value = Fraction(0)
        weights: dict[int, Fraction] = {}
        for side, sign in signs.items():
            numerator, denominator = map(Fraction, self._totals_of(side))
            if not denominator:
                return None
            value += sign * numerator / denominator
            # How much each value of a unit moves the figure: (x − r·y) / Σy, by the delta method.
            weights[2 * side] = sign / denominator
            weights[2 * side + 1] = -sign * numerator / denominator**2
        variance = self._variance(weights)
        if not (value or variance):
            return Estimate(0.0, 0.0, 0.0)
        if self.units < 2:
            return Estimate(float(value), -math.inf, math.inf)
        half = z * math.sqrt(variance)
        return Estimate(float(value), float(value) - half, float(value) + half)

    def _variance(self, weights: Mapping[int, Fraction]) -> Fraction:
        """The variance of what values of a unit, by their places, move by these weights; 0 of a single unit."""
        products = combinations_with_replacement(sorted(weights), 2)
        total = sum(
            (
                (1 if first == second else 2) * weights[first] * weights[second] * self._moment(first, second)
                for first, second in products
            ),
            Fraction(0),
        )
        return total * self.units / (self.units - 1) if self.units > 1 else Fraction(0)

    def _totals_of(self, side: int) -> tuple[int | Fraction, int | Fraction]:
        return (self.totals[2 * side], self.totals[2 * side + 1]) if self.totals else (0, 0)

    def _moment(self, first: int, second: int) -> int | Fraction:
        """The sum of the products of two values, the first not behind the second."""
        width = len(self.totals)
        return self.moments[first * width - first * (first - 1) // 2 + second - first]


def _exact(value: float) -> int | Fraction:
    return int(value) if value == int(value) else Fraction(value)


def merge(batches: Iterable[Mapping[str, Sums]]) -> dict[str, Sums]:
    """The sums of batches, by figure."""
    total: dict[str, Sums] = {}
    for batch in batches:
        for key, sums in batch.items():
            total.setdefault(key, Sums()).merge(sums)
    return total
