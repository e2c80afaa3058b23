"""What lies on the table: the zones in the middle, and a panel for each seat. Gives each the rows it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from companion.games.table import TableView
from companion.session.asked import due
from companion.session.selection import Selection
from companion.tui.table_drawing import Detail
from companion.tui.textual_private.faults import FaultTolerant
from companion.tui.widgets.lanes import LanesPanel, LanesPart, columns_of
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.seat import SeatPanel, SeatPart
from companion.tui.widgets.zone import ZonePanel, ZonePart, need_frames

_FRAME_ROWS = 2
_FRAME_COLUMNS = 2
_PADDING = 2
_DECK_COLUMNS = 20
_PANEL_COLUMNS = 24
"""Columns below which a small panel cannot show all that a seat has, while a row as wide as the screen can."""
_NAME_COLUMNS = 8
_LEAST = 6
_SPARE = 2
"""Rows that figures may not take from the prompts, which need them sooner or later."""
_PROMPTS = 5
"""Rows of those below that are for the prompts."""
_REST = 11
"""Rows that head, prompts, log, command bar, its answer and keys take at least."""
_WIDE = 100
"""Columns from which on the log stands beside the prompts; the app's breakpoint says the same to the stylesheets."""
_REST_OF_MANY = 9
"""The same where so much lies on the table that it does not fit otherwise."""
_REST_OF_LITTLE = 7
"""The same in a window that is too small for a table, where two of them are for the prompts."""

LEAST = (60, 18)
"""Columns and rows below which a table shows only who sits there with their big figures."""


class Framed(Protocol):
    """What a panel shows, and whether in a frame."""

    @property
    def framed(self) -> bool:
        """Whether a frame takes a row above and below, and a column at each side."""
        ...


P = TypeVar("P", bound=Framed)


