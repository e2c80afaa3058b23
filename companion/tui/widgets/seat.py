"""One person's side of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace
from textual import events
from textual.content import Content

from companion.games.table import Counter, SeatView
from companion.tui import drawing
from companion.tui.messages import SeatChosen
from companion.tui.widgets.panel import Panel

_GAUGE_COLUMNS = 15
_FIGURE_COLUMNS = 18
"""Columns below which a figure leaves no room for a word beside it."""


class SeatPart(NamedTuple):
    """A seat as it is shown.

    `number` is the key that chooses it, `band` what lies before it where there is room to say so, `asked` says that the
    table waits for it, `counter` is what `+` and `-` change ("" where the seat is not chosen), `change` what is being
    keyed in, `large` asks for a figure three rows high, `all` for the counters that a small screen leaves out,
    `in_a_row` for one row without a frame, in which the name has so many columns.
    """

    seat: SeatView
    number: int
    band: str
    asked: bool
    counter: str
    change: str
    large: bool
    all: bool
    in_a_row: int = 0


class SeatPanel(Panel[SeatPart]):
    """One seat in a frame that says who it is, and below what is special about them now."""

    def changed(self, part: SeatPart) -> None:
        """The frame: number, name, band; and below the flags or what is being keyed in."""
        mark = "▶" if part.asked else " "
        band = f" · {part.band}" if part.band else ""
        self.border_title = Content.assemble((f"{mark}{part.number} {part.seat.name}", "bold"), (band, drawing.DIM))
        if part.change:
            self.border_subtitle = Content.styled(part.change, "bold reverse")
        else:
            chosen = (f"◆ ± {part.counter}",) if part.counter else ()
            self.border_subtitle = Content(drawing.BULLET.join((*chosen, *part.seat.flags)))
        self.set_class(bool(part.counter), "-chosen")
        self.set_class(part.asked, "-asked")
        self.set_class("out" in part.seat.flags, "-out")

    @staticmethod
    def draw(part: SeatPart, width: int) -> list[Content]:
        """The big counters, the others in as few rows as possible, then the seat's zones."""
        return [_in_a_row(part, width)] if part.in_a_row else list(_rows(part, width))

    def on_click(self, event: events.Click) -> None:
        """A click chooses the seat."""
        if self.part is not None:
            event.stop()
            self.post_message(SeatChosen(self.part.number))


def _in_a_row(part: SeatPart, width: int) -> Content:
    """Who it is, the first big counter with its bar, the card that counts now, what is special, then the figures."""
    counters = [c for c in part.seat.counters if c.shown and drawing.says_something(c)]
    first = next((c for c in counters if c.big and drawing.number(c) is not None), None)
    marks = f"{'▶' if part.asked else ' '}{part.number}{'◆' if part.counter else ' '}"
    name = part.seat.name[: part.in_a_row].ljust(part.in_a_row)
    row = Content.styled(f"{marks}{name}  ", "bold")
    if first is not None:
        row += drawing.gauge(first, _GAUGE_COLUMNS).pad_right(2)
    pieces = [Content.styled(part.change, "bold reverse")] if part.change else []
    for zone in part.seat.zones:
        # A figure needs no word for where it lies.
        told = zone if not any(thing.counters for thing in zone.things) else replace(zone, title="")
        pieces += drawing.zone_rows(told, width // 3, large=False)
    pieces += [Content.styled(flag, "bold") for flag in part.seat.flags]
    pieces += [Content.styled(f"± {part.counter}", "bold")] if part.counter else []
    pieces += [drawing.short(c) for c in counters if c is not first and c.value != 0]
    return (row + Content(drawing.BULLET).join(pieces)).truncate(width, ellipsis=True)


def _rows(part: SeatPart, width: int) -> Iterator[Content]:
    counters = [c for c in part.seat.counters if (c.shown or part.all) and drawing.says_something(c)]
    first = next((c for c in counters if c.big and drawing.number(c) is not None), None)
    # Where rows are scarce, what is not there takes none.
    others = [c for c in counters if c is not first and (part.large or c.value != 0)]
    if first is not None and part.large and width >= _FIGURE_COLUMNS:
        yield from drawing.figured(first, _beside(others), width)
        others = [c for c in others if c not in _short_ones(others)]
    elif first is not None:
        yield drawing.gauge(first, width)
    figures = drawing.flow((drawing.with_sum(c) if part.all else drawing.short(c) for c in others), width)
    counting = [zone for zone in part.seat.zones if any(thing.counters for thing in zone.things)]
    # Where rows are scarce, a card that counts now matters more than what lies beside it.
    first_zones = [] if part.large else counting
    for zone in first_zones:
        yield from drawing.zone_rows(zone, width, large=part.large)
    yield from figures
    for zone in part.seat.zones:
        if zone not in first_zones:
            yield from drawing.zone_rows(zone, width, large=part.large)


def _short_ones(others: list[Counter]) -> list[Counter]:
    """The first counter that goes beside the figure, in the row that is left there."""
    return others[:1]


def _beside(others: list[Counter]) -> list[Content]:
    return [drawing.short(c) for c in _short_ones(others)]
