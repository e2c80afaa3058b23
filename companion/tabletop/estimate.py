"""How sure a share is that was counted: Wilson's 95 % interval."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

Z: Final = 1.959963984540054
"""Standard deviations of a normal distribution between which 95 % lie, on each side."""


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_nothing(self) -> bool:
        """Whether it is exactly 0, and sure of that: two settings that never differed."""
        return self.value == self.low == self.high == 0


NOTHING: Final = Estimate(0.0, 0.0, 0.0)
"""The difference of two settings of which each game came out the same."""


def wilson(successes: float, units: float, z: float = Z) -> Estimate:
    """A share of units with Wilson's interval for `z` standard deviations, which stays between 0 and 1 and is never
    empty.

    Where units hang together, they are as many as say as much alone, and need not be a whole number.
    """
    share, z2 = successes / units, z * z
    middle = (share + z2 / (2 * units)) / (1 + z2 / units)
    half = z * math.sqrt(share * (1 - share) / units + z2 / (4 * units * units)) / (1 + z2 / units)
    return Estimate(share, min(share, middle - half), max(share, middle + half))
