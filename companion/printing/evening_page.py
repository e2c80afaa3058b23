"""An evening on one page to keep or send: large figures, tables, charts, with suits in their two colours.

The page is as wide as A5 and as high as it needs to be, so that nothing of an evening is left out and a picture of it
has no empty half.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from itertools import groupby, pairwise
from typing import Final, Literal, NamedTuple

from companion.tabletop.evening import CardChart, CardCourse, CardFigure, CardList, CardPart, CardTable, EveningCard
from companion.tabletop.evening_text import as_markdown
from labels import fonts, pdf
from labels.fonts import GlyphError
from labels.geometry import MM, Box
from labels.ink import Ink, line, path
from labels.text import Setting, TextError, fit

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
_SERIES: Final = ("#1F4E79", "#C1572D", "#3C8D5A", "#7A4FA0", "#B07D12", "#2F8F96")
_SHADES: Final = ("#17324D", "#1F4E79", "#2F6FA8", "#5B94C4", "#8FB8DB", "#C3D9EC")
_SHADES_WITH_DARK_TEXT: Final = frozenset(_SHADES[3:])

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


def _set(text: str, width: float, size: float, weight: fonts.Weight = "regular", most_lines: int = 12) -> Setting:
    """A text in as many lines as it needs, smaller where it needs more; what is longer still is cut.

    What no font can print, such as emoji in a name, is left out: nobody can rename a deck of an evening that is over.
    """
    try:
        fonts.check("".join(fonts.lines(text)), "")
    except GlyphError:
        text = "".join(filter(_is_printable, text))
    for room in (text, *(f"{text[:length]}…" for length in range(len(text) - 1, 0, -8))):
        with suppress(TextError):
            return fit(room, "", width, most_lines * size * 1.35, size, weight=weight, prefer=_preferred(most_lines))
    return fit("…", "", width, most_lines * size * 1.35, size, weight=weight)


def _preferred(most_lines: int) -> Literal["one line", "size"]:
    return "one line" if most_lines == 1 else "size"


def _is_printable(char: str) -> bool:
    try:
        fonts.check(fonts.clean(char), "")
    except GlyphError:
        return False
    return True


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
    above = _set(card.game.upper(), body * 0.55, 8.5, "bold", 1)
    when = _set(card.when, body * 0.43, 8.5, most_lines=1) if card.when else None
    headline = _set(card.headline, body, 27, "bold", 3)
    subtitle = _set(card.subtitle, body, 10.5) if card.subtitle else None
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
            _set(figure.value, room, _BIG, "bold", 1),
            _set(figure.title.upper(), room, 6.3, "bold", 2),
            _set(figure.note, room, 7.5) if figure.note else None,
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
        return _chart(part, width)
    return _course(part, width) if isinstance(part, CardCourse) else _list(part, width)


_HEADING: Final = 11.5
_UNDER_HEADING: Final = 9.0


def _titled(title: str, width: float, below: _Block) -> _Block:
    """A part with its heading above it."""
    heading = _set(title, width, _HEADING, "bold", 1)
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
    heads = [_set(text.upper(), wide, 6, "bold", 2) for text, wide in zip(table.headings, widths, strict=True)]
    rows = [
        [
            _set(text, wide, _CELL, "bold" if number == 0 else "regular", 4)
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


_BAR: Final = 15.0


def _chart(chart: CardChart, width: float) -> _Block:
    """Bars below one another, each with its parts, on one scale."""
    names = [_set(bar.title, width * 0.25, _CELL, "bold", 1) for bar in chart.bars]
    notes = [_set(bar.note, width * 0.12, _CELL, "bold", 1) if bar.note else None for bar in chart.bars]
    left = max((fonts.measure(name.lines[0], "bold", name.size) for name in names), default=0) + 10
    right = max((fonts.measure(note.lines[0], "bold", note.size) for note in notes if note), default=0) + 8
    pitch = _BAR + 6
    key_height = 16.0 if len(chart.keys) > 1 else 0.0

    def draw(ink: Ink, place: Box) -> None:
        scale, top = (place.width - left - right) / chart.scale, place.top
        for bar, name, note in zip(chart.bars, names, notes, strict=True):
            middle = top - _BAR / 2
            with ink.element():
                _write(ink, place.x, middle + name.ascent / 2, name)
                end = _draw_parts(ink, Box(place.x + left, top - _BAR, bar.total * scale, _BAR), bar.parts, scale)
                if note:
                    _write(ink, end + 6, middle + note.ascent / 2, note)
            top -= pitch
        if key_height:
            _draw_keys(ink, place.x + left, place.y + 1, chart.keys, _SHADES)

    return _titled(chart.title, width, _Block(len(chart.bars) * pitch + key_height, draw))


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
            on_it = _NIGHT if shade in _SHADES_WITH_DARK_TEXT else _ON_NIGHT
            ink.text(x + 3.5, room.y + room.height / 2 - 2.5, text, "bold", 7, on_it)
        x += wide
    return x


def _draw_keys(ink: Ink, x: float, y: float, keys: Sequence[str], colours: Sequence[str]) -> None:
    """What the colours of a chart are."""
    with ink.element():
        for number, key in enumerate(keys):
            text = fonts.clean(key)
            ink.fill(Box(x, y, 7, 7), colours[number % len(colours)], 1.5)
            ink.text(x + 10, y + 1, text, "regular", 7, _SOFT)
            x += 10 + fonts.measure(text, "regular", 7) + 10


_COURSE_HEIGHT: Final = 120.0
_APART: Final = 9.0
"""From one figure at the end of a line to the next."""


def _course(course: CardCourse, width: float) -> _Block:
    """A line for each, from left to right, with what it came to at its end."""
    most = max((value for point in course.points for value in point.values), default=0) or 1
    first, last = (course.points[at].at for at in (0, -1)) if course.points else (0, 1)

    def draw(ink: Ink, place: Box) -> None:
        plot = Box(place.x + 22, place.y + 30, place.width - 22 - 26, _COURSE_HEIGHT)
        across = plot.width / max(1, last - first)
        with ink.element(spoken=", ".join(course.keys)):
            for share in (0, 0.5, 1):
                y = plot.y + plot.height * share
                ink.outline([line(plot.x, y, plot.right, y)], _RULE, 0.6)
                text = str(round(most * share))
                ink.text(plot.x - 5 - fonts.measure(text, "regular", 7), y - 2.4, text, "regular", 7, _SOFT)
            ends: list[tuple[float, str, str]] = []
            for number in range(len(course.keys)):
                colour = _SERIES[number % len(_SERIES)]
                spots = [
                    (plot.x + (point.at - first) * across, plot.y + plot.height * point.values[number] / most)
                    for point in course.points
                ]
                ink.outline([line(*a, *b) for a, b in pairwise(spots)], colour, 2)
                x, y = spots[-1]
                ink.fill(Box(x - 2.5, y - 2.5, 5, 5), colour, 2.5)
                ends.append((y, str(course.points[-1].values[number]), colour))
            lowest = plot.y - _APART
            for y, text, colour in sorted(ends):
                lowest = max(y, lowest + _APART)
                ink.text(plot.right + 5, lowest - 2.6, text, "bold", 7.5, colour)
            for at in dict.fromkeys((first, (first + last) // 2, last)):
                text = f"turn {at}" if at == first else str(at)
                ink.text(plot.x + (at - first) * across - 2, plot.y - 10, text, "regular", 7, _SOFT)
        _draw_keys(ink, plot.x, place.y + 1, course.keys, _SERIES)

    return _titled(course.title, width, _Block(_COURSE_HEIGHT + 34, draw))


def _list(part: CardList, width: float) -> _Block:
    """Sentences, each with a mark before it."""
    settings = [_set(text, width - 11, _CELL) for text in part.lines]

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
    credit = _set(card.credit, width, 6.2) if card.credit else None

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
