"""Sweeps and searches as pages to print: sentences, and charts of effects and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from companion.games import registry
from companion.rehearsal.report import amount_text, rules_text, units_text, value_text
from companion.rehearsal.report_pages import SIMULATED, effect_chart
from companion.rehearsal.search import SearchReport, SettingCandidate, search_text
from companion.rehearsal.sweep import EffectRow, RankedEffects, SweepReport, sweep_text
from companion.tabletop.rehearsal import Figure, RehearsalSetting, Temperament
from labels.output.charts import Axis, Interval, IntervalChart, IntervalRow
from labels.output.page import Document, PageChart, PagePart, PageText
from templates.languages.messages import Message, phrase

_HOW_SURE: Final = phrase(
    "All intervals hold together with 95 % confidence, whenever you stop: they are wider "
    "than those of a single figure, as many figures are checked again and again. An "
    "effect whose interval does not cross 0 is more than chance."
)


def make_sweep_document(report: SweepReport, temperaments: Sequence[Temperament]) -> Document:
    """Return a sweep as pages: the ranking of the rules' effects, then the sure changes in other figures."""
    setting, runs = report.design.setting, len(report.design.settings)
    return Document(
        str(phrase("{game}: what the rules do", game=registry.title(setting.game))),
        str(
            phrase(
                "{units}, each by {combinations} combinations of rules, seed {seed}.",
                units=units_text(report.units, setting),
                combinations=str(runs),
                seed=str(report.seed),
            )
        ),
        (
            PageText(str(phrase("What was varied")), (" ".join(takewhile(bool, sweep_text(report))),)),
            *_effect_parts(report),
            *_closing((_HOW_SURE, SIMULATED), setting, temperaments),
        ),
    )


def _effect_parts(report: SweepReport) -> Iterator[PagePart]:
    for number, ranked in enumerate(report.figures):
        rows = ranked.rows if number == 0 else [row for row in ranked.rows if row.verdict in ("more", "less")]
        if rows:
            margin = amount_text(ranked.margin, ranked.figure)
            limit = phrase("An effect that is certain to be less than {margin} does not matter.", margin=margin)
            note = f"{ranked.figure.explanation} {limit}" if number == 0 else ""
            yield PageChart(_ranking(ranked, rows), note or str(ranked.figure.explanation))


def _ranking(ranked: RankedEffects, rows: Sequence[EffectRow]) -> IntervalChart:
    """Return a chart of the effects on a figure, the strongest first."""
    figure = ranked.figure
    effects = [(row.effect.name, row.estimate) for row in rows]
    axis = (
        phrase("percentage points, more or less")
        if figure.is_part
        else phrase("{unit}, more or less", unit=figure.measure)
    )
    return effect_chart(str(figure.caption), effects, str(axis), is_part=figure.is_part)


def make_search_document(report: SearchReport, temperaments: Sequence[Temperament]) -> Document:
    """Return a search as pages: its result, and all candidates beside the wish."""
    setting = report.candidates[0].setting
    lines = iter(search_text(report))
    wished = " ".join(takewhile(bool, lines))
    outcome = " ".join(line if line.endswith(".") else f"{line}." for line in takewhile(bool, lines))
    wish = f"{value_text(report.design.wish, report.figure.is_part)}{' %' if report.figure.is_part else ''}"
    return Document(
        str(phrase("{game}: rules for a wish", game=registry.title(setting.game))),
        str(
            phrase("{figure} near {wish}, seed {seed}.", figure=report.figure.caption, wish=wish, seed=str(report.seed))
        ),
        (
            PageText(str(phrase("Results")), (wished, outcome)),
            PageChart(_candidates(report), str(report.figure.explanation)),
            *_closing((_HOW_SURE, SIMULATED), setting, temperaments),
        ),
        facts=((str(phrase("Nearest")), rules_text(setting)),),
    )


def _candidates(report: SearchReport) -> IntervalChart:
    """Return a chart of all candidates, the nearest first, beside a line at the wish."""
    figure = report.figure
    axis = Axis("" if figure.is_part else str(figure.measure), is_share=figure.is_part)
    rows = tuple(_candidate_row(each, figure) for each in report.candidates)
    return IntervalChart(str(figure.caption), axis, rows, reference=report.design.wish)


def _candidate_row(candidate: SettingCandidate, figure: Figure) -> IntervalRow:
    value = value_text(candidate.estimate.value, figure.is_part)
    rules = rules_text(candidate.setting)
    name = str(phrase("{rules}, dropped out", rules=rules)) if candidate.has_dropped else rules
    return IntervalRow(name, (Interval(*candidate.estimate),), f"{value} %" if figure.is_part else value)


def _closing(
    read: Sequence[Message], setting: RehearsalSetting, temperaments: Sequence[Temperament]
) -> Iterator[PageText]:
    yield PageText(str(phrase("How to read it")), tuple(map(str, read)))
    players = tuple(f"{each.name}: {each.explanation}" for each in temperaments if each.name in setting.temperaments)
    yield PageText(str(phrase("Who played")), players)
