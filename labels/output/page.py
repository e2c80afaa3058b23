"""Whole pages of plain paper: a head with facts and a code, then tables, texts and charts across columns and pages."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import msgspec

from labels import geometry as papers
from labels.drawing import qr, style
from labels.drawing.ink import BLACK, Ink, line
from labels.errors import LabelError
from labels.geometry import MM, Box, InkName
from labels.output import chart_drawing, pdf
from labels.output.charts import Chart, describe
from labels.paper.calibration import IDENTITY, Calibration
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting, fit_truncated, printable
from labels.typesetting.text import fit as fit_text
from templates.languages.messages import Language, Text, current_language, phrase, speaking

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing

MARGIN = 14 * MM
"""The margin on large paper. On small paper it is a fourteenth of the shorter side."""
_LEAST_MARGIN = 5 * MM
"""Few printers print nearer to the edge."""
_LOWEST = 4.3 * MM
"""Least distance of the foot from the edge of the paper."""
_FOOT = 14.0
"""Distance of the foot's baseline below the body at the full MARGIN. It shrinks with the margin."""
_FOOT_TYPE = 6.5
_COLUMN = 6.0
_PAD = 2.6
_BESIDE = 4.0
"""Least distance in points between the titles of two columns."""
_AFTER_FIGURES = 8.0
"""Points from right-aligned figures to the next column."""
_GUTTER = 20.0
_BETWEEN = 15.0
_AFTER_HEAD = 16.0
_CODE = 27 * MM
_LEAST_BESIDE_CODE = 40 * MM
"""With less room beside it, the code stands below the name."""
_LEAST_COLUMN = 60 * MM
"""Narrower columns do not stand side by side."""
_AFTER_NAME = 8.0
"""Points from the longest text of a column without a share to the next column."""
_WIDEST_NAME = 0.42
"""The largest share of a table that such a column takes."""
_APART = 18.0
"""Distance from one figure to the next."""
_WITH_HEADING = 2
"""Number of rows that stay with their table's heading."""
_LINE = 7 * MM
"""The height of a line for handwriting."""
_MOST_BLANKS = 60
"""The most handwriting lines that are added, however large the paper is."""
_MOST_PARAGRAPH_LINES = 30
_LONGEST_LINE = 440.0
"""Longer lines of text are hard to read."""

_FIGURES = re.compile(r"[+−-]?\d[\d.,:/]*\s?%?|[–—-]")
"""A cell that contains only a figure, or a dash for none."""


class _Type(msgspec.Struct, frozen=True):
    """Sizes of type in points, and the most lines of a cell."""

    name: float
    subtitle: float
    heading: float
    cell: float
    figure: float
    most_lines: int

    @property
    def highest(self) -> float:
        """The largest height of a cell."""
        return self.most_lines * self.cell * 1.2


_LARGE_TYPE = _Type(24, 9.5, 12, 9, 17, 5)
_SMALL_TYPE = _Type(17, 8, 10, 7.5, 12, 9)
"""The largest shorter side of paper that gets the small type."""
_SMALL_PAPER = 120 * MM


class _PageFrame(msgspec.Struct, frozen=True):
    """A page of a given size: its margin, the area inside it above the foot, and the type."""

    width: float
    margin: float
    body: Box
    type: _Type


_Draw = Callable[[Ink], None]
fit = partial(fit_text, larger="paper")


class TableColumn(msgspec.Struct, frozen=True):
    """A column of a table: its title, and its share of the width, or 0 for the width of its longest text."""

    title: str
    share: float
    bold: bool = False


class PageTable(msgspec.Struct, frozen=True):
    """Rows of text under a title, and `blanks` empty rows below them for handwriting."""

    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    blanks: int = 0


class PageText(msgspec.Struct, frozen=True):
    """Paragraphs with an optional title."""

    title: str
    paragraphs: tuple[str, ...]


class PageChart(msgspec.Struct, frozen=True):
    """A chart below its title, with an optional note between them. A chart higher than a page continues on the next."""

    chart: Chart
    note: str = ""


