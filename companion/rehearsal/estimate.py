"""What many units say of a figure, and how sure that is: 95 % intervals, also of the difference between two settings.

A figure of one unit is a numerator and a denominator; of all units it is the quotient of their sums. Its interval is
that of the delta method. That of a share or part is Wilson's, which takes into account that those of one unit hang
together: the evenings of a campaign, the turns of a game. Two settings are compared unit by unit with the
same chance, so that what they have in common does not blur the difference (a paired comparison).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from companion.tabletop.estimate import Estimate, Z, wilson

Pair = tuple[float, float]


_MOMENTS: Final = tuple((first, second) for first in range(4) for second in range(first, 4))
"""The products whose sums are kept, of (x, y) in the first setting and (x, y) in the second, by their places."""
_AT: Final = {pair: at for at, pair in enumerate(_MOMENTS)}


class Sums:
    """Sums over the units so far, of one figure in one or two settings.

    They are exact (whole numbers, else fractions), so that they are the same in whatever order units were added.
    """

    __slots__ = ("differs", "moments", "totals", "units")

    def __init__(self) -> None:
        self.units = 0
        self.totals: list[int | Fraction] = [0] * 4
        self.moments: list[int | Fraction] = [0] * len(_MOMENTS)
        self.differs = False
        """Whether any unit came out otherwise in the second setting."""

    def add(self, one: Pair, other: Pair = (0.0, 0.0)) -> None:
        """One unit more: what it gave in the first setting, and in the second."""
        values = tuple(map(_exact, (*one, *other)))
        self.units += 1
        for at, value in enumerate(values):
            self.totals[at] += value
        for at, (first, second) in enumerate(_MOMENTS):
            self.moments[at] += values[first] * values[second]
        self.differs = self.differs or one != other

    def merge(self, more: Sums) -> None:
        """The units of another one too."""
        self.units += more.units
        self.totals = [a + b for a, b in zip(self.totals, more.totals, strict=True)]
        self.moments = [a + b for a, b in zip(self.moments, more.moments, strict=True)]
        self.differs = self.differs or more.differs

    def estimate(self, is_share: bool = False) -> Estimate | None:
        """The figure in the first setting; None where nothing was counted."""
        return self._estimate(0, is_share)

    def other(self, is_share: bool = False) -> Estimate | None:
        """The same in the second setting."""
        return self._estimate(2, is_share)

    def difference(self) -> Estimate | None:
        """The first less the second; exactly 0 where no unit differed; None where one of them says nothing."""
        if not (self.totals[1] and self.totals[3]):
            return None
        if not self.differs:
            return Estimate(0.0, 0.0, 0.0)
        xa, ya, xb, yb = map(Fraction, self.totals)
        # How much each value of a unit moves the difference: (x − r·y) / Σy here, less the same there.
        weights = (1 / ya, -xa / ya**2, -1 / yb, xb / yb**2)
        return self._interval(xa / ya - xb / yb, weights)

    def _estimate(self, at: int, is_share: bool) -> Estimate | None:
        numerator, denominator = self.totals[at], self.totals[at + 1]
        if not denominator:
            return None
        ratio = Fraction(numerator, denominator)
        weights = [Fraction(0)] * 4
        weights[at], weights[at + 1] = 1 / Fraction(denominator), -ratio / denominator
        return self._wilson(at, ratio, weights) if is_share else self._interval(ratio, weights)

    def _wilson(self, at: int, share: Fraction, weights: Sequence[Fraction]) -> Estimate:
        """Wilson's interval for as many single ones as would be as sure as these units are by the delta method.

        They are no more than were counted, and no fewer than if those of a unit said all the same (Kish's number).
        """
        counted = self.totals[at + 1]
        apart = Fraction(counted**2) / self.moments[_AT[at + 1, at + 1]]
        variance = self._variance(weights)
        constant = Fraction(counted) if self.units > 1 and 0 < share < 1 else apart
        as_sure = share * (1 - share) / variance if variance else constant
        alone = min(Fraction(counted), max(apart, as_sure))
        return wilson(float(share * alone), float(alone))

    def _interval(self, value: Fraction, weights: Sequence[Fraction]) -> Estimate:
        """The interval by the delta method, from how much each value of a unit moves the figure."""
        if self.units < 2:
            return Estimate(float(value), -math.inf, math.inf)
        half = Z * math.sqrt(self._variance(weights))
        return Estimate(float(value), float(value) - half, float(value) + half)

    def _variance(self, weights: Sequence[Fraction]) -> Fraction:
        """The variance of a figure by the delta method; of two units or more."""
        variance = sum(
            (
                (1 if first == second else 2) * weights[first] * weights[second] * self.moments[at]
                for (first, second), at in _AT.items()
                if weights[first] and weights[second]
            ),
            Fraction(0),
        )
        return variance * self.units / (self.units - 1) if self.units > 1 else Fraction(0)


def _exact(value: float) -> int | Fraction:
    return int(value) if value == int(value) else Fraction(value)


def merge(batches: Iterable[Mapping[str, Sums]]) -> dict[str, Sums]:
    """The sums of batches, by figure."""
    total: dict[str, Sums] = {}
    for batch in batches:
        for key, sums in batch.items():
            total.setdefault(key, Sums()).merge(sums)
    return total
