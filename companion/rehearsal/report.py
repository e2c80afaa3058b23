"""Reports of rehearsals as text for people, as JSON for programs, and as CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Final, Literal, NamedTuple

import msgspec

from companion.rehearsal.estimate import Sums
from companion.tabletop.estimate import NOTHING, Estimate
from companion.tabletop.rehearsal import Figure, RehearsalSetting
from templates.languages import messages
from templates.languages.messages import Message, Text, decimal, declared, listed, phrase, phrase_in, phrases

_SIDES: Final[Mapping[str, Message]] = {
    # Translators: the first of two deck lists that play against each other
    "first": phrase_in("list of cards", "first"),
    "second": phrase_in("list of cards", "second"),
}
"""The names of rows that are words and no names of cards."""


class ReportRow(NamedTuple):
    """One figure of a report: its estimate and, if two settings were compared, the other setting's estimate and the
    difference (the first less the other). `name` is the row's name in a table of figures.
    """

    figure: Figure
    estimate: Estimate
    other: Estimate | None = None
    difference: Estimate | None = None
    name: str = ""

    @property
    def key(self) -> str:
        """The key by which programs address the row: `win`, `kill-card:K`."""
        return f"{self.figure.key}:{self.name}" if self.name else self.figure.key

    @property
    def caption(self) -> Message:
        """The row's name in a table of figures, else the title of its figure, for display."""
        if not self.name:
            return self.figure.caption
        # Words of the game are in small letters; cards have the names that their players gave.
        return _SIDES.get(self.name) or (declared(self.name) if self.name.islower() else messages.name(self.name))

    @property
    def is_part(self) -> bool:
        """Return True if the figure is displayed in per cent."""
        return self.figure.is_part


class Report(NamedTuple):
    """The settings, the seed and the figures of a rehearsal."""

    setting: RehearsalSetting
    against: RehearsalSetting | None
    seed: int
    units: int
    rows: tuple[ReportRow, ...]
    remarks: tuple[str, ...] = ()
    """The game's remarks about what it does not simulate, one sentence each."""
    beside: tuple[str, ...] = ()
    """Lines that describe the other rehearsal, if it was played separately and not with the same chance."""
    other: str = ""
    """Label of that other rehearsal."""


def make_report(
    catalogue: Sequence[Figure],
    setting: RehearsalSetting,
    against: RehearsalSetting | None,
    seed: int,
    sums: Mapping[str, Sums],
) -> Report:
    """Make the report of all sums so far, in the order of the catalogue; figures without an estimate are left out."""
    rows, units = [], 0
    is_identical = all(each.is_unchanged({0: 1, 1: -1}) for each in sums.values()) if against is not None else False
    for figure in catalogue:
        names = (
            key.removeprefix(figure.key).removeprefix(":")
            for key in sums
            if key == figure.key or key.startswith(f"{figure.key}:")
        )
        for name in sorted(names, key=lambda name: (not name.isdecimal(), len(name) * name.isdecimal(), name)):
            counted = sums[f"{figure.key}:{name}" if name else figure.key]
            if (estimate := counted.estimate(figure.is_part, step=figure.step)) is None:
                continue
            units = max(units, counted.units)
            other = counted.estimate(figure.is_part, 1, step=figure.step) if against is not None else None
            row = ReportRow(figure, possible_interval(figure, estimate), name=name)
            if other is not None:
                difference = NOTHING if is_identical else counted.difference(step=figure.step)
                row = row._replace(other=possible_interval(figure, other), difference=difference)
            rows.append(row)
    return Report(setting, against, seed, units, tuple(rows))


WIDTH: Final = 80
"""Columns of a report as text."""


def possible_interval(figure: Figure, estimate: Estimate) -> Estimate:
    """Return an interval clipped to possible values: at least 0, at most 1 for a share, else the figure's maximum."""
    high = min(1.0 if figure.is_part else figure.most, estimate.high)
    return estimate._replace(low=max(0.0, estimate.low), high=high)


def as_text(report: Report) -> Iterator[str]:
    """Yield the report as lines of at most 80 columns: the setting in sentences, then one or two lines a figure."""
    # Translators: {units} is “1,000 rehearsed”, {people} is “3 players (greedy)”.
    summary = phrase(
        "{units}, {people}, seed {seed}.",
        units=units_text(report.units, report.setting, "rehearsed"),
        people=people_text(report.setting),
        seed=str(report.seed),
    )
    yield str(summary)
    yield str(phrase("House rules: {rules}.", rules=rules_text(report.setting)))
    if report.beside:
        yield from report.beside
    elif report.against is not None:
        yield str(phrase("Compared, with the same chance, to: {rules}.", rules=rules_text(report.against)))
    yield from remark_lines(report.remarks)
    yield ""
    width = max((len(str(row.caption)) for row in report.rows), default=0)
    for before, row in zip((None, *report.rows), report.rows, strict=False):
        share = row.is_part
        if row.name and (before is None or before.figure != row.figure):
            yield ""
            yield f"{row.figure.caption}:"
        unit = " %" if share else f" {row.figure.measure}"
        interval = f"({value_text(row.estimate.low, share)}–{value_text(row.estimate.high, share)})"
        yield f"{row.caption!s:<{width}}  {value_text(row.estimate.value, share)}{unit} {interval}"
        if row.other is not None and row.difference is not None:
            comparison = phrase(
                "against {value}; {difference}",
                value=f"{value_text(row.other.value, share)}{' %' if share else ''}",
                difference=difference_text(row.difference, share),
            )
            yield f"{'':<{width}}  {comparison}"


