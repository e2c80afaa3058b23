"""Charts as values: intervals, bars and lines, with what their scales measure, and what they show in words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec


class Axis(msgspec.Struct, frozen=True):
    """What a scale measures, with its unit: `points`, `minutes`. A share is from 0 to 1 and written in per cent.

    `low` and `high` are where the scale must begin and end; None where the figures say it.
    """

    title: str = ""
    is_share: bool = False
    low: float | None = None
    high: float | None = None


class Interval(NamedTuple):
    """A figure and between what it lies; an end that is not known is infinite."""

    value: float
    low: float
    high: float


class IntervalRow(msgspec.Struct, frozen=True):
    """A row of intervals, one for each of the chart's keys; None where there is none. `note` stands behind them."""

    name: str
    intervals: tuple[Interval | None, ...]
    note: str = ""


class IntervalChart(msgspec.Struct, frozen=True):
    """Dots with whiskers below one another, each in a named row; `reference` is what to compare them with: a line."""

    title: str
    axis: Axis
    rows: tuple[IntervalRow, ...]
    keys: tuple[str, ...] = ()
    reference: float | None = None


class Bar(msgspec.Struct, frozen=True):
    """A named bar, made of a part for each of the chart's keys; `note` stands behind it."""

    name: str
    parts: tuple[float, ...]
    note: str = ""


class BarChart(msgspec.Struct, frozen=True):
    """Bars below one another, on one scale from 0: their parts in a row, or where they are grouped below one another.

    Without an axis nothing but the figures on the bars says how long they are.
    """

    title: str
    bars: tuple[Bar, ...]
    keys: tuple[str, ...] = ()
    axis: Axis | None = None
    is_grouped: bool = False


class LinePoint(msgspec.Struct, frozen=True):
    """How it stood at one place: a value for each of the chart's keys, None where there is none."""

    at: float
    values: tuple[float | None, ...]


class Section(msgspec.Struct, frozen=True):
    """A part of a line chart from one place on, such as a fight of several."""

    at: float
    title: str


class LineChart(msgspec.Struct, frozen=True):
    """A line for each of `keys`, from left to right, with its key and what it came to at its end."""

    title: str
    x: Axis
    y: Axis
    keys: tuple[str, ...]
    points: tuple[LinePoint, ...]
    sections: tuple[Section, ...] = ()


Chart = IntervalChart | BarChart | LineChart


def number_text(value: float, decimals: int | None = None, *, is_share: bool = False) -> str:
    """`1,234`, `−0.25`, `41.2 %`, `3.2 × 10¹²`: a figure with so many decimals, or as many as say something."""
    number = 100 * value if is_share else value
    number = number if abs(number) > SMALLEST else 0.0
    size = abs(number)
    if decimals is None:
        decimals = 0 if number == int(number) or size >= 1000 else max(0, 2 - math.floor(math.log10(size)))
    if size >= _HUGE or decimals > _MOST_DECIMALS:
        exponent = math.floor(math.log10(size)) if size else 0
        digits = min(max(exponent + decimals, 0), _MOST_DECIMALS + 2) if decimals else 2
        power = f"{number / 10.0**exponent:.{digits}f} × 10{str(exponent).translate(_SUPERSCRIPTS)}"
        text = power if size else "0"
    else:
        text = f"{number:,.{decimals}f}"
        text = text if text.strip("-0.,") else text.removeprefix("-")
    return text.replace("-", "−") + (" %" if is_share else "")


SMALLEST: Final = 1e-100
"""What is less is 0."""
_HUGE: Final = 1e9
_MOST_DECIMALS: Final = 4
_SUPERSCRIPTS: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def describe(chart: Chart) -> str:
    """What a chart shows in words, for whoever hears the page: each row or line with its figures."""
    match chart:
        case IntervalChart():
            of_rows = ((row.name, row.note, [each and each.value for each in row.intervals]) for row in chart.rows)
            rows = (f"{name}: {note or _spoken(values, chart.axis)}" for name, note, values in of_rows)
        case BarChart():
            rows = (f"{bar.name}: {', '.join(map(number_text, bar.parts))}" for bar in chart.bars)
        case LineChart():
            columns = zip(*(point.values for point in chart.points), strict=True)
            rows = (f"{key}: {_spoken(values, chart.y)}" for key, values in zip(chart.keys, columns, strict=False))
    return ". ".join((chart.title, *rows)) + "."


def _spoken(values: Iterable[float | None], axis: Axis) -> str:
    return ", ".join("–" if value is None else number_text(value, is_share=axis.is_share) for value in values)
