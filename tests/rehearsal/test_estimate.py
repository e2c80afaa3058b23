"""Estimates against intervals worked out by hand, and sums that any order adds up to."""

from itertools import product
from random import Random
from statistics import fmean, stdev

import pytest

from companion.rehearsal.estimate import Sums, merge
from companion.tabletop.estimate import wilson


def test_a_share_has_wilsons_interval() -> None:
    # 10 of 100: 5.52 % to 17.44 %, as textbooks have it.
    assert wilson(10, 100) == pytest.approx((0.1, 0.05522914, 0.17436566), abs=1e-8)
    assert wilson(0, 20)[:2] == (0, 0)


def test_a_mean_has_the_interval_of_its_standard_error() -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    sums = Sums()
    for value in values:
        sums.add((value, 1))
    half = 1.959963984540054 * stdev(values) / len(values) ** 0.5
    assert sums.estimate() == pytest.approx((fmean(values), fmean(values) - half, fmean(values) + half))


def test_a_paired_difference_has_the_error_of_differences() -> None:
    pairs = [(3, 2), (1, 1), (4, 5), (1, 0), (5, 5), (9, 6)]
    sums = Sums()
    for one, other in pairs:
        sums.add((one, 1), (other, 1))
    gaps = [one - other for one, other in pairs]
    half = 1.959963984540054 * stdev(gaps) / len(gaps) ** 0.5
    assert sums.difference() == pytest.approx((fmean(gaps), fmean(gaps) - half, fmean(gaps) + half))


def test_settings_that_never_differ_are_exactly_0_apart() -> None:
    sums = Sums()
    for value in (0.1, 0.2, 0.7):
        sums.add((value, 3), (value, 3))
    assert sums.difference() == (0, 0, 0)
    assert Sums().difference() is None


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
    assert sums.estimate(is_share=True) == wilson(1, 2)


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
    assert sums.estimate(is_share=True) == wilson(30, 30)


def test_evenings_that_do_not_hang_together_count_each() -> None:
    chance, sums = Random(9), Sums()
    for _ in range(300):
        sums.add((sum(chance.random() < 0.3 for _ in range(12)), 12))
    estimate = sums.estimate(is_share=True)
    assert estimate
    half = 1.96 * (0.3 * 0.7 / 3600) ** 0.5
    assert estimate.high - estimate.low == pytest.approx(2 * half, rel=0.15)