PagePart = PageTable | PageText | PageChart


class Document(msgspec.Struct, frozen=True):
    """Pages about one subject.

    `facts` are figures with their names. `code` is a QR payload and its caption. `columns` is the number of columns on
    a page. With `truncates`, text that does not fit or cannot be printed is cut, for content that cannot be reworded;
    otherwise it raises an error. `language` is that of its words, by default the one in which it is made.
    """

    title: str
    subtitle: str
    parts: tuple[PagePart, ...]
    facts: tuple[tuple[str, str], ...] = ()
    code: tuple[str, str] | None = None
    columns: int = 1
    credit: str = ""
    """The copyright holder of the content, at the foot of every page."""
    truncates: bool = False
    language: Language = msgspec.field(default_factory=current_language)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Its charts, in order."""
        return tuple(part.chart for part in self.parts if isinstance(part, PageChart))

    @property
    def tables(self) -> tuple[PageTable, ...]:
        """Its tables, in order."""
        return tuple(part for part in self.parts if isinstance(part, PageTable))


class _PlacedPart(msgspec.Struct, frozen=True):
    """Content of a given height that is drawn below the previous part.

    A part that `heads` stays with the next one. `tag` is its PDF structure type, "" for content hidden from screen
    readers. `spoken` replaces its letters for screen readers. A row of the `table` with a number marks its own cells.
    """

    height: float
    draw: Callable[[Ink, Box], None]
    heads: bool = False
    tag: str = "P"
    spoken: str = ""
    table: int = 0


# The space between two tables; it is dropped at the end of a column.
_SPACE = [_PlacedPart(_BETWEEN, lambda ink, place: None)]  # noqa: ARG005


def paper(name: str) -> tuple[float, float]:
    """Return the width and height in points of a named paper or of `148 x 210 mm`. Raises LabelError."""
    return papers.parse_paper(name).size


def margin_of(size: tuple[float, float]) -> float:
    """Return the width of the margins on paper of `size`, in points."""
    return max(_LEAST_MARGIN, min(MARGIN, min(size) / 14))


def printed_area(size: tuple[float, float]) -> Box:
    """Return the printable area of a page of `size`."""
    margin = margin_of(size)
    body, foot = Box(0, 0, *size).inset(margin), margin - _foot_baseline(margin)
    return Box(body.x, body.y - foot, body.width, body.height + foot)


def _foot_baseline(margin: float) -> float:
    """Return the distance of the foot's baseline from the edge of the paper."""
    return max(margin - _FOOT * margin / MARGIN, _LOWEST + _PAD)


def without_unprintable(document: Document) -> tuple[Document, tuple[str, ...]]:
    """Return the document without unprintable characters, and a message for each text that had some."""
    wrong: dict[str, None] = {}

    def read(text: str) -> str:
        try:
            for each in fonts.lines(text):
                fonts.check(each, f"“{text}”")
        except fonts.GlyphError as error:
            wrong[str(error)] = None
            return printable(text)
        return text

    def read_part(part: PagePart) -> PagePart:
        match part:
            case PageTable():
                rows = tuple(tuple(map(read, row)) for row in part.rows)
                return msgspec.structs.replace(part, title=read(part.title), rows=rows)
            case PageText():
                paragraphs = tuple(map(read, part.paragraphs))
                return msgspec.structs.replace(part, title=read(part.title), paragraphs=paragraphs)
        return part

    clean = msgspec.structs.replace(
        document,
        title=read(document.title) or "·",
        subtitle=read(document.subtitle),
        parts=tuple(map(read_part, document.parts)),
        facts=tuple((read(name), read(value)) for name, value in document.facts),
    )
    return clean, tuple(wrong)


def render_document(
    document: Document, size: tuple[float, float], calibration: Calibration = IDENTITY, ink: InkName = "colour"
) -> bytes:
    """Return a PDF of the document on paper of `size`. Raises LabelError, naming the table, if a text does not fit."""
    with speaking(document.language):
        frame = _frame(document, size)
        laid = _lay_out(_fill_last_page(document, frame), frame)
        painters = [partial(_draw, document, number, len(laid), parts, frame) for number, parts in enumerate(laid, 1)]
        return pdf.render_pages(painters, size, document.title, calibration, ink=ink)


