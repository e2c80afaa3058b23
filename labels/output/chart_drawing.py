"""Charts drawn by reportlab.graphics in our own type, onto a page or as SVG.

Series differ by shape as well as by colour, so that charts can be read in grey and by the colour-blind. No text leaves
the chart's box or overlaps another. Long names wrap to a second line and are then truncated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from labels import output
from labels.drawing import style
from labels.drawing.chart_sketch import GRID, LIGHT, MARK, REFERENCE, SHADES, WHITE, Sketch, colour_of
from labels.geometry import Box
from labels.output import pdf
from labels.output.chart_scale import Scale, make_scale
from labels.output.charts import (
    Axis,
    BarChart,
    Chart,
    ChartSection,
    Interval,
    IntervalChart,
    LineChart,
    LinePoint,
    describe,
    number_text,
)
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting, fit_truncated
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing

    from labels.drawing.ink import Ink

_NAME: Final = 8.4
_TICK: Final = 7.0
_ROW: Final = 13.0
_BESIDE: Final = 6.5
"""Extra height of a row for each further setting, and each further line of its name."""
_BAR: Final = 14.0
_THIN_BAR: Final = 8.0
_BETWEEN_BARS: Final = 6.0
_APART: Final = 8.0
_BESIDE_PLOT: Final = 12.0
"""Gap between a plot and the text beside it, which leaves room for a mark at the plot's end."""
_KEY: Final = 13.0
_FOOT: Final = 13.0
"""Height of the figures below a scale."""
_AXIS_TITLE: Final = 10.0
_SECTION_TITLE: Final = 13.0
_MOST_TITLE_LINES: Final = 3
_NAMES_SHARE: Final = 0.34
_NOTES_SHARE: Final = 0.3
_LABEL_PITCH: Final = 10.5
"""Distance from the label at the end of one line to the next label."""
_PLOT_HEIGHT: Final = 120.0
_MOST_MARKS: Final = 40
NARROWEST: Final = 120.0
"""The smallest width of a chart, in points."""


def draw(chart: Chart, width: float) -> Drawing:
    """Return the chart without its title, as high as it needs to be. `width` is at least NARROWEST points."""
    match chart:
        case IntervalChart():
            return _draw_intervals(chart, width)
        case BarChart():
            return _draw_bars(chart, width)
        case LineChart():
            return _draw_lines(chart, width)


_SomeChart = TypeVar("_SomeChart", bound=Chart)


