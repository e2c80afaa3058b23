"""What matters, in block figures that can be read across the table: every big counter."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import islice, product
from typing import Final, NamedTuple

import msgspec
from textual.content import Content

from companion.session.countdown import brief_left
from companion.session.table_questions import due_prompts
from companion.tabletop.table import Counter, TableView
from companion.tui import blocks, drawing
from companion.tui.blocks import ROWS, TURN, enlarged, spelled, width_of
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.zones import far_things

_TITLE: Final = (16, 20)
"""Columns that a title gets at least and at most, where its figure is narrower."""
_APART: Final = 4
_SECONDS: Final = 99
"""So many seconds are read as they are; of a longer time, minutes are told."""


class _Size(msgspec.Struct, frozen=True):
    """How large figures are: `scale` rows a dot, 0 for half a row; and whether names stand in blocks, too."""

    scale: int
    named: bool = False


_BLOCKS: Final = tuple(_Size(scale, named) for scale in (3, 2, 1) for named in (True, False))
_SMALL: Final = _Size(0)


class _Cell(msgspec.Struct, frozen=True):
    """A figure: whose it is with their `flags`, `name` for the blocks, and what else there is to know of them in a row
    below it; `text` is how it is written where that is not as a number.
    """

    title: str
    counter: Counter
    is_asked: bool = False
    name: str = ""
    detail: str = ""
    text: str = ""
    flags: tuple[str, ...] = ()

    @property
    def titles(self) -> Iterator[str]:
        """Whose it is and what it is, in less and less columns: flags go first, what it is stays."""
        caption, brief = self.counter.caption, self.counter.brief_caption
        flags = f" ({', '.join(self.flags)})" if self.flags else ""
        for whose, what in ((f"{self.title}{flags}", caption), (self.title, caption), (self.title, brief)):
            yield ": ".join(filter(None, (whose, what)))

    @property
    def figure(self) -> str:
        """The number, behind an arrow where the table waits for it."""
        return f"{TURN if self.is_asked else ''}{self.text or self.counter.number or 0}"

    def rows(self, size: _Size) -> list[str]:
        """The number as it is drawn."""
        small = self.text or self.counter.number or 0
        return enlarged(self.figure, size.scale) if size.scale else list(blocks.figure(small))


class ScoreboardPart(NamedTuple):
    """The table, and who or what fell last."""

    view: TableView
    fell: tuple[str, ...] = ()
    left: Counter | None = None
    """The seconds that are left of a countdown, where people want one."""


class _Drawing(msgspec.Struct, frozen=True):
    """Lines of cells in a size, and below them rows of what lies on the table."""

    lines: list[list[_Cell]]
    size: _Size
    things: list[Content]

    @property
    def needs(self) -> int:
        """Rows that all of it takes without empty ones."""
        return sum(_high(line, self.size) for line in self.lines) + len(self.things)


class Scoreboard(Panel[ScoreboardPart]):
    """As large as the room allows: what lies in the middle first, then the seats clockwise, then what lies there."""

    def render(self) -> Content:
        """The figures, each under whose they are; where not even small ones have room, a row each."""
        width, height = self.content_size
        if self.part is None or width <= 0:
            return Content("")
        view, fell, left = self.part
        head = [_banner(fell, width)] if fell else []
        head += (
            [Content.styled(view.match.center(width), drawing.BOLD).truncate(width, ellipsis=True)]
            if view.match
            else []
        )
        drawn_figures = _fitting(view, left, width, height - len(head))
        if drawn_figures is None:
            return Content("\n").join([*head, *_in_rows(view, left, width)])
        brief = _captions_in_brief(drawn_figures, width)
        parts = [list(_line_rows(line, width, drawn_figures.size, brief)) for line in drawn_figures.lines]
        parts += [drawn_figures.things] if drawn_figures.things else []
        # A row between them only where it costs no figure.
        spare = drawn_figures.needs + len(parts) - 1 <= height - len(head)
        between = "\n\n" if spare else "\n"
        figures = Content(between).join([Content("\n").join(block) for block in parts])
        return Content("\n").join([*head, figures])


def _banner(fell: Sequence[str], width: int) -> Content:
    """Who or what fell, across the whole width."""
    text = drawing.BULLET.join(fell).upper()
    return Content.styled(drawing.single(text).center(width), drawing.BANNER).truncate(width, ellipsis=True)


def _fitting(view: TableView, left: Counter | None, width: int, height: int) -> _Drawing | None:
    """The big counters in lines, how large, and below them as much of the things as there is room for; None where no
    figure has room.
    """
    middle, seats, lying = list(_middle(view, left)), list(_seats(view)), list(far_things(view, width))
    # Where much lies before the seats, how far the table is needs no line of its own.
    cells = [[*middle, *seats]] if lying else [middle, seats]
    beside = list(_without_figures(view, width))
    rest: list[list[Content]] = [[*beside, *each] for each in lying] or [beside]
    # Small figures come before things that are left out.
    nothing: list[list[Content]] = [[]]
    for below in (rest, nothing):
        for sizes in (_BLOCKS, (_SMALL,)):
            for things, size in product(below, sizes):
                candidate = _Drawing([line for each in cells for line in _lines(each, width, size)], size, things)
                if candidate.needs <= height:
                    return candidate
    return None


def _in_rows(view: TableView, left: Counter | None, width: int) -> Iterator[Content]:
    """Everybody's figures in a row each."""
    for cell in (*_middle(view, left), *_seats(view)):
        counter = cell.counter
        full = f"/{counter.top}" if counter.top else ""
        figure = drawing.short(counter) + full
        flags = f" ({', '.join(cell.flags)})" if cell.flags else ""
        name = Content.styled(f"{TURN if cell.is_asked else ' '}{cell.title}{flags}", drawing.BOLD)
        row = name.truncate(max(1, width - figure.cell_length - 1), ellipsis=True) + " " + figure
        more = width - row.cell_length - 2
        detail = Content.styled(cell.detail, drawing.DIM).truncate(max(0, more), ellipsis=True)
        yield row + "  " + detail if more > 0 else row