def _draw(
    document: Document,
    number: int,
    count: int,
    parts: Sequence[_Draw],
    frame: _PageFrame,
    ink: Ink,
) -> None:
    for draw in parts:
        draw(ink)
    with ink.artifact():
        _draw_foot(document, number, count, frame, ink)


def _frame(document: Document, size: tuple[float, float]) -> _PageFrame:
    """Return the frame of the document's pages. If the foot takes several lines, the body ends higher."""
    margin = margin_of(size)
    body = Box(0, 0, *size).inset(margin)
    top = _foot_baseline(margin) + _FOOT_TYPE
    # A text that is too long even for lines raises an error when it is drawn.
    with suppress(LabelError):
        stacked = _stacked_foot(document, 99, 99, body.width)
        top = _LOWEST + stacked.height if stacked else top
    raised = max(0.0, top + _PAD - margin)
    type_ = _SMALL_TYPE if min(size) < _SMALL_PAPER else _LARGE_TYPE
    return _PageFrame(size[0], margin, Box(body.x, body.y + raised, body.width, body.height - raised), type_)


def _foot_caption(document: Document, number: int, count: int, width: float) -> str:
    title = document.title
    if document.truncates:
        (title,) = fit_truncated(title, width / 2, _FOOT_TYPE, most_lines=1).lines
    caption = title
    if count > 1:
        # Translators: the number of a page and that of all pages
        place = phrase("{number} of {count}", number=str(number), count=str(count))
        caption = f"{title} · {place}"
    return f"{caption} · {document.code[1]}" if document.code else caption


def _stacked_foot(document: Document, number: int, count: int, width: float) -> TextSetting | None:
    """Return the foot in several lines, or None if it fits on one line."""
    caption = _foot_caption(document, number, count, width)
    taken = fonts.measure(fonts.clean(caption), "regular", _FOOT_TYPE) + _GUTTER
    if taken + fonts.measure(document.credit, "regular", _COLUMN) <= width:
        return None
    return fit(f"{caption}\n{document.credit}", phrase("The foot of the page"), width, math.inf, _COLUMN)


def _draw_foot(document: Document, number: int, count: int, frame: _PageFrame, ink: Ink) -> None:
    left, right = frame.margin, frame.width - frame.margin
    if stacked := _stacked_foot(document, number, count, right - left):
        ink.lines(left, frame.body.y - _PAD, stacked, style.SOFT)
        return
    baseline = _foot_baseline(frame.margin)
    caption = fonts.clean(_foot_caption(document, number, count, right - left))
    credit = fonts.measure(document.credit, "regular", _COLUMN)
    ink.text(left, baseline, caption, "regular", _FOOT_TYPE, style.SOFT)
    ink.text(right - credit, baseline, document.credit, "regular", _COLUMN, style.SOFT)


def _fill_last_page(document: Document, frame: _PageFrame) -> Document:
    """Return the document with as many handwriting lines as its last page has room for."""
    growing = [number for number, part in enumerate(document.parts) if isinstance(part, PageTable) and part.blanks]
    if not growing:
        return document
    count = len(_lay_out(document, frame))
    for more in range(_MOST_BLANKS):
        number = growing[more % len(growing)]
        part = document.parts[number]
        assert isinstance(part, PageTable)
        longer = msgspec.structs.replace(part, blanks=part.blanks + 1)
        parts = (*document.parts[:number], longer, *document.parts[number + 1 :])
        tried = msgspec.structs.replace(document, parts=parts)
        if len(_lay_out(tried, frame)) > count:
            break
        document = tried
    return document


