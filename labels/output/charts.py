"""Charts as values: intervals, bars and lines, their axes, and their descriptions in words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec


class Axis(msgspec.Struct, frozen=True):
    """The title and unit of a scale, such as `points` or `minutes`. A share is from 0 to 1 and written in per cent.

    `low` and `high` fix the ends of the scale; None takes them from the values.
    """

    title: str = ""
    is_share: bool = False
    low: float | None = None
    high: float | None = None


class Interval(NamedTuple):
    """A value with its bounds. An unknown bound is infinite."""

    value: float
    low: float
    high: float


class IntervalRow(msgspec.Struct, frozen=True):
    """A row of intervals, one for each of the chart's keys, None if there is none. `note` is shown behind them."""

    name: str
    intervals: tuple[Interval | None, ...]
    note: str = ""


class IntervalChart(msgspec.Struct, frozen=True):
    """Dots with whiskers in named rows. `reference` is a line to compare them with."""

    title: str
    axis: Axis
    rows: tuple[IntervalRow, ...]
    keys: tuple[str, ...] = ()
    reference: float | None = None


class Bar(msgspec.Struct, frozen=True):
    """A named bar with a part for each of the chart's keys. `note` is shown behind it."""

    name: str
    parts: tuple[float, ...]
    note: str = ""


class BarChart(msgspec.Struct, frozen=True):
    """Horizontal bars on one scale from 0. Their parts are in a row, or below one another if grouped.

    Without an axis, only the figures on the bars show their lengths.
    """

    title: str
    bars: tuple[Bar, ...]
    keys: tuple[str, ...] = ()
    axis: Axis | None = None
    is_grouped: bool = False


class LinePoint(msgspec.Struct, frozen=True):
    """A position on the x axis with a value for each of the chart's keys, None if there is none."""

    at: float
    values: tuple[float | None, ...]


class ChartSection(msgspec.Struct, frozen=True):
    """A part of a line chart that begins at one position, such as a fight of several."""

    at: float
    title: str


class LineChart(msgspec.Struct, frozen=True):
    """A line for each of `keys`, from left to right, with its key and its last value at its end."""

    title: str
    x: Axis
    y: Axis
    keys: tuple[str, ...]
    points: tuple[LinePoint, ...]
    sections: tuple[ChartSection, ...] = ()


Chart = IntervalChart | BarChart | LineChart


def number_text(value: float, decimals: int | None = None, *, is_share: bool = False) -> str:
    """Format a number with `decimals`, or with as many as are significant: `1,234`, `−0.25`, `41.2 %`, `3.2 × 10¹²`."""
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
"""Smaller numbers are formatted as 0."""
_HUGE: Final = 1e9
_MOST_DECIMALS: Final = 4
_SUPERSCRIPTS: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def describe(chart: Chart) -> str:
    """Describe a chart in words for screen readers: each row or line with its figures."""
    match chart:
        case IntervalChart():
            of_rows = ((row.name, row.note, [each and each.value for each in row.intervals]) for row in chart.rows)
            rows = (f"{name}: {note or _join_values(values, chart.axis)}" for name, note, values in of_rows)
        case BarChart():
            rows = (f"{bar.name}: {', '.join(map(number_text, bar.parts))}" for bar in chart.bars)
        case LineChart():
            columns = zip(*(point.values for point in chart.points), strict=True)
            rows = (f"{key}: {_join_values(values, chart.y)}" for key, values in zip(chart.keys, columns, strict=False))
    return ". ".join((chart.title, *rows)) + "."


def _join_values(values: Iterable[float | None], axis: Axis) -> str:
    return ", ".join("–" if value is None else number_text(value, is_share=axis.is_share) for value in values)