def _middle(view: TableView, left: Counter | None) -> Iterator[_Cell]:
    # The first figure of a table tells how far it is: the round, the turn.
    first = (c for c in view.counters if c.is_visible and c.number is not None)
    yield from (_Cell("", counter) for counter in islice(first, 1))
    if left is not None:
        yield _Cell("", left, text=brief_left(left.number or 0) if (left.top or 0) > _SECONDS else "")
    for zone in view.zones:
        for thing in zone.things:
            detail = drawing.BULLET.join((*_others(thing.counters), *thing.words))
            yield from (_Cell(drawing.name_of(thing), counter, detail=detail) for counter in _big(thing.counters))


def _seats(view: TableView) -> Iterator[_Cell]:
    due_seats = [prompt.seat for prompt in due_prompts(view)[:1]]
    for seat in view.seats:
        detail = drawing.BULLET.join(_others(seat.counters))
        for at, counter in enumerate(_big(seat.counters)):
            is_first = at == 0
            name = spelled(seat.name) if is_first else ""
            more = detail if is_first else ""
            yield _Cell(seat.name, counter, seat.seat in due_seats, name, more, flags=seat.flags)


def _without_figures(view: TableView, width: int) -> Iterator[Content]:
    """What lies in the middle and has no large figure, such as who came to help it."""
    for zone in view.zones:
        small = [thing for thing in zone.things if drawing.first_big(thing.counters) is None]
        pieces = [Content(drawing.BULLET.join((drawing.name_of(each), *_others(each.counters)))) for each in small]
        if pieces:
            yield from drawing.flow([Content.styled(zone.title, drawing.BOLD), *pieces], width, "   ")


def _big(counters: Sequence[Counter]) -> Iterator[Counter]:
    return (counter for counter in counters if counter.big and counter.number is not None)


def _others(counters: Sequence[Counter]) -> Iterator[str]:
    """The other figures that a screen with little room shows, too."""
    for counter in counters:
        if counter.is_visible and not counter.big and counter.number:
            yield f"{counter.brief_caption} {counter.figure}{f'/{counter.top}' if counter.top else ''}"


def _wide(cell: _Cell, size: _Size) -> int:
    """Columns of a cell, the space behind it included."""
    title = min(_TITLE[1], max(_TITLE[0], len(next(cell.titles)))) if size.scale else _TITLE[0]
    name = width_of(cell.name, 1) if size.named else 0
    return max(len(cell.rows(size)[0]), name, title) + _APART


