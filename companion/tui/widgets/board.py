"""The board: the zones in the middle, and a panel for each seat, each with the rows that it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace
from textual.containers import Horizontal, Vertical

from companion.session.reading.selection import Selection
from companion.session.reading.table_questions import due_prompts
from companion.tabletop.table.table import TableView, Zone, count_teams
from companion.tabletop.text import signed_figure
from companion.tui import blocks, drawing
from companion.tui.drawing import Detail
from companion.tui.terminal.textual_private import FaultTolerant, PlainGround
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.score_sheet import ScoreSheetPanel, ScoreSheetPart
from companion.tui.widgets.seats import SeatPanel, SeatPart
from companion.tui.widgets.zones import LanesPanel, LanesPart, ZonePanel, ZonePart, columns_of, need_frames
from templates.languages.messages import phrase

_FRAME_ROWS = 2
_FRAME_COLUMNS = 2
_PADDING = 2
_DECK_COLUMNS = 20
_PANEL_COLUMNS = 24
"""Columns below which a small panel cannot show everything about a seat, while a row as wide as the screen can."""
_ZONE_COLUMNS = 24
"""Columns below which a zone in the middle shares its panel with others."""
_LEAST_COLUMNS = 16
"""Columns below which a panel says nothing, if there is room to put seats below each other."""
_NAME_COLUMNS = 8
_NUMBER_COLUMNS = 2
"""Columns of the mark and the blank before a name, beside its number."""
_NAME_GAP = 2
"""Columns between a name and the figures behind it."""
_TITLE_ENDS = 2
"""Columns of a row that a name in the frame above it leaves free."""
_MANY = 5
"""The number of seats from which on their panels can take several rows."""
_CROWD = 10
"""The number of seats from which on rows without frames can be side by side."""
_MOST_LINES = 4
"""The most rows for the figures of a seat without a frame."""
_LEAST = 6
_SPARE = 2
"""Rows that figures leave to the prompts, which need them sooner or later."""
_PROMPTS = 5
"""Rows of `_REST` that are for the prompts."""
_REST = 11
"""The minimum of rows for the head, prompts, log, command bar, status line and keys."""
_WIDE = 100
"""Columns from which on the log is beside the prompts; the app's breakpoint is the same for the stylesheets."""
_AROUND = 5
"""The rows of the head, the command bar, the status line, and the keys."""
_REST_OF_MANY = 9
"""The same minimum if the table holds so much that it does not fit otherwise."""
_REST_OF_LITTLE = 7
"""The same minimum in a window that is too small for a table; two of these rows are for the prompts."""

LEAST = (60, 18)
"""Columns and rows below which a table shows only the players with their big figures."""


class Framed(Protocol):
    """The content of a panel, which may have a frame."""

    @property
    def is_framed(self) -> bool:
        """True if a frame takes a row above and below, and a column at each side."""
        ...


P = TypeVar("P", bound=Framed)


