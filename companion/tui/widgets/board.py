"""What lies on the table: the zones in the middle, and a panel for each seat. Gives each the rows it needs."""

from __future__ import annotations

from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from companion.games.table import SeatView, TableView
from companion.tui import asking, choosing
from companion.tui.choosing import Choice
from companion.tui.tally import Tally
from companion.tui.widgets.panel import Panel
from companion.tui.widgets.seat import SeatPanel, SeatPart
from companion.tui.widgets.zone import ZonePanel, ZonePart

_FRAME_ROWS = 2
_FRAME_COLUMNS = 4


class Room(NamedTuple):
    """How much room there is, in columns and rows of the whole screen."""

    width: int = 80
    height: int = 24

    @property
    def large(self) -> bool:
        """Whether seats have room for figures three rows high."""
        return self.height >= 30

    @property
    def ample(self) -> bool:
        """Whether there is room for everything a game has to show."""
        return self.width >= 160 and self.height >= 45


class Board(Vertical):
    """Zones above, seats below."""

    DEFAULT_CSS = """
    Board { height: auto; }
    Board > Horizontal { height: auto; }
    Board > Horizontal > Panel { width: 1fr; height: 100%; border: round $foreground 50%; padding: 0 1; }
    """

    def compose(self) -> ComposeResult:
        """Empty rows; panels come with the first view."""
        yield Horizontal(id="zones")
        yield Horizontal(id="seats")

    async def show(self, view: TableView, choice: Choice, tally: Tally | None, room: Room) -> None:
        """Draw the view; `choice` and `tally` are what keys would change."""
        # A bare dungeon before set-up has zones without things: they would only take the seats' room.
        zones = view.zones if any(zone.things for zone in view.zones) else ()
        change = "" if tally is None else changing(view, tally)
        zone_parts = [ZonePart(zone, room.large, choice.target, change) for zone in zones]
        asked = asking.due(view)[:1]
        waits_for = asked[0].seat if asked and view.outcome is None else ""
        seat_parts = [
            _seat_part(view, seat, number, choice, change, seat.seat == waits_for, room)
            for number, seat in enumerate(view.seats, 1)
        ]
        await self._fill("#zones", ZonePanel, zone_parts, room, most=max(6, room.height * 2 // 5))
        await self._fill("#seats", SeatPanel, seat_parts, room, most=max(6, room.height // 2))

    async def _fill(
        self,
        row: str,
        kind: type[Panel[ZonePart]] | type[Panel[SeatPart]],
        parts: list[ZonePart] | list[SeatPart],
        room: Room,
        most: int,
    ) -> None:
        """Give every part its panel, and the row as many rows as its highest panel needs."""
        holder = self.query_one(row, Horizontal)
        panels = list(holder.query_children(Panel))
        if len(panels) > len(parts):
            await holder.remove_children(panels[len(parts) :])
        if len(panels) < len(parts):
            added = [kind() for _ in parts[len(panels) :]]
            await holder.mount_all(added)
        rows = 0
        for panel, part in zip(holder.query_children(Panel), parts, strict=True):
            panel.show(part)
            rows = max(rows, panel.needs(room.width // len(parts) - _FRAME_COLUMNS))
        height = min(rows + _FRAME_ROWS, most) if parts else 0
        if holder.styles.height is None or holder.styles.height.value != height:
            holder.styles.height = height


def changing(view: TableView, tally: Tally) -> str:
    """What is being keyed in: `HP −7?`."""
    title = choosing.title(view, Choice(tally.target, tally.counter))
    return f" {title} {tally.amount:+d}? ".replace("-", "−")


def _seat_part(
    view: TableView, seat: SeatView, number: int, choice: Choice, change: str, asked: bool, room: Room
) -> SeatPart:
    chosen = seat.seat == choice.target
    counter = choosing.title(view, choice) if chosen else ""
    return SeatPart(seat, number, asked, counter, change if chosen else "", room.large, room.ample)
