"""Whole pages of plain paper: a head with facts and a code; tables, texts and charts flow over columns and pages."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from labels import chart_drawing, fonts, pdf, qr, style
from labels import geometry as papers
from labels.calibration import IDENTITY, Calibration
from labels.charts import Chart, describe
from labels.errors import LabelError
from labels.geometry import MM, Box, InkName
from labels.ink import BLACK, Ink, line
from labels.text import Setting, fit_truncated, printable
from labels.text import fit as fitted

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing

MARGIN = 14 * MM
_FOOT = 14.0
"""How far the foot reaches into the margin."""
_LOWEST = 10 * MM
"""How far it may on small paper, on which it takes lines; beyond that few printers print."""
_NAME = 24.0
_SUBTITLE = 9.5
_HEADING = 12.0
_COLUMN = 6.0
_CELL = 9.0
_PAD = 2.6
_BESIDE = 1.0
"""Points between the titles of two columns, at the least."""
_GUTTER = 20.0
_BETWEEN = 15.0
_AFTER_HEAD = 16.0
_CODE = 27 * MM
_FIGURE = 17.0
_APART = 18.0
"""From one figure to the next."""
_WITH_HEADING = 2
"""So many rows stay with their table's heading."""
_MOST_LINES = 5
_HIGHEST = _MOST_LINES * _CELL * 1.2
"""No cell is higher than five lines."""
_MOST_PARAGRAPH_LINES = 30
_LONGEST_LINE = 440.0
"""Lines of a text that are longer are hard to read."""

_LARGER = "larger paper"

_Draw = Callable[[Ink], None]
fit = partial(fitted, larger=_LARGER)


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its title, and its share of the width."""

    title: str
    share: float
    bold: bool = False


class PageTable(msgspec.Struct, frozen=True):
    """Rows of text under a title, and `blanks` empty rows below them to go on by hand."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    blanks: int = 0


class PageText(msgspec.Struct, frozen=True):
    """Paragraphs, under a title where there is one."""

    title: str
    paragraphs: tuple[str, ...]


class PageChart(msgspec.Struct, frozen=True):
    """A chart under its title, and a note between them; one that is higher than a page goes on on the next."""

    chart: Chart
    note: str = ""


PagePart = PageTable | PageText | PageChart


