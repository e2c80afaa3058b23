"""What one unit plays, and what is kept of it: a design, as experimenters call it.

A unit has a number, and so its chance. By a design it is played once or in several settings with that same chance, and
what came of it becomes a few pairs a figure: a numerator and a denominator for each side that is compared. The sums of
these pairs (`companion/rehearsal/estimate.py`) are all that is kept. Designs go through JSON to workers and archives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final, NamedTuple

import msgspec

from companion.rehearsal.estimate import Pair
from companion.rehearsal.fraction import parity, two_level_columns
from companion.tabletop.action import RuleError
from companion.tabletop.rehearsal import Counts, Setting

NOTHING: Final[Pair] = (0.0, 0.0)
"""What a unit says of a figure that it does not have."""
WHOLE: Final = 64
"""Runs of the largest factorial of which every combination is played."""
Sides = tuple[Pair, ...]


class OneSetting(msgspec.Struct, frozen=True, tag="one"):
    """One setting; each figure has one side."""

    setting: Setting

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What one unit plays, in this order."""
        return (self.setting,)

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """The pairs of one unit by what they are kept as, from its figures in each of the settings."""
        return ((key, (pair,)) for key, pair in outcomes[0].items())


class Comparison(msgspec.Struct, frozen=True, tag="comparison"):
    """Two settings; each figure has two sides, the setting's first."""

    setting: Setting
    against: Setting

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What one unit plays, in this order."""
        return (self.setting, self.against)

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """The pairs of one unit by what they are kept as, from its figures in each of the settings."""
        keys = {key for outcome in outcomes for key in outcome}
        return ((key, tuple(outcome.get(key, NOTHING) for outcome in outcomes)) for key in sorted(keys))


class Lever(msgspec.Struct, frozen=True):
    """A house rule by its key, and the two or more values that are tried; others are compared with the first."""

    key: str
    values: tuple[str, ...]


class Effect(NamedTuple):
    """What a value does instead of a lever's first one, or two of them together beyond what each does by itself.

    `groups` are the runs that are added up for each side, and `signs` say how the sides' figures make the effect. In a
    fraction, what `aliases` name is in the same figure and cannot be told from it.
    """

    name: str
    groups: tuple[tuple[int, ...], ...]
    signs: tuple[int, ...]
    aliases: tuple[str, ...] = ()

    @property
    def is_interplay(self) -> bool:
        """Whether it is of two levers."""
        return len(self.groups) > 2


class Factorial(msgspec.Struct, frozen=True, tag="factorial"):
    """Levers in all combinations; or, where that is too much, in a fraction of them.

    Each figure has one side by its key, for the setting with every lever at its first value, and for each effect the
    sides of it by `FIGURE@EFFECT`. Tables are left out. The effects on one `figure` are ranked; what is less than the
    `margin` does not matter (None: what is usual for that figure).
    """

    setting: Setting
    levers: tuple[Lever, ...]
    figure: str = ""
    margin: float | None = None

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What one unit plays, in this order; the first has every lever at its first value."""
        return _factorial_settings(self)

    @property
    def effects(self) -> tuple[Effect, ...]:
        """Of each lever and of each two."""
        return _effects(self)

    @property
    def is_fraction(self) -> bool:
        """Whether only some of the combinations are played."""
        return count_combinations(self.levers) > WHOLE

    def check(self) -> None:
        """Raises RuleError where so much cannot be played."""
        _runs(self.levers)

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """The pairs of one unit by what they are kept as, from its figures in each of the settings."""
        effects = self.effects
        for key in sorted({key for outcome in outcomes for key in outcome if _is_figure(key)}):
            pairs = [outcome.get(key, NOTHING) for outcome in outcomes]
            yield key, (pairs[0],)
            for effect in effects:
                yield effect_key(key, effect), tuple(_add(pairs[run] for run in group) for group in effect.groups)


class Race(msgspec.Struct, frozen=True, tag="race"):
    """Candidates: settings that differ in their house rules; the one is searched whose figure is nearest to a wish.

    All figures have one side, by `FIGURE@RULES`, and that one besides has two for each pair, by `FIGURE@RULES@RULES`.
    Tables are left out. Who is farther away by less than the `margin` is as good.
    """

    candidates: tuple[Setting, ...]
    figure: str
    wish: float
    margin: float

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What one unit plays, in this order."""
        return self.candidates

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """The pairs of one unit by what they are kept as, from its figures in each of the settings."""
        names = [_rules_key(setting) for setting in self.candidates]
        for name, outcome in zip(names, outcomes, strict=True):
            yield from ((f"{key}@{name}", (pair,)) for key, pair in outcome.items() if _is_figure(key))
        pairs = [outcome.get(self.figure, NOTHING) for outcome in outcomes]
        for one, other in combinations(range(len(pairs)), 2):
            yield f"{self.figure}@{names[one]}@{names[other]}", (pairs[one], pairs[other])


Design = OneSetting | Comparison | Factorial | Race


def effect_key(figure: str, effect: Effect) -> str:
    """What the sums of a figure's effect are kept as."""
    return f"{figure}@{effect.name}"


