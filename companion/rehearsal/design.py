"""Designs of rehearsals: the settings that one unit plays, and the sums that are stored of it.

A unit has a number, which determines its chance. A design plays it once, or in several settings with that same chance.
The outcome becomes a few pairs for each figure: a numerator and a denominator for each side that is compared. Only the
sums of these pairs (`companion/rehearsal/estimate.py`) are stored. Designs are sent to workers and archives as JSON.
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
from companion.tabletop.rehearsal import Counts, RehearsalSetting
from templates.languages.messages import phrase

NOTHING: Final[Pair] = (0.0, 0.0)
"""Pair of a unit that has no value for a figure."""
WHOLE: Final = 64
"""Runs of the largest factorial of which every combination is played."""
Sides = tuple[Pair, ...]


class OneSetting(msgspec.Struct, frozen=True, tag="one"):
    """One setting; each figure has one side."""

    setting: RehearsalSetting

    @property
    def settings(self) -> tuple[RehearsalSetting, ...]:
        """The settings that one unit plays, in this order."""
        return (self.setting,)

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """Return the pairs of one unit by their storage keys, from its figures in each setting."""
        return ((key, (pair,)) for key, pair in outcomes[0].items())


class Comparison(msgspec.Struct, frozen=True, tag="comparison"):
    """Two settings; each figure has two sides, the setting's first."""

    setting: RehearsalSetting
    against: RehearsalSetting

    @property
    def settings(self) -> tuple[RehearsalSetting, ...]:
        """The settings that one unit plays, in this order."""
        return (self.setting, self.against)

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """Return the pairs of one unit by their storage keys, from its figures in each setting."""
        keys = {key for outcome in outcomes for key in outcome}
        return ((key, tuple(outcome.get(key, NOTHING) for outcome in outcomes)) for key in sorted(keys))


class Lever(msgspec.Struct, frozen=True):
    """The key of a house rule and the two or more values to try; the others are compared with the first."""

    key: str
    values: tuple[str, ...]


class LeverEffect(NamedTuple):
    """The effect of a lever's value compared with its first one, or the interplay of two such values.

    `groups` are the runs that are added up for each side, and `signs` say how the sides' figures combine to the effect.
    In a fraction, the effects in `aliases` are confounded with this one.
    """

    name: str
    groups: tuple[tuple[int, ...], ...]
    signs: tuple[int, ...]
    aliases: tuple[str, ...] = ()

    @property
    def is_interplay(self) -> bool:
        """Return True if the effect involves two levers."""
        return len(self.groups) > 2


class Factorial(msgspec.Struct, frozen=True, tag="factorial"):
    """Levers in all combinations or, if those are too many, in a fraction of them.

    Each figure has one side by its key, for the setting with every lever at its first value, and the sides of each
    effect by `FIGURE@EFFECT`. Tables are left out. The effects on one `figure` are ranked; an effect below the `margin`
    does not matter (None: the default for that figure).
    """

    setting: RehearsalSetting
    levers: tuple[Lever, ...]
    figure: str = ""
    margin: float | None = None

    @property
    def settings(self) -> tuple[RehearsalSetting, ...]:
        """The settings that one unit plays, in this order; the first has every lever at its first value."""
        return _factorial_settings(self)

    @property
    def effects(self) -> tuple[LeverEffect, ...]:
        """The effects of each lever, and of each two levers."""
        return _effects(self)

    @property
    def is_fraction(self) -> bool:
        """Return True if only some of the combinations are played."""
        return count_combinations(self.levers) > WHOLE

    def check(self) -> None:
        """Raise RuleError if there are too many combinations."""
        _runs(self.levers)

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """Yield the pairs of one unit by their storage keys, from its figures in each setting."""
        effects = self.effects
        for key in sorted({key for outcome in outcomes for key in outcome if _is_figure(key)}):
            pairs = [outcome.get(key, NOTHING) for outcome in outcomes]
            yield key, (pairs[0],)
            for effect in effects:
                yield effect_key(key, effect), tuple(_add(pairs[run] for run in group) for group in effect.groups)


class Race(msgspec.Struct, frozen=True, tag="race"):
    """Candidates: settings that differ in their house rules. The race finds the one whose figure is nearest to a wish.

    All figures have one side, by `FIGURE@RULES`. The raced figure also has two sides for each pair of candidates, by
    `FIGURE@RULES@RULES`. Tables are left out. Candidates whose distances differ by less than the `margin` are equally
    good.
    """

    candidates: tuple[RehearsalSetting, ...]
    figure: str
    wish: float
    margin: float

    @property
    def settings(self) -> tuple[RehearsalSetting, ...]:
        """The settings that one unit plays, in this order."""
        return self.candidates

    def sides(self, outcomes: Sequence[Counts]) -> Iterator[tuple[str, Sides]]:
        """Yield the pairs of one unit by their storage keys, from its figures in each setting."""
        names = [_rules_key(setting) for setting in self.candidates]
        for name, outcome in zip(names, outcomes, strict=True):
            yield from ((f"{key}@{name}", (pair,)) for key, pair in outcome.items() if _is_figure(key))
        pairs = [outcome.get(self.figure, NOTHING) for outcome in outcomes]
        for one, other in combinations(range(len(pairs)), 2):
            yield f"{self.figure}@{names[one]}@{names[other]}", (pairs[one], pairs[other])


