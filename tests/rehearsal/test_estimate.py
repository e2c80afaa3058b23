"""Estimates against intervals worked out by hand, and sums that any order adds up to."""

from itertools import product
from math import inf
from random import Random
from statistics import fmean, stdev

import pytest

from companion.rehearsal.estimate import Sums, merge
from companion.rehearsal.quantiles import clopper_pearson, poisson_interval, student_z
from companion.tabletop.estimate import wilson


def test_a_share_has_wilsons_interval() -> None:
    # 10 of 100: 5.52 % to 17.44 %, as textbooks have it.
    assert wilson(10, 100) == pytest.approx((0.1, 0.05522914, 0.17436566), abs=1e-8)
    assert wilson(0, 20)[:2] == (0, 0)


def test_a_mean_has_the_interval_of_its_standard_error() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    sums = Sums()
    for value in 100 * values:
        sums.add((value, 1))
    half = 1.959963984540054 * stdev(values * 100) / 800**0.5
    assert sums.estimate() == pytest.approx((fmean(values), fmean(values) - half, fmean(values) + half), rel=0.005)


def test_a_paired_difference_has_the_error_of_differences() -> None:
    pairs = 100 * [(3, 2), (1, 1), (4, 5), (1, 0), (5, 5), (9, 6)]
    sums = Sums()
    for one, other in pairs:
        sums.add((one, 1), (other, 1))
    gaps = [one - other for one, other in pairs]
    half = 1.959963984540054 * stdev(gaps) / len(gaps) ** 0.5
    assert sums.difference() == pytest.approx((fmean(gaps), fmean(gaps) - half, fmean(gaps) + half), rel=0.02)


def test_a_figure_that_never_differed_may_still_do_so() -> None:
    sums = Sums()
    for _ in range(60):
        sums.add((0, 1), (0, 1))
    assert sums.is_unchanged({0: 1, 1: -1})
    # 3.67 of 60 games may differ, and somewhat more as 60 is not many.
    assert sums.difference() == pytest.approx((0, -0.0624, 0.0624), abs=1e-4)
    sums.add((1, 1), (0, 1))
    assert not sums.is_unchanged({0: 1, 1: -1})
    assert Sums().difference() is None


def test_one_game_that_differs_is_not_more_than_chance() -> None:
    # Nor are four against none: by the sign test that happens by chance in 1 of 8 cases.
    for changes in (1, 4):
        sums = Sums()
        for number in range(400):
            sums.add((number < changes, 1), (0, 1))
        difference = sums.difference()
        assert difference
        assert difference.low < 0 < difference.value < difference.high


@pytest.mark.parametrize("units", [60, 400, 5000])
def test_unseen_is_not_zero(units: int) -> None:
    sums = Sums()
    for _ in range(units):
        sums.add((0, 1))
    share, mean, purse = sums.estimate(is_share=True), sums.estimate(), sums.estimate(step=10)
    assert share
    assert mean
    assert purse
    # Clopper's and Pearson's: of so many games none, where the true share is this, in 2.5 of 100 cases.
    assert share == pytest.approx((0, 0, 1 - 0.025 ** (1 / units)), abs=1e-8)
    assert 3.6 < mean.high * units < 3.8
    assert purse.high == pytest.approx(10 * mean.high)


def test_always_the_same_is_no_certainty() -> None:
    sums = Sums()
    for _ in range(60):
        sums.add((6, 1))
    estimate = sums.estimate(step=6)
    assert estimate
    assert estimate.low == pytest.approx(6 - 6 * 3.74 / 60, abs=0.01)


def test_a_single_unit_says_nothing_of_a_mean() -> None:
    sums = Sums()
    sums.add((7, 1))
    assert sums.estimate() == (7, -inf, inf)