class Room(NamedTuple):
    """How much room there is, in columns and rows of the whole screen."""

    width: int = 80
    height: int = 24

    @property
    def ample(self) -> bool:
        """Whether there is room for everything a game has to show."""
        return self.width >= 160 and self.height >= 45

    @property
    def small(self) -> bool:
        """Whether there is no room for a table."""
        return self.width < LEAST[0] or self.height < LEAST[1]

    @property
    def beside_the_log(self) -> int:
        """Columns that prompts have, which share them with the log where there is room for both."""
        return (self.width // 2 if self.width >= _WIDE else self.width) - _PADDING

    @property
    def for_the_board(self) -> int:
        """Rows that a board may take at most."""
        return max(self.height - _REST_OF_LITTLE, 0) if self.small else max(self.height - _REST, 2 * _LEAST)


class Parts(NamedTuple):
    """What each panel of a board shows, with the same detail."""

    zones: Sequence[ZonePart]
    seats: Sequence[SeatPart]
    lanes: Sequence[LanesPart]

    @property
    def in_rows(self) -> bool:
        """Whether seats stand below each other without frames."""
        return any(not part.framed for part in self.seats)

    def cut_to(self, rows: int, room: Room) -> Parts:
        """The same with so many rows for the seats below each other: each has its share, and what others leave."""
        needs = [_height(part, SeatPanel, room.width) for part in self.seats]
        seats = []
        for at, part in enumerate(self.seats):
            share = max(1, rows // (len(needs) - at), rows - sum(needs[at + 1 :]))
            seats.append(part._replace(most=share))
            rows -= min(share, needs[at])
        return self._replace(seats=seats)

    def kept_free(self, asked: int) -> int:
        """Rows left to the prompts, which would like so many: figures take less than all, and explanations give way."""
        detail = max((part.detail for part in self.seats), default=Detail.HEADS)
        wanted = asked - _PROMPTS if detail is Detail.FULL else 0
        return max(_SPARE, wanted) if detail >= Detail.FIGURES else 0

    def rows(self, room: Room) -> dict[str, int]:
        """How many rows each holder of panels takes, frames included."""
        seats = rows_below_each_other if self.in_rows else rows_of
        return {
            "#zones": rows_of(self.zones, ZonePanel, room),
            "#above": seats(self.above, SeatPanel, room),
            "#lanes": rows_of(self.lanes, LanesPanel, room),
            "#seats": seats(self.below, SeatPanel, room),
        }

    @property
    def above(self) -> Sequence[SeatPart]:
        """Who sits at the other side of the lanes."""
        return self.seats[:1] if self.lanes else ()

    @property
    def below(self) -> Sequence[SeatPart]:
        """Everybody else."""
        return self.seats[1:] if self.lanes else self.seats


class Board(FaultTolerant, Vertical):
    """Zones above, seats below; where seats face each other in lanes, the first one sits above these."""

    DEFAULT_CSS = """
    Board { height: auto; }
    Board > Horizontal { height: auto; }
    Board > Horizontal > Panel { width: 1fr; height: 100%; border: round $foreground 50%; padding: 0 1; }
    Board > Horizontal > Panel.-flat, Board > #lanes > Panel { border: none; }
    Board.-rows > #seats { layout: vertical; }
    Board.-rows > Horizontal > SeatPanel { width: 100%; height: auto; border: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        # A key and a resize may both ask for a drawing; panels are added and taken away by one of them at a time.
        self._one_at_a_time = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """Empty rows; panels come with the first view."""
        for name in ("zones", "above", "lanes", "seats"):
            yield Horizontal(id=name)

    async def show(self, view: TableView, selection: Selection, room: Room, asked: int = 0) -> int:
        """Draw the view with what keys would change, and say in how many rows.

        `asked` are the rows that the prompts would like.
        """
        parts, rows = fitting(view, selection, room, asked)
        self.set_class(parts.in_rows, "-rows")
        async with self._one_at_a_time:
            await self._fill("#zones", ZonePanel, parts.zones, rows["#zones"])
            await self._fill("#above", SeatPanel, parts.above, rows["#above"])
            await self._fill("#lanes", LanesPanel, parts.lanes, rows["#lanes"])
            await self._fill("#seats", SeatPanel, parts.below, rows["#seats"])
        return sum(rows.values())

    async def _fill(self, row: str, kind: type[Panel[P]], parts: Sequence[P], height: int) -> None:
        """Give every part its panel, and all of them so many rows."""
        holder = self.query_one(row, Horizontal)
        panels = list(holder.query_children(Panel))
        if len(panels) > len(parts):
            await holder.remove_children(panels[len(parts) :])
        if len(panels) < len(parts):
            await holder.mount_all([kind() for _ in parts[len(panels) :]])
        panels = list(holder.query_children(Panel))
        if not holder.is_attached or len(panels) != len(parts):
            return  # the table is being left, and takes in nothing any more
        for panel, part in zip(panels, parts, strict=True):
            panel.show(part)
        now = holder.styles.height
        if now is None or now.is_auto or now.value != height:
            holder.styles.height = height


def fitting(view: TableView, selection: Selection, room: Room, asked: int) -> tuple[Parts, dict[str, int]]:
    """The most that there is room for, and the rows that each holder of panels gets."""
    left = room.for_the_board
    for parts in parts_by_detail(view, selection, room):
        rows = parts.rows(room)
        if sum(rows.values()) <= left - parts.kept_free(asked):
            break
    left = left if room.small else max(left, min(sum(rows.values()), room.height - _REST_OF_MANY))
    if parts.in_rows and sum(rows.values()) > left:
        parts = parts.cut_to(left - rows["#lanes"] - rows["#zones"], room)
        rows = parts.rows(room)
    return parts, _shared_out(rows, left)


def _shared_out(rows: dict[str, int], left: int) -> dict[str, int]:
    """The rows that each holder gets of those that are left: the seats first, but for the least that zones need."""
    rest = left - sum(rows.values()) + rows["#zones"]
    shares = {"#zones": min(rows["#zones"], max(min(_LEAST, left), rest))}
    left -= shares["#zones"]
    for holder in ("#above", "#seats", "#lanes"):
        shares[holder] = min(rows[holder], left)
        left -= shares[holder]
    return shares


def parts_by_detail(view: TableView, selection: Selection, room: Room) -> Iterator[Parts]:
    """What the panels show, in less and less detail."""
    if room.small:
        yield parts_of(view, selection, room, Detail.HEADS)
        return
    wide = not view.seats or room.width // len(view.seats) >= _PANEL_COLUMNS
    for detail in (Detail.FULL, Detail.FIGURES, Detail.PANELS, Detail.ROWS, Detail.NAMES, Detail.FIRST):
        if wide or detail is not Detail.PANELS:
            yield parts_of(view, selection, room, detail)


def parts_of(view: TableView, selection: Selection, room: Room, detail: Detail) -> Parts:
    """What each panel shows."""
    # A table before its set-up has zones without things: they would only take the seats' room.
    zones = view.zones if any(zone.things for zone in view.zones) else ()
    change = changing(selection)
    chosen = selection.chosen.target
    asked = due(view)[:1]
    waits_for = asked[0].seat if asked else ""
    names = max((len(seat.name) for seat in view.seats), default=0)
    sides = tuple(side for seat in view.seats if (side := columns_of(seat)))
    return Parts(
        [ZonePart(zone, detail, need_frames(zones, detail), chosen, change) for zone in zones],
        [
            SeatPart(
                seat,
                number,
                deck=seat.title if room.width // len(view.seats) >= _DECK_COLUMNS else "",
                asked=seat.seat == waits_for,
                counter=selection.title if seat.seat == chosen else "",
                change=change if seat.seat == chosen else "",
                detail=detail,
                all=room.ample,
                name_columns=min(_NAME_COLUMNS, names),
            )
            for number, seat in enumerate(view.seats, 1)
        ],
        [LanesPart(sides, detail)] if sides else [],
    )


def rows_of(parts: Sequence[P], kind: type[Panel[P]], room: Room) -> int:
    """The rows that the highest of some panels side by side needs, its frame included."""
    columns = room.width // max(1, len(parts))
    return max((_height(part, kind, columns) for part in parts), default=0)


def rows_below_each_other(parts: Sequence[P], kind: type[Panel[P]], room: Room) -> int:
    """The rows that all panels need, each as wide as the screen."""
    return sum(_height(part, kind, room.width) for part in parts)


def _height(part: P, kind: type[Panel[P]], columns: int) -> int:
    frame = (_FRAME_ROWS, _FRAME_COLUMNS) if part.framed else (0, 0)
    return len(kind.draw(part, columns - _PADDING - frame[1])) + frame[0]


def changing(selection: Selection) -> str:
    """What is being keyed in: `HP −7?`; "" for nothing."""
    if selection.tally is None:
        return ""
    return f" {selection.title} {selection.tally.amount:+d}? ".replace("-", "−")
