"""The uncertainty of a measured share: Wilson's 95 % interval."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

Z: Final = 1.959963984540054
"""Half the width of the interval that holds 95 % of a normal distribution, in standard deviations."""


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_nothing(self) -> bool:
        """Return True if the value is exactly 0 with an empty interval, as for two settings that never differed."""
        return self.value == self.low == self.high == 0


NOTHING: Final = Estimate(0.0, 0.0, 0.0)
"""The difference between two settings with the same outcome in every game."""


def wilson(successes: float, units: float, z: float = Z) -> Estimate:
    """Return a share of units with Wilson's interval for `z` standard deviations.

    The interval stays between 0 and 1 and is never empty. For dependent units, `units` is the number of independent
    units with the same information, and need not be a whole number.
    """
    share, z2 = successes / units, z * z
    middle = (share + z2 / (2 * units)) / (1 + z2 / units)
    half = z * math.sqrt(share * (1 - share) / units + z2 / (4 * units * units)) / (1 + z2 / units)
    return Estimate(share, min(share, middle - half), max(share, middle + half))