Design = OneSetting | Comparison | Factorial | Race


def effect_key(figure: str, effect: LeverEffect) -> str:
    """Return the storage key for the sums of an effect on a figure."""
    return f"{figure}@{effect.name}"


def candidate_key(figure: str, *settings: RehearsalSetting) -> str:
    """Return the storage key for the sums of a figure of one candidate, or of two."""
    return "@".join((figure, *map(_rules_key, settings)))


def _rules_key(setting: RehearsalSetting) -> str:
    return ",".join(f"{key}={value}" for key, value in setting.rules)


def with_rules(setting: RehearsalSetting, rules: Sequence[tuple[str, str]]) -> RehearsalSetting:
    """Return a setting with these house rules added to its own, or replacing them."""
    return msgspec.structs.replace(setting, rules=tuple(sorted((dict(setting.rules) | dict(rules)).items())))


def grid(setting: RehearsalSetting, levers: Sequence[Lever]) -> tuple[RehearsalSetting, ...]:
    """Return the setting with each combination of the levers' values, the last lever's changing fastest."""
    values = [[(lever.key, value) for value in lever.values] for lever in levers]
    return tuple(with_rules(setting, rules) for rules in product(*values))


def _is_figure(key: str) -> bool:
    """Return True unless the key belongs to a table of figures."""
    return ":" not in key


def _add(pairs: Iterator[Pair]) -> Pair:
    numerator = denominator = 0.0
    for pair in pairs:
        numerator += pair[0]
        denominator += pair[1]
    return numerator, denominator


def count_combinations(levers: Sequence[Lever]) -> int:
    """Return the number of combinations of the levers' values."""
    count = 1
    for lever in levers:
        count *= len(lever.values)
    return count


@cache
def _columns(count: int) -> tuple[int, ...]:
    return two_level_columns(count)


@cache
def _runs(levers: tuple[Lever, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the index of each lever's value in each run."""
    if count_combinations(levers) <= WHOLE:
        return tuple(product(*(range(len(lever.values)) for lever in levers)))
    if any(len(lever.values) > 2 for lever in levers):
        raise RuleError(
            phrase(
                "These values have {count} combinations, but at most {most} are played: name fewer "
                "values, or give each lever two values, so that a fraction of the combinations is "
                "enough.",
                count=count_combinations(levers),
                most=WHOLE,
            )
        )
    columns = _columns(len(levers))
    runs = 1 << max(columns).bit_length()
    return tuple(tuple(parity(run & column) for column in columns) for run in range(runs))


@cache
def _factorial_settings(design: Factorial) -> tuple[RehearsalSetting, ...]:
    return tuple(
        with_rules(
            design.setting, [(lever.key, lever.values[at]) for lever, at in zip(design.levers, run, strict=True)]
        )
        for run in _runs(design.levers)
    )


@cache
def _effects(design: Factorial) -> tuple[LeverEffect, ...]:
    runs, levers = _runs(design.levers), design.levers
    effects = [
        LeverEffect(f"{lever.key}={value}", tuple(_with(runs, {at: level}) for level in (tried, 0)), (1, -1))
        for at, lever in enumerate(levers)
        for tried, value in enumerate(lever.values[1:], 1)
    ]
    columns = _columns(len(levers)) if design.is_fraction else ()
    interplays: dict[object, LeverEffect] = {}
    for (at, lever), (beside, other) in combinations(enumerate(levers), 2):
        for one, two in product(range(1, len(lever.values)), range(1, len(other.values))):
            name = f"{lever.key}={lever.values[one]} × {other.key}={other.values[two]}"
            alias = columns[at] ^ columns[beside] if columns else name
            if effect := interplays.get(alias):
                interplays[alias] = effect._replace(aliases=(*effect.aliases, name))
                continue
            groups = tuple(_with(runs, {at: a, beside: b}) for a, b in ((one, two), (one, 0), (0, two), (0, 0)))
            interplays[alias] = LeverEffect(name, groups, (1, -1, -1, 1))
    return (*effects, *interplays.values())


def _with(runs: Sequence[Sequence[int]], levels: dict[int, int]) -> tuple[int, ...]:
    """Return the runs in which levers, by their indices, have these values."""
    return tuple(number for number, run in enumerate(runs) if all(run[at] == level for at, level in levels.items()))
