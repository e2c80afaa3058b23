"""One person's side of the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace
from textual import events
from textual.content import Content

from companion.games.table import Counter, SeatView, Thing, Zone
from companion.tui import drawing, table_drawing
from companion.tui.messages import TargetChosen
from companion.tui.table_drawing import Detail
from companion.tui.widgets.panel import Panel

_GAUGE_COLUMNS = 15
_ROOM_FOR_BARS = 50
"""Columns below which a bar would take the room of a figure."""
_INDENT = 1
_FIGURE_COLUMNS = 18
"""Columns below which a figure leaves no room for a word beside it."""


class SeatPart(NamedTuple):
    """A seat as it is shown.

    `number` is its place clockwise (`2-7`), `deck` what lies before it where there is room to say so, `asked` says that
    the table waits for it, `counter` is what `+` and `-` change ("" where the seat is not chosen), `change` what is
    being keyed in, `all` asks for the counters that a small screen leaves out, `name_columns` is how wide all names are
    where seats stand below each other, `most` how many rows such a seat has at most (0 for any number).
    """

    seat: SeatView
    number: int
    deck: str
    asked: bool
    counter: str
    change: str
    detail: Detail
    all: bool
    name_columns: int = 0
    most: int = 0

    @property
    def framed(self) -> bool:
        """Whether it is a panel beside others; else it is rows as wide as the screen, without a frame."""
        return self.detail > Detail.ROWS

    @property
    def large(self) -> bool:
        """Whether its figure is three rows high, and there is room for titles and for what is 0."""
        return self.detail >= Detail.FIGURES

    @property
    def zones(self) -> tuple[Zone, ...]:
        """What lies before the seat; what faces other seats' zones is drawn together with those."""
        return tuple(zone for zone in self.seat.zones if not zone.column)

    @property
    def spread(self) -> bool:
        """Whether so much lies there that it has rows of its own."""
        return any(thing.brief for zone in self.zones for thing in zone.things)


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
        self.set_class(part.seat.is_out, "-out")

    @staticmethod
    def draw(part: SeatPart, width: int) -> list[Content]:
        """The big counters, the others in as few rows as possible, then the seat's zones."""
        if part.framed:
            return list(_rows(part, width))
        rows = list(_in_rows(part, width))
        return drawing.cut(rows, part.most, width) if 0 < part.most < len(rows) else rows

    def on_click(self, event: events.Click) -> None:
        """A click chooses the seat."""
        if self.part is not None:
            event.stop()
            self.post_message(TargetChosen(self.part.seat.seat))


def _in_rows(part: SeatPart, width: int) -> Iterator[Content]:
    """Who it is with the figures; below it what lies there, where that is more than a card or two."""
    yield from _head(part, width)
    if part.spread and part.detail > Detail.HEADS:
        for things, more in _lying(part):
            rows = table_drawing.side_by_side(things, part.detail, width - _INDENT, more)
            yield from (row.pad_left(_INDENT) for row in rows)


def _head(part: SeatPart, width: int) -> Iterator[Content]:
    """Who it is and the figures, in one row; in as many as it takes only where there is room for them."""
    first, others = _figures(part)
    head = Content.styled(_marked_name(part), "bold")
    if first is not None:
        head += table_drawing.gauge(first, _GAUGE_COLUMNS if width >= _ROOM_FOR_BARS else 0).pad_right(2)
    pieces = list(_pieces(part, others, width))
    if part.detail is Detail.ROWS and (part.spread or part.zones != part.seat.zones):
        rows = drawing.flow(pieces, width - head.cell_length)
        yield from (row.pad_left(head.cell_length) if at else head + row for at, row in enumerate(rows))
    else:
        yield (head + Content(drawing.BULLET).join(pieces)).truncate(width, ellipsis=True)


def _lying(part: SeatPart) -> list[tuple[tuple[Thing, ...], int]]:
    """The things of each zone; where rows are scarce, all but the first zone's together, or only how many they are."""
    first, *others = (zone.things for zone in part.zones)
    if part.detail >= Detail.ROWS:
        return [(things, 0) for things in (first, *others)]
    rest = tuple(chain.from_iterable(others))
    return [(first, len(rest))] if part.detail is Detail.FIRST else [(first, 0), (rest, 0)]


def _pieces(part: SeatPart, others: Sequence[Counter], width: int) -> Iterator[Content]:
    """The big counters and the first one after them (a purse), the card that counts now, what is special, the rest."""
    if part.change:
        yield Content.styled(part.change, "bold reverse")
    purse = next((counter for counter in part.seat.counters if not counter.big), None)
    yield from (table_drawing.short(counter) for counter in others if counter.big or counter is purse)
    for zone in () if part.spread else part.zones:
        # A figure needs no word for where it lies.
        yield from table_drawing.zone_rows(replace(zone, title="") if _counts(zone) else zone, width // 3, large=False)
    special = (*part.seat.flags, *([f"± {part.counter}"] if part.counter else []))
    yield from (Content.styled(text, "bold") for text in special)
    yield from (table_drawing.short(counter) for counter in others if not (counter.big or counter is purse))


def _figures(part: SeatPart) -> tuple[Counter | None, list[Counter]]:
    """The first big counter and the others; where rows are scarce, those that are 0 are left out."""
    counters = [c for c in part.seat.counters if (c.shown or part.all) and table_drawing.says_something(c)]
    first = table_drawing.first_big(counters)
    return first, [c for c in counters if c is not first and (part.large or c.value != 0)]


def _marked_name(part: SeatPart) -> str:
    """`▶1◆Ana `, each mark only where it holds."""
    turn, chosen = "▶" if part.asked else " ", "◆" if part.counter else " "
    return f"{turn}{part.number}{chosen}{part.seat.name[: part.name_columns].ljust(part.name_columns)}  "


def _counts(zone: Zone) -> bool:
    """Whether what lies there has figures."""
    return any(thing.counters for thing in zone.things)


def _rows(part: SeatPart, width: int) -> Iterator[Content]:
    """The figures, then what lies before the seat; where rows are scarce, a card that counts now goes first."""
    first, others = _figures(part)
    if first is not None and part.large and width >= _FIGURE_COLUMNS:
        # One more goes beside the figure, in the row that is left there.
        yield from table_drawing.figured(first, [table_drawing.short(c) for c in others[:1]], width)
        others = others[1:]
    elif first is not None:
        yield table_drawing.gauge(first, width)
    figures = drawing.flow(map(table_drawing.with_sum if part.all else table_drawing.short, others), width)
    counting = [] if part.large or part.spread else list(filter(_counts, part.zones))
    yield from _zone_rows(counting, part, width)
    yield from figures
    yield from _zone_rows([zone for zone in part.zones if zone not in counting], part, width)


def _zone_rows(zones: Sequence[Zone], part: SeatPart, width: int) -> Iterator[Content]:
    for zone in zones:
        if part.spread:
            yield from _spread(zone, part, width)
        else:
            yield from table_drawing.zone_rows(zone, width, large=part.detail is Detail.FULL)


def _spread(zone: Zone, part: SeatPart, width: int) -> Iterator[Content]:
    """Many things below a title, where there is room for one; each explained, or side by side."""
    if part.large and zone.things:
        yield Content.styled(zone.title, drawing.DIM)
    if part.detail is not Detail.FULL:
        yield from table_drawing.side_by_side(zone.things, part.detail, width)
        return
    for thing in zone.things:
        yield from drawing.hanging([table_drawing.piece(thing, Detail.HEADS), *table_drawing.explained(thing)], width)
