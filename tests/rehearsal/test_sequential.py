"""What is said to be sure is so, whenever one stops: simulated, and against what can be worked out by hand."""

import math
from random import Random

import pytest

from companion.rehearsal.estimate import Sums
from companion.rehearsal.sequential import (
    BEGINNING,
    can_be_sure,
    excludes_rare,
    is_small,
    margin_of,
    sequential_z,
)
from companion.tabletop.estimate import Z
from tests.rehearsal.toy import SCORE, WIN


def _misses(draw: Random, share: float, z: float | None, walks: int = 400, units: int = 1000) -> float:
    """How many of many rehearsals of a share some look finds elsewhere than it is; looks are at every 25 units."""
    missed = 0
    for _ in range(walks):
        total = 0
        for number in range(1, units + 1):
            total += draw.random() < share
            if number < BEGINNING or number % 25:
                continue
            mean = total / number
            error = math.sqrt(mean * (1 - mean) / number)
            if abs(mean - share) > (z or sequential_z(number, 1)) * error:
                missed += 1
                break
    return missed / walks


def test_looking_often_costs_no_confidence() -> None:
    assert _misses(Random(1), 0.4, None) <= 0.05
    # What would come of the usual interval: more than three times as many errors as it promises.
    assert _misses(Random(1), 0.4, Z) > 0.15


def test_an_interval_is_that_of_the_formula() -> None:
    # With ρ²t = −2 log α + log(−2 log α) + 1 = 8.78, it is the root of 2 · 9.78 / 8.78 · log(√9.78 / α).
    assert sequential_z(1000, 1) == pytest.approx(3.035, abs=0.001)
    assert sequential_z(100, 1) > sequential_z(1000, 1) < sequential_z(20_000, 1) < 3.5


def test_more_statements_need_wider_intervals() -> None:
    zs = [sequential_z(1000, statements) for statements in (1, 6, 21, 190)]
    assert zs == sorted(zs)
    assert zs[-1] < 1.5 * zs[0]


def test_what_was_never_seen_may_be_rare() -> None:
    # The rule of three: none of 60 leaves room for 5 % of all.
    assert not excludes_rare(59, 0.05, 1)
    assert excludes_rare(60, 0.05, 1)
    assert not excludes_rare(60, 0.05, 2)


def test_nothing_is_sure_before_enough_has_counted() -> None:
    sums = Sums()
    for number in range(BEGINNING):
        assert not can_be_sure(sums)
        sums.add((1, 1), (number, 1))
    assert can_be_sure(sums)
    rare = Sums()
    for number in range(2 * BEGINNING):
        rare.add((1, 1), (1, number % 4 == 0))
    assert not can_be_sure(rare)


def test_a_difference_without_errors_is_small_once_rare_ones_are_not() -> None:
    sums = Sums()
    for _ in range(200):
        sums.add((0, 1), (0, 1))
    assert is_small(sums, 0.0, margin=0.02, value=0.5, is_part=True, statements=1)
    assert not is_small(sums, 0.0, margin=0.01, value=0.5, is_part=True, statements=1)
    assert not is_small(sums, 0.03, margin=0.02, value=0.5, is_part=True, statements=1)


def test_what_matters_is_2_points_or_a_twentieth() -> None:
    assert margin_of(WIN, 0.4) == 0.02
    assert margin_of(SCORE, 12) == pytest.approx(0.6)
    assert margin_of(SCORE, 12, 1.5) == 1.5