def test_quantiles_are_those_of_tables() -> None:
    assert clopper_pearson(10, 100) == pytest.approx((0.1, 0.0490, 0.1762), abs=5e-5)
    assert clopper_pearson(0, 60) == pytest.approx((0, 0, 0.0596), abs=5e-5)
    assert clopper_pearson(60, 60) == pytest.approx((1, 0.9404, 1), abs=5e-5)
    assert clopper_pearson(1, 1_000_000).high == pytest.approx(5.572e-6, abs=1e-9)
    assert [student_z(1.959963984540054, freedom) for freedom in (1, 2, 10, 59, 20_000)] == pytest.approx(
        [12.706, 4.303, 2.228, 2.001, 1.960], abs=5e-4
    )
    # Exactly 0 to 3.689, 0.0253 to 5.572, 1.623 to 11.668, and 81.36 to 121.63.
    assert poisson_interval(0) == pytest.approx((0, 3.669), abs=1e-3)
    assert poisson_interval(1) == pytest.approx((0.0131, 5.564), abs=1e-3)
    assert poisson_interval(5) == pytest.approx((1.611, 11.668), abs=1e-3)
    assert poisson_interval(100) == pytest.approx((81.36, 121.63), abs=1e-2)
    assert poisson_interval(1e9) == pytest.approx((1e9 - 1.96 * 1e9**0.5, 1e9 + 1.96 * 1e9**0.5), rel=1e-7)


def test_sums_of_no_unit_change_nothing() -> None:
    sums = Sums()
    sums.add((1, 1))
    before = sums.estimate(is_share=True)
    sums.merge(Sums())
    assert sums.estimate(is_share=True) == before


def test_sums_are_the_same_in_any_order() -> None:
    chance = Random(3)
    units = [(chance.random() / 3, chance.randrange(1, 9)) for _ in range(60)]
    together, parts = Sums(), [Sums() for _ in range(4)]
    for at, unit in enumerate(units):
        together.add(unit)
        parts[at % 4].add(unit)
    assert merge({"f": part} for part in parts)["f"].estimate() == together.estimate()


def test_intervals_of_ratios_hold_what_they_promise() -> None:
    # Pips over dice thrown, one to three dice a unit: the truth is 3.5.
    chance, holds = Random(5), 0
    for _ in range(200):
        sums = Sums()
        for _ in range(60):
            dice = chance.randrange(1, 4)
            sums.add((sum(chance.randrange(1, 7) for _ in range(dice)), dice))
        estimate = sums.estimate()
        assert estimate
        holds += estimate.low <= 3.5 <= estimate.high
    assert 181 <= holds <= 198


def test_a_figure_that_some_units_lack_is_a_share_of_the_others() -> None:
    sums = Sums()
    for win, counts in product((0, 1), (0, 1)):
        sums.add((win * counts, counts))
    assert sums.estimate(is_share=True) == clopper_pearson(1, 2)


def test_a_share_of_evenings_is_as_sure_as_its_campaigns_allow() -> None:
    # Campaigns of 12 evenings, won by a chance that is each campaign's own: the truth is 1/2.
    chance, holds, widths, alone = Random(8), 0, 0.0, 0.0
    for _ in range(200):
        sums = Sums()
        for _ in range(40):
            strength = chance.random()
            sums.add((sum(chance.random() < strength for _ in range(12)), 12))
        estimate = sums.estimate(is_share=True)
        assert estimate
        holds += estimate.low <= 0.5 <= estimate.high
        widths += estimate.high - estimate.low
        of_evenings = wilson(240, 480)
        alone += of_evenings.high - of_evenings.low
    assert 181 <= holds <= 198
    assert widths > 1.7 * alone


def test_campaigns_that_are_all_won_are_no_surer_than_as_many_dungeons() -> None:
    sums = Sums()
    for _ in range(30):
        sums.add((12, 12))
    assert sums.estimate(is_share=True) == clopper_pearson(30, 30)


def test_evenings_that_do_not_hang_together_count_each() -> None:
    chance, sums = Random(9), Sums()
    for _ in range(300):
        sums.add((sum(chance.random() < 0.3 for _ in range(12)), 12))
    estimate = sums.estimate(is_share=True)
    assert estimate
    half = 1.96 * (0.3 * 0.7 / 3600) ** 0.5
    assert estimate.high - estimate.low == pytest.approx(2 * half, rel=0.15)