def _high(line: Sequence[_Cell], size: _Size) -> int:
    """Rows of a line: names in blocks, a title, the figures, what else is told."""
    figures = ROWS * size.scale if size.scale else blocks.SMALL_ROWS
    return _names_high(line, size) + 1 + figures + any(cell.detail for cell in line)


def _names_high(line: Sequence[_Cell], size: _Size) -> int:
    return ROWS + 1 if size.named and any(cell.name for cell in line) else 0


def _lines(cells: Sequence[_Cell], width: int, size: _Size) -> list[list[_Cell]]:
    """The cells in as many rows as it takes."""
    lines: list[list[_Cell]] = []
    room = 0
    for cell in cells:
        # Behind the last one in a row nothing has to be apart.
        if not lines or room < _wide(cell, size) - _APART:
            lines.append([])
            room = width
        lines[-1].append(cell)
        room -= _wide(cell, size)
    return lines


def _rooms(line: Sequence[_Cell], width: int, size: _Size) -> list[int]:
    """Columns for the texts of each cell: the last one may use what is left of the row."""
    columns = [_wide(cell, size) for cell in line[:-1]]
    return [*columns, width - sum(columns)]


def _captions_in_brief(figures: _Drawing, width: int) -> frozenset[str]:
    """The captions for which somebody has too little room: they are brief wherever they stand."""
    return frozenset(
        cell.counter.caption
        for line in figures.lines
        for cell, room in zip(line, _rooms(line, width, figures.size), strict=True)
        if not any(len(title) < room for title in islice(cell.titles, 2))
    )


def _line_rows(line: Sequence[_Cell], width: int, size: _Size, brief: Container[str]) -> Iterator[Content]:
    texts = _rooms(line, width, size)
    if _names_high(line, size):
        names = [enlarged(cell.name, 1) if cell.name else [""] * ROWS for cell in line]
        yield from (_beside([Content.styled(name[row], drawing.BOLD) for name in names], texts) for row in range(ROWS))
        yield Content("")
    titles = (_title(cell, room - 1, brief) for cell, room in zip(line, texts, strict=True))
    yield _beside([Content.styled(title, drawing.BOLD) for title in titles], texts)
    figures = [cell.rows(size) for cell in line]
    for row in range(len(figures[0])):
        pieces = [Content.styled(figure[row], _colour(cell)) for figure, cell in zip(figures, line, strict=True)]
        yield _beside(pieces, texts)
    if any(cell.detail for cell in line):
        details = (_whole(cell.detail, room - 1) for cell, room in zip(line, texts, strict=True))
        yield _beside([Content.styled(detail, "$text") for detail in details], texts)


def _whole(detail: str, width: int) -> str:
    """What of it there is room for: a figure that is cut would be another figure, so the last ones go whole."""
    while len(detail) > width and drawing.BULLET in detail:
        detail = detail.rpartition(drawing.BULLET)[0]
    return detail


def _beside(pieces: Sequence[Content], widths: Sequence[int]) -> Content:
    """Pieces with a column between them at least; the last one may fill its width."""
    apart = (*(1 for _ in pieces[1:]), 0)
    return Content("").join(_fitted(*each) for each in zip(pieces, widths, apart, strict=True))


def _fitted(content: Content, width: int, apart: int) -> Content:
    room = width - apart
    return content.truncate(room, ellipsis=True).pad_right(max(0, width - min(content.cell_length, room)))


def _title(cell: _Cell, width: int, brief: Container[str]) -> str:
    """Whose figure it is and which one, in so many columns: the name is cut, so that no two figures look alike."""
    titles = tuple(cell.titles)[-1 if cell.counter.caption in brief else 0 :]
    fitting = next((title for title in titles if len(title) <= width), None)
    if fitting is not None or not cell.title:
        return fitting or titles[-1]
    room = width - (len(titles[-1]) - len(cell.title)) - 1
    return f"{cell.title[: max(1, room)]}…{titles[-1][len(cell.title) :]}"


def _colour(cell: _Cell) -> str:
    return drawing.tone(cell.counter)
