"""Estimates of a figure from many units, with 95 % intervals, also of differences between settings.

A figure of one unit is a numerator and a denominator; of all units it is the quotient of their sums. A share or part
has the exact interval of Clopper and Pearson, for the effective number of units: observations within one unit are
correlated, such as the evenings of a campaign or the turns of a game. Any other figure has the interval of a count of
events (Byar's) with the same variance and skewness: for rare events it is as skewed as they are, for frequent ones it
is the usual normal interval of the delta method. An event that was never observed is still possible, so no interval is
empty.

Settings are compared unit by unit with the same chance, so that what they have in common does not blur the difference
(a paired comparison). The units that came out differently are also counted as events, some for and some against.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from operator import add
from typing import Final

from companion.rehearsal.quantiles import clopper_pearson, poisson_interval, student_z
from companion.tabletop.estimate import Estimate, Z

Pair = tuple[float, float]
"""A numerator and a denominator."""
_CUBES: Final = 4
"""Third moments of each side: x³, x²y, xy², y³, of its numerator x and denominator y."""


class Sums:
    """Sums over the units so far, for one figure on one side, or on several sides that share their chance.

    They are exact (integers, else fractions), so that they do not depend on the order in which units are added.
    """

    __slots__ = ("changes", "cubes", "moments", "totals", "units")

    def __init__(self) -> None:
        self.units = 0
        self.totals: list[int | Fraction] = []
        """Sums of each side's numerators and denominators, in turn."""
        self.moments: list[int | Fraction] = []
        """Sums of the products of each two of these, including squares: (0, 0), (0, 1) …, (1, 1), (1, 2) …"""
        self.cubes: list[int | Fraction] = []
        """Sums of each side's products of three; [] in rehearsals that were stored without them."""
        self.changes = 0
        """Units whose numerators differ between sides; 0 in rehearsals that were stored without this count."""

    def add(self, *sides: Pair) -> None:
        """Add one unit with its pair on each side."""
        values = [_exact(value) for side in sides for value in side]
        products = [first * second for at, first in enumerate(values) for second in values[at:]]
        cubes = [
            product
            for x, y in zip(values[::2], values[1::2], strict=True)
            for product in (x * x * x, x * x * y, x * y * y, y * y * y)
        ]
        self._add(1, values, products, cubes, any(x != values[0] for x in values[::2]))

    def merge(self, more: Sums) -> None:
        """Add the units of other sums with the same number of sides."""
        self._add(more.units, more.totals, more.moments, more.cubes, more.changes)

    def _add(
        self,
        units: int,
        totals: Sequence[int | Fraction],
        moments: Sequence[int | Fraction],
        cubes: Sequence[int | Fraction],
        changes: int,
    ) -> None:
        if not units:
            return
        if not self.units:
            self.totals, self.moments, self.cubes = [0] * len(totals), [0] * len(moments), [0] * len(cubes)
        self.units += units
        self.totals = list(map(add, self.totals, totals))
        self.moments = list(map(add, self.moments, moments))
        # If the cubes of some units are missing, those of the others are useless.
        self.cubes = list(map(add, self.cubes, cubes))
        self.changes += changes

    @property
    def effective_units(self) -> float:
        """Kish's effective number of units, computed from the denominators, of the side for which it is smallest."""
        return min((self._effective(side) for side in range(len(self.totals) // 2)), default=0.0)

    def _effective(self, side: int) -> float:
        total, square = self.totals[2 * side + 1], self._moment(2 * side + 1, 2 * side + 1)
        return float(total**2 / Fraction(square)) if square else 0.0

    def estimate(self, is_share: bool = False, side: int = 0, z: float = Z, step: float = 1) -> Estimate | None:
        """Return the estimate of one side's figure within `z` standard errors, or None if nothing was counted.

        A `step` is the most by which a single event can move the numerator of a unit, even an event that was never
        observed.
        """
        if not self._totals_of(side)[1]:
            return None
        return self._share(side, z) if is_share else self._mean(side, z, step)

    def _share(self, side: int, z: float) -> Estimate:
        """Return the exact interval for the number of independent observations that has the delta method's variance.

        That number is at least Kish's, which assumes that all observations within a unit are equal.
        """
        numerator, counted = map(Fraction, self._totals_of(side))
        share = numerator / counted
        apart = self._effective(side)
        variance = float(self._variance(self._weights({side: 1})))
        if variance:
            as_sure = float(share * (1 - share)) / (variance * self._stretch(apart, z) ** 2)
        else:
            as_sure = float(counted) if self.units > 1 and 0 < share < 1 else apart
        alone = max(apart, as_sure)
        return clopper_pearson(float(share) * alone, alone, z)

    def _mean(self, side: int, z: float, step: float) -> Estimate:
        """Return the estimate of one side's figure as a count of events, whose size follows from the skewness.

        One unobserved event of a `step` is added, upwards or down to 0, to bound how far a figure with little variation
        may move.
        """
        numerator, denominator = map(Fraction, self._totals_of(side))
        value = float(numerator / denominator)
        variance = float(self._variance(self._weights({side: 1})))
        third = self._third_moment(side)
        up = step / float(denominator)
        down = min(up, value / self.units)
        above = max(_reach(variance, third, 0, z), _reach(variance, third, up, z))
        below = max(_reach(variance, -third, 0, z), _reach(variance, -third, down, z))
        stretch = self._stretch(self._effective(side), z)
        return Estimate(value, value - below * stretch, value + above * stretch)

    def _third_moment(self, side: int) -> float:
        """Return the third central moment of a side's figure, by the delta method.

        Without cubes it is that of events that count 1 each, as in a Poisson distribution.
        """
        numerator, denominator = map(Fraction, self._totals_of(side))
        rate = numerator / denominator
        if not self.cubes:
            return float(self._variance(self._weights({side: 1})) / denominator)
        xxx, xxy, xyy, yyy = self.cubes[_CUBES * side : _CUBES * (side + 1)]
        return float((xxx - 3 * rate * xxy + 3 * rate**2 * xyy - rate**3 * yyy) / denominator**3)

    def _stretch(self, effective: float, z: float) -> float:
        """Return the factor by which an interval widens as its standard error is itself estimated (Student's t)."""
        return student_z(z, round(effective - 1, 6)) / z if self.units > 1 and effective > 1 + 1e-6 else math.inf

    def difference(self, z: float = Z, step: float = 1) -> Estimate | None:
        """Return the first side less the second."""
        return self.contrast({0: 1, 1: -1}, z, step)

    def contrast(self, signs: Mapping[int, int], z: float = Z, step: float = 1) -> Estimate | None:
        """Return the sum of the sides' figures, multiplied by their factors in `signs`, within `z` standard errors.

        None if one of the sides has no estimate. For a difference, the units that came out differently are events for
        or against it; its interval is that of two counts (Zou and Donner, 2008). One event is added whose size is the
        difference between two units of independent chance. It bounds how far a figure may differ that differed in few
        units or in none.
        """
        totals = {side: self._totals_of(side) for side in signs}
        if not all(denominator for _, denominator in totals.values()):
            return None
        value = float(sum((sign * Fraction(*map(Fraction, totals[side])) for side, sign in signs.items()), Fraction(0)))
        variance = float(self._variance(self._weights(signs)))
        stretch = self._stretch(min(map(self._effective, signs)), z)
        if sum(signs.values()):
            half = z * math.sqrt(variance) * stretch
            return Estimate(value, value - half, value + half)
        unlike = sum(float(self._variance(self._weights({side: 1}))) for side in signs) / self.units
        unseen = max(step / float(min(denominator for _, denominator in totals.values())), math.sqrt(unlike))
        size = math.sqrt((variance + unseen**2) / (self.changes + 1))
        events = variance / size**2
        lean = max(-events, min(events, value / size))
        against, favour = (events - lean) / 2, (events + lean) / 2
        (least_against, most_against), (least_for, most_for) = (poisson_interval(each, z) for each in (against, favour))
        below = math.hypot(favour - least_for, most_against - against) * size * stretch
        above = math.hypot(most_for - favour, against - least_against) * size * stretch
        return Estimate(value, value - below, value + above)

    def is_unchanged(self, signs: Mapping[int, int]) -> bool:
        """Return True if a contrast of sides was 0 in each single unit, in numerators and denominators."""
        return not any(
            sum(
                one * other * self._moment(*sorted((2 * side + part, 2 * beside + part)))
                for side, one in signs.items()
                for beside, other in signs.items()
            )
            for part in (0, 1)
        )

    def _weights(self, signs: Mapping[int, int]) -> dict[int, Fraction]:
        """Return the amounts by which each value of a unit moves a contrast: (x − r·y) / Σy, by the delta method."""
        weights: dict[int, Fraction] = {}
        for side, sign in signs.items():
            numerator, denominator = map(Fraction, self._totals_of(side))
            weights[2 * side] = sign / denominator
            weights[2 * side + 1] = -sign * numerator / denominator**2
        return weights

    def _variance(self, weights: Mapping[int, Fraction]) -> Fraction:
        """Return the variance of a weighted sum of a unit's values; weights are by index. It is 0 for a single unit."""
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
        """Return the sum of the products of two values; the first index must not exceed the second."""
        width = len(self.totals)
        return self.moments[first * width - first * (first - 1) // 2 + second - first]


def _reach(variance: float, third: float, unseen: float, z: float) -> float:
    """Return the upper reach of the interval of a sum of events with these central moments, plus one unobserved event.

    All events have one size; a positive size moves the sum up, a negative one moves it down.
    """
    whole = variance + unseen**2
    if not whole:
        return 0.0
    size = (third + unseen**3) / whole
    events = variance / size**2 if size else math.inf
    if math.isinf(events):
        return z * math.sqrt(variance)
    low, high = poisson_interval(events, z)
    return size * (high - events) if size > 0 else -size * (events - low)


def _exact(value: float) -> int | Fraction:
    return int(value) if value == int(value) else Fraction(value)


def merge(batches: Iterable[Mapping[str, Sums]]) -> dict[str, Sums]:
    """Return the sums of all batches, by figure."""
    total: dict[str, Sums] = {}
    for batch in batches:
        for key, sums in batch.items():
            total.setdefault(key, Sums()).merge(sums)
    return total
