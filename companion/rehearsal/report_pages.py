"""The report of a rehearsal as pages to print: sentences, charts and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from companion.games import registry
from companion.rehearsal.report import Report, ReportRow, difference_text, rules_text, units_text, value_text
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import Temperament
from labels.output.charts import Axis, Interval, IntervalChart, IntervalRow
from labels.output.page import Document, PageChart, PagePart, PageTable, PageText, TableColumn
from templates.languages.messages import Finished, Message, joined, listed, phrase, phrase_in, phrases

_HOW_TO_READ: Final = phrase(
    "A dot is what was counted, and the line through it is its 95 % interval: if the "
    "same rehearsal were repeated with other seeds, 95 of 100 such lines would cross the "
    "true figure. The shorter the line, the more certain the figure; with ten times as "
    "many games it is about a third as long."
)
_HOW_TO_COMPARE: Final = phrase(
    "Both settings were played with the same chance: the same decks, hands and draws, "
    "until people acted differently. So look at the difference, not at whether two lines "
    "overlap. If the line of a difference crosses 0, there may be no difference; and of "
    "twenty figures that do not really differ, about one seems to by chance alone."
)
_HOW_TO_COMPARE_UNPAIRED: Final = phrase(
    "The two were rehearsed separately, so chance does not cancel out in their "
    "differences. If the line of a difference crosses 0, there may be no difference; and "
    "of twenty figures that do not really differ, about one seems to by chance alone."
)
SIMULATED: Final = phrase(
    "These people are simulated. They do not bluff, hesitate or enjoy anything: the "
    "report shows what the rules do, not what an evening is like."
)


def make_document(report: Report, temperaments: Sequence[Temperament]) -> Document:
    """Return the whole report as pages; of `temperaments`, the game's, it describes those that played."""
    headline, *_ = report.rows
    rules = (
        phrase("Rules: {rules}, against {others}.", rules=rules_text(report.setting), others=_setting_name(report, 1))
        if report.against is not None
        else phrase("Rules: {rules}.", rules=rules_text(report.setting))
    )
    return Document(
        str(phrase("{game}, rehearsed", game=registry.title(report.setting.game))),
        f"{_describe_sample(report)} {rules}",
        tuple(_parts(report, headline, temperaments)),
        facts=tuple(_facts(headline)),
    )


def _describe_sample(report: Report) -> Message:
    """Return the sentence on the number of games, the players and the seed."""
    setting, units = report.setting, units_text(report.units, report.setting)
    players, seed = str(setting.players), str(report.seed)
    who = listed(setting.temperament(place) for place in range(setting.players))
    if setting.effort:
        return phrase(
            "{units} for {players} ({temperaments}; effort {effort}), seed {seed}.",
            units=units,
            players=players,
            temperaments=who,
            effort=str(setting.effort),
            seed=seed,
        )
    return phrase(
        "{units} for {players} ({temperaments}), seed {seed}.",
        units=units,
        players=players,
        temperaments=who,
        seed=seed,
    )


def _setting_name(report: Report, number: int) -> str:
    """Return the name of one of the two settings, or of one of two rehearsals, for the key of a chart."""
    if report.other:
        return report.other if number else str(phrase_in("rehearsal", "this one"))
    setting = report.against if number and report.against is not None else report.setting
    return rules_text(setting) if setting.rules or setting.without else str(phrase("the rules as printed"))


def _facts(headline: ReportRow) -> Iterator[tuple[str, str]]:
    """Yield the figure that opens the report, in large type."""
    percent = " %" if headline.is_part else ""
    yield str(headline.figure.caption), f"{value_text(headline.estimate.value, headline.is_part)}{percent}"
    if headline.other is not None and headline.difference is not None:
        # Translators: the figure of the other setting, in large type
        yield str(phrase("against")), f"{value_text(headline.other.value, headline.is_part)}{percent}"
        nothing = headline.difference.is_nothing
        change = "0 ± 0" if nothing else value_text(headline.difference.value, headline.is_part, "+")
        yield str(phrase("points") if headline.is_part else phrase("difference")), change


