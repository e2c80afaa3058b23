"""The scoreboard: every big counter in block figures that can be read across the table."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

import msgspec
from textual.content import Content

from companion.session.reading.table_questions import due_prompts
from companion.session.table.countdown import brief_left
from companion.tabletop.table.table import Counter, TableView
from companion.tui import blocks, drawing
from companion.tui.blocks import ROWS, TURN, enlarge_text, spell_first_word, width_of
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.zones import far_things
from templates.languages.messages import Text

_TITLE: Final = (16, 20)
"""Columns of a title (minimum and maximum) if its figure is narrower."""
_APART: Final = 4
_SECONDS: Final = 99
"""Seconds up to which a countdown is shown in seconds; a longer one is shown in minutes."""


class _Size(msgspec.Struct, frozen=True):
    """The size of figures: `scale` rows per dot, 0 for half a row; if `named`, names are in blocks, too."""

    scale: int
    named: bool = False


_BLOCKS: Final = tuple(_Size(scale, named) for scale in (3, 2, 1) for named in (True, False))
_SMALL: Final = _Size(0)


class _Cell(msgspec.Struct, frozen=True):
    """A figure and its owner with their `flags`.

    `name` is the owner's name for blocks, `details` are the owner's other figures for the row below the figure, and
    `text` replaces the number if it is written otherwise.
    """

    title: str
    counter: Counter
    is_asked: bool = False
    name: str = ""
    details: tuple[str, ...] = ()
    text: str = ""
    flags: tuple[str, ...] = ()

    @property
    def titles(self) -> Iterator[str]:
        """Yield shorter and shorter titles: the flags go first, the caption of the figure stays."""
        caption, brief = self.counter.caption, self.counter.brief_caption
        flags = f" ({', '.join(self.flags)})" if self.flags else ""
        for whose, what in ((f"{self.title}{flags}", caption), (self.title, caption), (self.title, brief)):
            yield ": ".join(filter(None, (whose, str(what))))

    @property
    def figure(self) -> str:
        """The number, after an arrow if the table waits for its owner."""
        return f"{TURN if self.is_asked else ''}{self.text or self.counter.number or 0}"

    def rows(self, size: _Size) -> list[str]:
        """Return the rows of the number."""
        small = self.text or self.counter.number or 0
        return enlarge_text(self.figure, size.scale) if size.scale else list(blocks.figure_rows(small))


class ScoreboardPart(NamedTuple):
    """The table, and what fell last."""

    view: TableView
    fell: tuple[Text, ...] = ()
    left: Counter | None = None
    """The seconds that are left of a countdown, if there is one."""


class _Drawing(msgspec.Struct, frozen=True):
    """Lines of cells in a size, and rows for the things on the table below them."""

    lines: list[list[_Cell]]
    size: _Size
    things: list[Content]

    @property
    def needs(self) -> int:
        """The rows that all of it takes without empty ones."""
        return sum(_high(line, self.size) for line in self.lines) + len(self.things)

    @property
    def widest(self) -> int:
        """The columns of the widest figure."""
        return max((len(cell.rows(self.size)[0]) for line in self.lines for cell in line), default=0)


class Scoreboard(Panel[ScoreboardPart]):
    """Figures as large as the room allows: those in the middle first, then the seats clockwise, then their things."""

    def render(self) -> Content:
        """Draw the figures, each below its owner; if not even small ones fit, a row each."""
        width, height = self.content_size
        if self.part is None or width <= 0:
            return Content("")
        view, fell, left = self.part
        head = [_banner(fell, width)] if fell else []
        head += (
            [Content.styled(str(view.match).center(width), drawing.BOLD).truncate(width, ellipsis=True)]
            if view.match
            else []
        )
        drawn_figures = _fitting(view, left, width, height - len(head))
        if drawn_figures is None:
            return Content("\n").join([*head, *_in_rows(view, left, width)])
        brief = _captions_in_brief(drawn_figures, width)
        parts = [list(_line_rows(line, width, drawn_figures.size, brief)) for line in drawn_figures.lines]
        parts += [drawn_figures.things] if drawn_figures.things else []
        # Rows between the lines only if they cost no figure.
        spare = drawn_figures.needs + len(parts) - 1 <= height - len(head)
        between = "\n\n" if spare else "\n"
        figures = Content(between).join([Content("\n").join(block) for block in parts])
        return Content("\n").join([*head, figures])


def _banner(fell: Sequence[Text], width: int) -> Content:
    """Return the banner of what fell, across the whole width."""
    text = drawing.BULLET.join(map(str, fell)).upper()
    return Content.styled(drawing.narrow_glyphs(text).center(width), drawing.BANNER).truncate(width, ellipsis=True)


def _fitting(view: TableView, left: Counter | None, width: int, height: int) -> _Drawing | None:
    """Return the big counters in lines at the largest size that fits, with as many things below as fit; None if no
    figure fits.
    """
    middle, seats, lying = list(_table_cells(view, left)), list(_seat_cells(view)), list(far_things(view, width))
    # If the seats have many things, the progress of the table needs no line of its own.
    cells = [[*middle, *seats]] if lying else [middle, seats]
    beside = list(_without_figures(view, width))
    rest: list[list[Content]] = [[*beside, *each] for each in lying] or [beside]
    # Prefer small figures to leaving out things.
    nothing: list[list[Content]] = [[]]
    for below in (rest, nothing):
        for sizes in (_BLOCKS, (_SMALL,)):
            for things, size in product(below, sizes):
                candidate = _Drawing([line for each in cells for line in _lines(each, width, size)], size, things)
                if candidate.needs <= height and candidate.widest <= width:
                    return candidate
    return None


def _in_rows(view: TableView, left: Counter | None, width: int) -> Iterator[Content]:
    """Yield the figures of all seats, a row each."""
    for cell in (*_table_cells(view, left), *_seat_cells(view)):
        counter = cell.counter
        full = f"/{counter.top}" if counter.top else ""
        figure = drawing.draw_brief_counter(counter) + full
        flags = f" ({', '.join(cell.flags)})" if cell.flags else ""
        name = Content.styled(f"{TURN if cell.is_asked else ' '}{cell.title}{flags}", drawing.BOLD)
        row = name.truncate(max(1, width - figure.cell_length - 1), ellipsis=True) + " " + figure
        more = width - row.cell_length - 2
        details = Content.styled(drawing.BULLET.join(cell.details), drawing.DIM)
        detail = drawing.cut_row(details, max(0, more))
        yield row + "  " + detail if more > 0 else row


def _table_cells(view: TableView, left: Counter | None) -> Iterator[_Cell]:
    # The first figure of a table is its progress: the round, the turn.
    first = (c for c in view.counters if c.is_visible and c.number is not None)
    yield from (_Cell("", counter) for counter in islice(first, 1))
    if left is not None:
        yield _Cell("", left, text=brief_left(left.number or 0) if (left.top or 0) > _SECONDS else "")
    for zone in view.zones:
        for thing in zone.things:
            details = (*_others(thing.counters), *thing.words)
            yield from (
                _Cell(drawing.name_of(thing), counter, details=details) for counter in _big_counters(thing.counters)
            )


def _seat_cells(view: TableView) -> Iterator[_Cell]:
    due_seats = [prompt.seat for prompt in due_prompts(view)[:1]]
    for seat in view.seats:
        details = tuple(_others(seat.counters))
        for at, counter in enumerate(_big_counters(seat.counters)):
            is_first = at == 0
            name = spell_first_word(seat.name) if is_first else ""
            more = details if is_first else ()
            yield _Cell(seat.name, counter, seat.seat in due_seats, name, more, flags=drawing.titles_of(seat.flags))


def _without_figures(view: TableView, width: int) -> Iterator[Content]:
    """Yield the things in the middle without a large figure, such as helpers."""
    for zone in view.zones:
        small = [thing for thing in zone.things if drawing.first_big(thing.counters) is None]
        pieces = [Content(drawing.BULLET.join((drawing.name_of(each), *_others(each.counters)))) for each in small]
        if pieces:
            yield from drawing.lay_out_rows([Content.styled(str(zone.title), drawing.BOLD), *pieces], width, "   ")


def _big_counters(counters: Sequence[Counter]) -> Iterator[Counter]:
    return (counter for counter in counters if counter.big and counter.number is not None)


def _others(counters: Sequence[Counter]) -> Iterator[str]:
    """Yield the other figures, which a screen with little room shows, too."""
    for counter in counters:
        if counter.is_visible and not counter.big and counter.number:
            yield f"{counter.brief_caption} {counter.figure}{f'/{counter.top}' if counter.top else ''}"


def _wide(cell: _Cell, size: _Size) -> int:
    """Return the columns of a cell, including the space after it."""
    title = min(_TITLE[1], max(_TITLE[0], len(next(cell.titles)))) if size.scale else _TITLE[0]
    name = width_of(cell.name, 1) if size.named else 0
    return max(len(cell.rows(size)[0]), name, title) + _APART


def _high(line: Sequence[_Cell], size: _Size) -> int:
    """Return the rows of a line: names in blocks, a title, the figures, the details."""
    figures = ROWS * size.scale if size.scale else blocks.SMALL_ROWS
    return _names_high(line, size) + 1 + figures + any(cell.details for cell in line)


def _names_high(line: Sequence[_Cell], size: _Size) -> int:
    return ROWS + 1 if size.named and any(cell.name for cell in line) else 0


def _lines(cells: Sequence[_Cell], width: int, size: _Size) -> list[list[_Cell]]:
    """Arrange the cells in as many lines as they take."""
    lines: list[list[_Cell]] = []
    room = 0
    for cell in cells:
        # The last cell of a line needs no space after it.
        if not lines or room < _wide(cell, size) - _APART:
            lines.append([])
            room = width
        lines[-1].append(cell)
        room -= _wide(cell, size)
    return lines


def _rooms(line: Sequence[_Cell], width: int, size: _Size) -> list[int]:
    """Return the columns for the texts of each cell: the last one may use the rest of the row."""
    columns = [_wide(cell, size) for cell in line[:-1]]
    return [*columns, width - sum(columns)]


def _captions_in_brief(figures: _Drawing, width: int) -> frozenset[str]:
    """Return the captions that are too long for at least one cell: they are short everywhere."""
    return frozenset(
        str(cell.counter.caption)
        for line in figures.lines
        for cell, room in zip(line, _rooms(line, width, figures.size), strict=True)
        if not any(len(title) < room for title in islice(cell.titles, 2))
    )


def _line_rows(line: Sequence[_Cell], width: int, size: _Size, brief: Container[str]) -> Iterator[Content]:
    texts = _rooms(line, width, size)
    if _names_high(line, size):
        names = [enlarge_text(cell.name, 1) if cell.name else [""] * ROWS for cell in line]
        yield from (_beside([Content.styled(name[row], drawing.BOLD) for name in names], texts) for row in range(ROWS))
        yield Content("")
    titles = (_title(cell, room - 1, brief) for cell, room in zip(line, texts, strict=True))
    yield _beside([Content.styled(title, drawing.BOLD) for title in titles], texts)
    figures = [cell.rows(size) for cell in line]
    for row in range(len(figures[0])):
        pieces = [
            Content.styled(figure[row], drawing.counter_colour(cell.counter))
            for figure, cell in zip(figures, line, strict=True)
        ]
        yield _beside(pieces, texts)
    if any(cell.details for cell in line):
        details = (_fit_details(cell.details, room - 1) for cell, room in zip(line, texts, strict=True))
        yield _beside([Content.styled(detail, "$text") for detail in details], texts)


def _fit_details(details: Sequence[str], width: int) -> str:
    """Join details to a width: a figure that is cut would be another figure, so drop the last ones whole."""
    rows = (drawing.BULLET.join(details[:end]) for end in range(len(details), 0, -1))
    return next((row for row in rows if len(row) <= width), "".join(details[:1]))


def _beside(pieces: Sequence[Content], widths: Sequence[int]) -> Content:
    """Join pieces with at least a column between them; the last one may fill its width."""
    apart = (*(1 for _ in pieces[1:]), 0)
    return Content("").join(_fit_cell(*each) for each in zip(pieces, widths, apart, strict=True))


def _fit_cell(content: Content, width: int, apart: int) -> Content:
    room = width - apart
    return content.truncate(room, ellipsis=True).pad_right(max(0, width - min(content.cell_length, room)))


def _title(cell: _Cell, width: int, brief: Container[str]) -> str:
    """Return the owner and caption of a figure at a width: the name is cut, so that no two figures look alike."""
    titles = tuple(cell.titles)[-1 if str(cell.counter.caption) in brief else 0 :]
    fitting = next((title for title in titles if len(title) <= width), None)
    if fitting is not None or not cell.title:
        return fitting or titles[-1]
    room = width - (len(titles[-1]) - len(cell.title)) - 1
    return f"{cell.title[: max(1, room)]}…{titles[-1][len(cell.title) :]}"
