"""The figures of a rehearsal as people, programs and spreadsheets read them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.rehearsal.estimate import Sums
from companion.tabletop.estimate import Estimate
from companion.tabletop.rehearsal import Figure, Setting


class Row(NamedTuple):
    """One figure of a report: its estimate, and where two settings were compared that of the other and the difference
    (the first less the other). `name` is whose it is, in a table of several.
    """

    figure: Figure
    estimate: Estimate
    other: Estimate | None = None
    difference: Estimate | None = None
    name: str = ""

    @property
    def key(self) -> str:
        """What programs call it: `win`, `kill-card:K`."""
        return f"{self.figure.key}:{self.name}" if self.name else self.figure.key

    @property
    def is_part(self) -> bool:
        """Whether it is read in per cent."""
        return self.figure.kind in ("share", "part")


class Report(NamedTuple):
    """What was rehearsed, and what came of it."""

    setting: Setting
    against: Setting | None
    seed: int
    units: int
    rows: tuple[Row, ...]


def make_report(
    catalogue: Sequence[Figure], setting: Setting, against: Setting | None, seed: int, sums: Mapping[str, Sums]
) -> Report:
    """The report of all sums so far, in the order of the game's catalogue; figures that say nothing are left out."""
    rows, units = [], 0
    for figure in catalogue:
        names = (key.removeprefix(figure.key).removeprefix(":") for key in sums if _is_of(key, figure))
        for name in sorted(names, key=lambda name: (not name.isdecimal(), name.zfill(_DIGITS))):
            counted = sums[f"{figure.key}:{name}" if name else figure.key]
            is_share = figure.kind == "share"
            if (estimate := counted.estimate(is_share)) is None:
                continue
            units = max(units, counted.units)
            other = counted.other(is_share) if against is not None else None
            row = Row(figure, _possible(figure, estimate), name=name)
            if other is not None:
                row = row._replace(other=_possible(figure, other), difference=counted.difference())
            rows.append(row)
    return Report(setting, against, seed, units, tuple(rows))


_DIGITS = 9
"""Of numbers among names, which are sorted as numbers."""


def _possible(figure: Figure, estimate: Estimate) -> Estimate:
    """The interval as far as it can be: what is counted is not below 0, and no part is above 1."""
    high = min(1.0, estimate.high) if figure.kind == "part" else estimate.high
    return estimate._replace(low=max(0.0, estimate.low), high=high)


def _is_of(key: str, figure: Figure) -> bool:
    return key == figure.key or key.startswith(f"{figure.key}:")


def as_text(report: Report) -> Iterator[str]:
    """What was rehearsed in sentences, then two lines or fewer for each figure; all of them fit 80 columns."""
    who = ", ".join(dict.fromkeys(report.setting.temperaments))
    yield f"{report.units:,} rehearsed, {report.setting.players} players ({who}), seed {report.seed}."
    yield f"House rules: {_rules(report.setting)}."
    if report.against is not None:
        yield f"Against the same chance with: {_rules(report.against)}."
    yield ""
    width = max((len(row.name or row.figure.title) for row in report.rows), default=0)
    for before, row in zip((None, *report.rows), report.rows, strict=False):
        share = row.is_part
        if row.name and (before is None or before.figure != row.figure):
            yield ""
            yield f"{row.figure.title}:"
        unit = " %" if share else f" {row.figure.unit}"
        interval = f"({_number(row.estimate.low, share)}–{_number(row.estimate.high, share)})"
        yield f"{row.name or row.figure.title:<{width}}  {_number(row.estimate.value, share)}{unit} {interval}"
        if row.other is not None and row.difference is not None:
            other = f"against {_number(row.other.value, share)}{' %' if share else ''}"
            yield f"{'':<{width}}  {other}; {_difference(row.difference, share)}"


def _rules(setting: Setting) -> str:
    rules = ", ".join(f"{key}={value}" for key, value in setting.rules) or "as printed"
    return f"{rules}, with a homebrew, whose reminders nobody follows here" if setting.homebrew else rules


def _difference(estimate: Estimate, share: bool) -> str:
    if estimate.is_nothing:
        return "0 ± 0"
    value, low, high = (_number(part, share, "+") for part in estimate)
    return f"{value}{' points' if share else ''} ({low}…{high})"


def _number(value: float, share: bool, sign: str = "") -> str:
    text = f"{100 * value:{sign}.1f}" if share else f"{value:{sign}.2f}"
    return text.replace("-", "−")


def plain_report(report: Report) -> dict[str, Any]:
    """The same for programs: shares from 0 to 1, intervals as `[low, high]`, `null` where an end is not known."""
    figures: dict[str, Any] = {}
    for row in report.rows:
        plain = {"title": row.figure.title, "kind": row.figure.kind, "unit": row.figure.unit, **_plain(row.estimate)}
        if row.other is not None and row.difference is not None:
            plain |= {"against": _plain(row.other), "difference": _plain(row.difference)}
        figures[row.key] = plain
    return {
        "setting": msgspec.to_builtins(report.setting),
        "against": msgspec.to_builtins(report.against),
        "seed": report.seed,
        "units": report.units,
        "figures": figures,
    }


def _plain(estimate: Estimate) -> dict[str, Any]:
    ends = [end if abs(end) != float("inf") else None for end in (estimate.low, estimate.high)]
    return {"value": estimate.value, "interval": ends}


def as_csv(report: Report) -> str:
    """The same for a spreadsheet: a row a figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    compares = report.against is not None
    more = ("against", "difference", "difference_low", "difference_high") if compares else ()
    writer.writerow(("figure", "title", "unit", "value", "low", "high", *more))
    for row in report.rows:
        beside = (row.other.value, *row.difference) if row.other is not None and row.difference is not None else ()
        writer.writerow((row.key, row.figure.title, row.figure.unit, *row.estimate, *beside))
    return text.getvalue()
