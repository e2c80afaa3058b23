"""Sweeps: several levers vary at once, and their effects on a figure, and their interplays, are ranked.

Every game is played by each combination of the levers' values with the same chance. The effect of a value is the figure
of all games with it less that of all games without it. The interplay of two is the effect of one in games with the
other, less its effect in games without. A sweep may end once every effect on the ranked figure surely raises it, surely
lowers it, or surely does not matter (`companion/rehearsal/sequential.py`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from companion.rehearsal.design import Factorial, LeverEffect, effect_key
from companion.rehearsal.estimate import Sums, merge
from companion.rehearsal.report import (
    amount_text,
    difference_text,
    paragraph,
    people_text,
    plain_estimate,
    possible_interval,
    remark_lines,
    rules_text,
    side_by_side,
    units_text,
    value_text,
)
from companion.rehearsal.run import Figures
from companion.rehearsal.sequential import can_be_sure, is_small, margin_of, sequential_z
from companion.tabletop.estimate import NOTHING, Estimate
from companion.tabletop.rehearsal import Figure, Rehearsal
from templates.languages.messages import listed, phrase, phrases

LOOK: Final = 50
"""Units between checks whether the answer is sure."""
Verdict = Literal["more", "less", "nothing", "unsure"]
"""Verdict on an effect: it surely raises the figure, surely lowers it, surely does not matter, or none of these."""


class EffectRow(NamedTuple):
    """An effect on a figure: its estimate, the figure on each side of it, and the verdict."""

    effect: LeverEffect
    estimate: Estimate
    sides: tuple[float, ...]
    verdict: Verdict


class RankedEffects(NamedTuple):
    """A figure with every lever at its first value, and the effects on it, the strongest first.

    An effect below the `margin` does not matter. All intervals hold at once with 95 %, whenever one stops.
    """

    figure: Figure
    estimate: Estimate
    margin: float
    rows: tuple[EffectRow, ...]

    @property
    def is_sure(self) -> bool:
        """Return True if no verdict is left that more games could settle."""
        return all(row.verdict != "unsure" for row in self.rows)


class SweepReport(NamedTuple):
    """The result of a sweep: the ranked figure first, then the others in the order of the game."""

    design: Factorial
    seed: int
    units: int
    figures: tuple[RankedEffects, ...]
    remarks: tuple[str, ...] = ()


class Sweep:
    """A running sweep, new or resumed from stored sums."""

    def __init__(self, design: Factorial, figure: Figure, units: int = 0, sums: Mapping[str, Sums] | None = None):
        self.design = design
        self.figure = figure
        self.units = units
        self.sums: Figures = dict(sums or {})
        self.is_over = units % LOOK == 0 and self._is_sure()

    def following(self, most: int) -> tuple[Factorial, range]:
        """Return the units to play next, up to `most` in all."""
        return self.design, range(self.units, most)

    def add(self, units: int, batch: Figures) -> None:
        """Add a batch; batches come in the order of their numbers."""
        before = self.units
        self.units += units
        self.sums = merge((self.sums, batch))
        if self.units // LOOK > before // LOOK:
            self.is_over = self._is_sure()

    def _is_sure(self) -> bool:
        ranked = rank_effects(self.design, self.figure, self.sums)
        return ranked is not None and ranked.is_sure and len(ranked.rows) == len(self.design.effects)

    @property
    def progress(self) -> str:
        """The strongest effect so far, in a few words."""
        ranked = rank_effects(self.design, self.figure, self.sums)
        if ranked is None or not ranked.rows:
            return ""
        strongest, unsure = ranked.rows[0], sum(row.verdict == "unsure" for row in ranked.rows)
        effect = f"{strongest.effect.name} {value_text(strongest.estimate.value, self.figure.is_part, '+')}"
        return str(phrase("{effect}; {unsure} of {all} uncertain", effect=effect, unsure=unsure, all=len(ranked.rows)))

    def report(self, rehearsal: Rehearsal, seed: int) -> SweepReport:
        """Return the results so far, for all figures of a game."""
        figures = (self.figure, *(figure for figure in rehearsal.figures if figure.key != self.figure.key))
        ranked = (rank_effects(self.design, figure, self.sums) for figure in figures)
        return SweepReport(self.design, seed, self.units, tuple(each for each in ranked if each is not None))


def rank_effects(design: Factorial, figure: Figure, sums: Mapping[str, Sums]) -> RankedEffects | None:
    """Rank the effects on a figure, the strongest first and those that are exactly 0 last.

    Effects without an estimate are left out. None if the figure itself has none.
    """
    if figure.key not in sums:
        return None
    first, effects = sums[figure.key], design.effects
    statements = 1 + len(effects)
    z = sequential_z(first.units, statements)
    estimate = first.estimate(figure.is_part, z=z, step=figure.step)
    if estimate is None:
        return None
    margin = margin_of(figure, estimate.value, design.margin if figure.key == design.figure else None)
    unchanged = _unchanged_effects(design, sums)
    rows = []
    for effect in effects:
        counted = sums[effect_key(figure.key, effect)]
        change = NOTHING if effect in unchanged else counted.contrast(dict(enumerate(effect.signs)), z, figure.step)
        if change is None:
            continue
        sides = (counted.estimate(side=side) for side in range(len(effect.groups)))
        values = tuple(side.value for side in sides if side is not None)
        verdict = _judge(counted, change, margin, estimate.value, figure, statements)
        rows.append(EffectRow(effect, change, values, verdict))
    rows.sort(key=lambda row: (row.estimate.is_nothing, -abs(row.estimate.value)))
    return RankedEffects(figure, possible_interval(figure, estimate), margin, tuple(rows))


def _unchanged_effects(design: Factorial, sums: Mapping[str, Sums]) -> frozenset[LeverEffect]:
    """Return the effects that were 0 in each single game, for every figure."""
    return frozenset(
        effect
        for effect in design.effects
        if all(
            counted.is_unchanged(dict(enumerate(effect.signs)))
            for key, counted in sums.items()
            if key.endswith(effect_key("", effect))
        )
    )


def _judge(counted: Sums, change: Estimate, margin: float, value: float, figure: Figure, statements: int) -> Verdict:
    if can_be_sure(counted) and not change.low <= 0 <= change.high:
        return "more" if change.low > 0 else "less"
    most = max(-change.low, change.high)
    return "nothing" if is_small(counted, most, margin, value, figure.is_part, statements) else "unsure"


# Reports for people, programs and spreadsheets


def sweep_text(report: SweepReport) -> Iterator[str]:
    """Yield the sweep as lines of at most 80 columns: sentences, the ranking, and sure effects on other figures."""
    design, setting = report.design, report.design.setting
    summary = phrase(
        "{units}, each by {combinations} combinations of house rules; {people}, seed {seed}.",
        units=units_text(report.units, setting, "rehearsed"),
        combinations=str(len(design.settings)),
        people=people_text(setting),
        seed=str(report.seed),
    )
    yield from paragraph(str(summary))
    yield str(phrase("House rules: {rules}; these were varied as well:", rules=rules_text(setting)))
    for number, lever in enumerate(design.levers, 1):
        end = ";" if number < len(design.levers) else "."
        # Translators: a rule with its first value, and the others that are tried
        values = phrase("{rule}, or {others}", rule=f"{lever.key}={lever.values[0]}", others=listed(lever.values[1:]))
        yield f"  {values}{end}"
    if design.is_fraction:
        yield str(phrase("Only a fraction of all combinations is played, so an effect may contain a bit of others."))
    yield from remark_lines(report.remarks)
    if not report.figures:
        return
    ranked, *others = report.figures
    yield ""
    yield from _figure_block(ranked, ranked.rows)
    yield ""
    interplay = next((row.effect.name for row in ranked.rows if row.effect.is_interplay), None)
    if interplay is not None:
        one, _, two = interplay.partition(" × ")
        meaning = phrase(
            "{interplay}: what {one} does with {two}, minus what it does without it.",
            interplay=interplay,
            one=one,
            two=two,
        )
        yield from paragraph(str(meaning))
    margin = amount_text(ranked.margin, ranked.figure)
    yield str(phrase("An effect that does not matter is certain to be less than {margin}.", margin=margin))
    yield str(phrase("All these intervals hold together with 95 % confidence, whenever you stop."))
    for other in others:
        sure = [row for row in other.rows if row.verdict in ("more", "less")]
        if sure:
            yield ""
            yield from _figure_block(other, sure)


def _figure_block(ranked: RankedEffects, rows: Sequence[EffectRow]) -> Iterator[str]:
    """Yield the figure with every lever at its first value, and effects on it below."""
    part = ranked.figure.is_part
    value, low, high = (value_text(each, part) for each in ranked.estimate)
    # Translators: an estimate, above a list of rules with their effects on it
    first_line = phrase(
        "{figure}: {estimate}; then with",
        figure=ranked.figure.caption,
        estimate=f"{value}{' %' if part else f' {ranked.figure.measure}'} ({low}–{high})",
    )
    yield str(first_line)
    rows_text = ((_name(row.effect), _effect_text(row, difference_text(row.estimate, part))) for row in rows)
    yield from side_by_side([*rows_text], "  ")


def _effect_text(row: EffectRow, difference: str) -> str:
    """Return an effect with the verdict in words, as far as the interval does not already show it."""
    if row.verdict == "unsure":
        if row.estimate.low <= 0 <= row.estimate.high:
            return str(phrase("{difference}, not certain yet", difference=difference))
        return str(phrase("{difference}, too few games yet", difference=difference))
    if row.verdict == "nothing":
        return str(phrase("{difference}, does not matter", difference=difference))
    return difference


def _name(effect: LeverEffect) -> str:
    """Return an effect with the effects that a fraction confounds with it."""
    if not effect.aliases:
        return effect.name
    alias, *others = effect.aliases
    if not others:
        return str(phrase("{effect}, or {alias}", effect=effect.name, alias=alias))
    return str(
        phrases(
            "{effect}, or {alias} (or {n} more)",
            "{effect}, or {alias} (or {n} more)",
            n=len(others),
            effect=effect.name,
            alias=alias,
        )
    )


def plain_sweep(report: SweepReport) -> dict[str, Any]:
    """Return the report for programs: shares from 0 to 1, intervals as `[low, high]`; effects as ranked."""
    design = report.design
    return {
        "setting": msgspec.to_builtins(design.setting),
        "levers": msgspec.to_builtins(design.levers),
        "combinations": len(design.settings),
        "fraction": design.is_fraction,
        "seed": report.seed,
        "units": report.units,
        "remarks": list(report.remarks),
        "figure": report.figures[0].figure.key if report.figures else None,
        "sure": bool(report.figures) and report.figures[0].is_sure,
        "figures": {ranked.figure.key: _plain_ranking(ranked) for ranked in report.figures},
    }


def _plain_ranking(ranked: RankedEffects) -> dict[str, Any]:
    figure = ranked.figure
    effects = [
        {
            "effect": row.effect.name,
            "interplay": row.effect.is_interplay,
            "aliases": list(row.effect.aliases),
            **plain_estimate(row.estimate),
            "sides": list(row.sides),
            "verdict": row.verdict,
        }
        for row in ranked.rows
    ]
    plain = {"title": figure.title, "kind": figure.kind, "unit": figure.unit, **plain_estimate(ranked.estimate)}
    return {**plain, "margin": ranked.margin, "effects": effects}


def sweep_csv(report: SweepReport) -> str:
    """Return the report as CSV: for each figure one row for the first values of all levers, and one for each effect."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("figure", "title", "unit", "rank", "effect", "aliases", "value", "low", "high", "verdict"))
    for ranked in report.figures:
        figure = (ranked.figure.key, ranked.figure.title, ranked.figure.unit)
        writer.writerow((*figure, "", "", "", *ranked.estimate, ""))
        for rank, row in enumerate(ranked.rows, 1):
            aliases = "; ".join(row.effect.aliases)
            writer.writerow((*figure, rank, row.effect.name, aliases, *row.estimate, row.verdict))
    return text.getvalue()
