"""Intervals hold the truth as often as they say, of what happens often and of what hardly ever does."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.games import registry
from companion.rehearsal.design import Sides
from companion.tabletop.rehearsal import Figure
from tests.rehearsal.coverage import LEAST, MOST, SETTINGS, SIZES, Unit, measure, play_units

SHARE = Figure("share", "Share", "share", "games", "Whether it happened.")
MEAN = Figure("mean", "Mean", "mean", "times", "How often it happened.")
LUMPS = Figure("lumps", "Lumps", "mean", "Coppers", "What it brought, up to six at once.", step=6)
PART = Figure("part", "Part", "part", "kills", "Of six kills each.")
RATIO = Figure("ratio", "Ratio", "ratio", "a round", "In three to nine rounds each.")
POPULATION = 4000

Law = Callable[[Random], Sides]


def _poisson(chance: Random, mean: float) -> int:
    count, left = 0, chance.expovariate(1)
    while left < mean:
        count, left = count + 1, left + chance.expovariate(1)
    return count


def _happens(part: float) -> Law:
    return lambda chance: ((chance.random() < part, 1),)


def _counts(mean: float) -> Law:
    return lambda chance: ((_poisson(chance, mean), 1),)


def _lumps(part: float) -> Law:
    """Nothing in most games, else one to six."""
    return lambda chance: ((chance.randrange(1, 7) if chance.random() < part else 0, 1),)


def _bosses(part: float) -> Law:
    """Six in most games, else fewer."""
    return lambda chance: ((chance.randrange(6) if chance.random() < part else 6, 1),)


def _kills(part: float) -> Law:
    return lambda chance: ((sum(chance.random() < part for _ in range(6)), 6),)


def _rounds(mean: float) -> Law:
    def law(chance: Random) -> Sides:
        rounds = chance.randrange(3, 10)
        return ((_poisson(chance, mean * rounds), rounds),)

    return law


def _pairs(part: float, often: float) -> Law:
    """Two settings that differ in some games: by one more in a `part` of them, by one fewer in as many.

    Samples in which no game differs at all are told as `0 ± 0`, so the part may not be small beside their size.
    """

    def law(chance: Random) -> Sides:
        shared, lot = _poisson(chance, often), chance.random()
        return (shared + (lot < part), 1), (shared + (lot > 1 - part), 1)

    return law


LAWS: dict[str, tuple[Figure, Law]] = {
    **{f"a share of {part}": (SHARE, _happens(part)) for part in (0.001, 0.01, 0.05, 0.3, 0.5, 0.97)},
    **{f"{mean} a game": (MEAN, _counts(mean)) for mean in (0.002, 0.02, 0.1, 0.5, 3)},
    **{f"lumps in {part} of the games": (LUMPS, _lumps(part)) for part in (0.005, 0.03, 0.1, 0.5)},
    **{f"fewer than six in {part}": (LUMPS, _bosses(part)) for part in (0.01, 0.05, 0.3)},
    **{f"{part} of the kills": (PART, _kills(part)) for part in (0.002, 0.05, 0.4)},
    **{f"{mean} a round": (RATIO, _rounds(mean)) for mean in (0.001, 0.02, 0.5)},
    **{f"pairs that differ in 2 × {part}": (MEAN, _pairs(part, 1)) for part in (0.03, 0.2)},
}
COMMON = {"a share of 0.3", "a share of 0.5", "0.5 a game", "3 a game", "0.4 of the kills", "0.5 a round"}
"""Laws of which both ends are promised; exact intervals of what is rarer hold the truth more often than they say."""


def _coverage(law: str, size: int, samples: int) -> float:
    figure, draw = LAWS[law]
    chance = Random(law)
    units: list[Unit] = [{figure.key: draw(chance)} for _ in range(POPULATION)]
    (coverage,) = measure(units, [figure], size, samples)
    assert not coverage.is_too_low, coverage
    return coverage.share


@pytest.mark.sample(6)
@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("law", LAWS)
def test_intervals_hold_the_truth_of_any_law(law: str, size: int) -> None:
    share = _coverage(law, size, 150)
    if law in COMMON:
        assert share < MOST + 0.03


def test_the_interval_of_what_was_never_seen_holds_its_truth() -> None:
    # What happens in 1 of 100 games is unseen in more than half of the samples of 60; an empty interval misses there.
    assert _coverage("0.02 a game", 60, 100) >= LEAST
    assert _coverage("lumps in 0.03 of the games", 60, 100) >= LEAST


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["greedy", "compared"])
def test_every_figure_of_a_report_holds_its_truth(name: str) -> None:
    rehearsal = registry.game("decknforge").rehearsal
    assert rehearsal is not None
    coverages = list(measure(play_units(SETTINGS[name], 150), (*rehearsal.figures, *rehearsal.tables), 60, 40))
    assert len(coverages) > 100
    assert [each for each in coverages if each.is_too_low] == []
    common = [each.share for each in coverages if each.is_common]
    assert LEAST <= sum(common) / len(common) <= MOST + 0.01