def _parts(report: Report, headline: ReportRow, temperaments: Sequence[Temperament]) -> Iterator[PagePart]:
    beside = (" ".join(report.beside),) if report.beside else ()
    yield PageText(str(phrase("Results")), (*_sentences(report, headline), *beside, *report.remarks))
    yield from _charts_of_shares(report)
    yield _table(report)
    yield from _charts_by_name(report)
    compare = _HOW_TO_COMPARE_UNPAIRED if report.other else _HOW_TO_COMPARE
    yield PageText(
        str(phrase("How to read it")),
        tuple(map(str, (_HOW_TO_READ, *([compare] if report.against else []), SIMULATED))),
    )
    who = {*report.setting.temperaments, *(report.against.temperaments if report.against else ())}
    players = tuple(f"{each.name}: {each.explanation}" for each in temperaments if each.name in who)
    yield PageText(str(phrase("Who played")), players)
    yield _meanings(report)


def _sentences(report: Report, headline: ReportRow) -> Iterator[str]:
    """Yield the headline in words, and the figures that surely changed."""
    what = str(headline.figure.caption)
    value = f"{_value(headline.estimate, headline)} ({_ends(headline.estimate, headline)})"
    if headline.other is None or headline.difference is None:
        sentence = phrase(
            "{figure}: {value}. What it counts: {meaning}",
            figure=what,
            value=value,
            meaning=headline.figure.explanation,
        )
        yield str(sentence)
        return
    other = f"{_value(headline.other, headline)} ({_ends(headline.other, headline)})"
    one, two = (_setting_name(report, number) for number in (0, 1))
    difference = difference_text(headline.difference, headline.is_part)
    comparison = (
        phrase(
            "{figure}: {value} in {rehearsal}, {other_value} in {other}. The difference is {difference}.",
            figure=what,
            value=value,
            rehearsal=one,
            other_value=other,
            other=two,
            difference=difference,
        )
        if report.other
        else phrase(
            "{figure}: {value} with {rules}, {other_value} with {other_rules}. The difference is {difference}.",
            figure=what,
            value=value,
            rules=one,
            other_value=other,
            other_rules=two,
            difference=difference,
        )
    )
    yield f"{comparison} {_judgement(headline.difference)}"
    changed = sorted(filter(_surely_changed, report.rows), key=_standard_deviations, reverse=True)
    if not changed:
        yield str(phrase("No figure changed by more than chance would explain."))
        return
    most = "; ".join(
        f"{_full_title(row)} {difference_text(row.difference, row.is_part)}"
        for row in changed[:_MOST]
        if row.difference
    )
    count = len(changed)
    expected = round(len(report.rows) / 20)
    summary = phrases(
        "{count} of {figures} figures changed by more than their intervals; of so many, about {n} figure would by "
        "chance alone. The clearest: {clearest}.",
        "{count} of {figures} figures changed by more than their intervals; of so many, about {n} figures would by "
        "chance alone. The clearest: {clearest}.",
        n=expected,
        count=count,
        figures=len(report.rows),
        clearest=most,
    )
    yield str(summary)


_MOST: Final = 6
"""Number of changed figures that are named."""


def _judgement(difference: Estimate) -> Message:
    if difference.is_nothing:
        return phrase("Not a single game ended differently.")
    if difference.low <= 0 <= difference.high:
        return phrase("As 0 lies in between, there may be no difference; more games would tell.")
    return phrase("As 0 does not lie in between, this is more than chance.")


def _surely_changed(row: ReportRow) -> bool:
    difference = row.difference
    return difference is not None and not difference.low <= 0 <= difference.high


def _standard_deviations(row: ReportRow) -> float:
    """Return the distance of a difference from 0, in lengths of its interval."""
    difference = row.difference
    assert difference is not None
    return abs(difference.value) / ((difference.high - difference.low) or 1e-12)


def _full_title(row: ReportRow) -> str:
    return f"{row.figure.caption}, {_name(row)}:" if row.name else f"{row.figure.caption}:"


def _name(row: ReportRow) -> str:
    return str(Finished(row.caption, begins=True, ends=False))


def _value(estimate: Estimate, row: ReportRow) -> str:
    return f"{value_text(estimate.value, row.is_part)} {'%' if row.is_part else row.figure.measure}"


def _ends(estimate: Estimate, row: ReportRow) -> str:
    low, high = (
        value_text(end, row.is_part) if abs(end) != float("inf") else "?" for end in (estimate.low, estimate.high)
    )
    return f"{low}–{high}"


