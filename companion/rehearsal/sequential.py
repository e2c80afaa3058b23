"""Rehearsals that end once their answer is sure, and what sure means.

Who looks again and again, and stops as soon as a 95 % interval says enough, is wrong more often than 5 times of 100. So
intervals here are confidence sequences: with 95 % the true value is in all of them, after however many units one looks,
and one may stop whenever one likes. They are the asymptotic ones of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas
(“Time-uniform central limit theory and asymptotic confidence sequences”, Annals of Statistics 52, 2024), half as wide
again as usual intervals or twice as wide. Where several statements are made of one rehearsal, each of them has its
share of the 5 % (Bonferroni), so that with 95 % all of them hold at once.
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
"""How often anything may be said that is not so."""
BEGINNING: Final = 100
"""Units before which nothing is sure: below, the sums of what is skewed are not yet near enough to a normal law."""
_NARROW: Final = 1000
"""Units after which the intervals are as narrow as they can be; before and after that they are little wider."""
_POINTS: Final = 0.02
_PART: Final = 0.05
"""What matters of a share, and of any other figure, where nobody says it."""


def sequential_z(units: int, statements: int) -> float:
    """Standard errors on each side of an interval that holds whenever one stops, for one of so many statements."""
    error = ERROR / statements
    best = -2 * math.log(error)
    at = units / _NARROW * (best + math.log(best) + 1)
    # Logarithms differ in the last digit from machine to machine; figures must not.
    return round(math.sqrt(2 * (at + 1) / at * math.log(math.sqrt(at + 1) / error)), 9)


def excludes_rare(units: int, part: float, statements: int) -> bool:
    """Whether what happened in none of so many units surely happens in less than this part of all."""
    return units * part >= math.log(statements / ERROR)


def can_be_sure(sums: Sums) -> bool:
    """Whether there are enough units to say anything of a figure: those that count for it, where not all do."""
    return sums.effective_units >= BEGINNING


def margin_of(figure: Figure, value: float, margin: float | None = None) -> float:
    """The least difference of a figure that matters: what is asked for, else 2 points, or a twentieth of its value."""
    if margin is not None:
        return margin
    return _POINTS if figure.is_part else _PART * abs(value)


def is_small(sums: Sums, most: float, margin: float, value: float, is_part: bool, statements: int) -> bool:
    """Whether a difference of which `most` is the end of the interval farther from 0 does surely not matter.

    `value` is that of the figure. What is too rare to have been seen could change a share by 1, others by their value.
    """
    whole = 1.0 if is_part else abs(value) or 1.0
    return most <= margin and can_be_sure(sums) and excludes_rare(sums.units, margin / whole, statements)


class SequentialRehearsal(Protocol):
    """A rehearsal of which each part depends on what came of those before."""

    @property
    def units(self) -> int:
        """How many were played."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the answer is sure."""
        ...

    def following(self, most: int) -> tuple[Design, range]:
        """What is played next, up to so many units in all."""
        ...

    def add(self, units: int, batch: Figures) -> None:
        """A batch more, in the order of the numbers."""
        ...


def carry_out(sequential: SequentialRehearsal, seed: int, most: int, workers: Callable[[], Executor]) -> Iterator[int]:
    """Plays until the answer is sure, or so many units are played; gives how many each batch had, as they come.

    What is decided depends on batches in the order of their numbers alone, never on who is first. Raises RuleError,
    WorkersDied.
    """
    while not sequential.is_over and sequential.units < most:
        design, numbers = sequential.following(most)
        for units, batch in rehearse(design, seed, numbers, workers):
            sequential.add(units, batch)
            yield units
            if sequential.is_over:
                break
