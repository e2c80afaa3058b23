"""What lies before the seats, in figures three rows high for the view from afar; apart from the big counters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace
from textual.content import Content

from companion.games.table import SeatView, TableView, Thing
from companion.tui import drawing, table_drawing
from companion.tui.table_drawing import Detail
from companion.tui.widgets.lanes import LanesPanel, LanesPart, columns_of

_APART: Final = 3


def far_things(view: TableView, width: int) -> Iterator[list[Content]]:
    """The things with their names and flags, in fewer and fewer rows, at last as text; none where none has figures."""
    sides = [(seat, side) for seat in view.seats if (side := columns_of(seat))]
    if sides:
        bare = tuple(tuple(replace(zone, things=tuple(map(_bare, zone.things))) for zone in side) for _, side in sides)
        part = LanesPart(bare, Detail.FIGURES)
        (first, _), *others = sides
        for rows in (LanesPanel.draw(part, width), *LanesPanel.briefer(part, width)):
            yield [_whose(first), *rows, *(_whose(seat) for seat, _ in others)]
    elif any(_figured(seat) for seat in view.seats):
        for flagged in (True, False):
            yield [row for seat in view.seats for row in _side(seat, width, flagged=flagged)]
        yield [row for seat in view.seats for row in _as_text(seat, width)]


def _as_text(seat: SeatView, width: int) -> Iterator[Content]:
    """A seat's things as the board shows them."""
    yield _whose(seat)
    yield from table_drawing.side_by_side(tuple(_figured(seat)), Detail.NAMES, width)


def _bare(thing: Thing) -> Thing:
    return replace(thing, notes=())


def _whose(seat: SeatView) -> Content:
    return Content.styled(f"── {seat.name}", drawing.BOLD)


def _figured(seat: SeatView) -> list[Thing]:
    return [thing for zone in seat.zones for thing in zone.things if drawing.has_figure(thing.brief)]


def _side(seat: SeatView, width: int, *, flagged: bool) -> Iterator[Content]:
    """A seat's things side by side, each below its name."""
    things = _figured(seat)
    if things:
        yield _whose(seat)
    cells = [_cell(thing, flagged=flagged) for thing in things]
    for line in _lines(cells, width):
        widths = [max(row.cell_length for row in cell) + _APART for cell in line]
        for row in zip(*line, strict=True):
            padded = (each.pad_right(wide - each.cell_length) for each, wide in zip(row, widths, strict=True))
            yield Content("").join(padded).truncate(width)


def _cell(thing: Thing, *, flagged: bool) -> list[Content]:
    told = table_drawing.piece(replace(thing, brief=""), Detail.NAMES if flagged else Detail.HEADS)
    style = f"bold {table_drawing.tone_of(thing)}"
    return [told, *(Content.styled(row, style) for row in drawing.figure(thing.brief))]


def _lines(cells: Sequence[list[Content]], width: int) -> list[list[list[Content]]]:
    """Cells in as many lines as it takes."""
    lines: list[list[list[Content]]] = []
    room = 0
    for cell in cells:
        wide = max(row.cell_length for row in cell) + _APART
        if not lines or room < wide:
            lines.append([])
            room = width + _APART
        lines[-1].append(cell)
        room -= wide
    return lines
