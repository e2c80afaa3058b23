"""Rehearsals that end once their answer is sure, and the definition of sure.

A 95 % interval that is checked repeatedly, with a stop as soon as it is clear enough, is wrong more often than 5 times
in 100. So the intervals here are confidence sequences: with 95 % the true value is in all of them, after any number of
units, and the rehearsal may stop at any time. They are the asymptotic ones of Waudby-Smith, Arbour, Sinha, Kennedy and
Ramdas (“Time-uniform central limit theory and asymptotic confidence sequences”, Annals of Statistics 52, 2024), 1.5 to
2 times as wide as usual intervals. If several statements are made about one rehearsal, each has its share of the 5 %
(Bonferroni), so that with 95 % all of them hold at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Final, Protocol

from companion.rehearsal.design import Design
from companion.rehearsal.estimate import Sums
from companion.rehearsal.run import Figures, rehearse
from companion.tabletop.rehearsal import Figure

ERROR: Final = 0.05
"""Probability of any wrong statement."""
BEGINNING: Final = 100
"""Units before which nothing is sure: sums of fewer skewed values are not close enough to a normal distribution."""
_NARROW: Final = 1000
"""Units at which the intervals are narrowest; before and after that they are slightly wider."""
_POINTS: Final = 0.02
_PART: Final = 0.05
"""Default margins: of a share, and of any other figure in parts of its value."""


def sequential_z(units: int, statements: int) -> float:
    """Return the half-width, in standard errors, of one of `statements` intervals that hold whenever one stops."""
    error = ERROR / statements
    best = -2 * math.log(error)
    at = units / _NARROW * (best + math.log(best) + 1)
    # Logarithms differ in the last digit between machines; figures must not.
    return round(math.sqrt(2 * (at + 1) / at * math.log(math.sqrt(at + 1) / error)), 9)


def excludes_rare(units: int, part: float, statements: int) -> bool:
    """Return True if an event that occurred in none of `units` units surely occurs in less than this part of all."""
    return units * part >= math.log(statements / ERROR)


def can_be_sure(sums: Sums) -> bool:
    """Return True if enough units count for a figure to make any statement about it."""
    return sums.effective_units >= BEGINNING


def margin_of(figure: Figure, value: float, margin: float | None = None) -> float:
    """Return the least difference of a figure that matters: `margin` if given, else 2 points or 5 % of its value."""
    if margin is not None:
        return margin
    return _POINTS if figure.is_part else _PART * abs(value)


def is_small(sums: Sums, most: float, margin: float, value: float, is_part: bool, statements: int) -> bool:
    """Return True if a difference surely does not matter; `most` is the end of its interval farther from 0.

    `value` is that of the figure. An event too rare to have been observed could change a share by 1, other figures by
    their value.
    """
    whole = 1.0 if is_part else abs(value) or 1.0
    return most <= margin and can_be_sure(sums) and excludes_rare(sums.units, margin / whole, statements)


class SequentialRehearsal(Protocol):
    """A rehearsal of which each part depends on the results of the earlier ones."""

    @property
    def units(self) -> int:
        """Number of units played."""
        ...

    @property
    def is_over(self) -> bool:
        """Return True if the answer is sure."""
        ...

    def following(self, most: int) -> tuple[Design, range]:
        """Return the units to play next, up to `most` in all."""
        ...

    def add(self, units: int, batch: Figures) -> None:
        """Add a batch; batches come in the order of their numbers."""
        ...


def carry_out(sequential: SequentialRehearsal, seed: int, most: int, workers: Callable[[], Executor]) -> Iterator[int]:
    """Play until the answer is sure or `most` units are played; yield the size of each batch as it is finished.

    Decisions depend only on the batches in the order of their numbers, never on which worker is first. Raises
    RuleError, WorkersDied.
    """
    while not sequential.is_over and sequential.units < most:
        design, numbers = sequential.following(most)
        for units, batch in rehearse(design, seed, numbers, workers):
            sequential.add(units, batch)
            yield units
            if sequential.is_over:
                break
