"""A place on the table with the things that lie there: in the middle, in a lane."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content

from companion.games.table import Zone
from companion.tui import drawing
from companion.tui.widgets.panel import Panel


class ZonePart(NamedTuple):
    """A zone as it is shown: `large` says what each note means, `chosen` is the thing that keys would change."""

    zone: Zone
    large: bool
    chosen: str = ""
    change: str = ""


class ZonePanel(Panel[ZonePart]):
    """One zone in a frame."""

    def changed(self, part: ZonePart) -> None:
        """The frame tells the zone, or the one thing in it."""
        things = part.zone.things
        title = part.zone.title
        if len(things) == 1:
            alone = drawing.name_of(things[0])
            title = alone if title in alone else f"{title}: {alone}"
        chosen = any(thing.target == part.chosen for thing in things)
        self.border_title = Content.styled(f"{'◆ ' if chosen else ''}{title}", "bold")
        self.border_subtitle = Content.styled(part.change, "bold reverse") if chosen and part.change else ""
        self.set_class(chosen, "-chosen")

    @staticmethod
    def draw(part: ZonePart, width: int) -> list[Content]:
        """One thing with a large figure, several in a row each."""
        things = part.zone.things
        if not things:
            return [Content.styled("none", drawing.DIM)]
        if len(things) == 1:
            return drawing.portrait(things[0], width, large=part.large)
        return [row for thing in things for row in drawing.row_of(thing, width, large=part.large)]
