"""One person's side of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from textual import events
from textual.content import Content

from companion.games.table import Counter, SeatView, Zone
from companion.tui import drawing
from companion.tui.messages import TargetChosen
from companion.tui.widgets.panel import Panel

_GAUGE_COLUMNS = 15
_FIGURE_COLUMNS = 18
"""Columns below which a figure leaves no room for a word beside it."""


class SeatPart(NamedTuple):
    """A seat as it is shown.

    `number` is its place clockwise (`2-7`), `deck` what lies before it where there is room to say so, `asked` says that
    the table waits for it, `counter` is what `+` and `-` change ("" where the seat is not chosen), `change` what is
    being keyed in, `large` asks for a figure three rows high, `all` for the counters that a small screen leaves out,
    `in_a_row` for one row without a frame, in which the name has so many columns.
    """

    seat: SeatView
    number: int
    deck: str
    asked: bool
    counter: str
    change: str
    large: bool
    all: bool
    in_a_row: int = 0


class SeatPanel(Panel[SeatPart]):
    """One seat in a frame that says who it is, and below what is special about them now."""

    def changed(self, part: SeatPart) -> None:
        """The frame: number, name, deck; and below the flags or what is being keyed in."""
        mark = "▶" if part.asked else " "
        deck = f" · {part.deck}" if part.deck else ""
        self.border_title = Content.assemble((f"{mark}{part.number} {part.seat.name}", "bold"), (deck, drawing.DIM))
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
            self.post_message(TargetChosen(self.part.seat.seat))


def _in_a_row(part: SeatPart, width: int) -> Content:
    """Who it is, the first big counter with its bar, the card that counts now, what is special, then the figures."""
    first, others = _figures(part)
    row = Content.styled(_marked_name(part), "bold")
    if first is not None:
        row += drawing.gauge(first, _GAUGE_COLUMNS).pad_right(2)
    pieces = [Content.styled(part.change, "bold reverse")] if part.change else []
    for zone in part.seat.zones:
        # A figure needs no word for where it lies.
        pieces += drawing.zone_rows(replace(zone, title="") if _counts(zone) else zone, width // 3, large=False)
    special = (*part.seat.flags, *([f"± {part.counter}"] if part.counter else []))
    pieces += [Content.styled(text, "bold") for text in special]
    return (row + Content(drawing.BULLET).join((*pieces, *map(drawing.short, others)))).truncate(width, ellipsis=True)


def _figures(part: SeatPart) -> tuple[Counter | None, list[Counter]]:
    """The first big counter and the others; where rows are scarce, those that are 0 are left out."""
    counters = [c for c in part.seat.counters if (c.shown or part.all) and drawing.says_something(c)]
    first = drawing.first_big(counters)
    return first, [c for c in counters if c is not first and (part.large or c.value != 0)]


def _marked_name(part: SeatPart) -> str:
    """`▶1◆Ana `, each mark only where it holds."""
    turn, chosen = "▶" if part.asked else " ", "◆" if part.counter else " "
    return f"{turn}{part.number}{chosen}{part.seat.name[: part.in_a_row].ljust(part.in_a_row)}  "


def _counts(zone: Zone) -> bool:
    """Whether what lies there has figures."""
    return any(thing.counters for thing in zone.things)


def _rows(part: SeatPart, width: int) -> Iterator[Content]:
    """The figures, then what lies before the seat; where rows are scarce, a card that counts now goes first."""
    first, others = _figures(part)
    if first is not None and part.large and width >= _FIGURE_COLUMNS:
        # One more goes beside the figure, in the row that is left there.
        yield from drawing.figured(first, [drawing.short(c) for c in others[:1]], width)
        others = others[1:]
    elif first is not None:
        yield drawing.gauge(first, width)
    figures = drawing.flow(map(drawing.with_sum if part.all else drawing.short, others), width)
    counting = [] if part.large else list(filter(_counts, part.seat.zones))
    yield from _zone_rows(counting, part, width)
    yield from figures
    yield from _zone_rows([zone for zone in part.seat.zones if zone not in counting], part, width)


def _zone_rows(zones: Sequence[Zone], part: SeatPart, width: int) -> Iterator[Content]:
    for zone in zones:
        yield from drawing.zone_rows(zone, width, large=part.large)