def _lay_out(document: Document, frame: _PageFrame) -> list[list[_Draw]]:
    """Return the content of each page."""
    body = frame.body
    head, height = _head(document, body, frame.type)
    first = body.cut_top(height)[1]
    columns = max(1, min(document.columns, int((body.width + _GUTTER) / (_LEAST_COLUMN + _GUTTER))))
    width = (body.width - (columns - 1) * _GUTTER) / columns
    pages: list[list[_Draw]] = [[head]]
    room, column = first, 0
    left = room.height
    for group in _groups(document, frame.type, width, body.height):
        needed = sum(part.height for part in group)
        if group is _SPACE:
            left -= min(needed, left)
            continue
        if needed > left:
            column += 1
            if column == columns:
                pages.append([])
                room, column = body, 0
            left = room.height
        if needed > left:
            raise LabelError(
                phrase(
                    "A row of “{document}” is higher than a page; shorten its texts, or choose larger paper.",
                    document=document.title,
                )
            )
        for part in group:
            place = Box(room.x + column * (width + _GUTTER), room.y + left - part.height, width, part.height)
            pages[-1].append(partial(_draw_part, part, place))
            left -= part.height
    return pages


def _draw_part(part: _PlacedPart, place: Box, ink: Ink) -> None:
    with _tag_part(ink, part):
        part.draw(ink, place)


def _tag_part(ink: Ink, part: _PlacedPart) -> AbstractContextManager[None]:
    if part.table:
        return ink.row(part.table)
    return ink.element(part.tag, part.spoken) if part.tag else ink.artifact()


def _groups(document: Document, type_: _Type, width: float, highest: float) -> Iterator[list[_PlacedPart]]:
    """Yield the parts that stay together: a heading with the first rows below it, and each other part alone."""
    for number, part in enumerate(document.parts):
        if number:
            yield _SPACE
        parts = list(_lay_out_parts(part, number + 1, document, type_, width, highest))
        first = sum(each.heads for each in parts) + (_WITH_HEADING if isinstance(part, PageTable) else 1)
        yield parts[:first]
        yield from ([each] for each in parts[first:])


def _lay_out_parts(
    part: PagePart, number: int, document: Document, type_: _Type, width: float, highest: float
) -> Iterator[_PlacedPart]:
    match part:
        case PageTable():
            yield from _table_parts(part, number, document, type_, width)
        case PageText():
            if part.title:
                yield _heading_part(part.title, document, type_)
            yield from (_paragraph_part(text, document, type_, width, style.INK) for text in part.paragraphs)
        case PageChart():
            yield _heading_part(part.chart.title, document, type_)
            if part.note:
                note = _paragraph_part(part.note, document, type_, width, style.SOFT)
                yield msgspec.structs.replace(note, heads=True)
                highest -= note.height
            for chart in chart_drawing.split(part.chart, width, highest - type_.heading - 8):
                drawing = chart_drawing.draw(chart, width)
                yield _PlacedPart(drawing.height, partial(_draw_chart, drawing), tag="Figure", spoken=describe(chart))


def _draw_chart(drawing: "Drawing", ink: Ink, place: Box) -> None:
    ink.draw_graphics(place.x, place.y, drawing)


def _fit_cell(
    text: str, what: Text, document: Document, width: float, type_: _Type, weight: fonts.Weight
) -> TextSetting:
    """Set a text in the size of a cell. Raises LabelError if it does not fit and must not be truncated."""
    if document.truncates:
        return fit_truncated(text, width, type_.cell, weight, type_.most_lines)
    return fit(text, what, width, type_.highest, type_.cell, weight=weight)


def _heading_part(title: str, document: Document, type_: _Type) -> _PlacedPart:
    text = fonts.clean(printable(title) if document.truncates else title)
    return _PlacedPart(type_.heading + 7, partial(_draw_title, text, type_.heading), heads=True, tag="H2")


