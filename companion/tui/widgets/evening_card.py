"""An evening's card in a terminal: the result, large figures side by side, tables, charts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from textual.content import Content

from companion.tabletop.evening import CardChart, CardCourse, CardFigure, CardList, CardPart, CardTable, EveningCard
from companion.tui import blocks, drawing
from templates.languages.messages import phrase

_ENDS: Final = {True: "bold $text-success", False: "bold $text-error", None: drawing.ACCENT}
_APART: Final = 3
_LEAST_TILE: Final = 15
_FIGURE: Final = re.compile(r"(\d+)(.*)", re.DOTALL)
_LEVELS: Final = "▁▂▃▄▅▆▇█"
_TONES: Final = ("$text-primary", "$text-accent")
"""The colours of the parts of a bar, in turn; their ends are visible without colours, too."""


def draw_card(card: EveningCard, width: int) -> list[Content]:
    """Draw the whole card in rows of at most this width."""
    headline = drawing.wrap_content(
        Content.styled(drawing.narrow_glyphs(str(card.headline)).upper(), _ENDS[card.won]), width
    )
    rows = [Content(""), *(_centre_line(line, width) for line in headline)]
    if card.highlights:
        sentence = Content.styled(drawing.narrow_glyphs(str(card.highlight_sentence)), drawing.BOLD)
        rows += [_centre_line(line, width) for line in drawing.wrap_content(sentence, width)]
    for text in (
        drawing.narrow_glyphs(str(card.subtitle)),
        drawing.narrow_glyphs(" · ".join(filter(None, (str(card.game), str(card.when))))),
    ):
        rows += [_centre_line(line, width) for line in drawing.wrap_content(Content.styled(text, drawing.DIM), width)]
    rows += [Content(""), *_draw_tiles(card.figures, width)]
    for part in card.parts:
        rows += [Content(""), Content.styled(str(part.title), drawing.ACCENT), *_draw_part(part, width)]
    if card.credit:
        rows += [Content(""), *drawing.wrap_content(Content.styled(str(card.credit), drawing.DIM), width)]
    return rows


def brief(card: EveningCard) -> list[Content]:
    """Draw the card in two paragraphs: the result, and the main figures."""
    figures = (f"{each.value} {each.title}" for each in card.figures)
    headline = Content.styled(drawing.narrow_glyphs(str(card.title)), _ENDS[card.won])
    return [headline, Content(drawing.narrow_glyphs(" · ".join(figures)))]


def _centre_line(line: Content, width: int) -> Content:
    return line.pad_left(max(0, (width - line.cell_length) // 2))


def _draw_tiles(figures: Sequence[CardFigure], width: int) -> Iterator[Content]:
    """Yield as many figures side by side as fit, each in three rows, with its title and a note below."""
    columns = max(1, min(len(figures), (width + _APART) // (_LEAST_TILE + _APART)))
    for start in range(0, len(figures), columns):
        some = figures[start : start + columns]
        side = (width - _APART * (columns - 1)) // columns
        if start:
            yield Content("")
        large = [_draw_large_value(str(each.value), side) for each in some]
        yield from (_join_cells(row, side) for row in zip(*large, strict=True))
        for style, texts in (
            (drawing.ACCENT, [each.title for each in some]),
            (drawing.DIM, [each.note for each in some]),
        ):
            yield from _wrap_cells([Content.styled(drawing.narrow_glyphs(str(text)), style) for text in texts], side)


def _wrap_cells(cells: Sequence[Content], side: int) -> Iterator[Content]:
    """Yield the rows of some texts side by side, each wrapped to its width."""
    wrapped = [drawing.wrap_content(cell, side) for cell in cells]
    for row in range(max(map(len, wrapped))):
        yield _join_cells([cell[row] if row < len(cell) else Content("") for cell in wrapped], side)


def _draw_large_value(value: str, side: int) -> tuple[Content, ...]:
    """Return a value in three rows: its first number large, the rest beside its foot."""
    number = _FIGURE.fullmatch(value)
    first, second, third = blocks.figure_rows(number[1]) if number else ("", "", "")
    if not number or len(third) + len(number[2]) > side:
        return Content(""), Content(""), Content.styled(drawing.narrow_glyphs(value), drawing.FIGURE)
    foot = Content.assemble((third, drawing.FIGURE), (drawing.narrow_glyphs(number[2]), drawing.FIGURE))
    return Content.styled(first, drawing.FIGURE), Content.styled(second, drawing.FIGURE), foot


def _join_cells(cells: Sequence[Content], side: int) -> Content:
    fitted = (cell.truncate(side, ellipsis=True) for cell in cells)
    return Content(" " * _APART).join(cell.pad_right(side - cell.cell_length) for cell in fitted).rstrip()


def _draw_part(part: CardPart, width: int) -> Iterator[Content]:
    match part:
        case CardTable():
            yield from _draw_table(part, width)
        case CardChart():
            yield from _draw_chart(part, width)
        case CardCourse():
            yield from _draw_course(part, width)
        case CardList(_, lines):
            for text in lines:
                yield from drawing.wrap_with_indent(Content(drawing.narrow_glyphs(f"• {text}")), width, 2)


def _draw_table(table: CardTable, width: int) -> Iterator[Content]:
    """Yield a table with columns as wide as they need; if there is no room, the texts of the widest are wrapped."""
    grid = [table.headings, *table.rows]
    widths = [
        max(Content(drawing.narrow_glyphs(str(row[at]))).cell_length for row in grid)
        for at in range(len(table.headings))
    ]
    while sum(widths) + 2 * (len(widths) - 1) > width and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    for number, row in enumerate(grid):
        cells = []
        for at, (text, wide) in enumerate(zip(row, widths, strict=True)):
            style = drawing.DIM if number == 0 else drawing.BOLD if at == 0 else ""
            cells.append(drawing.wrap_content(Content.styled(drawing.narrow_glyphs(str(text)), style), wide))
        for line in range(max(map(len, cells))):
            parts = [cell[line].rstrip() if line < len(cell) else Content("") for cell in cells]
            spaces = [wide - part.cell_length for part, wide in zip(parts, widths, strict=True)]
            padded = [
                part.pad_left(space) if at in table.figures else part.pad_right(space)
                for at, (part, space) in enumerate(zip(parts, spaces, strict=True))
            ]
            yield Content("  ").join(padded).rstrip()


def _draw_chart(chart: CardChart, width: int) -> Iterator[Content]:
    """Yield a bar for each entry, its parts with their figures inside, and their sum after it."""
    names = max((Content(drawing.narrow_glyphs(str(bar.title))).cell_length for bar in chart.bars), default=0)
    notes = max((len(str(bar.note)) for bar in chart.bars), default=0)
    most = chart.scale
    room = max(10, width - names - notes - 4)
    for place, bar in enumerate(chart.bars):
        if place:
            yield Content("")
        parts: list[tuple[str, str] | str] = []
        done = 0
        for number, part in enumerate(bar.parts):
            wide = round((done + part) * room / most) - round(done * room / most)
            inside = f" {part}" if len(str(part)) + 1 < wide else ""
            parts += [(inside.ljust(wide - 1), f"reverse {_TONES[number % len(_TONES)]}"), " " * min(1, wide)]
            done += part
        yield Content.assemble(_pad_name(str(bar.title), names), "  ", *parts, "  ", (str(bar.note), drawing.FIGURE))
    if len(chart.keys) > 1:
        # Translators: The first and the last part of a bar.
        text = phrase("From left to right: {first} to {last}", first=chart.keys[0], last=chart.keys[-1])
        yield from drawing.wrap_content(Content.styled(str(text), drawing.DIM), width)


def _pad_name(text: str, width: int) -> Content:
    """Return a name in bold, padded to the longest beside it."""
    name = Content.styled(drawing.narrow_glyphs(text), drawing.BOLD)
    return name.pad_right(max(0, width - name.cell_length))


def _draw_course(course: CardCourse, width: int) -> Iterator[Content]:
    """Yield a row of steps for each series, from the first turn to the last, and its final value."""
    names = max((Content(drawing.narrow_glyphs(str(key))).cell_length for key in course.keys), default=0)
    most = max((value for point in course.points for value in point.values), default=0) or 1
    room = max(8, width - names - 10)
    count = len(course.points)
    picked = [course.points[at * count // min(room, count)] for at in range(min(room, count))]
    repeat = max(1, min(3, room // max(1, len(picked))))
    for number, key in enumerate(course.keys):
        steps = "".join(
            (_LEVELS[point.values[number] * (len(_LEVELS) - 1) // most] if point.values[number] else " ") * repeat
            for point in picked
        )
        last = f"{course.points[-1].values[number]}" if course.points else ""
        yield Content.assemble(_pad_name(str(key), names), "  ", (steps, "$text-primary"), "  ", (last, drawing.FIGURE))
    if course.points:
        first, end = (str(course.points[at].at) for at in (0, -1))
        turns = phrase("turns {first} to {last}", first=first, last=end)
        yield Content.styled(f"{'':{names}}  {turns}", drawing.DIM)