class BoardSpace(msgspec.Struct, frozen=True):
    """The available room, in columns and rows of the whole screen."""

    width: int = 80
    height: int = 24
    is_alone: bool = False
    """True if the board has all of it, without prompts and messages below."""

    @property
    def ample(self) -> bool:
        """True if there is room for everything that a game can show."""
        return self.width >= 160 and self.height >= 45

    @property
    def small(self) -> bool:
        """True if there is no room for a table."""
        return not self.is_alone and (self.width < LEAST[0] or self.height < LEAST[1])

    @property
    def beside_the_log(self) -> int:
        """Columns of the prompts, which share the width with the log if there is room for both."""
        return (self.width // 2 if self.width >= _WIDE else self.width) - _PADDING

    @property
    def for_the_board(self) -> int:
        """The maximum of rows for the board."""
        if self.is_alone:
            return self.height
        return max(self.height - _REST_OF_LITTLE, 0) if self.small else max(self.height - _REST, 2 * _LEAST)


class Parts(msgspec.Struct, frozen=True):
    """The contents of all panels of a board, with the same detail."""

    zones: Sequence[ZonePart]
    seats: Sequence[SeatPart]
    lanes: Sequence[LanesPart]
    sheets: Sequence[ScoreSheetPart] = ()
    beside: int = 0
    """The number of seats side by side; 0 for all of them in a row of panels, and for one in rows without frames."""

    @property
    def in_rows(self) -> bool:
        """True if seats are below each other without frames."""
        return any(not part.is_framed for part in self.seats)

    def cut_to(self, rows: int, room: BoardSpace) -> Parts:
        """Return the parts with `rows` rows for the seats below each other: each gets its share, and what others leave.

        Seats side by side have one row each; the last ones are left out.
        """
        if self.beside:
            return msgspec.structs.replace(self, seats=self.seats[: max(1, rows) * self.beside])
        needs = [_panel_height(part, SeatPanel, room.width) for part in self.seats]
        seats = []
        for at, part in enumerate(self.seats):
            share = max(1, rows // (len(needs) - at), rows - sum(needs[at + 1 :]))
            seats.append(msgspec.structs.replace(part, most=share))
            rows -= min(share, needs[at])
        return msgspec.structs.replace(self, seats=seats)

    def kept_free(self, prompt_rows: int) -> int:
        """Return the rows that are left to the prompts, which need `prompt_rows`: figures take less than all, and
        explanations give way.
        """
        detail = max((part.detail for part in self.seats), default=Detail.HEADS)
        free = prompt_rows - _PROMPTS if detail is Detail.FULL else 0
        return max(_SPARE, free) if detail >= Detail.FIGURES else 0

    def fuller(self) -> Iterator[Parts]:
        """Yield the parts with more rows for what one row cannot hold, the most rows first."""
        replace = msgspec.structs.replace
        zones = [replace(part, whole=True) for part in self.zones]
        for lines in range(_MOST_LINES, 0, -1) if self.in_rows else (1,):
            seats = [replace(part, lines=lines) for part in self.seats]
            yield from (replace(self, zones=each, seats=seats) for each in (zones, self.zones))

    def with_zones_in(self, rows: int) -> Parts:
        """Return the parts with `rows` rows for zones without frames."""
        return msgspec.structs.replace(self, zones=[msgspec.structs.replace(part, most=rows) for part in self.zones])

    def rows(self, room: BoardSpace) -> dict[str, int]:
        """Return the rows of each holder of panels, frames included."""
        return {
            "#zones": rows_needed(self.zones, ZonePanel, room),
            "#sheets": rows_needed(self.sheets, ScoreSheetPanel, room),
            "#above": self._seat_rows(self.above, room),
            "#lanes": rows_needed(self.lanes, LanesPanel, room),
            "#seats": self._seat_rows(self.below, room),
        }

    def _seat_rows(self, seats: Sequence[SeatPart], room: BoardSpace) -> int:
        if self.in_rows and not self.beside:
            return rows_below_each_other(seats, SeatPanel, room)
        beside = self.beside or max(1, len(seats))
        return rows_needed(seats, SeatPanel, room, beside) * -(-len(seats) // beside)

    @property
    def above(self) -> Sequence[SeatPart]:
        """The seat at the other side of the lanes."""
        return self.seats[:1] if self.lanes else ()

    @property
    def below(self) -> Sequence[SeatPart]:
        """All other seats."""
        return self.seats[1:] if self.lanes else self.seats


_HOLDERS = ("zones", "sheets", "above", "lanes", "seats")


class Board(FaultTolerant, PlainGround, Vertical):
    """Zones above, seats below; if seats face each other in lanes, the first one is above these."""

    DEFAULT_CSS = """
    Board { height: auto; }
    Board > Horizontal { height: auto; }
    Board > Horizontal > Panel { width: 1fr; height: 100%; border: round $line; padding: 0 1; }
    Board > Horizontal > Panel { border-subtitle-color: $text; }
    Board > Horizontal > Panel.-flat, Board > #lanes > Panel { border: none; }
    Board.-rows > #seats { layout: vertical; }
    Board > Horizontal.-grid { layout: grid; }
    Board.-rows > Horizontal > SeatPanel { width: 100%; height: auto; border: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        # A key and a resize may both start a drawing; only one of them at a time may add and remove panels.
        self._one_at_a_time = asyncio.Lock()

    def render(self) -> str:
        """See `textual.widget.Widget.render`; without panels, Textual would draw the name of this class."""
        return ""

    async def show(
        self, view: TableView, selection: Selection, room: BoardSpace, prompt_rows: int = 0, least: int = 0
    ) -> int:
        """Draw the view with the running change, and return the number of rows.

        `prompt_rows` is the number of rows that the prompts need, and `least` that in brief.
        """
        parts, rows = fitting(view, selection, room, prompt_rows, least)
        self.set_class(parts.in_rows and not parts.beside, "-rows")
        beside = 0 if parts.beside >= len(parts.below) else parts.beside
        async with self._one_at_a_time:
            await self._fill("zones", ZonePanel, parts.zones, rows["#zones"])
            await self._fill("sheets", ScoreSheetPanel, parts.sheets, rows["#sheets"])
            await self._fill("above", SeatPanel, parts.above, rows["#above"])
            await self._fill("lanes", LanesPanel, parts.lanes, rows["#lanes"])
            await self._fill("seats", SeatPanel, parts.below, rows["#seats"], beside)
        return sum(rows.values())

    async def _fill(self, name: str, kind: type[Panel[P]], parts: Sequence[P], height: int, beside: int = 0) -> None:
        """Give each part a panel, all in `height` rows, in a holder that is made for the first of them.

        `beside` is the number of panels side by side if there are several rows of them.
        """
        holder = next((each for each in self.query_children(Horizontal) if each.id == name), None)
        if holder is None:
            if not parts:
                return
            holder = Horizontal(id=name)
            below = _HOLDERS[_HOLDERS.index(name) + 1 :]
            await self.mount(holder, before=next((each for each in self.children if each.id in below), None))
        panels = list(holder.query_children(Panel))
        if len(panels) > len(parts):
            await holder.remove_children(panels[len(parts) :])
        if len(panels) < len(parts):
            await holder.mount_all([kind() for _ in parts[len(panels) :]])
        panels = list(holder.query_children(Panel))
        if not holder.is_attached or len(panels) != len(parts):
            return  # the table is being left, and mounts nothing any more
        for panel, part in zip(panels, parts, strict=True):
            panel.show(part)
        if holder.has_class("-grid") != bool(beside):
            holder.set_class(bool(beside), "-grid")
        if beside and holder.styles.grid_size_columns != beside:
            holder.styles.grid_size_columns = beside
        now = holder.styles.height
        if now is None or now.is_auto or now.value != height:
            holder.styles.height = height


def fitting(
    view: TableView, selection: Selection, room: BoardSpace, prompt_rows: int, least: int = 0
) -> tuple[Parts, dict[str, int]]:
    """Return the parts with the most detail that fits, and the rows of each holder of panels.

    `prompt_rows` and `least` are as for `Board.show`.
    """
    left = room.for_the_board
    for parts in parts_by_detail(view, selection, room):
        rows = parts.rows(room)
        free = left - parts.kept_free(prompt_rows)
        if sum(rows.values()) <= free:
            spare = free if room.is_alone else min(free, room.height - _AROUND - least)
            parts, rows = _use_rows_left(parts, rows, spare, room)
            break
    left = left if room.small else max(left, min(sum(rows.values()), room.height - _REST_OF_MANY))
    if parts.in_rows and sum(rows.values()) > left:
        parts = parts.cut_to(left - rows["#lanes"] - rows["#zones"] - rows["#sheets"], room)
        rows = parts.rows(room)
    shares = _shared_out(rows, left)
    parts = _fill_zones(parts, shares["#zones"], room)
    return parts, _without_gaps(parts, rows, shares, room)


def _fill_zones(parts: Parts, rows: int, room: BoardSpace) -> Parts:
    """Return the parts with all of those zones that have room for it, since another one beside them is higher."""
    columns = room.width // max(1, len(parts.zones))
    whole = [msgspec.structs.replace(part, whole=True) for part in parts.zones]
    zones = [
        fuller if _panel_height(fuller, ZonePanel, columns) <= rows else part
        for fuller, part in zip(whole, parts.zones, strict=True)
    ]
    return msgspec.structs.replace(parts, zones=zones)


def _use_rows_left(parts: Parts, rows: dict[str, int], most: int, room: BoardSpace) -> tuple[Parts, dict[str, int]]:
    """Return the parts with as much of what one row cannot hold as the rows that are left hold, and their rows."""
    for fuller in parts.fuller() if sum(rows.values()) < most else ():
        needed = fuller.rows(room)
        if sum(needed.values()) <= most:
            return fuller, needed
        of_zones = most - sum(needed.values()) + needed["#zones"]
        is_flat = not any(part.is_framed for part in fuller.zones)
        if is_flat and rows["#zones"] < of_zones < needed["#zones"]:
            return fuller.with_zones_in(of_zones), {**needed, "#zones": of_zones}
    return parts, rows


def _shared_out(rows: dict[str, int], left: int) -> dict[str, int]:
    """Return the share of each holder in the rows that are left: the seats first, after the minimum for the zones."""
    rest = left - sum(rows.values()) + rows["#zones"]
    shares = {"#zones": min(rows["#zones"], max(min(_LEAST, left), rest))}
    left -= shares["#zones"]
    for holder in ("#above", "#seats", "#lanes", "#sheets"):
        shares[holder] = min(rows[holder], left)
        left -= shares[holder]
    return shares


def _without_gaps(parts: Parts, rows: dict[str, int], shares: dict[str, int], room: BoardSpace) -> dict[str, int]:
    """Return the shares without the rows that would stay empty, as a panel leaves out more than one row at a time."""
    holders: tuple[tuple[str, Sequence[Any], type[Panel[Any]]], ...] = (
        ("#zones", parts.zones, ZonePanel),
        ("#sheets", parts.sheets, ScoreSheetPanel),
        ("#lanes", parts.lanes, LanesPanel),
    )
    used = {
        name: max(_height_within(part, kind, room.width // len(each), shares[name]) for part in each)
        for name, each, kind in holders
        if each and 0 < shares[name] < rows[name]
    }
    return {**shares, **used}


def _height_within(part: P, kind: type[Panel[P]], columns: int, height: int) -> int:
    """Return the rows that a panel takes of a height that is too small for all of it."""
    frame = (_FRAME_ROWS, _FRAME_COLUMNS) if part.is_framed else (0, 0)
    width = columns - _PADDING - frame[1]
    fitted = kind.fit_rows(part, kind.draw(part, width), width, max(0, height - frame[0]))
    return min(height, len(fitted) + frame[0])


def parts_by_detail(view: TableView, selection: Selection, room: BoardSpace) -> Iterator[Parts]:
    """Yield the parts in less and less detail."""
    if room.small:
        yield parts_of(view, selection, room, Detail.HEADS)
        return
    needed = _columns_needed(view) + _FRAME_COLUMNS + _PADDING
    teams = 0 if any(map(columns_of, view.seats)) else count_teams(view.seats)
    if teams and room.width // teams >= max(_PANEL_COLUMNS, needed):
        for detail in (Detail.FULL, Detail.FIGURES, Detail.PANELS):  # partners below each other
            yield parts_of(view, selection, room, detail, teams)
    for detail in (Detail.FULL, Detail.FIGURES, Detail.PANELS):
        least = _PANEL_COLUMNS if detail is Detail.PANELS else _LEAST_COLUMNS if room.is_alone else 0
        beside = next((each for each in _numbers_beside(view) if room.width // each >= max(least, needed)), 0)
        if beside:
            yield parts_of(view, selection, room, detail, beside)
    for detail in (Detail.ROWS, Detail.NAMES, Detail.FIRST):
        yield parts_of(view, selection, room, detail)
    if len(view.seats) >= _CROWD and not any(map(columns_of, view.seats)):
        for columns in range(2, room.width // _columns_in_row(view) + 1):
            yield parts_of(view, selection, room, Detail.FIRST, columns)


def _numbers_beside(view: TableView) -> Iterator[int]:
    """Yield how many seats can be side by side: all of them, or half of them or a third if there are many."""
    seats = max(1, len(view.seats))
    yield seats
    if seats >= _MANY and not any(map(columns_of, view.seats)):
        yield from (-(-seats // 2), -(-seats // 3))


def _columns_needed(view: TableView) -> int:
    """Return the columns that a seat's panel needs at least, so that no name and no figure is cut."""
    names = max((len(seat.name) for seat in view.seats), default=0)
    figures = (len(str(c.figure)) for seat in view.seats for c in seat.counters if c.is_visible and c.number)
    number = _NUMBER_COLUMNS + len(str(len(view.seats)))
    return max(min(_NAME_COLUMNS, names) + number + _TITLE_ENDS, *figures, 0)


def _columns_in_row(view: TableView) -> int:
    """Return the columns that a seat without a frame needs at least: for its name and its first figure."""
    names = max((len(seat.name) for seat in view.seats), default=0)
    firsts = [first for seat in view.seats if (first := drawing.first_big(seat.counters)) is not None]
    figures = max((len(str(first.brief_caption)) + 1 + drawing.gauge_length(first) for first in firsts), default=0)
    number = _NUMBER_COLUMNS + len(str(len(view.seats)))
    return min(_NAME_COLUMNS, names) + number + _NAME_GAP + figures + _PADDING


def parts_of(view: TableView, selection: Selection, room: BoardSpace, detail: Detail, beside: int = 0) -> Parts:
    """Return the parts at this detail, with `beside` seats side by side; 0 stands for all of them."""
    # Before the set-up a table has zones without things, which would only take the seats' room.
    zones = _in_few(view.zones, room.width) if any(zone.things for zone in view.zones) else ()
    change = changing(selection)
    target = selection.chosen.target
    prompts = due_prompts(view)[:1]
    waits_for = prompts[0].seat if prompts else ""
    names = max((len(seat.name) for seat in view.seats), default=0)
    sides = tuple(side for seat in view.seats if (side := columns_of(seat)))
    columns = room.width // (beside or max(1, len(view.seats)))
    firsts = [first for seat in view.seats if (first := drawing.first_big(seat.counters)) is not None]
    return Parts(
        [ZonePart(zone, detail, need_frames(zones, detail), target, change) for zone in zones],
        [
            SeatPart(
                seat,
                number,
                deck=str(seat.title) if columns >= _DECK_COLUMNS else "",
                is_asked=seat.seat == waits_for,
                counter=selection.title if seat.seat == target else "",
                change=change if seat.seat == target else "",
                detail=detail,
                all=room.ample or room.is_alone,
                name_columns=min(_NAME_COLUMNS, names),
                number_columns=len(str(len(view.seats))),
                columns=columns - _FRAME_COLUMNS - _PADDING,
                widest=max((blocks.figure_width(first.number or 0) for first in firsts), default=0),
                longest=max(map(drawing.gauge_length, firsts), default=0),
            )
            for number, seat in enumerate(view.seats, 1)
        ],
        [LanesPart(sides, detail)] if sides else [],
        [ScoreSheetPart(view.sheet, detail)] if view.sheet else [],
        beside,
    )


def _in_few(zones: Sequence[Zone], width: int) -> Sequence[Zone]:
    """Return the zones that fit side by side.

    If there are too many, those without a large figure are merged into one, in which each thing of a lane or of a named
    zone says where it is.
    """
    if width // max(1, len(zones)) >= _ZONE_COLUMNS:
        return zones
    large = [zone for zone in zones if any(drawing.first_big(thing.counters) for thing in zone.things)]
    others = [zone for zone in zones if zone.things and zone not in large]
    if len(others) < 2:
        return (*large, *others)
    lying = ((zone, thing) for zone in others for thing in zone.things)
    things = (
        replace(each, title=phrase("{zone}: {thing}", zone=zone.title, thing=each.title))
        if zone.column or zone.is_named
        else each
        for zone, each in lying
    )
    return (*large, Zone("middle", phrase("On the table"), tuple(things)))


def rows_needed(parts: Sequence[P], kind: type[Panel[P]], room: BoardSpace, beside: int = 0) -> int:
    """Return the rows of the highest of some panels side by side, its frame included.

    `beside` is their number if other panels are side by side in further rows.
    """
    columns = room.width // max(1, beside or len(parts))
    return max((_panel_height(part, kind, columns) for part in parts), default=0)


def rows_below_each_other(parts: Sequence[P], kind: type[Panel[P]], room: BoardSpace) -> int:
    """Return the rows of panels below each other, each as wide as the screen."""
    return sum(_panel_height(part, kind, room.width) for part in parts)


def _panel_height(part: P, kind: type[Panel[P]], columns: int) -> int:
    frame = (_FRAME_ROWS, _FRAME_COLUMNS) if part.is_framed else (0, 0)
    return len(kind.draw(part, columns - _PADDING - frame[1])) + frame[0]


def changing(selection: Selection) -> str:
    """Return the running change: `HP −7?`; "" for none."""
    if selection.tally is None:
        return ""
    return f" {selection.title} {signed_figure(selection.tally.amount)}? "
