"""Zones with the things in them: in the middle of the table, in lanes, and as seen from afar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace
from textual import events
from textual.content import Content

from companion.tabletop.table.table import SeatView, TableView, Thing, Zone
from companion.tui import blocks, drawing
from companion.tui.drawing import Detail
from companion.tui.messages import TargetChosen
from companion.tui.widgets.panel import Panel
from templates.languages.messages import Language, current_language, phrase, phrase_in


class ZonePart(msgspec.Struct, frozen=True):
    """The view model of a zone; `chosen` is the thing that keys would change, `change` the running change.

    `whole` means that there are rows to spare for everything that one row cannot hold; `most` limits them in a zone
    without a frame, and 0 is no limit.
    """

    zone: Zone
    detail: Detail
    is_framed: bool = True
    chosen: str = ""
    change: str = ""
    whole: bool = False
    most: int = 0


def need_frames(zones: Sequence[Zone], detail: Detail) -> bool:
    """Return True if zones have frames; if rows are scarce, only if one has a large figure."""
    big = any(drawing.first_big(thing.counters) for zone in zones for thing in zone.things)
    return detail > Detail.ROWS or (big and detail > Detail.HEADS)


class ZonePanel(Panel[ZonePart]):
    """A zone in a frame, or in rows that begin with its title."""

    def apply_part(self, part: ZonePart) -> None:
        """Set the frame, whose title is the zone or the only thing in it."""
        things = part.zone.things
        title = part.zone.title
        if _stands_in_title(part.zone):
            alone = drawing.name_of(things[0])
            # Translators: A place on the table, and the only thing in it.
            title = alone if str(title) in alone else phrase("{zone}: {thing}", zone=title, thing=alone)
        chosen = any(thing.target == part.chosen for thing in things)
        self.border_title = Content.styled(str(title), drawing.BOLD)
        self.border_subtitle = Content.styled(part.change, drawing.BANNER) if chosen and part.change else ""
        self.set_class(chosen, "-chosen")
        self.set_class(not part.is_framed, "-flat")

    @staticmethod
    def draw(part: ZonePart, width: int) -> list[Content]:
        """Draw a single thing with a large figure, or several in a row each."""
        things = part.zone.things
        if not things:
            # Translators: A place on the table is empty.
            return [Content.styled(str(phrase_in("things", "none")), drawing.DIM)]
        if not part.is_framed:
            return _without_frame(part, width)
        return [row for thing in things for row in _thing_rows(thing, part, width)]

    def on_click(self, event: events.Click) -> None:
        """Choose the thing in the clicked row, or the only one that can be meant."""
        if self.part is None or not self.part.zone.things:
            return
        event.stop()
        things, width = self.part.zone.things, self.content_size.width
        rows = (
            [thing for thing in things for _ in _thing_rows(thing, self.part, width)]
            if self.part.is_framed
            else things[:1]
        )
        at = event.get_content_offset_capture(self).y
        self.post_message(TargetChosen(rows[min(max(at, 0), len(rows) - 1)].target))


def _stands_in_title(zone: Zone) -> bool:
    """Return True if the only thing of a zone is named in the title: what is nothing but a name fills its box."""
    return len(zone.things) == 1 and bool(zone.things[0].counters or zone.things[0].words)


def _thing_rows(thing: Thing, part: ZonePart, width: int) -> list[Content]:
    large = part.detail is Detail.FULL
    if _stands_in_title(part.zone):
        return drawing.draw_portrait(thing, width, large=large, whole=part.whole)
    return list(drawing.row_of(thing, width, large=large, whole=part.whole))


def _without_frame(part: ZonePart, width: int) -> list[Content]:
    """Return the title and the things in as few rows as possible, or the first thing alone."""
    if part.detail is Detail.HEADS:
        return drawing.row_of(part.zone.things[0], width, large=False)
    rows = drawing.zone_rows(part.zone, width, large=part.detail > Detail.NAMES, whole=part.whole)
    return drawing.cut_rows(rows, part.most, width) if 0 < part.most < len(rows) else rows


_BETWEEN: Final = Content.styled("│", "$line")
_NOBODY: Final = "·"
_MOST: Final = 8
_ANY: Final = 1000
"""A number of rows for a thing that is never reached."""
_NAME_ROWS: Final = 2
"""The maximum of rows for a name if rows are scarce."""


class LanesPart(msgspec.Struct, frozen=True):
    """The zones of each seat that face those of the others: those of the first seat above, the others' below."""

    sides: tuple[tuple[Zone, ...], ...]
    detail: Detail
    is_framed: bool = False


def columns_of(seat: SeatView) -> tuple[Zone, ...]:
    """Return a seat's zones that face those of others, in the order of their columns."""
    return tuple(sorted((zone for zone in seat.zones if zone.column), key=lambda zone: zone.column))


