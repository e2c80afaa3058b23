"""Parts of a printed page that are stacked below one another: tiles, tables, charts, lists, with suits in two colours.

A part knows its height before it is drawn, so that whoever lays out a page can tell what fits on it.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from companion.tabletop.evening import CardChart, CardCourse, CardFigure, CardList, CardPart, CardTable
from labels import fonts
from labels.fonts import GlyphError
from labels.geometry import Box
from labels.ink import Ink, line, path
from labels.text import Setting, TextError, fit

GAP: Final = 15.0
"""Between two parts."""

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
SERIES: Final = ("#1F4E79", "#C1572D", "#3C8D5A", "#7A4FA0", "#B07D12", "#2F8F96")
_SHADES: Final = ("#17324D", "#1F4E79", "#2F6FA8", "#5B94C4", "#8FB8DB", "#C3D9EC")
_SHADES_WITH_DARK_TEXT: Final = frozenset(_SHADES[3:])

_MARKED: Final = re.compile("((?:10|[2-9AJQK])[♥♦]|[♥♦]|[⭐★])")
"""What stands in another colour than the text around it."""


class Block(NamedTuple):
    """A part of the page: how high it is, and what draws it into its room."""

    height: float
    draw: Callable[[Ink, Box], None]


def set_text(text: str, width: float, size: float, weight: fonts.Weight = "regular", most_lines: int = 12) -> Setting:
    """A text in as many lines as it needs, smaller where it needs more; what is longer still is cut.

    What no font can print, such as emoji in a name, is left out: nobody can rename a deck of an evening that is over.
    """
    text = printable(text)
    for room in (text, *(f"{text[:length]}…" for length in range(len(text) - 1, 0, -8))):
        with suppress(TextError):
            return fit(room, "", width, most_lines * size * 1.35, size, weight=weight, prefer=_preferred(most_lines))
    return fit("…", "", width, most_lines * size * 1.35, size, weight=weight)


def printable(text: str) -> str:
    """A text without what no font here can print."""
    try:
        fonts.check("".join(fonts.lines(text)), "")
    except GlyphError:
        return "".join(filter(_is_printable, text))
    return text


def measure(text: str, weight: fonts.Weight, size: float) -> float:
    """How wide a text is on one line, in points, without what cannot be printed."""
    return fonts.measure(fonts.clean(printable(text)), weight, size)


def _preferred(most_lines: int) -> Literal["one line", "size"]:
    return "one line" if most_lines == 1 else "size"


def _is_printable(char: str) -> bool:
    try:
        fonts.check(fonts.clean(char), "")
    except GlyphError:
        return False
    return True


def write_text(
    ink: Ink, x: float, top: float, setting: Setting, colour: str = TEXT, right: float | None = None
) -> None:
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
        return GOLD if colour != ON_NIGHT else GOLD_ON_NIGHT
    return RED


_BIG: Final = 25.0


def tiles_block(figures: Sequence[CardFigure], width: float) -> Block:
    """The figures that stand out, beside one another."""
    gap = 8.0
    side = (width - gap * (len(figures) - 1)) / len(figures)
    room = side - 18
    texts = [
        (
            set_text(figure.value, room, _BIG, "bold", 1),
            set_text(figure.title.upper(), room, 6.3, "bold", 2),
            set_text(figure.note, room, 7.5) if figure.note else None,
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

    return Block(height, draw)


def part_block(part: CardPart, width: float) -> Block:
    if isinstance(part, CardTable):
        return table_block(part, width)
    if isinstance(part, CardChart):
        return chart_block(part, width)
    return course_block(part, width) if isinstance(part, CardCourse) else list_block(part, width)


HEADING: Final = 11.5
_UNDER_HEADING: Final = 9.0


def heading(title: str, width: float) -> Block:
    """The heading of a part, with a rule and some room below it."""
    setting = set_text(title, width, HEADING, "bold", 1)

    def draw(ink: Ink, place: Box) -> None:
        with ink.element("H2"):
            write_text(ink, place.x, place.top, setting)
        with ink.artifact():
            ink.fill(Box(place.x, place.top - setting.height - 5, place.width, 1.1), TEXT)

    return Block(setting.height + 5 + _UNDER_HEADING, draw)


def titled(title: str, width: float, below: Block) -> Block:
    """A part with its heading above it."""
    above = heading(title, width)

    def draw(ink: Ink, place: Box) -> None:
        above.draw(ink, Box(place.x, place.top - above.height, place.width, above.height))
        below.draw(ink, Box(place.x, place.y, place.width, below.height))

    return Block(above.height + below.height, draw)


CELL: Final = 8.6
_PAD: Final = 3.6
_COLUMN_GAP: Final = 12.0


def table_block(table: CardTable, width: float) -> Block:
    """A table; columns are as wide as they need, and the widest gives way where there is no room."""
    widths = _column_widths(table, width)
    heads = [set_text(text.upper(), wide, 6, "bold", 2) for text, wide in zip(table.headings, widths, strict=True)]
    rows = [
        [
            set_text(text, wide, CELL, "bold" if number == 0 else "regular", 4)
            for number, (text, wide) in enumerate(zip(row, widths, strict=True))
        ]
        for row in table.rows
    ]
    head_height = max((head.height for head in heads), default=0) + 4
    heights = [max(cell.height for cell in row) + 2 * _PAD for row in rows]

    def draw(ink: Ink, place: Box) -> None:
        with ink.element():
            _draw_cells(ink, place.x, place.top, heads, widths, table, SOFT)
        top = place.top - head_height
        for row, height in zip(rows, heights, strict=True):
            with ink.artifact():
                ink.outline([line(place.x, top, place.right, top)], RULE, 0.6)
            with ink.element():
                _draw_cells(ink, place.x, top - _PAD, row, widths, table, TEXT)
            top -= height

    return titled(table.title, width, Block(head_height + sum(heights), draw))


def _draw_cells(
    ink: Ink, x: float, top: float, cells: Sequence[Setting], widths: Sequence[float], table: CardTable, colour: str
) -> None:
    for number, (cell, wide) in enumerate(zip(cells, widths, strict=True)):
        write_text(ink, x, top, cell, colour, right=x + wide if number in table.figures else None)
        x += wide + _COLUMN_GAP


def _column_widths(table: CardTable, width: float) -> list[float]:
    natural = []
    for number, heading in enumerate(table.headings):
        weight: fonts.Weight = "bold" if number == 0 else "regular"
        cells = [measure(row[number], weight, CELL) for row in table.rows]
        natural.append(max(*cells, 0.0, measure(heading.upper(), "bold", 6)) + 0.5)
    room = width - _COLUMN_GAP * (len(natural) - 1)
    while sum(natural) > room + 0.1:
        widest = max(range(len(natural)), key=natural.__getitem__)
        second = max((wide for number, wide in enumerate(natural) if number != widest), default=0.0)
        natural[widest] = max(second * 0.9, natural[widest] - (sum(natural) - room), room / len(natural))
    spare = room - sum(natural)
    return [natural[0] + spare * 0.5, *(wide + spare * 0.5 / max(1, len(natural) - 1) for wide in natural[1:])]


_BAR: Final = 15.0


def chart_block(chart: CardChart, width: float) -> Block:
    """Bars below one another, each with its parts, on one scale."""
    names = [set_text(bar.title, width * 0.25, CELL, "bold", 1) for bar in chart.bars]
    notes = [set_text(bar.note, width * 0.12, CELL, "bold", 1) if bar.note else None for bar in chart.bars]
    left = max((fonts.measure(name.lines[0], "bold", name.size) for name in names), default=0) + 10
    right = max((fonts.measure(note.lines[0], "bold", note.size) for note in notes if note), default=0) + 8
    pitch = _BAR + 6
    key_height = 16.0 if len(chart.keys) > 1 else 0.0

    def draw(ink: Ink, place: Box) -> None:
        scale, top = (place.width - left - right) / chart.scale, place.top
        for bar, name, note in zip(chart.bars, names, notes, strict=True):
            middle = top - _BAR / 2
            with ink.element():
                write_text(ink, place.x, middle + name.ascent / 2, name)
                end = _draw_parts(ink, Box(place.x + left, top - _BAR, bar.total * scale, _BAR), bar.parts, scale)
                if note:
                    write_text(ink, end + 6, middle + note.ascent / 2, note)
            top -= pitch
        if key_height:
            _draw_keys(ink, place.x + left, place.y + 1, chart.keys, _SHADES)

    return titled(chart.title, width, Block(len(chart.bars) * pitch + key_height, draw))


def _draw_parts(ink: Ink, room: Box, parts: Sequence[int], scale: float) -> float:
    """A bar's parts, each with its figure where it has room; gives where the bar ends."""
    x = room.x
    for number, part in enumerate(parts):
        shade, wide = _SHADES[number % len(_SHADES)], part * scale
        if wide <= 0:
            continue
        ink.fill(Box(x, room.y, max(0.5, wide - 0.8), room.height), shade)
        text = str(part)
        if fonts.measure(text, "bold", 7) + 5 < wide:
            on_it = NIGHT if shade in _SHADES_WITH_DARK_TEXT else ON_NIGHT
            ink.text(x + 3.5, room.y + room.height / 2 - 2.5, text, "bold", 7, on_it)
        x += wide
    return x