def _paragraph_part(text: str, document: Document, type_: _Type, width: float, colour: str) -> _PlacedPart:
    most = min(width, _LONGEST_LINE)
    if document.truncates:
        setting = fit_truncated(text, most, type_.cell, most_lines=_MOST_PARAGRAPH_LINES)
    else:
        what = phrase("A text of “{document}”", document=document.title)
        setting = fit(text, what, most, _MOST_PARAGRAPH_LINES * type_.cell * 1.2, type_.cell)
    return _PlacedPart(
        setting.height + 2 * _PAD, lambda ink, place: ink.lines(place.x, place.top - _PAD, setting, colour)
    )


def _table_parts(
    table: PageTable, number: int, document: Document, type_: _Type, width: float
) -> Iterator[_PlacedPart]:
    yield _heading_part(table.title, document, type_)
    widths = _widths(table, width, type_)
    if widths is None:
        yield from (_paragraph_part(_sentence(table, row), document, type_, width, style.INK) for row in table.rows)
    else:
        yield from _row_parts(table, number, document, type_, widths)
    for _ in range(table.blanks):
        yield _PlacedPart(_LINE, _draw_rule, tag="")


def _row_parts(
    table: PageTable, number: int, document: Document, type_: _Type, widths: tuple[float, ...]
) -> Iterator[_PlacedPart]:
    if any(column.title for column in table.columns):
        heads = tuple(_heads(table, widths, type_))
        height = max(_COLUMN, *(head.height for head in heads)) + 6
        yield _PlacedPart(height, partial(_draw_columns, table, widths, heads), heads=True, table=number)
    for row in table.rows:
        cells = [
            _fit_cell(
                text,
                phrase("“{text}” in {table} of “{document}”", text=text, table=table.title, document=document.title),
                document,
                room - _PAD,
                type_,
                "bold" if column.bold else "regular",
            )
            for column, text, room in zip(table.columns, row, widths, strict=True)
        ]
        height = max(cell.height for cell in cells) + 2 * _PAD
        yield _PlacedPart(height, partial(_draw_row, table, widths, tuple(cells)), table=number)


def _sentence(table: PageTable, row: Sequence[str]) -> str:
    """Format a row as a sentence, for paper too narrow for its columns: bold cells alone, others with their titles."""
    cells = zip(table.columns, row, strict=True)
    return " · ".join(cell if column.bold else f"{column.title} {cell}".strip() for column, cell in cells if cell)


def _widths(table: PageTable, width: float, type_: _Type) -> tuple[float, ...] | None:
    """Return the widths of the columns, by their shares, but at least as wide as their longest word.

    Return None if they do not fit on small paper.
    """
    least = [_least_width(table, number, type_) for number in range(len(table.columns))]
    natural = [_natural_width(table, number, width, type_) for number in range(len(table.columns))]
    fixed = {number: wide for number, wide in enumerate(natural) if wide}
    while True:
        left = width - sum(fixed.values())
        shares = sum(column.share for number, column in enumerate(table.columns) if number not in fixed)
        widths = [
            fixed.get(number, left * column.share / shares if shares else 0)
            for number, column in enumerate(table.columns)
        ]
        narrow = [number for number, wide in enumerate(widths) if number not in fixed and wide < least[number]]
        if not narrow:
            return tuple(widths)
        fixed |= {number: least[number] for number in narrow}
        if sum(fixed.values()) > width or len(fixed) == len(widths):
            return None if type_ is _SMALL_TYPE else _by_shares(table, width)


def _by_shares(table: PageTable, width: float) -> tuple[float, ...]:
    whole = sum(column.share for column in table.columns)
    return tuple(width * column.share / whole for column in table.columns)


def _least_width(table: PageTable, number: int, type_: _Type) -> float:
    """Return the least width of a column in points: its longest word, and the gap to the next column."""
    column = table.columns[number]
    weight: fonts.Weight = "bold" if column.bold else "regular"
    head = max((fonts.measure(word, "bold", _COLUMN) for word in column.title.upper().split()), default=0.0)
    words = {word for row in table.rows for word in fonts.clean(printable(row[number])).split()}
    longest = max((fonts.measure(word, weight, type_.cell) for word in words), default=0.0)
    after = _AFTER_FIGURES if number and _has_figures(tuple(row[number] for row in table.rows)) else _PAD
    return max(head + max(_BESIDE, after), longest + after)


