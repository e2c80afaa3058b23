"""An evening on one page to keep or send: large figures, tables, charts, with suits in their two colours.

The page is as wide as A5 and as high as it needs to be, so that nothing of an evening is left out and a picture of it
has no empty half.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import groupby
from typing import Final, NamedTuple

from companion.tabletop.evening import CardChart, CardCourse, CardFigure, CardList, CardPart, CardTable, EveningCard
from companion.tabletop.evening_text import as_markdown
from labels import chart_drawing, charts, fonts, pdf
from labels.geometry import MM, Box
from labels.ink import Ink, line, path
from labels.text import Setting, fit_truncated

WIDTH: Final = 148 * MM
PICTURE_DPI: Final = 240
"""Dots an inch of a picture: 1398 across, sharp on any phone."""

_MARGIN: Final = 26.0
_GAP: Final = 15.0
"""Between two parts."""
_GUTTER: Final = 16.0
_LOWEST: Final = 100 * MM
"""No page is lower than this."""

_PAPER: Final = "#FCF9F2"
_NIGHT: Final = "#1E2430"
_ON_NIGHT: Final = "#FFFFFF"
_SOFT_ON_NIGHT: Final = "#B8C0CF"
_TEXT: Final = "#23262D"
_SOFT: Final = "#676A72"
_RULE: Final = "#DDD6C6"
_TILE: Final = "#F1EADB"
_RED: Final = "#C1272D"
_GOLD: Final = "#B07D12"
_GOLD_ON_NIGHT: Final = "#E8BE5A"
_WON: Final = "#3C8D5A"
_LOST: Final = "#B23A3A"
_OPEN: Final = "#5B6474"

_MARKED: Final = re.compile("((?:10|[2-9AJQK])[♥♦]|[♥♦]|[⭐★])")
"""What stands in another colour than the text around it."""


class _Block(NamedTuple):
    """A part of the page: how high it is, and what draws it into its room."""

    height: float
    draw: Callable[[Ink, Box], None]


def draw_card(card: EveningCard) -> bytes:
    """The card as a PDF of one page."""
    body = WIDTH - 2 * _MARGIN
    head = _head(card)
    blocks = [*([_tiles(card.figures, body)] if card.figures else []), *_arranged(card.parts, body)]
    foot = _foot(card, body)
    height = head.height + sum(block.height + _GAP for block in blocks) + _GAP + foot.height + _MARGIN * 0.6
    height = max(_LOWEST, height)

    def draw(ink: Ink) -> None:
        with ink.artifact():
            ink.fill(Box(0, 0, WIDTH, height), _PAPER)
        head.draw(ink, Box(0, height - head.height, WIDTH, head.height))
        top = height - head.height - _GAP
        for block in blocks:
            block.draw(ink, Box(_MARGIN, top - block.height, body, block.height))
            top -= block.height + _GAP
        foot.draw(ink, Box(_MARGIN, _MARGIN * 0.6, body, foot.height))

    return pdf.render_pages([draw], (WIDTH, height), f"{card.game}: {card.headline}", subject=card.subtitle)


def _write(ink: Ink, x: float, top: float, setting: Setting, colour: str = _TEXT, right: float | None = None) -> None:
    """A set text below `top`, from `x` on, or up to `right`; red suits are red, and stars gold."""
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
        return _GOLD if colour != _ON_NIGHT else _GOLD_ON_NIGHT
    return _RED


def _head(card: EveningCard) -> _Block:
    """Game and day, how it ended, and who played."""
    body = WIDTH - 2 * _MARGIN
    above = fit_truncated(card.game.upper(), body * 0.55, 8.5, "bold", 1)
    when = fit_truncated(card.when, body * 0.43, 8.5, most_lines=1) if card.when else None
    headline = fit_truncated(card.headline, body, 27, "bold", 3)
    subtitle = fit_truncated(card.subtitle, body, 10.5) if card.subtitle else None
    height = 20 + above.height + 13 + headline.height + (9 + subtitle.height if subtitle else 0) + 20
    colour = {True: _WON, False: _LOST, None: _OPEN}[card.won]

    def draw(ink: Ink, room: Box) -> None:
        with ink.artifact():
            ink.fill(room, _NIGHT)
            ink.fill(Box(room.x, room.y, room.width, 5), colour)
        top = room.top - 20
        with ink.element():
            _write(ink, room.x + _MARGIN, top, above, _GOLD_ON_NIGHT)
            if when:
                _write(ink, 0, top, when, _SOFT_ON_NIGHT, right=room.right - _MARGIN)
        top -= above.height + 13
        with ink.element("H1"):
            _write(ink, room.x + _MARGIN, top, headline, _ON_NIGHT)
        if subtitle:
            with ink.element():
                _write(ink, room.x + _MARGIN, top - headline.height - 9, subtitle, _SOFT_ON_NIGHT)

    return _Block(height, draw)


_BIG: Final = 25.0


def _tiles(figures: Sequence[CardFigure], width: float) -> _Block:
    """The figures that stand out, beside one another."""
    gap = 8.0
    side = (width - gap * (len(figures) - 1)) / len(figures)
    room = side - 18
    texts = [
        (
            fit_truncated(figure.value, room, _BIG, "bold", 1),
            fit_truncated(figure.title.upper(), room, 6.3, "bold", 2),
            fit_truncated(figure.note, room, 7.5) if figure.note else None,
        )
        for figure in figures
    ]
    height = 11 + _BIG * 0.75 + 8 + max(title.height + (5 + note.height if note else 0) for _, title, note in texts) + 9

    def draw(ink: Ink, place: Box) -> None:
        x = place.x
        for value, title, note in texts:
            with ink.artifact():
                ink.fill(Box(x, place.y, side, place.height), _TILE, 6)
            with ink.element():
                _write(ink, x + 9, place.top - 11 - (_BIG * 0.75 - value.ascent), value)
                top = place.top - 11 - _BIG * 0.75 - 8
                _write(ink, x + 9, top, title, _GOLD)
                if note:
                    _write(ink, x + 9, top - title.height - 5, note, _SOFT)
            x += side + gap

    return _Block(height, draw)


def _arranged(parts: Sequence[CardPart], width: float) -> Iterator[_Block]:
    """The parts below one another; lists that follow one another fill two columns."""
    half = (width - _GUTTER) / 2
    for are_lists, some in groupby(parts, lambda part: isinstance(part, CardList)):
        group = list(some)
        if are_lists and len(group) > 1:
            columns: tuple[list[_Block], list[_Block]] = ([], [])
            for part in group:
                min(columns, key=_height).append(_part(part, half))
            yield _Block(max(map(_height, columns)), partial(_draw_columns, columns, half))
        else:
            yield from (_part(part, width) for part in group)


def _height(column: Sequence[_Block]) -> float:
    """How high parts are below one another."""
    return sum(block.height for block in column) + _GAP * max(0, len(column) - 1)


def _draw_columns(columns: Sequence[Sequence[_Block]], half: float, ink: Ink, place: Box) -> None:
    for x, column in zip((place.x, place.right - half), columns, strict=True):
        top = place.top
        for block in column:
            block.draw(ink, Box(x, top - block.height, half, block.height))
            top -= block.height + _GAP


def _part(part: CardPart, width: float) -> _Block:
    if isinstance(part, CardTable):
        return _table(part, width)
    if isinstance(part, CardChart):
        return _chart(_bar_chart(part), width)
    return _chart(_line_chart(part), width) if isinstance(part, CardCourse) else _list(part, width)


_HEADING: Final = 11.5
_UNDER_HEADING: Final = 9.0


def _titled(title: str, width: float, below: _Block) -> _Block:
    """A part with its heading above it."""
    heading = fit_truncated(title, width, _HEADING, "bold", 1)
    height = heading.height + 5 + _UNDER_HEADING + below.height

    def draw(ink: Ink, place: Box) -> None:
        with ink.element("H2"):
            _write(ink, place.x, place.top, heading)
        with ink.artifact():
            ink.fill(Box(place.x, place.top - heading.height - 5, place.width, 1.1), _TEXT)
        below.draw(ink, Box(place.x, place.y, place.width, below.height))

    return _Block(height, draw)


_CELL: Final = 8.6
_PAD: Final = 3.6
_COLUMN_GAP: Final = 12.0


def _table(table: CardTable, width: float) -> _Block:
    """A table; columns are as wide as they need, and the widest gives way where there is no room."""
    widths = _column_widths(table, width)
    heads = [fit_truncated(text.upper(), wide, 6, "bold", 2) for text, wide in zip(table.headings, widths, strict=True)]
    rows = [
        [
            fit_truncated(text, wide, _CELL, "bold" if number == 0 else "regular", 4)
            for number, (text, wide) in enumerate(zip(row, widths, strict=True))
        ]
        for row in table.rows
    ]
    head_height = max((head.height for head in heads), default=0) + 4
    heights = [max(cell.height for cell in row) + 2 * _PAD for row in rows]

    def draw(ink: Ink, place: Box) -> None:
        with ink.element():
            _draw_cells(ink, place.x, place.top, heads, widths, table, _SOFT)
        top = place.top - head_height
        for row, height in zip(rows, heights, strict=True):
            with ink.artifact():
                ink.outline([line(place.x, top, place.right, top)], _RULE, 0.6)
            with ink.element():
                _draw_cells(ink, place.x, top - _PAD, row, widths, table, _TEXT)
            top -= height

    return _titled(table.title, width, _Block(head_height + sum(heights), draw))


def _draw_cells(
    ink: Ink, x: float, top: float, cells: Sequence[Setting], widths: Sequence[float], table: CardTable, colour: str
) -> None:
    for number, (cell, wide) in enumerate(zip(cells, widths, strict=True)):
        _write(ink, x, top, cell, colour, right=x + wide if number in table.figures else None)
        x += wide + _COLUMN_GAP


def _column_widths(table: CardTable, width: float) -> list[float]:
    natural = []
    for number, heading in enumerate(table.headings):
        weight: fonts.Weight = "bold" if number == 0 else "regular"
        cells = [fonts.measure(fonts.clean(row[number]), weight, _CELL) for row in table.rows]
        natural.append(max(*cells, 0.0, fonts.measure(fonts.clean(heading.upper()), "bold", 6)) + 0.5)
    room = width - _COLUMN_GAP * (len(natural) - 1)
    while sum(natural) > room + 0.1:
        widest = max(range(len(natural)), key=natural.__getitem__)
        second = max((wide for number, wide in enumerate(natural) if number != widest), default=0.0)
        natural[widest] = max(second * 0.9, natural[widest] - (sum(natural) - room), room / len(natural))
    spare = room - sum(natural)
    return [natural[0] + spare * 0.5, *(wide + spare * 0.5 / max(1, len(natural) - 1) for wide in natural[1:])]


def bar_charts(card: EveningCard) -> Iterator[charts.BarChart]:
    """The bars of a card, as they are drawn."""
    return (_bar_chart(part) for part in card.parts if isinstance(part, CardChart))


def _bar_chart(chart: CardChart) -> charts.BarChart:
    bars = tuple(charts.Bar(bar.title, bar.parts, bar.note) for bar in chart.bars)
    return charts.BarChart(chart.title, bars, chart.keys)


def _line_chart(course: CardCourse) -> charts.LineChart:
    points = tuple(charts.LinePoint(point.at, point.values) for point in course.points)
    return charts.LineChart(course.title, charts.Axis("turn"), charts.Axis(), course.keys, points)


def _chart(chart: charts.Chart, width: float) -> _Block:
    height = chart_drawing.draw(chart, width).height
    return _titled(chart.title, width, _Block(height, lambda ink, place: chart_drawing.place(ink, place, chart)))


def _list(part: CardList, width: float) -> _Block:
    """Sentences, each with a mark before it."""
    settings = [fit_truncated(text, width - 11, _CELL) for text in part.lines]

    def draw(ink: Ink, place: Box) -> None:
        top = place.top
        for setting in settings:
            with ink.element():
                ink.outline([path(Box(place.x + 1, top - 5.4, 3.6, 3.6), 1)], _GOLD, 1.2)
                _write(ink, place.x + 11, top, setting)
            top -= setting.height + 5

    return _titled(part.title, width, _Block(sum(setting.height + 5 for setting in settings), draw))


def _foot(card: EveningCard, width: float) -> _Block:
    """Whose content it is."""
    credit = fit_truncated(card.credit, width, 6.2) if card.credit else None

    def draw(ink: Ink, place: Box) -> None:
        if credit:
            with ink.artifact():
                _write(ink, place.x, place.top, credit, _SOFT)

    return _Block(credit.height if credit else 0.0, draw)


def draw_picture(card: EveningCard, dpi: float = PICTURE_DPI) -> bytes:
    """The card as a PNG, as it is printed."""
    from labels.proof import page_as_picture

    out = BytesIO()
    page_as_picture(draw_card(card), 1, dpi).save(out, format="PNG", dpi=(dpi, dpi))
    return out.getvalue()


def write_card(card: EveningCard, kind: str) -> bytes:
    """The card as a file of one of `companion.tabletop.evening.FORMATS`."""
    if kind == "md":
        return as_markdown(card).encode()
    return draw_picture(card) if kind == "png" else draw_card(card)