def _draw_keys(ink: Ink, x: float, y: float, keys: Sequence[str], colours: Sequence[str]) -> None:
    """What the colours of a chart are."""
    with ink.element():
        for number, key in enumerate(keys):
            text = fonts.clean(printable(key))
            ink.fill(Box(x, y, 7, 7), colours[number % len(colours)], 1.5)
            ink.text(x + 10, y + 1, text, "regular", 7, SOFT)
            x += 10 + fonts.measure(text, "regular", 7) + 10


_COURSE_HEIGHT: Final = 120.0
_APART: Final = 9.0
"""From one figure at the end of a line to the next."""


def course_block(course: CardCourse, width: float) -> Block:
    """A line for each, from left to right, with what it came to at its end."""
    most = max((value for point in course.points for value in point.values), default=0) or 1
    first, last = (course.points[at].at for at in (0, -1)) if course.points else (0, 1)

    def draw(ink: Ink, place: Box) -> None:
        plot = Box(place.x + 22, place.y + 30, place.width - 22 - 26, _COURSE_HEIGHT)
        across = plot.width / max(1, last - first)
        with ink.element(spoken=", ".join(course.keys)):
            for share in (0, 0.5, 1):
                y = plot.y + plot.height * share
                ink.outline([line(plot.x, y, plot.right, y)], RULE, 0.6)
                text = str(round(most * share))
                ink.text(plot.x - 5 - fonts.measure(text, "regular", 7), y - 2.4, text, "regular", 7, SOFT)
            ends: list[tuple[float, str, str]] = []
            for number in range(len(course.keys)):
                colour = SERIES[number % len(SERIES)]
                spots = [
                    (plot.x + (point.at - first) * across, plot.y + plot.height * point.values[number] / most)
                    for point in course.points
                ]
                ink.outline([line(*a, *b) for a, b in pairwise(spots)], colour, 2)
                x, y = spots[-1]
                ink.fill(Box(x - 2.5, y - 2.5, 5, 5), colour, 2.5)
                ends.append((y, str(course.points[-1].values[number]), colour))
            # Figures at the end of lines stand apart, but not above the chart.
            lowest = plot.y - _APART
            ends.sort()
            for number in range(len(ends)):
                y, text, colour = ends[number]
                ends[number] = min(y, plot.top - _APART * (len(ends) - 1 - number)), text, colour
            for y, text, colour in ends:
                lowest = max(y, lowest + _APART)
                ink.text(plot.right + 5, lowest - 2.6, text, "bold", 7.5, colour)
            for at in dict.fromkeys((first, (first + last) // 2, last)):
                text = f"{course.unit} {at}" if at == first else str(at)
                ink.text(plot.x + (at - first) * across - 2, plot.y - 10, text, "regular", 7, SOFT)
        _draw_keys(ink, plot.x, place.y + 1, course.keys, SERIES)

    return titled(course.title, width, Block(_COURSE_HEIGHT + 34, draw))


def list_block(part: CardList, width: float) -> Block:
    """Sentences, each with a mark before it."""
    settings = [set_text(text, width - 11, CELL) for text in part.lines]

    def draw(ink: Ink, place: Box) -> None:
        top = place.top
        for setting in settings:
            with ink.element():
                ink.outline([path(Box(place.x + 1, top - 5.4, 3.6, 3.6), 1)], GOLD, 1.2)
                write_text(ink, place.x + 11, top, setting)
            top -= setting.height + 5

    return titled(part.title, width, Block(sum(setting.height + 5 for setting in settings), draw))