class LanesPanel(Panel[LanesPart]):
    """The lanes: figures meet in the middle, names are behind them."""

    @staticmethod
    def draw(part: LanesPart, width: int) -> list[Content]:
        """Draw each side in columns of equal width; between the sides is a line with the numbers of the columns."""
        return _lane_rows(part, width, _ANY, current_language())

    @staticmethod
    def briefer(part: LanesPart, width: int) -> Iterator[list[Content]]:
        """Yield fewer and fewer rows of each thing; the figures go last."""
        for most in range(_MOST, 0, -1):
            yield _lane_rows(part, width, most, current_language())


@lru_cache(maxsize=32)
def _lane_rows(
    part: LanesPart,
    width: int,
    most: int,
    language: Language,  # noqa: ARG001 – the texts depend on it
) -> list[Content]:
    """Draw the lanes; cached, since most things stay as they are when something else changes."""
    first, *others = part.sides
    widths = _widths(len(first), width)
    rows = _side(first, widths, part.detail, most, above=True)
    for side in others:
        rows += [_draw_lane_line(first, widths), *_side(side, widths, part.detail, most, above=False)]
    return [*rows, _draw_lane_line(first, widths)] if not others and _are_of_several_kinds(first) else rows


def _widths(columns: int, width: int) -> list[int]:
    """Return the widths of some columns with a line between each two of them."""
    least, rest = divmod(max(width + 1, 2 * columns), columns)
    return [least - 1 + (at < rest) for at in range(columns)]


def _draw_lane_line(zones: Sequence[Zone], widths: Sequence[int]) -> Content:
    """Return the line between two sides, with the numbers of the columns, or their titles if they are of several kinds
    of places.
    """
    are_named = _are_of_several_kinds(zones)
    texts = [str(zone.title) if are_named else str(zone.column) for zone in zones]
    fitting = (_shorten_title(text, width) for text, width in zip(texts, widths, strict=True))
    numbers = (f" {text} ".center(width, "─") for text, width in zip(fitting, widths, strict=True))
    return Content.styled("┼".join(numbers), drawing.DIM)


def _are_of_several_kinds(zones: Sequence[Zone]) -> bool:
    """Return True if zones are lanes of several places, such as `active-1` and `bench-1`."""
    return len({zone.name.rpartition("-")[0] for zone in zones}) > 1


def _shorten_title(title: str, width: int) -> str:
    """Return the title of a place with its number in full, cut to a column with a blank at each side."""
    if len(title) <= width - 2:
        return title
    name, _, number = title.rpartition(" ")
    if not number.isdecimal():
        name, number = title, ""
    return f"{name[: max(1, width - 3 - len(number))]}…{number}"


def _side(zones: Sequence[Zone], widths: Sequence[int], detail: Detail, most: int, *, above: bool) -> list[Content]:
    """Return a seat's zones side by side; those above are reversed, so that figures meet in the middle."""
    columns = []
    for zone, width in zip(zones, widths, strict=True):
        stacked = _within(list(_blocks(zone, width, detail, most)), most)
        columns.append([_centre_row(row, width) for block in stacked[:: -1 if above else 1] for row in block])
    height = max(map(len, columns), default=0)
    for column, width in zip(columns, widths, strict=True):
        empty = [Content(" " * width)] * (height - len(column))
        column[:] = [*empty, *column] if above else [*column, *empty]
    return [_BETWEEN.join(row) for row in zip(*columns, strict=True)]


def _centre_row(row: Content, width: int) -> Content:
    row = row.rstrip().truncate(width, ellipsis=True)
    left = (width - row.cell_length) // 2
    return row.pad_left(left).pad_right(width - row.cell_length - left)


def _within(blocks: list[list[Content]], most: int) -> list[list[Content]]:
    """Return as much of some blocks as `most` rows hold, the first ones first."""
    kept = []
    for block in blocks:
        kept.append(block[: max(0, most)])
        most -= len(block)
    return kept


def _blocks(zone: Zone, width: int, detail: Detail, most: int) -> Iterator[list[Content]]:
    """Yield the content of a zone, from the middle of the table outwards: figures, name, flags, notes."""
    if not zone.things:
        yield [Content.styled(_NOBODY, drawing.DIM)]
    for thing in zone.things:
        yield from _draw_thing(thing, width, detail, most)