def units_text(units: int, setting: RehearsalSetting, word: Literal["games", "rehearsed"] = "games") -> str:
    """Return `1,000 campaigns of 12 evenings`, or `1,000 games` or `1,000 rehearsed`."""
    if setting.evenings > 1:
        campaigns = phrases(
            "{n} campaigns of {evenings} evenings",
            "{n} campaigns of {evenings} evenings",
            n=units,
            evenings=setting.evenings,
        )
        return str(campaigns)
    if word == "rehearsed":
        return str(phrases("{n} rehearsed", "{n} rehearsed", n=units))
    return str(phrases("{n} games", "{n} games", n=units))


def people_text(setting: RehearsalSetting) -> str:
    """Return `3 players (thinker, greedy; effort 12)`."""
    temperaments = listed(dict.fromkeys(setting.temperaments))
    if setting.effort:
        people = phrases(
            "{n} player ({temperaments}; effort {effort})",
            "{n} players ({temperaments}; effort {effort})",
            n=setting.players,
            temperaments=temperaments,
            effort=str(setting.effort),
        )
        return str(people)
    return str(
        phrases(
            "{n} player ({temperaments})",
            "{n} players ({temperaments})",
            n=setting.players,
            temperaments=temperaments,
        )
    )


def rules_text(setting: RehearsalSetting) -> str:
    """Return `pressure=3, foilCost=1`, or `as printed` without house rules; also `as printed, without echo`."""
    # Translators: rules, as in “Rules: as printed”
    rules: Text = listed(f"{key}={value}" for key, value in setting.rules) if setting.rules else phrase("as printed")
    for card in setting.without:
        # Translators: rules, and a card that is left out
        rules = phrase("{rules}, without {card}", rules=rules, card=card)
    return str(rules)


def difference_text(estimate: Estimate, share: bool) -> str:
    """Return a difference and its interval: `−7.7 points (−8.6…−6.8)`."""
    if estimate.is_nothing:
        return "0 ± 0"
    value, low, high = (value_text(part, share, "+") for part in estimate)
    interval = f"({low}…{high})"
    if share:
        # Translators: percentage points
        return str(phrase("{value} points {interval}", value=value, interval=interval))
    return f"{value} {interval}"


def amount_text(amount: float, figure: Figure) -> str:
    """Return an amount of a figure with its unit: `2.0 points`, `1.50 rounds`."""
    value = value_text(amount, figure.is_part)
    return str(phrase("{value} points", value=value)) if figure.is_part else f"{value} {figure.measure}"


def value_text(value: float, share: bool, sign: str = "") -> str:
    """Return `41.2` for a share and `1,234.50` for any other figure; with "+" as `sign`, `+0.3`."""
    is_signed = sign == "+"
    return str(decimal(100 * value, 1, is_signed=is_signed) if share else decimal(value, 2, is_signed=is_signed))


def remark_lines(remarks: Sequence[str]) -> Iterator[str]:
    """Yield the game's remarks as lines that fit."""
    for remark in remarks:
        yield from paragraph(remark)


def paragraph(text: str) -> list[str]:
    """Wrap sentences at 80 columns; values of rules are not broken."""
    return wrap(text, WIDTH, break_on_hyphens=False)


def side_by_side(pairs: Sequence[tuple[str, str]], indent: str = "") -> Iterator[str]:
    """Yield names with their texts beside them; below them if a line would exceed 80 columns."""
    width = max((len(name) for name, _ in pairs), default=0)
    if all(len(indent) + width + 2 + len(text) <= WIDTH for _, text in pairs):
        yield from (f"{indent}{name:<{width}}  {text}" for name, text in pairs)
        return
    for name, text in pairs:
        yield f"{indent}{name}"
        yield f"{indent}    {text}"


def plain_report(report: Report) -> dict[str, Any]:
    """Return the report for programs: shares from 0 to 1, intervals as `[low, high]`, `null` for an unknown end."""
    figures: dict[str, Any] = {}
    for row in report.rows:
        plain = {
            "title": row.figure.title,
            "kind": row.figure.kind,
            "unit": row.figure.unit,
            **plain_estimate(row.estimate),
        }
        if row.other is not None and row.difference is not None:
            plain |= {"against": plain_estimate(row.other), "difference": plain_estimate(row.difference)}
        figures[row.key] = plain
    return {
        "setting": msgspec.to_builtins(report.setting),
        "against": msgspec.to_builtins(report.against),
        "paired": report.against is not None and not report.beside,
        "seed": report.seed,
        "units": report.units,
        "remarks": list(report.remarks),
        "figures": figures,
    }


def plain_estimate(estimate: Estimate) -> dict[str, Any]:
    """Return `{"value": …, "interval": [low, high]}`, with `null` for an unknown end."""
    ends = [end if abs(end) != float("inf") else None for end in (estimate.low, estimate.high)]
    return {"value": estimate.value, "interval": ends}


def as_csv(report: Report) -> str:
    """Return the report as CSV, one row for each figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    compares = report.against is not None
    more = ("against", "difference", "difference_low", "difference_high") if compares else ()
    writer.writerow(("figure", "title", "unit", "value", "low", "high", *more))
    for row in report.rows:
        beside = (row.other.value, *row.difference) if row.other is not None and row.difference is not None else ()
        writer.writerow((row.key, row.figure.title, row.figure.unit, *row.estimate, *beside))
    return text.getvalue()