def candidate_key(figure: str, *settings: Setting) -> str:
    """What the sums of a candidate's figure are kept as, or those of two."""
    return "@".join((figure, *map(_rules_key, settings)))


def _rules_key(setting: Setting) -> str:
    return ",".join(f"{key}={value}" for key, value in setting.rules)


def with_rules(setting: Setting, rules: Sequence[tuple[str, str]]) -> Setting:
    """A setting with these house rules instead of, or besides, its own."""
    return msgspec.structs.replace(setting, rules=tuple(sorted((dict(setting.rules) | dict(rules)).items())))


def grid(setting: Setting, levers: Sequence[Lever]) -> tuple[Setting, ...]:
    """The setting with each combination of the levers' values, the last lever's changing fastest."""
    values = [[(lever.key, value) for value in lever.values] for lever in levers]
    return tuple(with_rules(setting, rules) for rules in product(*values))


def _is_figure(key: str) -> bool:
    """Whether it is not of a table."""
    return ":" not in key


def _add(pairs: Iterator[Pair]) -> Pair:
    numerator = denominator = 0.0
    for pair in pairs:
        numerator += pair[0]
        denominator += pair[1]
    return numerator, denominator


def count_combinations(levers: Sequence[Lever]) -> int:
    """How many there are of the levers' values."""
    count = 1
    for lever in levers:
        count *= len(lever.values)
    return count


@cache
def _columns(count: int) -> tuple[int, ...]:
    return two_level_columns(count)


@cache
def _runs(levers: tuple[Lever, ...]) -> tuple[tuple[int, ...], ...]:
    """The place of each lever's value in each run."""
    if count_combinations(levers) <= WHOLE:
        return tuple(product(*(range(len(lever.values)) for lever in levers)))
    if any(len(lever.values) > 2 for lever in levers):
        raise RuleError(
            f"These values have {count_combinations(levers):,} combinations, and up to {WHOLE} are played: name fewer; "
            "or give each lever two values, then a fraction of the combinations is enough."
        )
    columns = _columns(len(levers))
    runs = 1 << max(columns).bit_length()
    return tuple(tuple(parity(run & column) for column in columns) for run in range(runs))


@cache
def _factorial_settings(design: Factorial) -> tuple[Setting, ...]:
    return tuple(
        with_rules(
            design.setting, [(lever.key, lever.values[at]) for lever, at in zip(design.levers, run, strict=True)]
        )
        for run in _runs(design.levers)
    )


@cache
def _effects(design: Factorial) -> tuple[Effect, ...]:
    runs, levers = _runs(design.levers), design.levers
    effects = [
        Effect(f"{lever.key}={value}", tuple(_with(runs, {at: level}) for level in (tried, 0)), (1, -1))
        for at, lever in enumerate(levers)
        for tried, value in enumerate(lever.values[1:], 1)
    ]
    columns = _columns(len(levers)) if design.is_fraction else ()
    interplays: dict[object, Effect] = {}
    for (at, lever), (beside, other) in combinations(enumerate(levers), 2):
        for one, two in product(range(1, len(lever.values)), range(1, len(other.values))):
            name = f"{lever.key}={lever.values[one]} × {other.key}={other.values[two]}"
            alias = columns[at] ^ columns[beside] if columns else name
            if effect := interplays.get(alias):
                interplays[alias] = effect._replace(aliases=(*effect.aliases, name))
                continue
            groups = tuple(_with(runs, {at: a, beside: b}) for a, b in ((one, two), (one, 0), (0, two), (0, 0)))
            interplays[alias] = Effect(name, groups, (1, -1, -1, 1))
    return (*effects, *interplays.values())


def _with(runs: Sequence[Sequence[int]], levels: dict[int, int]) -> tuple[int, ...]:
    """The runs in which levers, by their places, have these values."""
    return tuple(number for number, run in enumerate(runs) if all(run[at] == level for at, level in levels.items()))