def _natural_width(table: PageTable, number: int, width: float, type_: _Type) -> float:
    """Return the width of a column without a share, that of its longest text, up to a part of the table; else 0."""
    column = table.columns[number]
    if column.share:
        return 0.0
    longest = max(
        (fonts.measure(fonts.clean(printable(row[number])), "bold", type_.cell) for row in table.rows), default=0.0
    )
    return min(longest + _AFTER_NAME, width * _WIDEST_NAME)


def _draw_title(text: str, size: float, ink: Ink, place: Box) -> None:
    fonts.check(text, phrase("A table's title"))
    ink.text(place.x, place.y + 6, text, "bold", size, style.INK)
    ink.fill(Box(place.x, place.y + 1.4, place.width, 1.2), style.INK)


def _heads(table: PageTable, widths: Sequence[float], type_: _Type) -> Iterator[TextSetting]:
    """Yield the heading above each column, in as many lines as it needs."""
    for column, room in zip(table.columns, widths, strict=True):
        what = phrase("The column “{column}” of {table}", column=column.title, table=table.title)
        yield fit(column.title.upper(), what, room - 1, type_.highest, _COLUMN, weight="bold")


def _draw_columns(
    table: PageTable, widths: tuple[float, ...], heads: tuple[TextSetting, ...], ink: Ink, place: Box
) -> None:
    top = place.y + 3
    for setting, (x, room, to_right) in zip(heads, _cells(table, widths, place), strict=True):
        with ink.cell("Column", is_empty=not any(setting.lines)):
            if any(setting.lines):
                _draw_setting(
                    ink, x, top + setting.height - setting.descent, room, setting, style.SOFT, to_right=to_right
                )


def _draw_row(
    table: PageTable, widths: tuple[float, ...], cells: tuple[TextSetting, ...], ink: Ink, place: Box
) -> None:
    for number, (setting, (x, room, to_right)) in enumerate(zip(cells, _cells(table, widths, place), strict=True)):
        with ink.cell("" if number else "Row", is_empty=not any(setting.lines)):
            if any(setting.lines):
                _draw_setting(ink, x, place.top - _PAD, room, setting, BLACK, to_right=to_right)
    with ink.artifact():
        _draw_rule(ink, place)


def _cells(table: PageTable, widths: Sequence[float], place: Box) -> Iterator[tuple[float, float, bool]]:
    """Yield the position and width of each column, and True if it is right-aligned, as figures are."""
    x = place.x
    for number, wide in enumerate(widths):
        to_right = number > 0 and _has_figures(tuple(row[number] for row in table.rows))
        is_last = number == len(widths) - 1
        yield x, wide if is_last and to_right else wide - _AFTER_FIGURES if to_right else wide - _PAD, to_right
        x += wide


@lru_cache(maxsize=256)
def _has_figures(cells: tuple[str, ...]) -> bool:
    """Return True if a column contains only figures, and at least one."""
    words = [cell for cell in cells if cell]
    return bool(words) and all(map(_FIGURES.fullmatch, words))


def _draw_setting(
    ink: Ink, x: float, top: float, room: float, setting: TextSetting, colour: str, *, to_right: bool
) -> None:
    """Draw lines that begin at `x`, or that end at the right end of the room."""
    if not to_right:
        ink.lines(x, top, setting, colour)
        return
    for line_ in setting.lines:
        width = fonts.measure(line_, setting.weight, setting.size)
        alone = msgspec.structs.replace(setting, lines=(line_,), width=width)
        ink.lines(x + room - width, top, alone, colour)
        top -= setting.leading


def _draw_rule(ink: Ink, place: Box) -> None:
    ink.outline([line(place.x, place.y, place.right, place.y)], style.RULE, style.HAIR)


