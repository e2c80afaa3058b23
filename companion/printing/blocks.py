"""Parts of a printed page that are stacked: tiles, tables, charts, lists, with suits in two colours.

The height of a part is known before it is drawn, so that a page can be laid out first.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from companion.tabletop.evening import CardChart, CardCourse, CardFigure, CardList, CardPart, CardTable
from labels.drawing.ink import Ink, line, path
from labels.geometry import Box
from labels.output import chart_drawing, charts
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting, fit_truncated, printable

GAP: Final = 15.0
"""Distance between two parts."""

NIGHT: Final = "#1E2430"
ON_NIGHT: Final = "#FFFFFF"
SOFT_ON_NIGHT: Final = "#B8C0CF"
TEXT: Final = "#23262D"
SOFT: Final = "#676A72"
RULE: Final = "#DDD6C6"
TILE: Final = "#F1EADB"
RED: Final = "#C1272D"
GOLD: Final = "#B07D12"
GOLD_ON_NIGHT: Final = "#E8BE5A"

_MARKED: Final = re.compile("((?:10|[2-9AJQK])[♥♦]|[♥♦]|[⭐★])")
"""Suits and stars, which differ in colour from the text around them."""


class PageBlock(NamedTuple):
    """A part of the page: its height, and the function that draws it into its room."""

    height: float
    draw: Callable[[Ink, Box], None]


def measure(text: str, weight: fonts.Weight, size: float) -> float:
    """Return the width of a text on one line in points, without unprintable characters."""
    return fonts.measure(fonts.clean(printable(text)), weight, size)


def write_text(
    ink: Ink, x: float, top: float, setting: TextSetting, colour: str = TEXT, right: float | None = None
) -> None:
    """Write a set text below `top`, from `x` on or up to `right`, with red suits in red and stars in gold."""
    baseline = top - setting.ascent
    for text in setting.lines:
        wide = fonts.measure(text, setting.weight, setting.size)
        at = x if right is None else right - wide
        for run in filter(None, _MARKED.split(text)):
            ink.text(at, baseline, run, setting.weight, setting.size, _colour_of(run, colour))
            at += fonts.measure(run, setting.weight, setting.size)
        baseline -= setting.leading


def _colour_of(run: str, colour: str) -> str:
    if not _MARKED.fullmatch(run):
        return colour
    if run in "⭐★":
        return GOLD if colour != ON_NIGHT else GOLD_ON_NIGHT
    return RED


_BIG: Final = 25.0


def tiles_block(figures: Sequence[CardFigure], width: float) -> PageBlock:
    """Return a row of the highlighted figures."""
    gap = 8.0
    side = (width - gap * (len(figures) - 1)) / len(figures)
    room = side - 18
    texts = [
        (
            fit_truncated(str(figure.value), room, _BIG, "bold", 1),
            fit_truncated(str(figure.title).upper(), room, 6.3, "bold", 2),
            fit_truncated(str(figure.note), room, 7.5) if figure.note else None,
        )
        for figure in figures
    ]
    height = 11 + _BIG * 0.75 + 8 + max(title.height + (5 + note.height if note else 0) for _, title, note in texts) + 9

    def draw(ink: Ink, place: Box) -> None:
        x = place.x
        for value, title, note in texts:
            with ink.artifact():
                ink.fill(Box(x, place.y, side, place.height), TILE, 6)
            with ink.element():
                write_text(ink, x + 9, place.top - 11 - (_BIG * 0.75 - value.ascent), value)
                top = place.top - 11 - _BIG * 0.75 - 8
                write_text(ink, x + 9, top, title, GOLD)
                if note:
                    write_text(ink, x + 9, top - title.height - 5, note, SOFT)
            x += side + gap

    return PageBlock(height, draw)


def part_block(part: CardPart, width: float) -> PageBlock:
    if isinstance(part, CardTable):
        return table_block(part, width)
    if isinstance(part, CardChart):
        return chart_block(bar_chart(part), width)
    return chart_block(_line_chart(part), width) if isinstance(part, CardCourse) else list_block(part, width)


HEADING: Final = 11.5
_UNDER_HEADING: Final = 9.0


def heading(title: str, width: float) -> PageBlock:
    """Return the heading of a part, with a rule and some space below it."""
    setting = fit_truncated(title, width, HEADING, "bold", 1)

    def draw(ink: Ink, place: Box) -> None:
        with ink.element("H2"):
            write_text(ink, place.x, place.top, setting)
        with ink.artifact():
            ink.fill(Box(place.x, place.top - setting.height - 5, place.width, 1.1), TEXT)

    return PageBlock(setting.height + 5 + _UNDER_HEADING, draw)


def add_heading(title: str, width: float, below: PageBlock) -> PageBlock:
    """Return a part with its heading above it."""
    above = heading(title, width)

    def draw(ink: Ink, place: Box) -> None:
        above.draw(ink, Box(place.x, place.top - above.height, place.width, above.height))
        below.draw(ink, Box(place.x, place.y, place.width, below.height))

    return PageBlock(above.height + below.height, draw)


CELL: Final = 8.6
_PAD: Final = 3.6
_COLUMN_GAP: Final = 12.0


def table_block(table: CardTable, width: float) -> PageBlock:
    """Return a table below its title."""
    blocks = table_blocks(table, width)

    def draw(ink: Ink, place: Box) -> None:
        top = place.top
        for block in blocks:
            block.draw(ink, Box(place.x, top - block.height, place.width, block.height))
            top -= block.height

    return add_heading(str(table.title), width, PageBlock(sum(block.height for block in blocks), draw))


def table_blocks(table: CardTable, width: float) -> list[PageBlock]:
    """Return the heading row of a table, and its rows, each with a rule above it.

    Columns are as wide as they need, and the widest shrinks if there is no room.
    """
    widths = _column_widths(table, width)
    heads = [
        fit_truncated(str(text).upper(), wide, 6, "bold", 2) for text, wide in zip(table.headings, widths, strict=True)
    ]

    def edges(place: Box) -> Iterator[tuple[float, float | None]]:
        """Yield the left edge of each cell, and for figures the right edge."""
        x = place.x
        for number, wide in enumerate(widths):
            yield x, x + wide if number in table.figures else None
            x += wide + _COLUMN_GAP

    def draw_head(ink: Ink, place: Box) -> None:
        with ink.row(table.title):
            for (x, right), setting in zip(edges(place), heads, strict=True):
                with ink.cell("Column", is_empty=not any(setting.lines)):
                    write_text(ink, x, place.top, setting, SOFT, right=right)

    def row_block(row: Sequence[str]) -> PageBlock:
        cells = [
            fit_truncated(text, wide, CELL, "bold" if number == 0 else "regular", 4)
            for number, (text, wide) in enumerate(zip(row, widths, strict=True))
        ]

        def draw(ink: Ink, place: Box) -> None:
            with ink.artifact():
                ink.outline([line(place.x, place.top, place.right, place.top)], RULE, 0.6)
            with ink.row(table.title):
                for number, ((x, right), setting) in enumerate(zip(edges(place), cells, strict=True)):
                    with ink.cell("" if number else "Row", is_empty=not any(setting.lines)):
                        write_text(ink, x, place.top - _PAD, setting, TEXT, right=right)

        return PageBlock(max(cell.height for cell in cells) + 2 * _PAD, draw)

    head = PageBlock(max((head.height for head in heads), default=0) + 4, draw_head)
    return [head, *(row_block(tuple(map(str, row))) for row in table.rows)]


def _column_widths(table: CardTable, width: float) -> list[float]:
    natural = []
    for number, heading in enumerate(table.headings):
        weight: fonts.Weight = "bold" if number == 0 else "regular"
        cells = [measure(str(row[number]), weight, CELL) for row in table.rows]
        natural.append(max(*cells, 0.0, measure(str(heading).upper(), "bold", 6)) + 0.5)
    room = width - _COLUMN_GAP * (len(natural) - 1)
    while sum(natural) > room + 0.1:
        widest = max(range(len(natural)), key=natural.__getitem__)
        second = max((wide for number, wide in enumerate(natural) if number != widest), default=0.0)
        natural[widest] = max(second * 0.9, natural[widest] - (sum(natural) - room), room / len(natural))
    spare = room - sum(natural)
    return [natural[0] + spare * 0.5, *(wide + spare * 0.5 / max(1, len(natural) - 1) for wide in natural[1:])]


def bar_chart(chart: CardChart) -> charts.BarChart:
    """Return the bars of a card as a chart."""
    bars = tuple(charts.Bar(str(bar.title), bar.parts, str(bar.note)) for bar in chart.bars)
    return charts.BarChart(str(chart.title), bars, tuple(map(str, chart.keys)))


def _line_chart(course: CardCourse) -> charts.LineChart:
    points = tuple(charts.LinePoint(point.at, point.values) for point in course.points)
    return charts.LineChart(
        str(course.title), charts.Axis(str(course.unit)), charts.Axis(), tuple(map(str, course.keys)), points
    )


def chart_block(chart: charts.Chart, width: float) -> PageBlock:
    """Return a chart below its title."""
    height = chart_drawing.draw(chart, width).height
    return add_heading(chart.title, width, PageBlock(height, lambda ink, place: chart_drawing.place(ink, place, chart)))


def list_block(part: CardList, width: float) -> PageBlock:
    """Return sentences, each with a mark before it."""
    settings = [fit_truncated(str(text), width - 11, CELL) for text in part.lines]

    def draw(ink: Ink, place: Box) -> None:
        top = place.top
        for setting in settings:
            with ink.element():
                ink.outline([path(Box(place.x + 1, top - 5.4, 3.6, 3.6), 1)], GOLD, 1.2)
                write_text(ink, place.x + 11, top, setting)
            top -= setting.height + 5

    return add_heading(str(part.title), width, PageBlock(sum(setting.height + 5 for setting in settings), draw))