def split(chart: _SomeChart, width: float, highest: float) -> tuple[_SomeChart, ...]:
    """Split a chart by its rows into charts that are no higher than `highest` points. Line charts stay whole."""
    count = (
        len(chart.rows) if isinstance(chart, IntervalChart) else len(chart.bars) if isinstance(chart, BarChart) else 0
    )
    if count < 2 or draw(chart, width).height <= highest:
        return (chart,)
    # The halves share one scale, as they are read as one chart.
    halves = (_some_rows(chart, 0, count // 2), _some_rows(chart, count // 2, count))
    return tuple(part for half in halves for part in split(half, width, highest))


def _some_rows(chart: _SomeChart, start: int, end: int) -> _SomeChart:
    if isinstance(chart, IntervalChart):
        scale = _interval_scale(chart, 0, _PLOT_HEIGHT)
        return replace(chart, rows=chart.rows[start:end], axis=replace(chart.axis, low=scale.low, high=scale.high))
    assert isinstance(chart, BarChart)
    scale = _bar_scale(chart, 0, _PLOT_HEIGHT)
    axis = replace(chart.axis, low=scale.low, high=scale.high) if chart.axis else None
    return replace(chart, bars=chart.bars[start:end], axis=axis)


def place(ink: Ink, box: Box, chart: Chart) -> None:
    """Draw a chart at the top of a box, as a figure with its description."""
    drawing = draw(chart, box.width)
    with ink.element("Figure", spoken=describe(chart)):
        ink.draw_graphics(box.x, box.top - drawing.height, drawing)


SVG_WIDTH: Final = 480.0
_SVG_MARGIN: Final = 18.0


def as_svg(charts: Sequence[Chart], title: str, subtitle: str = "", width: float = SVG_WIDTH) -> str:
    """Return charts below a title as one SVG, `width` points wide.

    Letters are outlines of our own type. For screen readers, the SVG has the title and a description of each chart.
    """
    body = width - 2 * _SVG_MARGIN
    heads = [fit_truncated(title, body, 17.0, "bold", 2), fit_truncated(subtitle, body, _NAME)]
    titles = [fit_truncated(chart.title, body, 11.5, "bold", 3) for chart in charts]
    drawings = [draw(chart, body) for chart in charts]
    heights = [head.height + _APART + drawing.height for head, drawing in zip(titles, drawings, strict=True)]
    height = sum(heights) + _SVG_MARGIN * (len(charts) + 2) + sum(head.height + 3 for head in heads)

    def page(ink: Ink) -> None:
        top = height - _SVG_MARGIN
        for head, colour in zip(heads, (style.INK, style.SOFT), strict=True):
            ink.lines(_SVG_MARGIN, top, head, colour)
            top -= head.height + 3
        top -= _SVG_MARGIN
        for chart, head, used in zip(charts, titles, heights, strict=True):
            ink.lines(_SVG_MARGIN, top, head, style.INK)
            place(ink, Box(_SVG_MARGIN, top - used, body, used - head.height - _APART), chart)
            top -= used + _SVG_MARGIN

    document = pdf.render_pages([page], (width, height), title)
    return output.proof.page_as_svg(document, 1, title, " ".join((subtitle, *map(describe, charts))))


# Parts of all charts


def _tick_width(text: str) -> float:
    return fonts.measure(text, "regular", _TICK) + _APART


def _draw_foot(sketch: Sketch, scale: Scale, bottom: float, top: float, width: float, title: str) -> None:
    """Draw a horizontal scale: lines at its ticks, their figures below, and its title below these."""
    end = 0.0
    for value, text in scale.ticks:
        x = scale.place(value)
        sketch.line(x, bottom, x, top, GRID)
        wide = fonts.measure(text, "regular", _TICK)
        left = min(max(0.0, x - wide / 2), width - wide)
        if left >= end:
            sketch.text(left, bottom - _FOOT / 2, text, _TICK, style.SOFT)
            end = left + wide + 2
    if title:
        _draw_title(sketch, title, scale, bottom - _FOOT - _AXIS_TITLE / 2 + 1, width)


def _draw_title(sketch: Sketch, title: str, scale: Scale, y: float, width: float) -> None:
    """Draw the title of a scale, below its middle."""
    text = fit_truncated(title, width, _TICK, most_lines=1)
    wide = fonts.measure(text.lines[0], "regular", text.size)
    left = min(max(0.0, scale.start + (scale.length - wide) / 2), width - wide)
    sketch.text(left, y, text.lines[0], text.size, style.SOFT)


class _ChartKey(NamedTuple):
    """An entry of a chart's key: the number of its series, its text and its position."""

    number: int
    setting: TextSetting
    x: float
    row: int


def _lay_out_keys(keys: Sequence[str], width: float) -> list[_ChartKey]:
    """Return the entries of the key in as many rows as they need, or none if there is only one series."""
    entries: list[_ChartKey] = []
    x, row = 0.0, 0
    for number, key in enumerate(keys if len(keys) > 1 else ()):
        text = fit_truncated(key, width - _APART - 4, _TICK + 0.5, most_lines=1)
        wide = 10 + fonts.measure(text.lines[0], "regular", text.size) + 2 * _APART
        if x and x + wide - 2 * _APART > width:
            x, row = 0.0, row + 1
        entries.append(_ChartKey(number, text, x, row))
        x += wide
    return entries


def _keys_height(entries: Sequence[_ChartKey]) -> float:
    return _KEY * (entries[-1].row + 1) + 3 if entries else 0.0


def _draw_keys(
    sketch: Sketch, entries: Sequence[_ChartKey], top: float, mark: Callable[[float, float, int], None]
) -> None:
    for number, setting, x, row in entries:
        y = top - row * _KEY - _KEY / 2
        mark(x + 4, y, number)
        sketch.setting(x + 10, y, setting, style.INK)


class _Columns(NamedTuple):
    """The names left of a plot and the notes right of it, and the width of each column with its gap."""

    names: list[TextSetting]
    notes: list[TextSetting]
    left: float
    right: float

    def extra(self, number: int) -> float:
        """Return the extra height of a row for a name or note of two lines."""
        lines = max(len(self.names[number].lines), len(self.notes[number].lines))
        return (lines - 1) * (_NAME + 1.6)


def _fit_columns(names: Iterable[str], notes: Iterable[str], width: float) -> _Columns:
    set_names = [fit_truncated(name, width * _NAMES_SHARE, _NAME, most_lines=2) for name in names]
    set_notes = [fit_truncated(note, width * _NOTES_SHARE, _NAME - 0.6, most_lines=2) for note in notes]
    left, right = (
        max((fonts.measure(line, each.weight, each.size) for each in some for line in each.lines), default=0.0)
        for some in (set_names, set_notes)
    )
    return _Columns(set_names, set_notes, left + _BESIDE_PLOT, right + _BESIDE_PLOT if right else _BESIDE_PLOT)


def _draw_nothing(width: float) -> Drawing:
    sketch = Sketch(width, _ROW)
    sketch.text(0, _ROW / 2, str(phrase("No figures yet.")), _NAME, style.SOFT)
    return sketch.drawing


# Intervals


def _draw_intervals(chart: IntervalChart, width: float) -> Drawing:
    if not chart.rows:
        return _draw_nothing(width)
    columns = _fit_columns((row.name for row in chart.rows), (row.note for row in chart.rows), width)
    settings = max(len(row.intervals) for row in chart.rows)
    heights = [_ROW + max((settings - 1) * _BESIDE, columns.extra(number)) for number in range(len(chart.rows))]
    keys = _lay_out_keys(chart.keys, width)
    foot = _FOOT + (_AXIS_TITLE if chart.axis.title else 0.0)
    sketch = Sketch(width, sum(heights) + _keys_height(keys) + foot)
    top = sketch.drawing.height
    _draw_keys(sketch, keys, top, sketch.mark)
    top -= _keys_height(keys)
    scale = _interval_scale(chart, columns.left, width - columns.left - columns.right)
    _draw_foot(sketch, scale, foot, top, width, chart.axis.title)
    if chart.reference is not None:
        x = scale.place(chart.reference)
        sketch.line(x, foot, x, top, REFERENCE, 1.1)
    for number, (row, height) in enumerate(zip(chart.rows, heights, strict=True)):
        middle = top - height / 2
        sketch.setting(0, middle, columns.names[number], style.INK)
        sketch.setting(0, middle, columns.notes[number], style.INK, right=width)
        for at, interval in enumerate(row.intervals):
            if interval is not None and math.isfinite(interval.value):
                y = middle + ((len(row.intervals) - 1) / 2 - at) * _BESIDE
                _draw_interval(sketch, scale, interval, y, at)
        top -= height
    return sketch.drawing


def _interval_scale(chart: IntervalChart, start: float, length: float) -> Scale:
    values = [end for row in chart.rows for interval in row.intervals if interval is not None for end in interval]
    if chart.reference is not None:
        values.append(chart.reference)
    return make_scale(chart.axis, values, start, length, pitch=_tick_width)


_CAP: Final = 2.2


def _draw_interval(sketch: Sketch, scale: Scale, interval: Interval, y: float, number: int) -> None:
    """Draw a dot and the line through it. An end within the scale has a cap; an end beyond it has none."""
    ends = [scale.place(end) for end in (interval.low, interval.high)]
    sketch.line(*(ends[0], y, ends[1], y), colour_of(number), 1.3)
    for end, x in zip((interval.low, interval.high), ends, strict=True):
        if scale.low <= end <= scale.high:
            sketch.line(x, y - _CAP, x, y + _CAP, colour_of(number), 1.1)
    sketch.mark(scale.place(interval.value), y, number)


# Bars


def _draw_bars(chart: BarChart, width: float) -> Drawing:
    if not chart.bars:
        return _draw_nothing(width)
    columns = _fit_columns((bar.name for bar in chart.bars), (bar.note for bar in chart.bars), width)
    count = max((len(bar.parts) for bar in chart.bars), default=1)
    high = count * _THIN_BAR if chart.is_grouped else _BAR
    heights = [max(high, _BAR + columns.extra(number)) + _BETWEEN_BARS for number in range(len(chart.bars))]
    keys = _lay_out_keys(chart.keys, width)
    foot = (_FOOT + (_AXIS_TITLE if chart.axis.title else 0.0)) if chart.axis else 0.0
    sketch = Sketch(width, sum(heights) + _keys_height(keys) + foot)
    top = sketch.drawing.height
    _draw_keys(sketch, keys, top, partial(_draw_patch, sketch, count, is_grouped=chart.is_grouped))
    top -= _keys_height(keys)
    # Grouped bars have their figures behind them.
    figures = [number_text(part) for bar in chart.bars for part in bar.parts] if chart.is_grouped else []
    behind = max((fonts.measure(text, "regular", _TICK) for text in figures), default=-4.0) + 4
    scale = _bar_scale(chart, columns.left, width - columns.left - columns.right - behind)
    if chart.axis:
        _draw_foot(sketch, scale, foot, top, width, chart.axis.title)
    for number, (bar, height) in enumerate(zip(chart.bars, heights, strict=True)):
        middle = top - height / 2
        sketch.setting(0, middle, columns.names[number], style.INK)
        if chart.is_grouped:
            end = scale.start + scale.length + behind
            _draw_group(sketch, scale, bar.parts, middle)
        else:
            end = _draw_stack(sketch, scale, bar.parts, middle)
        sketch.setting(end + _APART - 2, middle, columns.notes[number], style.INK)
        top -= height
    sketch.line(scale.place(0), foot, scale.place(0), sketch.drawing.height - _keys_height(keys), REFERENCE, 0.8)
    return sketch.drawing


def _bar_scale(chart: BarChart, start: float, length: float) -> Scale:
    axis = chart.axis or Axis()
    if chart.is_grouped:
        values = [part for bar in chart.bars for part in bar.parts]
    else:
        signs = (lambda part: part > 0), (lambda part: part < 0)
        values = [sum(filter(sign, bar.parts)) for bar in chart.bars for sign in signs]
    scale = make_scale(axis, values, start, length, pitch=_tick_width, zero=True)
    if chart.axis is None:
        # Without figures below it, the scale need not end at a round figure.
        low, high = min((*values, 0.0)), max((*values, 0.0))
        scale = scale._replace(low=low, high=high if high > low else low + 1)
    return scale


def _draw_stack(sketch: Sketch, scale: Scale, parts: Sequence[float], middle: float) -> float:
    """Draw parts in a row, negative ones to the left, each with its figure if that fits. Return the right end."""
    ends = {True: 0.0, False: 0.0}
    for number, part in enumerate(parts):
        before = ends[part > 0]
        after = ends[part > 0] = before + part
        left, right = sorted((scale.place(before), scale.place(after)))
        if part == 0 or right <= left:
            continue
        shade = SHADES[number % len(SHADES)]
        wide = max(0.4, right - left - 1)
        sketch.box(left, middle - _BAR / 2, wide, _BAR, shade)
        if number >= len(SHADES):
            sketch.hatch(left, middle - _BAR / 2, wide, _BAR)
            continue
        text = number_text(part)
        if len(parts) > 1 and fonts.measure(text, "bold", _TICK) + 5 < wide:
            sketch.text(left + 3, middle, text, _TICK, style.INK if shade in LIGHT else WHITE, "bold")
    return max(scale.place(0), scale.place(ends[True]))


def _draw_group(sketch: Sketch, scale: Scale, parts: Sequence[float], middle: float) -> None:
    """Draw a bar for each part, one below the other, with its figure behind it."""
    y = middle + (len(parts) / 2 - 1) * _THIN_BAR
    for number, part in enumerate(parts):
        left, right = sorted((scale.place(0), scale.place(part)))
        sketch.box(left, y + 0.6, max(0.4, right - left), _THIN_BAR - 1.2, colour_of(number))
        if number % 2:
            sketch.hatch(left, y + 0.6, right - left, _THIN_BAR - 1.2)
        sketch.text(right + 3, y + _THIN_BAR / 2, number_text(part), _TICK, style.INK)
        y -= _THIN_BAR


def _draw_patch(sketch: Sketch, count: int, x: float, y: float, number: int, *, is_grouped: bool) -> None:  # noqa: ARG001
    """Draw the sample of a bar's part in the key."""
    colour = colour_of(number) if is_grouped else SHADES[number % len(SHADES)]
    sketch.box(x - 3.5, y - 3.5, 7, 7, colour)
    if number % 2 if is_grouped else number >= len(SHADES):
        sketch.hatch(x - 3.5, y - 3.5, 7, 7)


# Lines


_Run = list[tuple[float, float]]
"""Neighbouring points of a line, each a position and a value."""


def _draw_lines(chart: LineChart, width: float) -> Drawing:
    points = sorted(chart.points, key=lambda point: point.at)
    runs = {number: some for number in range(len(chart.keys)) if (some := list(_unbroken_runs(points, number)))}
    if not runs:
        return _draw_nothing(width)
    labels = {
        number: _end_label(chart.keys[number], of_line[-1][-1][1], chart.y, width) for number, of_line in runs.items()
    }
    right = max(fonts.measure(label.lines[0], label.weight, label.size) for label in labels.values()) + 18
    height = max(_PLOT_HEIGHT, _LABEL_PITCH * len(labels))
    foot = _FOOT + (_AXIS_TITLE if chart.x.title else 0.0)
    values = [value for of_line in runs.values() for run in of_line for _, value in run]
    y = make_scale(chart.y, values, foot, height, pitch=lambda _: _TICK * 2, zero=chart.y.low is None)
    left = max((fonts.measure(text, "regular", _TICK) for _, text in y.ticks), default=0.0) + 5
    room = width - left - right
    # A single point stands in the middle.
    beside = 0.0 if points[-1].at > points[0].at else 0.5
    fixed = replace(chart.x, low=points[0].at - beside, high=points[-1].at + beside)
    x = make_scale(fixed, (point.at for point in points), left + MARK, room - MARK, pitch=_tick_width)
    sections = list(_place_sections(chart.sections, x))
    above = max((section.height for section in sections), default=0.0)
    head = 3.0 + (_AXIS_TITLE if chart.y.title else 0.0) + above
    sketch = Sketch(width, height + foot + head)
    _draw_side(sketch, y, left, room, chart.y.title)
    _draw_places(sketch, x, foot, width, chart.x.title)
    _draw_sections(sketch, sections, foot, foot + height)
    _draw_runs(sketch, runs, x, y, often=max(1, math.ceil(len(points) / _MOST_MARKS)))
    ends = {number: y.place(of_line[-1][-1][1]) for number, of_line in runs.items()}
    for number, middle in _without_overlap(ends, foot, foot + height):
        sketch.mark(left + room + 10, middle, number, 2.2)
        sketch.setting(left + room + 16, middle, labels[number], style.INK)
    return sketch.drawing


def _unbroken_runs(points: Sequence[LinePoint], number: int) -> Iterator[_Run]:
    """Yield the points of a line in runs without gaps."""
    run: _Run = []
    for point in points:
        value = point.values[number]
        if value is not None and math.isfinite(value):
            run.append((point.at, value))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _end_label(key: str, value: float, axis: Axis, width: float) -> TextSetting:
    """Return the label at the end of a line: its last value and its key."""
    text = f"{number_text(value, is_share=axis.is_share)} {key}"
    return fit_truncated(text, width * _NOTES_SHARE, _NAME - 0.4, most_lines=1)


def _draw_runs(sketch: Sketch, runs: dict[int, list[_Run]], x: Scale, y: Scale, often: int) -> None:
    """Draw all lines, and on top of them the mark of every `often`-th point."""
    places = {
        number: [[(x.place(at), y.place(value)) for at, value in run] for run in of_line]
        for number, of_line in runs.items()
    }
    for number, of_line in places.items():
        for run in of_line:
            if len(run) > 1:
                sketch.lines(run, colour_of(number), 1.5)
    for number, of_line in places.items():
        for at, up in (place for run in of_line for place in run[::often]):
            sketch.mark(at, up, number, 1.7)


def _draw_side(sketch: Sketch, y: Scale, left: float, room: float, title: str) -> None:
    """Draw a vertical scale: a line across at each tick, its figure beside it, and the title above."""
    for value, text in y.ticks:
        sketch.line(left, y.place(value), left + room, y.place(value), GRID)
        sketch.text(left - 5 - fonts.measure(text, "regular", _TICK), y.place(value), text, _TICK, style.SOFT)
    if title:
        setting = fit_truncated(title, left + room, _TICK, most_lines=1)
        sketch.setting(0, sketch.drawing.height - _AXIS_TITLE / 2, setting, style.SOFT)


def _draw_places(sketch: Sketch, x: Scale, foot: float, width: float, title: str) -> None:
    """Draw the figures below a line chart, each with a short tick."""
    end = 0.0
    for value, text in x.ticks:
        at = x.place(value)
        sketch.line(at, foot, at, foot + 3, REFERENCE)
        wide = fonts.measure(text, "regular", _TICK)
        left = min(max(0.0, at - wide / 2), width - wide)
        if left >= end:
            sketch.text(left, foot - _FOOT / 2, text, _TICK, style.SOFT)
            end = left + wide + 2
    if title:
        _draw_title(sketch, title, x, _AXIS_TITLE / 2, width)


class _PlacedSection(NamedTuple):
    """A section that begins at `start`, with its title in a room of this `height` above the chart."""

    start: float
    height: float
    title: TextSetting | None = None


def _place_sections(sections: Sequence[ChartSection], x: Scale) -> Iterator[_PlacedSection]:
    """Yield the sections in order; a title that has no room before the next section is left out."""
    ordered = sorted(sections, key=lambda section: section.at)
    starts = [*(x.place(section.at) for section in ordered), x.start + x.length]
    for section, (start, end) in zip(ordered, pairwise(starts), strict=True):
        title, room = fonts.clean(section.title), end - start - 3
        if not title or end - start <= _TICK * 2:
            yield _PlacedSection(start, _SECTION_TITLE if title else 0.0)
            continue
        setting = fit_truncated(title, room, _TICK, most_lines=1)
        if setting.lines != (title,):
            # Cut off only if it does not fit into several lines.
            setting = fit_truncated(title, room, _TICK, most_lines=_MOST_TITLE_LINES)
        yield _PlacedSection(start, _SECTION_TITLE + (len(setting.lines) - 1) * setting.leading, setting)


def _draw_sections(sketch: Sketch, sections: Sequence[_PlacedSection], bottom: float, top: float) -> None:
    """Draw a line at the start of each section, and its title above."""
    for section in sections:
        sketch.line(section.start, bottom, section.start, top + section.height, REFERENCE, 0.5)
        if section.title is not None:
            below = (len(section.title.lines) - 1) * section.title.leading / 2
            middle = top + section.height - _TICK / 2 - below
            sketch.setting(section.start + 2, middle, section.title, style.SOFT)


def _without_overlap(wanted: dict[int, float], low: float, high: float) -> Iterator[tuple[int, float]]:
    """Yield the labels' positions, as near as possible to `wanted`, without overlap, between `low` and `high`."""
    ordered = sorted(wanted, key=lambda number: wanted[number])
    places: list[float] = []
    for number in ordered:
        places.append(max(wanted[number], places[-1] + _LABEL_PITCH if places else low))
    above = high
    for at in range(len(places) - 1, -1, -1):
        places[at] = min(places[at], above)
        above = places[at] - _LABEL_PITCH
    yield from zip(ordered, places, strict=True)
