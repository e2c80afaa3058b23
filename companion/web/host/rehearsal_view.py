"""The report of a rehearsal as a page: the same sentences, charts and tables as in its PDF."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from typing import NamedTuple

from markupsafe import Markup

from companion.web.host.charts import draw_intervals, draw_key
from labels.output.chart_scale import Scale, make_scale
from labels.output.charts import Axis, Interval, IntervalChart, IntervalRow, number_text
from labels.output.page import Document, PageChart, PagePart, PageTable, PageText
from templates.languages.messages import phrase


class ReportRow(NamedTuple):
    """A row of a table; its `picture` is empty if the table has no pictures."""

    cells: tuple[str, ...]
    picture: Markup = Markup("")


class ReportPart(NamedTuple):
    """A part of a report: a title, paragraphs, and a table whose rows may have pictures on one scale."""

    title: str
    paragraphs: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[ReportRow, ...] = ()
    keys: tuple[tuple[Markup, str], ...] = ()
    """The marks of the series with their names; () if there is only one."""
    ends: tuple[str, str] = ("", "")
    """The ends of the scale."""
    axis: str = ""


class ReportView(NamedTuple):
    """A report: its title, what was played, the main figure in large type, and its parts."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    parts: tuple[ReportPart, ...]


def build_report_view(document: Document) -> ReportView:
    """Return a report as a page shows it."""
    return ReportView(document.title, document.subtitle, document.facts, tuple(_build_parts(document.parts)))


def _build_parts(parts: tuple[PagePart, ...]) -> Iterator[ReportPart]:
    for part in parts:
        match part:
            case PageText():
                yield ReportPart(part.title, part.paragraphs)
            case PageTable():
                columns = tuple(column.title for column in part.columns)
                yield ReportPart(part.title, columns=columns, rows=tuple(ReportRow(row) for row in part.rows))
            case PageChart(chart=IntervalChart() as chart):
                yield _build_chart(chart, part.note)
            case PageChart():
                # A rehearsal has no other charts; the PDF would show them.
                yield ReportPart(part.chart.title, (part.note,))


def _build_chart(chart: IntervalChart, note: str) -> ReportPart:
    values = [end for row in chart.rows for each in row.intervals if each is not None for end in each]
    reference = [] if chart.reference is None else [chart.reference]
    scale = make_scale(chart.axis, [*values, *reference], 0, 100, pitch=len)
    return ReportPart(
        chart.title,
        (note,) if note else (),
        ("", str(phrase("Value")), str(phrase("95 % interval"))),
        tuple(_build_row(row, chart, scale) for row in chart.rows),
        tuple(starmap(_build_key, enumerate(chart.keys))) if len(chart.keys) > 1 else (),
        (_end_text(scale.low, chart.axis), _end_text(scale.high, chart.axis)),
        chart.axis.title,
    )


def _build_key(number: int, name: str) -> tuple[Markup, str]:
    return draw_key(number), name


def _build_row(row: IntervalRow, chart: IntervalChart, scale: Scale) -> ReportRow:
    ends = " / ".join(_interval_text(each, chart.axis) for each in row.intervals if each is not None)
    return ReportRow((row.name, row.note, ends), draw_intervals(row.intervals, scale, chart.reference))


def _interval_text(interval: Interval, axis: Axis) -> str:
    low, high = (_end_text(end, axis) for end in (interval.low, interval.high))
    return f"{low} … {high}"


def _end_text(value: float, axis: Axis) -> str:
    return (
        "?" if abs(value) == float("inf") else number_text(value, 1 if axis.is_share else None, is_share=axis.is_share)
    )
