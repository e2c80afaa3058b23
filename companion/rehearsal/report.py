"""The figures of a rehearsal as people, programs and spreadsheets read them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.rehearsal.estimate import Estimate, Sums
from companion.rehearsal.figures import FIGURES, Figure
from companion.rehearsal.setting import Setting
from companion.rehearsal.temperaments import TEMPERAMENTS

_TITLE = 19


def describe(setting: Setting, against: Setting | None, seed: int, games: int) -> Iterator[str]:
    """What was rehearsed, in sentences."""
    who = " and ".join(dict.fromkeys(TEMPERAMENTS[word].title.lower() for word in setting.temperaments))
    yield f"{games:,} dungeons, {setting.players} wizards ({who}), seed {seed}; house rules: {_rules(setting)}."
    if against is not None:
        yield f"Against the same dungeons with: {_rules(against)}."


def _rules(setting: Setting) -> str:
    return ", ".join(f"{key} {value}" for key, value in setting.rules) or "as printed"


def rows(figures: Mapping[str, Sums], *, compares: bool) -> Iterator[str]:
    """A line for each figure that says something: what it is, its 95 % interval, and beside it the other setting."""
    for key, figure in FIGURES.items():
        sums = figures.get(key)
        estimate = sums.estimate() if sums else None
        if sums is None or estimate is None:
            continue
        row = f"{figure.title:<{_TITLE}} {_with_interval(estimate, figure)}"
        other, difference = (sums.other(), sums.difference()) if compares else (None, None)
        if other is not None and difference is not None:
            row = f"{row} against {_value(other.value, figure)}; {_difference(difference, figure)}"
        yield row if compares else f"{row}  {figure.about}"


def _with_interval(estimate: Estimate, figure: Figure) -> str:
    unit = " %" if figure.kind == "share" else ""
    interval = f"({_plain(estimate.low, figure)}–{_plain(estimate.high, figure)})"
    return f"{_plain(estimate.value, figure):>6}{unit} {interval:<15}"


def _value(value: float, figure: Figure) -> str:
    return f"{_plain(value, figure)}{' %' if figure.kind == 'share' else ''}"


def _difference(estimate: Estimate, figure: Figure) -> str:
    if estimate.is_nothing:
        return "0 ± 0"
    unit = " points" if figure.kind == "share" else ""
    low, value, high = (_signed(number, figure) for number in (estimate.low, estimate.value, estimate.high))
    return f"{value}{unit} ({low}…{high})"


def _plain(value: float, figure: Figure) -> str:
    return f"{100 * value:.1f}" if figure.kind == "share" else f"{value:.2f}"


def _signed(value: float, figure: Figure) -> str:
    text = f"{100 * value:+.1f}" if figure.kind == "share" else f"{value:+.2f}"
    return text.replace("-", "−")


def as_json(
    setting: Setting, against: Setting | None, seed: int, games: int, figures: Mapping[str, Sums]
) -> dict[str, Any]:
    """The same for programs: shares from 0 to 1, intervals as `[low, high]`."""
    found: dict[str, Any] = {}
    for key in FIGURES:
        sums = figures.get(key)
        estimate = sums.estimate() if sums else None
        if sums is None or estimate is None:
            continue
        found[key] = {"value": estimate.value, "interval": [estimate.low, estimate.high]}
        other, difference = (sums.other(), sums.difference()) if against is not None else (None, None)
        if other is not None and difference is not None:
            found[key]["against"] = {"value": other.value, "interval": [other.low, other.high]}
            found[key]["difference"] = {"value": difference.value, "interval": [difference.low, difference.high]}
    return {
        "setting": msgspec.to_builtins(setting),
        "against": msgspec.to_builtins(against),
        "seed": seed,
        "games": games,
        "figures": found,
    }


def as_csv(figures: Mapping[str, Sums], *, compares: bool) -> str:
    """The same for a spreadsheet: a row a figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    others = ("against", "difference", "difference_low", "difference_high") if compares else ()
    writer.writerow(("figure", "title", "value", "low", "high", *others))
    for key, figure in FIGURES.items():
        sums = figures.get(key)
        estimate = sums.estimate() if sums else None
        if sums is None or estimate is None:
            continue
        other, difference = (sums.other(), sums.difference()) if compares else (None, None)
        beside = (other.value, *difference) if other is not None and difference is not None else ()
        writer.writerow((key, figure.title, *estimate, *beside))
    return text.getvalue()