def _draw_thing(thing: Thing, width: int, detail: Detail, most: int) -> Iterator[list[Content]]:
    yield _figures(thing, width, most, large=detail >= Detail.FIGURES)
    if detail is Detail.HEADS:
        return
    name = drawing.name_of(thing)
    if any(len(word) > width for word in name.split()):
        name = drawing.name_of(thing, numbered=False)  # drop the number rather than cut a word
    name_rows = drawing.wrap_content(Content.styled(name, drawing.BOLD), width)
    yield name_rows if detail > Detail.NAMES else name_rows[:_NAME_ROWS]
    if detail is Detail.FULL:
        yield [row for line in drawing.explain_thing(thing) for row in drawing.wrap_content(line, width)]
        return
    yield drawing.lay_out_rows(
        [Content.styled(flag, drawing.FLAG) for flag in drawing.titles_of(thing.flags)], width, ", "
    )
    if detail > Detail.NAMES:
        notes = thing.words[len(thing.flags) :]
        yield drawing.lay_out_rows([Content.styled(note, drawing.DIM) for note in notes], width, ", ")


def _figures(thing: Thing, width: int, most: int, *, large: bool) -> list[Content]:
    """Draw a thing's figures in at most `most` rows: in blocks if `large` ones fit, else in a row, else each with its
    caption, else only the numbers. None is cut.
    """
    style = f"bold {drawing.thing_colour(thing)}"
    if large and _has_room(thing, width):
        return [Content.styled(row, style) for row in blocks.figure_rows(thing.brief)]
    counters = [counter for counter in thing.counters if counter.is_visible and counter.number is not None]
    if len(thing.brief) <= width or not counters:
        return [Content.styled(thing.brief, style)]
    captions = [drawing.draw_brief_counter(counter, brief=True) for counter in counters]
    if len(captions) <= most and all(caption.cell_length <= width for caption in captions):
        return drawing.lay_out_rows(captions, width, " ")
    return drawing.lay_out_rows([Content.styled(str(counter.figure), style) for counter in counters], width, "/")


def _has_room(thing: Thing, width: int) -> bool:
    """Return True if a thing has figures that fit in blocks."""
    return blocks.has_figure(thing.brief) and blocks.figure_width(thing.brief) <= width


_APART: Final = 3


def far_things(view: TableView, width: int) -> Iterator[list[Content]]:
    """Yield the things with their names and flags, in fewer and fewer rows, at last as text; nothing if none has
    figures.
    """
    sides = [(seat, side) for seat in view.seats if (side := columns_of(seat))]
    if sides:
        bare = tuple(
            tuple(replace(zone, things=tuple(replace(thing, notes=()) for thing in zone.things)) for zone in side)
            for _, side in sides
        )
        part = LanesPart(bare, Detail.FIGURES)
        (first, _), *others = sides
        for rows in (LanesPanel.draw(part, width), *LanesPanel.briefer(part, width)):
            yield [_draw_owner(first), *rows, *(_draw_owner(seat) for seat, _ in others)]
    elif things := [thing for seat in view.seats for thing in _things_with_figure(seat)]:
        for flagged in (True, False) if all(_has_room(thing, width) for thing in things) else ():
            yield [row for seat in view.seats for row in _far_side(seat, width, flagged=flagged)]
        yield [row for seat in view.seats for row in _as_text(seat, width)]


def _as_text(seat: SeatView, width: int) -> Iterator[Content]:
    """Yield a seat's things as the board shows them."""
    if things := tuple(_things_with_figure(seat)):
        yield _draw_owner(seat)
        yield from drawing.side_by_side(things, Detail.NAMES, width)


def _draw_owner(seat: SeatView) -> Content:
    return Content.styled(f"── {seat.name}", drawing.BOLD)


def _things_with_figure(seat: SeatView) -> list[Thing]:
    return [thing for zone in seat.zones for thing in zone.things if blocks.has_figure(thing.brief)]


def _far_side(seat: SeatView, width: int, *, flagged: bool) -> Iterator[Content]:
    """Yield a seat's things side by side, each below its name."""
    things = _things_with_figure(seat)
    if things:
        yield _draw_owner(seat)
    cells = [_draw_cell(thing, flagged=flagged) for thing in things]
    for line in _lines(cells, width):
        widths = [max(row.cell_length for row in cell) + _APART for cell in line]
        for row in zip(*line, strict=True):
            padded = (each.pad_right(wide - each.cell_length) for each, wide in zip(row, widths, strict=True))
            yield Content("").join(padded).truncate(width)


def _draw_cell(thing: Thing, *, flagged: bool) -> list[Content]:
    heading = drawing.draw_piece(replace(thing, brief=""), Detail.NAMES if flagged else Detail.HEADS)
    style = f"bold {drawing.thing_colour(thing)}"
    return [heading, *(Content.styled(row, style) for row in blocks.figure_rows(thing.brief))]


def _lines(cells: Sequence[list[Content]], width: int) -> list[list[list[Content]]]:
    """Arrange cells in as many lines as they take."""
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
