"""A place on the table with the things that lie there: in the middle, in a lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.content import Content

from companion.games.table import Thing, Zone
from companion.tui import drawing, table_drawing
from companion.tui.messages import TargetChosen
from companion.tui.table_drawing import Detail
from companion.tui.widgets.panel import Panel


class ZonePart(NamedTuple):
    """A zone as it is shown; `chosen` is the thing that keys would change, `change` what is being keyed in."""

    zone: Zone
    detail: Detail
    framed: bool = True
    chosen: str = ""
    change: str = ""


def need_frames(zones: Sequence[Zone], detail: Detail) -> bool:
    """Whether zones have frames; where rows are scarce, only if one has a large figure."""
    big = any(table_drawing.first_big(thing.counters) for zone in zones for thing in zone.things)
    return detail > Detail.ROWS or (big and detail > Detail.HEADS)


class ZonePanel(Panel[ZonePart]):
    """One zone in a frame, or in rows that begin with its title."""

    def changed(self, part: ZonePart) -> None:
        """The frame tells the zone, or the one thing in it."""
        things = part.zone.things
        title = part.zone.title
        if len(things) == 1:
            alone = table_drawing.name_of(things[0])
            title = alone if title in alone else f"{title}: {alone}"
        chosen = any(thing.target == part.chosen for thing in things)
        self.border_title = Content.styled(f"{'◆ ' if chosen else ''}{title}", "bold")
        self.border_subtitle = Content.styled(part.change, "bold reverse") if chosen and part.change else ""
        self.set_class(chosen, "-chosen")
        self.set_class(not part.framed, "-flat")

    @staticmethod
    def draw(part: ZonePart, width: int) -> list[Content]:
        """One thing with a large figure, several in a row each."""
        things = part.zone.things
        if not things:
            return [Content.styled("none", drawing.DIM)]
        if not part.framed:
            return _without_frame(part, width)
        return [row for thing in things for row in _rows(thing, part, width)]

    def on_click(self, event: events.Click) -> None:
        """A click chooses the thing in that row, or the only one that can be meant."""
        if self.part is None or not self.part.zone.things:
            return
        event.stop()
        things, width = self.part.zone.things, self.content_size.width
        rows = [thing for thing in things for _ in _rows(thing, self.part, width)] if self.part.framed else things[:1]
        at = event.get_content_offset_capture(self).y
        self.post_message(TargetChosen(rows[min(max(at, 0), len(rows) - 1)].target))


def _rows(thing: Thing, part: ZonePart, width: int) -> list[Content]:
    large = part.detail is Detail.FULL
    if len(part.zone.things) == 1:
        return table_drawing.portrait(thing, width, large=large)
    return list(table_drawing.row_of(thing, width, large=large))


def _without_frame(part: ZonePart, width: int) -> list[Content]:
    """The title and the things in as few rows as possible, or the first thing alone."""
    if part.detail is Detail.HEADS:
        return table_drawing.row_of(part.zone.things[0], width, large=False)
    return table_drawing.zone_rows(part.zone, width, large=part.detail > Detail.NAMES)
