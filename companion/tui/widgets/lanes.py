"""Zones that face each other, as columns across the table. Apart from the seats' panels, since it belongs to all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from textual.content import Content

from companion.games.table import SeatView, Thing, Zone
from companion.tui import drawing, table_drawing
from companion.tui.table_drawing import Detail
from companion.tui.widgets.panel import Panel

_BETWEEN: Final = Content.styled("│", drawing.DIM)
_NOBODY: Final = "·"
_MOST: Final = 8
_ANY: Final = 1000
"""Rows of one thing."""
_NAME_ROWS: Final = 2
"""Rows that a name takes at most where rows are scarce."""


class LanesPart(NamedTuple):
    """The zones of each seat that face those of the others: those of the first seat above, the others' below."""

    sides: tuple[tuple[Zone, ...], ...]
    detail: Detail
    framed: bool = False


def columns_of(seat: SeatView) -> tuple[Zone, ...]:
    """A seat's zones that face those of others, in the order of their columns."""
    return tuple(sorted((zone for zone in seat.zones if zone.column), key=lambda zone: zone.column))


class LanesPanel(Panel[LanesPart]):
    """Figures meet in the middle, names stand behind them."""

    @staticmethod
    def draw(part: LanesPart, width: int) -> list[Content]:
        """Each side in columns of one width; between the sides a line with the numbers of the columns."""
        return _drawn(part, width, _ANY)

    @staticmethod
    def briefer(part: LanesPart, width: int) -> Iterator[list[Content]]:
        """Fewer and fewer rows of each thing, the figures last."""
        for most in range(_MOST, 0, -1):
            yield _drawn(part, width, most)


@lru_cache(maxsize=32)
def _drawn(part: LanesPart, width: int, most: int) -> list[Content]:
    """Kept, since what lies there mostly stays as it was when something else changes."""
    first, *others = part.sides
    widths = _widths(len(first), width)
    rows = _side(first, widths, part.detail, most, above=True)
    for side in others:
        rows += [_line(first, widths), *_side(side, widths, part.detail, most, above=False)]
    return rows


def _widths(columns: int, width: int) -> list[int]:
    """What each of some columns gets of a width, a line between each two of them."""
    least, rest = divmod(max(width + 1, 2 * columns), columns)
    return [least - 1 + (at < rest) for at in range(columns)]


def _line(zones: Sequence[Zone], widths: Sequence[int]) -> Content:
    numbers = (f" {zone.column} ".center(width, "─") for zone, width in zip(zones, widths, strict=True))
    return Content.styled("┼".join(numbers), drawing.DIM)


def _side(zones: Sequence[Zone], widths: Sequence[int], detail: Detail, most: int, *, above: bool) -> list[Content]:
    """One seat's zones side by side; those above are turned round, so that figures meet in the middle."""
    columns = []
    for zone, width in zip(zones, widths, strict=True):
        blocks = _within(list(_blocks(zone, width, detail)), most)
        columns.append([_centred(row, width) for block in blocks[:: -1 if above else 1] for row in block])
    height = max(map(len, columns), default=0)
    for column, width in zip(columns, widths, strict=True):
        empty = [Content(" " * width)] * (height - len(column))
        column[:] = [*empty, *column] if above else [*column, *empty]
    return [_BETWEEN.join(row) for row in zip(*columns, strict=True)]


def _centred(row: Content, width: int) -> Content:
    row = row.rstrip().truncate(width, ellipsis=True)
    left = (width - row.cell_length) // 2
    return row.pad_left(left).pad_right(width - row.cell_length - left)


def _within(blocks: list[list[Content]], most: int) -> list[list[Content]]:
    """As much of some blocks as so many rows hold, the first ones first."""
    kept = []
    for block in blocks:
        kept.append(block[: max(0, most)])
        most -= len(block)
    return kept


def _blocks(zone: Zone, width: int, detail: Detail) -> Iterator[list[Content]]:
    """What lies in a zone, from what is nearest to the middle on: figures, name, flags, notes."""
    if not zone.things:
        yield [Content.styled(_NOBODY, drawing.DIM)]
    for thing in zone.things:
        yield from _thing(thing, width, detail)


def _thing(thing: Thing, width: int, detail: Detail) -> Iterator[list[Content]]:
    style = f"bold {table_drawing.tone_of(thing)}"
    large = detail >= Detail.FIGURES and drawing.has_figure(thing.brief)
    yield [Content.styled(row, style) for row in (drawing.figure(thing.brief) if large else (thing.brief,))]
    if detail is Detail.HEADS:
        return
    name = drawing.wrapped(Content.styled(table_drawing.name_of(thing), drawing.BOLD), width)
    yield name if detail > Detail.NAMES else name[:_NAME_ROWS]
    if detail is Detail.FULL:
        yield [row for told in table_drawing.explained(thing) for row in drawing.wrapped(told, width)]
        return
    yield drawing.flow([Content.styled(flag, drawing.FLAG) for flag in thing.flags], width, ", ")
    if detail > Detail.NAMES:
        notes = thing.words[len(thing.flags) :]
        yield drawing.flow([Content.styled(note, drawing.DIM) for note in notes], width, ", ")
