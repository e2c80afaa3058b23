"""What lies on the table: the zones in the middle, and a panel for each seat. Gives each the rows it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from companion.games.table import TableView
from companion.tui import asking, choosing
from companion.tui.choosing import Choice
from companion.tui.fault_tolerant import FaultTolerant
from companion.tui.tally import Tally
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.seat import SeatPanel, SeatPart
from companion.tui.widgets.zone import ZonePanel, ZonePart

_FRAME_ROWS = 2
_FRAME_COLUMNS = 4
_BAND_COLUMNS = 20
_PANEL_COLUMNS = 24
"""Columns below which a small panel cannot show all that a seat has, while a row as wide as the screen can."""
_NAME_COLUMNS = 8
_LEAST = 6
_SPARE = 2
"""Rows that figures may not take from Now, which needs them sooner or later."""
_NOW = 5
"""Rows of those below that are for Now."""
_REST = 11
"""Rows that head, Now, log, command bar, its answer and keys take at least."""

P = TypeVar("P")


class Room(NamedTuple):
    """How much room there is, in columns and rows of the whole screen."""

    width: int = 80
    height: int = 24

    @property
    def ample(self) -> bool:
        """Whether there is room for everything a game has to show."""
        return self.width >= 160 and self.height >= 45


class Board(FaultTolerant, Vertical):
    """Zones above, seats below."""

    DEFAULT_CSS = """
    Board { height: auto; }
    Board > Horizontal { height: auto; }
    Board > Horizontal > Panel { width: 1fr; height: 100%; border: round $foreground 50%; padding: 0 1; }
    Board.-rows > #seats { layout: vertical; }
    Board.-rows > #seats > Panel { width: 100%; height: auto; border: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        # A key and a resize may both ask for a drawing; panels are added and taken away by one of them at a time.
        self._one_at_a_time = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """Empty rows; panels come with the first view."""
        yield Horizontal(id="zones")
        yield Horizontal(id="seats")

    async def show(self, view: TableView, choice: Choice, tally: Tally | None, room: Room, asked: int = 0) -> int:
        """Draw the view, and say in how many rows.

        `choice` and `tally` are what keys would change, `asked` the rows that Now would like.
        """
        left = max(room.height - _REST, 2 * _LEAST)
        for large in (True, False):
            zones, seats = parts_of(view, choice, tally, room, large=large)
            zone_rows, seat_rows = rows_of(zones, ZonePanel, room), rows_of(seats, SeatPanel, room)
            if zone_rows + seat_rows <= left - max(_SPARE, asked - _NOW):
                break
        in_rows = bool(seats) and not large and room.width // len(seats) < _PANEL_COLUMNS
        if in_rows:
            names = min(_NAME_COLUMNS, max(len(seat.seat.name) for seat in seats))
            seats = [seat._replace(in_a_row=names) for seat in seats]
            seat_rows = len(seats)
        self.set_class(in_rows, "-rows")
        zone_rows = min(zone_rows, max(_LEAST, left - seat_rows))
        async with self._one_at_a_time:
            await self._fill("#zones", ZonePanel, zones, zone_rows)
            await self._fill("#seats", SeatPanel, seats, min(seat_rows, left - zone_rows))
        return zone_rows + min(seat_rows, left - zone_rows)

    async def _fill(self, row: str, kind: type[Panel[P]], parts: Sequence[P], height: int) -> None:
        """Give every part its panel, and all of them so many rows."""
        holder = self.query_one(row, Horizontal)
        panels = list(holder.query_children(Panel))
        if len(panels) > len(parts):
            await holder.remove_children(panels[len(parts) :])
        if len(panels) < len(parts):
            await holder.mount_all([kind() for _ in parts[len(panels) :]])
        if not holder.is_attached:
            return  # the table was left meanwhile
        for panel, part in zip(holder.query_children(Panel), parts, strict=True):
            panel.show(part)
        if holder.styles.height is None or holder.styles.height.value != height:
            holder.styles.height = height


def parts_of(
    view: TableView, choice: Choice, tally: Tally | None, room: Room, *, large: bool
) -> tuple[list[ZonePart], list[SeatPart]]:
    """What each panel shows, with figures three rows high or in few rows."""
    # A table before its set-up has zones without things: they would only take the seats' room.
    zones = view.zones if any(zone.things for zone in view.zones) else ()
    change = "" if tally is None else changing(view, tally)
    asked = asking.due(view)[:1]
    waits_for = asked[0].seat if asked else ""
    return (
        [ZonePart(zone, large, choice.target, change) for zone in zones],
        [
            SeatPart(
                seat,
                number,
                band=seat.title if room.width // len(view.seats) >= _BAND_COLUMNS else "",
                asked=seat.seat == waits_for,
                counter=choosing.title(view, choice) if seat.seat == choice.target else "",
                change=change if seat.seat == choice.target else "",
                large=large,
                all=room.ample,
            )
            for number, seat in enumerate(view.seats, 1)
        ],
    )


def rows_of(parts: Sequence[P], kind: type[Panel[P]], room: Room) -> int:
    """The rows that the highest of some panels side by side needs, its frame included."""
    if not parts:
        return 0
    width = room.width // len(parts) - _FRAME_COLUMNS
    return max(len(kind.draw(part, width)) for part in parts) + _FRAME_ROWS


def changing(view: TableView, tally: Tally) -> str:
    """What is being keyed in: `HP −7?`."""
    title = choosing.title(view, Choice(tally.target, tally.counter))
    return f" {title} {tally.amount:+d}? ".replace("-", "−")
