"""The coverage of the intervals of rehearsals: python -m tests.rehearsal.coverage 1000

Units are drawn with replacement from a large run. The truth is then known exactly, as it is the figure of that run, and
each sample is as independent of the others as a rehearsal with another seed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

import click

from companion.games import registry
from companion.rehearsal.design import Comparison, Design, OneSetting, Sides
from companion.rehearsal.estimate import Sums
from companion.rehearsal.play import rehearse_one
from companion.rehearsal.report import make_report
from companion.rehearsal.run import all_figures
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import Figure, RehearsalSetting

Unit = Mapping[str, Sides]
"""The values of each figure in a unit, by key."""
LEAST: Final = 0.93
MOST: Final = 0.97
"""Between what the coverage of a 95 % interval shall be; that of what hardly ever happens is higher, as is known of all
exact intervals: there are not enough outcomes to come nearer.
"""
SIZES: Final = (60, 400)
"""Units of a sample."""
_COMMON: Final = 0.2
"""A figure is common where so many units say of it neither the least nor the most that any unit does."""
_RARELY: Final = 4
"""A figure that fewer than one in so many samples has is left out: of an inscription that few bands bear."""
_ROUNDING: Final = 1e-9

SETTINGS: Final[dict[str, Design]] = {
    "greedy": OneSetting(RehearsalSetting("decknforge", 3, temperaments=("greedy",))),
    "together": OneSetting(RehearsalSetting("decknforge", 4, temperaments=("table", "greedy", "careful"))),
    "campaigns": OneSetting(RehearsalSetting("decknforge", 3, temperaments=("greedy", "careful"), evenings=3)),
    "compared": Comparison(
        RehearsalSetting("decknforge", 3, (("foilCost", "1"),), ("greedy", "careful", "random")),
        RehearsalSetting("decknforge", 3, (), ("greedy", "careful", "random")),
    ),
}


class Coverage(NamedTuple):
    """Return how often the interval of a figure held its truth, in so many samples."""

    key: str
    hits: int
    samples: int
    is_common: bool

    @property
    def share(self) -> float:
        """The part of the samples."""
        return self.hits / self.samples

    @property
    def is_too_low(self) -> bool:
        """Return True if it is below what is promised by more than three standard errors of this measurement."""
        return bool(LEAST - self.share > 3 * (LEAST * (1 - LEAST) / self.samples) ** 0.5)

    @property
    def is_too_high(self) -> bool:
        """Return True if the figure is common, and its coverage above what is meant by more than that."""
        return bool(self.is_common and self.share - MOST > 3 * (MOST * (1 - MOST) / self.samples) ** 0.5)


def play_units(design: Design, units: int, seed: int = 0) -> list[Unit]:
    """Return the values of each of so many units of a design."""
    return [
        dict(design.sides([all_figures(rehearse_one(setting, seed, number)) for setting in design.settings]))
        for number in range(units)
    ]


def measure(
    units: Sequence[Unit], catalogue: Sequence[Figure], size: int, samples: int, seed: int = 0
) -> Iterator[Coverage]:
    """The coverage of each figure in reports on so many units; where these have two sides, of each difference."""
    chance = Random(seed)
    truths = {key: estimate.value for key, estimate in estimates(units, catalogue).items()}
    hits, reports = dict.fromkeys(truths, 0), dict.fromkeys(truths, 0)
    for _ in range(samples):
        for key, (_, low, high) in estimates(chance.choices(units, k=size), catalogue).items():
            reports[key] += 1
            hits[key] += low - _ROUNDING <= truths[key] <= high + _ROUNDING
    for key in truths:
        if reports[key] * _RARELY >= samples:
            yield Coverage(key, hits[key], reports[key], _is_common(key, units))


def estimates(units: Sequence[Unit], catalogue: Sequence[Figure]) -> dict[str, Estimate]:
    """The figures of a report on these units, or the differences where it compares two settings, by key."""
    sums: dict[str, Sums] = {}
    for unit in units:
        for key, sides in unit.items():
            sums.setdefault(key, Sums()).add(*sides)
    setting = RehearsalSetting("decknforge", 3)
    against = setting if len(next(iter(units[0].values()))) > 1 else None
    rows = make_report(catalogue, setting, against, 0, sums).rows
    return {row.key: row.difference or row.estimate for row in rows}


def _is_common(key: str, units: Sequence[Unit]) -> bool:
    moves = [_move(unit[key]) for unit in units if key in unit]
    return sum(min(moves) < move < max(moves) for move in moves) > _COMMON * len(units)


def _move(sides: Sides) -> float:
    """The numerator of a unit, or how far those of two sides are apart."""
    first, *others = (numerator for numerator, _ in sides)
    return first - sum(others)


def line_of(name: str, size: int, coverages: Sequence[Coverage]) -> str:
    """Return a line on how the figures of a setting did."""
    common = [each.share for each in coverages if each.is_common]
    mean = sum(common) / len(common) if common else 0.0
    low, high = (sum(getattr(each, end) for each in coverages) for end in ("is_too_low", "is_too_high"))
    least = min(coverages, key=lambda each: each.share)
    return (
        f"{name}, samples of {size}: {len(coverages)} figures, {low} below {LEAST:.0%}, {high} common ones above "
        f"{MOST:.0%}; the {len(common)} common ones {mean:.1%} on the mean; least {least.share:.1%} ({least.key})"
    )


@click.command()
@click.argument("games", type=click.IntRange(10), default=4000)
@click.option("--samples", type=click.IntRange(10), default=100, show_default=True, help="Of each size.")
@click.option("--only", type=click.Choice([*SETTINGS]), help="One setting; else all.")
def main(games: int, samples: int, only: str | None) -> None:
    """Rehearse so many GAMES of each setting, and measure the coverage of each figure of reports on samples of them."""
    rehearsal = registry.game("decknforge").rehearsal
    assert rehearsal is not None
    errors = 0
    for name in [only] if only else SETTINGS:
        units = play_units(SETTINGS[name], games // SETTINGS[name].settings[0].evenings)
        for size in SIZES:
            coverages = list(measure(units, (*rehearsal.figures, *rehearsal.tables), size, samples))
            click.echo(line_of(name, size, coverages))
            for each in coverages:
                if each.is_too_low or each.is_too_high:
                    click.echo(f"    {each.key}: {each.share:.1%}")
                    errors += 1
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
