"""What matters, in figures that can be read across the table: every big counter in the middle and of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from textual.content import Content

from companion.games.table import Counter, TableView
from companion.session.asked import due
from companion.tui import drawing
from companion.tui.widgets.far_things import far_things
from companion.tui.widgets.panel import Panel

_TURN: Final = "▶"
_FONT: Final = {
    "0": "███ █ █ █ █ █ █ ███",
    "1": " █  ██   █   █  ███",
    "2": "███   █ ███ █   ███",
    "3": "███   █ ███   █ ███",
    "4": "█ █ █ █ ███   █   █",
    "5": "███ █   ███   █ ███",
    "6": "███ █   ███ █ █ ███",
    "7": "███   █   █   █   █",
    "8": "███ █ █ ███ █ █ ███",
    "9": "███ █ █ ███   █ ███",
    "-": "        ███        ",
    _TURN: "█   ██  ███ ██  █  ",
}
_DOTS, _ROWS = 3, 5
_TITLE: Final = (16, 20)
"""Columns that a title gets at least and at most, where its figure is narrower."""


class _Cell(NamedTuple):
    title: str
    counter: Counter
    asked: bool = False

    @property
    def figure(self) -> str:
        """The number, behind an arrow where the table waits for it."""
        return f"{_TURN if self.asked else ''}{self.counter.number or 0}"


class ScoreboardPart(NamedTuple):
    """The table, and who or what fell last."""

    view: TableView
    fell: tuple[str, ...] = ()


class Scoreboard(Panel[ScoreboardPart]):
    """As large as the room allows: what lies in the middle first, then the seats clockwise, then what lies there."""

    def render(self) -> Content:
        """The figures, each under whose they are."""
        width, height = self.content_size
        if self.part is None or width <= 0:
            return Content("")
        view, fell = self.part
        height -= bool(fell)
        lines, scale, things = _fitting(view, width, height)
        needed = len(lines) * (_ROWS * scale + 1) + len(things)
        # A row between them only where it costs no figure.
        between = "\n\n" if needed + len(lines) + bool(things) <= height else "\n"
        blocks = [Content("\n").join(_drawn(line, width, scale)) for line in lines]
        figures = Content(between).join([*blocks, Content("\n").join(things)] if things else blocks)
        return Content("\n").join((_banner(fell, width), figures)) if fell else figures


def _banner(fell: Sequence[str], width: int) -> Content:
    """Who or what fell, across the whole width."""
    text = drawing.BULLET.join(fell).upper()
    return Content.styled(drawing.single(text).center(width), "bold reverse").truncate(width, ellipsis=True)


def _fitting(view: TableView, width: int, height: int) -> tuple[list[list[_Cell]], int, list[Content]]:
    """The big counters in lines, how large, and below them as much of the things as there is room for."""
    middle, seats, lying = list(_middle(view)), list(_seats(view)), list(far_things(view, width))
    # Where much lies before the seats, how far the table is needs no line of its own.
    cells = [[*middle, *seats]] if lying else [middle, seats]
    for things in (*lying, []):
        for scale in (3, 2, 1):
            lines = [line for each in cells for line in _lines(each, width, scale)]
            if len(lines) * (_ROWS * scale + 1) + len(things) <= height:
                return lines, scale, things
    return lines, scale, []


def enlarged(figure: str, scale: int) -> list[str]:
    """Digits, and an arrow before them, in blocks of five dots; a dot is `scale` rows high and twice as many wide."""
    rows = []
    for row in range(_ROWS):
        dots = " ".join(_FONT[digit][row * (_DOTS + 1) :][:_DOTS] for digit in figure)
        rows += ["".join(dot * 2 * scale for dot in dots)] * scale
    return rows


def _middle(view: TableView) -> Iterator[_Cell]:
    # The first figure of a table tells how far it is: the round, the turn.
    first = (c for c in view.counters if c.shown and c.number is not None)
    yield from (_Cell("", counter) for counter in islice(first, 1))
    for zone in view.zones:
        for thing in zone.things:
            yield from (_Cell(drawing.name_of(thing), counter) for counter in _big(thing.counters))


def _seats(view: TableView) -> Iterator[_Cell]:
    asked = [prompt.seat for prompt in due(view)[:1]]
    for seat in view.seats:
        flags = f" ({', '.join(seat.flags)})" if seat.flags else ""
        yield from (_Cell(f"{seat.name}{flags}", counter, seat.seat in asked) for counter in _big(seat.counters))


def _big(counters: Sequence[Counter]) -> Iterator[Counter]:
    return (counter for counter in counters if counter.big and counter.number is not None)


def _wide(cell: _Cell, scale: int) -> int:
    title = min(_TITLE[1], max(_TITLE[0], len(_title(cell))))
    return max((len(cell.figure) * (_DOTS + 1) - 1) * 2 * scale, title) + 4


def _lines(cells: Sequence[_Cell], width: int, scale: int) -> list[list[_Cell]]:
    """The cells in as many rows as it takes."""
    lines: list[list[_Cell]] = []
    room = 0
    for cell in cells:
        if not lines or room < _wide(cell, scale):
            lines.append([])
            room = width
        lines[-1].append(cell)
        room -= _wide(cell, scale)
    return lines


def _drawn(line: Sequence[_Cell], width: int, scale: int) -> Iterator[Content]:
    columns = [_wide(cell, scale) for cell in line]
    # The last title may use what is left of the row.
    titles = [*columns[:-1], width - sum(columns[:-1])]
    yield _beside([Content.styled(_title(cell), "bold") for cell in line], titles)
    figures = [enlarged(cell.figure, scale) for cell in line]
    for row in range(_ROWS * scale):
        pieces = [Content.styled(figure[row], _colour(cell)) for figure, cell in zip(figures, line, strict=True)]
        yield _beside(pieces, columns)


def _beside(pieces: Sequence[Content], widths: Sequence[int]) -> Content:
    return Content("").join(_fitted(piece, width) for piece, width in zip(pieces, widths, strict=True))


def _fitted(content: Content, width: int) -> Content:
    return content.truncate(width - 1, ellipsis=True).pad_right(max(0, width - min(content.cell_length, width - 1)))


def _title(cell: _Cell) -> str:
    return ": ".join(part for part in (cell.title, cell.counter.caption) if part)


def _colour(cell: _Cell) -> str:
    return drawing.tone(cell.counter)