def _charts_of_shares(report: Report) -> Iterator[PageChart]:
    """Yield a chart of all shares, and one of the changes in them."""
    shares = [row for row in report.rows if row.is_part and not row.name]
    if shares:
        yield PageChart(_chart(report, str(phrase("All shares")), shares, Axis("", is_share=True, low=0.0, high=1.0)))
    changes = [row for row in shares if row.difference is not None and not row.difference.is_nothing]
    if changes:
        effects = [(str(row.figure.caption), row.difference) for row in changes if row.difference is not None]
        axis = phrase(
            "percentage points, {one} minus {other}", one=_setting_name(report, 0), other=_setting_name(report, 1)
        )
        chart = effect_chart(str(phrase("What changes")), effects, str(axis), is_part=True)
        yield PageChart(chart, str(phrase("If a line crosses 0, there may be no difference.")))


def _charts_by_name(report: Report) -> Iterator[PagePart]:
    """Yield a chart for each table of figures."""
    named = (row for row in report.rows if row.name)
    for _, group in groupby(named, key=lambda row: row.figure):
        yield _table_chart(report, list(group))


def _chart(report: Report, title: str, rows: Sequence[ReportRow], axis: Axis) -> IntervalChart:
    keys = tuple(_setting_name(report, number) for number in (0, 1)) if report.against is not None else ()
    return IntervalChart(title, axis, tuple(_chart_row(row) for row in rows), keys)


def _chart_row(row: ReportRow) -> IntervalRow:
    estimates = (row.estimate,) if row.other is None else (row.estimate, row.other)
    values = " / ".join(value_text(each.value, row.is_part) for each in estimates)
    return IntervalRow(
        _name(row) if row.name else str(row.figure.caption),
        tuple(Interval(*each) for each in estimates),
        f"{values} %" if row.is_part else values,
    )


def effect_chart(title: str, effects: Sequence[tuple[str, Estimate]], axis: str, *, is_part: bool) -> IntervalChart:
    """Return a chart of effects by name beside a line at 0; those on shares are in percentage points."""
    size = 100 if is_part else 1
    rows = (
        IntervalRow(
            name,
            (Interval(*(size * end for end in effect)),),
            "0 ± 0" if effect.is_nothing else value_text(effect.value, is_part, "+"),
        )
        for name, effect in effects
    )
    return IntervalChart(title, Axis(axis), tuple(rows), reference=0.0)


def _table_chart(report: Report, rows: Sequence[ReportRow]) -> PagePart:
    """Return a chart of a figure by name; names that were never counted are listed in the note."""
    figure = rows[0].figure
    counted = [row for row in rows if row.estimate.value or (row.other is not None and row.other.value)]
    never = [_name(row) for row in rows if row not in counted]
    note = (
        str(joined(" ", (figure.explanation, phrase("Never: {names}.", names=listed(never)))))
        if never
        else str(figure.explanation)
    )
    if not counted:
        return PageText(str(figure.caption), (note,))
    unit = str(phrase("of all {unit}", unit=figure.measure)) if rows[0].is_part else str(figure.measure)
    return PageChart(_chart(report, str(figure.caption), counted, Axis(unit, is_share=rows[0].is_part)), note)


def _table(report: Report) -> PageTable:
    """Return all figures, except tables of figures, in numbers."""
    compares = report.against is not None
    columns = [
        TableColumn(str(phrase("Figure")), 3, bold=True),
        TableColumn(str(phrase("Value (95 %)")), 3),
    ]
    if compares:
        columns += [
            TableColumn(str(phrase("Against (95 %)")), 3),
            TableColumn(str(phrase("Difference (95 %)")), 3),
        ]
    return PageTable(
        str(phrase("All figures")), tuple(columns), tuple(_cells(row) for row in report.rows if not row.name)
    )


def _cells(row: ReportRow) -> tuple[str, ...]:
    cells = [str(row.figure.caption), f"{_value(row.estimate, row)} ({_ends(row.estimate, row)})"]
    if row.other is not None and row.difference is not None:
        cells += [
            f"{_value(row.other, row)} ({_ends(row.other, row)})",
            difference_text(row.difference, row.is_part),
        ]
    return tuple(cells)


def _meanings(report: Report) -> PageTable:
    """Return a table of the figures' meanings in the words of their game."""
    figures = dict.fromkeys(row.figure for row in report.rows)
    rows = tuple((str(figure.caption), str(figure.explanation), str(figure.measure)) for figure in figures)
    return PageTable(
        str(phrase("What the figures mean")),
        (
            TableColumn(str(phrase("Figure")), 3, bold=True),
            TableColumn(str(phrase("Meaning")), 6),
            TableColumn(str(phrase("Counts")), 1.5),
        ),
        rows,
    )