class Document(msgspec.Struct, frozen=True):
    """Pages about one thing: `facts` are figures with what they count, `code` is a QR payload and what is read below
    it; `columns` is how many parts stand beside one another. `truncates` says that what does not fit or cannot be
    printed is cut, where it cannot be said otherwise; else it is refused.
    """

    title: str
    subtitle: str
    parts: tuple[PagePart, ...]
    facts: tuple[tuple[str, str], ...] = ()
    code: tuple[str, str] | None = None
    columns: int = 1
    credit: str = ""
    """Whose content this is, at the foot of every page."""
    truncates: bool = False

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Its charts, in order."""
        return tuple(part.chart for part in self.parts if isinstance(part, PageChart))

    @property
    def tables(self) -> tuple[PageTable, ...]:
        """Those of its parts that are tables."""
        return tuple(part for part in self.parts if isinstance(part, PageTable))


class _Part(msgspec.Struct, frozen=True):
    """Something of a certain height that is drawn below what came before; a heading stays with what follows.

    `tag` says what it is to whom the page is read aloud, "" is nothing to be read; `spoken` is what is read in place of
    its letters. A row of the `table` of a number marks its cells itself.
    """

    height: float
    draw: Callable[[Ink, Box], None]
    heads: bool = False
    tag: str = "P"
    spoken: str = ""
    table: int = 0


# Between two tables; it is left out at the end of a column.
_SPACE = [_Part(_BETWEEN, lambda ink, place: None)]  # noqa: ARG005


def paper(name: str) -> tuple[float, float]:
    """Width and height in points of `letter`, `a4` or `148 x 210 mm`. Raises LabelError."""
    return papers.parse_paper(name).size


def printed_area(size: tuple[float, float]) -> Box:
    """What of a page of `size` may be printed on."""
    body = Box(0, 0, *size).inset(MARGIN)
    return Box(body.x, body.y - _FOOT, body.width, body.height + _FOOT)


def render_document(
    document: Document, size: tuple[float, float], calibration: Calibration = IDENTITY, ink: InkName = "colour"
) -> bytes:
    """A PDF of the document on paper of `size`. Raises LabelError, naming the table, where a text does not fit."""
    laid = _lay_out(document, size)
    painters = [partial(_draw, document, number, len(laid), parts, size[0]) for number, parts in enumerate(laid, 1)]
    return pdf.render_pages(painters, size, document.title, calibration, ink=ink)


def _draw(
    document: Document,
    number: int,
    count: int,
    parts: Sequence[_Draw],
    width: float,
    ink: Ink,
) -> None:
    for draw in parts:
        draw(ink)
    with ink.artifact():
        _foot(document, number, count, width, ink)


def _foot(document: Document, number: int, count: int, width: float, ink: Ink) -> None:
    title = document.title
    if document.truncates:
        (title,) = fit_truncated(title, (width - 2 * MARGIN) / 2, _COLUMN + 0.5, most_lines=1).lines
    caption = f"{title} · {number} of {count}" if count > 1 else title
    if document.code:
        caption = f"{caption} · {document.code[1]}"
    cleaned, body = fonts.clean(caption), width - 2 * MARGIN
    taken = fonts.measure(cleaned, "regular", _COLUMN + 0.5) + _GUTTER
    credit = fonts.measure(document.credit, "regular", _COLUMN)
    if taken + credit <= body:
        ink.text(MARGIN, MARGIN - _FOOT, cleaned, "regular", _COLUMN + 0.5, style.SOFT)
        ink.text(width - MARGIN - credit, MARGIN - _FOOT, document.credit, "regular", _COLUMN, style.SOFT)
    else:
        stacked = fit(f"{caption}\n{document.credit}", "The foot of the page", body, _LOWEST - _PAD, _COLUMN)
        ink.lines(MARGIN, MARGIN - _PAD, stacked, style.SOFT)


def _lay_out(document: Document, size: tuple[float, float]) -> list[list[_Draw]]:
    """What is drawn on each page."""
    body = Box(0, 0, *size).inset(MARGIN)
    head, height = _head(document, body)
    first = body.cut_top(height)[1]
    width = (body.width - (document.columns - 1) * _GUTTER) / document.columns
    pages: list[list[_Draw]] = [[head]]
    room, column = first, 0
    left = room.height
    for group in _groups(document, width, body.height):
        needed = sum(part.height for part in group)
        if group is _SPACE:
            left -= min(needed, left)
            continue
        if needed > left:
            column += 1
            if column == document.columns:
                pages.append([])
                room, column = body, 0
            left = room.height
        if needed > left:
            raise LabelError(
                f"A row of “{document.title}” is higher than a page; shorten its texts, or choose {_LARGER}."
            )
        for part in group:
            place = Box(room.x + column * (width + _GUTTER), room.y + left - part.height, width, part.height)
            pages[-1].append(partial(_draw_part, part, place))
            left -= part.height
    return pages


def _draw_part(part: _Part, place: Box, ink: Ink) -> None:
    with _tagged(ink, part):
        part.draw(ink, place)


def _tagged(ink: Ink, part: _Part) -> AbstractContextManager[None]:
    if part.table:
        return ink.row(part.table)
    return ink.element(part.tag, part.spoken) if part.tag else ink.artifact()


def _groups(document: Document, width: float, highest: float) -> Iterator[list[_Part]]:
    """What must stay together: a heading with what comes first below it, and any other row or paragraph for itself."""
    for number, part in enumerate(document.parts):
        if number:
            yield _SPACE
        parts = list(_parts(part, number + 1, document, width, highest))
        first = sum(each.heads for each in parts) + (_WITH_HEADING if isinstance(part, PageTable) else 1)
        yield parts[:first]
        yield from ([each] for each in parts[first:])


def _parts(part: PagePart, number: int, document: Document, width: float, highest: float) -> Iterator[_Part]:
    match part:
        case PageTable():
            yield from _table_parts(part, number, document, width)
        case PageText():
            if part.title:
                yield _heading(part.title, document)
            yield from (_paragraph(text, document, width, style.INK) for text in part.paragraphs)
        case PageChart():
            yield _heading(part.chart.title, document)
            if part.note:
                note = _paragraph(part.note, document, width, style.SOFT)
                yield msgspec.structs.replace(note, heads=True)
                highest -= note.height
            for chart in chart_drawing.split(part.chart, width, highest - _HEADING - 8):
                drawing = chart_drawing.draw(chart, width)
                yield _Part(drawing.height, partial(_draw_chart, drawing), tag="Figure", spoken=describe(chart))


def _draw_chart(drawing: "Drawing", ink: Ink, place: Box) -> None:
    ink.draw_graphics(place.x, place.y, drawing)


def _fit(text: str, what: str, document: Document, width: float, size: float, weight: fonts.Weight) -> Setting:
    """A text in at most five lines of that size. Raises LabelError where it does not fit and must not be cut."""
    if document.truncates:
        return fit_truncated(text, width, size, weight, _MOST_LINES)
    return fit(text, f"{what} of “{document.title}”", width, _MOST_LINES * size * 1.2, size, weight=weight)


def _heading(title: str, document: Document) -> _Part:
    text = fonts.clean(printable(title) if document.truncates else title)
    return _Part(_HEADING + 7, partial(_title, text), heads=True, tag="H2")


def _paragraph(text: str, document: Document, width: float, colour: str) -> _Part:
    most = min(width, _LONGEST_LINE)
    if document.truncates:
        setting = fit_truncated(text, most, _CELL, most_lines=_MOST_PARAGRAPH_LINES)
    else:
        what = f"A text of “{document.title}”"
        setting = fit(text, what, most, _MOST_PARAGRAPH_LINES * _CELL * 1.2, _CELL)
    return _Part(setting.height + 2 * _PAD, lambda ink, place: ink.lines(place.x, place.top - _PAD, setting, colour))


def _table_parts(table: PageTable, number: int, document: Document, width: float) -> Iterator[_Part]:
    yield _heading(table.title, document)
    if any(column.title for column in table.columns):
        heads = tuple(_heads(table, width))
        height = max(_COLUMN, *(head.height for head in heads)) + 6
        yield _Part(height, partial(_columns, table, heads), heads=True, table=number)
    for row in (*table.rows, *[("",) * len(table.columns)] * table.blanks):
        cells = [
            _fit(
                text,
                f"“{text}” in {table.title}",
                document,
                share - _PAD,
                _CELL,
                "bold" if column.bold else "regular",
            )
            for column, text, share in zip(table.columns, row, _shares(table, width), strict=True)
        ]
        height = max(cell.height for cell in cells) + 2 * _PAD
        if any(row):
            yield _Part(height, partial(_row, table, tuple(cells)), table=number)
        else:
            yield _Part(height, _rule, tag="")


def _shares(table: PageTable, width: float) -> list[float]:
    whole = sum(column.share for column in table.columns)
    return [width * column.share / whole for column in table.columns]


def _title(text: str, ink: Ink, place: Box) -> None:
    fonts.check(text, "A table's title")
    ink.text(place.x, place.y + 6, text, "bold", _HEADING, style.INK)
    ink.fill(Box(place.x, place.y + 1.4, place.width, 1.2), style.INK)


def _heads(table: PageTable, width: float) -> Iterator[Setting]:
    """What stands above each column, in as many lines as it needs there."""
    for column, share in zip(table.columns, _shares(table, width), strict=True):
        what = f"The column “{column.title}” of {table.title}"
        yield fit(column.title.upper(), what, share - _BESIDE, _HIGHEST, _COLUMN, weight="bold")


def _columns(table: PageTable, heads: tuple[Setting, ...], ink: Ink, place: Box) -> None:
    x = place.x
    for setting, share in zip(heads, _shares(table, place.width), strict=True):
        with ink.cell("Column", is_empty=not any(setting.lines)):
            if any(setting.lines):
                ink.lines(x, place.y + 3 + setting.height - setting.descent, setting, style.SOFT)
        x += share


def _row(table: PageTable, cells: tuple[Setting, ...], ink: Ink, place: Box) -> None:
    x = place.x
    for number, (setting, share) in enumerate(zip(cells, _shares(table, place.width), strict=True)):
        with ink.cell("" if number else "Row", is_empty=not any(setting.lines)):
            if any(setting.lines):
                ink.lines(x, place.top - _PAD, setting)
        x += share
    with ink.artifact():
        _rule(ink, place)


def _rule(ink: Ink, place: Box) -> None:
    ink.outline([line(place.x, place.y, place.right, place.y)], style.RULE, style.HAIR)


def _head(document: Document, body: Box) -> tuple[_Draw, float]:
    """Draws the head, and how high it is with the space below it."""
    side = _code_side(document.code[0]) if document.code else 0
    room = body.width - (side + _GUTTER if document.code else 0)
    if document.truncates:
        title = fit_truncated(document.title, room, _NAME, "bold", 2)
        subtitle = fit_truncated(document.subtitle, room, _SUBTITLE, most_lines=4)
    else:
        title = fit(document.title, "The page's title", room, 3 * _NAME, _NAME, weight="bold", prefer="one line")
        subtitle = fit(document.subtitle, "The page's subtitle", room, 4 * _SUBTITLE, _SUBTITLE)
    height = title.height + 3 + subtitle.height
    facts = _fact_rows(document.facts, room)
    if facts:
        height += _BETWEEN + len(facts) * _FIGURE + (len(facts) - 1) * _PAD
    if document.code:
        height = max(height, side + _COLUMN + 4)

    def draw(ink: Ink) -> None:
        top = body.top - title.height - 3
        with ink.element("H1"):
            ink.lines(body.x, body.top, title)
        with ink.element():
            ink.lines(body.x, top, subtitle, style.SOFT)
            for number, row in enumerate(facts):
                _figures(ink, row, body.x, top - subtitle.height - _BETWEEN - number * (_FIGURE + _PAD))
        if document.code:
            with ink.element():
                _code(ink, body, *document.code)

    return draw, height + _AFTER_HEAD


_Fact = tuple[str, str]


def _fact_rows(facts: Sequence[_Fact], room: float) -> list[list[_Fact]]:
    """The figures in as many rows as they need beside the code. Raises LabelError where one has no room at all."""
    rows: list[list[_Fact]] = []
    left = 0.0
    for tag, figure in facts:
        value, word = fonts.clean(figure), fonts.clean(tag.upper())
        fonts.check(value + word, "A figure of the page's head")
        wide = _fact_width((word, value))
        if wide > room:
            raise LabelError(f"The figure “{figure} {tag}” is too wide for the page's head; choose {_LARGER}.")
        if not rows or wide > left:
            rows.append([])
            left = room
        rows[-1].append((word, value))
        left -= wide + _APART
    return rows


def _fact_width(fact: _Fact) -> float:
    word, value = fact
    return fonts.measure(value, "bold", _FIGURE) + 4 + fonts.measure(word, "bold", _COLUMN)


def _figures(ink: Ink, facts: Sequence[_Fact], x: float, top: float) -> None:
    baseline = top - _FIGURE * style.CAPITALS
    for word, value in facts:
        ink.text(x, baseline, value, "bold", _FIGURE, BLACK)
        ink.text(x + fonts.measure(value, "bold", _FIGURE) + 4, baseline, word, "bold", _COLUMN, style.SOFT)
        x += _fact_width((word, value)) + _APART


def _code_side(payload: str) -> float:
    """How large a code is drawn, without its quiet zone: one that holds much grows, so that its modules print well."""
    return max(_CODE, qr.symbol(payload).side * qr.SMALLEST_MODULE)


def _code(ink: Ink, body: Box, payload: str, caption: str) -> None:
    symbol, side = qr.symbol(payload), _code_side(payload)
    quiet = qr.QUIET_ZONE * side / symbol.side
    outer = Box(body.right - side - quiet, body.top - side - quiet, side + 2 * quiet, side + 2 * quiet)
    ink.symbol(outer, symbol)
    setting = fit(caption, "The id", side, 2 * _COLUMN, _COLUMN + 2, prefer="one line")
    ink.lines(body.right - side, body.top - side - 3, setting)