def _head(document: Document, body: Box, type_: _Type) -> tuple[_Draw, float]:
    """Return a function that draws the head, and the height of the head with the space below it."""
    side = _code_side(document.code[0]) if document.code else 0
    below = bool(document.code) and body.width - side - _GUTTER < _LEAST_BESIDE_CODE
    room = body.width - (side + _GUTTER if document.code and not below else 0)
    if document.truncates:
        title = fit_truncated(document.title, room, type_.name, "bold", 2)
        subtitle = fit_truncated(document.subtitle, room, type_.subtitle, most_lines=4)
    else:
        title = fit(
            document.title,
            phrase("The page's title"),
            room,
            3 * type_.name,
            type_.name,
            weight="bold",
            prefer="one line",
        )
        subtitle = fit(document.subtitle, phrase("The page's subtitle"), room, 6 * type_.subtitle, type_.subtitle)
    words = title.height + 3 + subtitle.height
    facts = _fact_rows(document.facts, room, type_)
    if facts:
        words += _BETWEEN + len(facts) * type_.figure + (len(facts) - 1) * _PAD
    high = side + _COLUMN + 4
    code_top = body.top - words - _BETWEEN if below else body.top
    height = words + _BETWEEN + high if below else max(words, high) if document.code else words

    def draw(ink: Ink) -> None:
        top = body.top - title.height - 3
        with ink.element("H1"):
            ink.lines(body.x, body.top, title)
        with ink.element():
            ink.lines(body.x, top, subtitle, style.SOFT)
            for number, row in enumerate(facts):
                row_top = top - subtitle.height - _BETWEEN - number * (type_.figure + _PAD)
                _draw_figures(ink, row, body.x, row_top, type_)
        if document.code:
            with ink.element():
                _draw_code(ink, body.right if not below else body.x + side, code_top, *document.code)

    return draw, height + _AFTER_HEAD


_Fact = tuple[str, str]


def _fact_rows(facts: Sequence[_Fact], room: float, type_: _Type) -> list[list[_Fact]]:
    """Split the figures into as many rows as they need beside the code.

    Raises LabelError if one does not fit at all.
    """
    rows: list[list[_Fact]] = []
    left = 0.0
    for tag, figure in facts:
        value, word = fonts.clean(figure), fonts.clean(tag.upper())
        fonts.check(value + word, phrase("A figure of the page's head"))
        wide = _fact_width((word, value), type_)
        if wide > room:
            raise LabelError(
                phrase(
                    "The figure “{figure} {word}” is too wide for the page's head; choose larger paper.",
                    figure=figure,
                    word=tag,
                )
            )
        if not rows or wide > left:
            rows.append([])
            left = room
        rows[-1].append((word, value))
        left -= wide + _APART
    return rows


def _fact_width(fact: _Fact, type_: _Type) -> float:
    word, value = fact
    return fonts.measure(value, "bold", type_.figure) + 4 + fonts.measure(word, "bold", _COLUMN)


def _draw_figures(ink: Ink, facts: Sequence[_Fact], x: float, top: float, type_: _Type) -> None:
    size = type_.figure
    baseline = top - size * style.CAPITALS
    for word, value in facts:
        ink.text(x, baseline, value, "bold", size, BLACK)
        ink.text(x + fonts.measure(value, "bold", size) + 4, baseline, word, "bold", _COLUMN, style.SOFT)
        x += _fact_width((word, value), type_) + _APART


def _code_side(payload: str) -> float:
    """Return the width of a code without its quiet zone. It grows with its content, so that its modules print well."""
    return max(_CODE, qr.symbol(payload).side * qr.SMALLEST_MODULE)


def _draw_code(ink: Ink, right: float, top: float, payload: str, caption: str) -> None:
    symbol, side = qr.symbol(payload), _code_side(payload)
    quiet = qr.QUIET_ZONE * side / symbol.side
    outer = Box(right - side - quiet, top - side - quiet, side + 2 * quiet, side + 2 * quiet)
    ink.symbol(outer, symbol)
    setting = fit(caption, phrase("The id"), side, 2 * _COLUMN, _COLUMN + 2, prefer="one line")
    ink.lines(right - side, top - side - 3, setting)
