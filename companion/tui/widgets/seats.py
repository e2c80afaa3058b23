"""The seats of a board: their figures, flags and things, each in a panel or in rows as wide as the screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
from msgspec.structs import replace
from textual import events
from textual.content import Content

from companion.tabletop.table.table import Counter, SeatView, Zone
from companion.tui import drawing
from companion.tui.drawing import Detail
from companion.tui.messages import TargetChosen
from companion.tui.widgets.panel import Panel, chosen_row
from templates.languages.messages import Text

_GAUGE_COLUMNS = 15
_ROOM_FOR_BARS = 50
"""Columns below which a bar would take the room of a figure."""
_ROOM_FOR_TITLES = 30
"""Columns below which figures have short titles."""
_INDENT = 1
_FRAME_ENDS = 2
"""Columns of a row that a text in the frame below it leaves free."""
_FIGURE_COLUMNS = 18
"""Columns below which a figure leaves no room for a word beside it."""


class SeatPart(msgspec.Struct, frozen=True):
    """The view model of a seat.

    `number` is its place clockwise (`2-7`). `deck` is the title of its deck if there is room for it. `is_asked` is True
    while the table waits for it. `counter` is the one that `+` and `-` change ("" unless the seat is chosen), and
    `change` is the running change. `all` includes the counters that a small screen leaves out. `name_columns` is the
    width of all names if seats are below each other, `number_columns` that of all numbers, and `most` the maximum of
    rows of such a seat (0 for any number); `lines` of these are for its figures. `columns` are those of each seat if
    they are side by side, without the column that is left over for one of them. `widest` and `longest` are the columns
    of the widest first figure of all seats, in blocks and in a row.
    """

    seat: SeatView
    number: int
    deck: str
    is_asked: bool
    counter: Text
    change: str
    detail: Detail
    all: bool
    name_columns: int = 0
    number_columns: int = 1
    most: int = 0
    columns: int = 0
    lines: int = 1
    widest: int = 0
    longest: int = 0

    @property
    def is_framed(self) -> bool:
        """True for a panel beside others; else the seat takes rows as wide as the screen, without a frame."""
        return self.detail > Detail.ROWS

    @property
    def large(self) -> bool:
        """True if the figure is three rows high, and there is room for titles and for counters that are 0."""
        return self.detail >= Detail.FIGURES

    @property
    def flags_in_frame(self) -> bool:
        """True if the titles of the flags fit into the frame; else they have rows of their own."""
        titles = drawing.BULLET.join(drawing.titles_of(self.seat.flags))
        return len(titles) <= self.columns - _FRAME_ENDS

    @property
    def zones(self) -> tuple[Zone, ...]:
        """The zones of the seat; those that face another seat's zones are drawn together with them."""
        return tuple(zone for zone in self.seat.zones if not zone.column)

    @property
    def spread(self) -> bool:
        """True if the zones hold so much that they need their own rows."""
        return any(thing.brief for zone in self.zones for thing in zone.things)


class SeatPanel(Panel[SeatPart]):
    """A seat in a frame with its name, and with its special states at the bottom."""

    def apply_part(self, part: SeatPart) -> None:
        """Set the frame: number, name and deck; at the bottom the flags or the running change."""
        mark = "▶" if part.is_asked else " "
        deck = f" · {part.deck}" if part.deck else ""
        self.border_title = Content.assemble(
            (f"{mark}{part.number} {part.seat.name}", drawing.BOLD), (deck, drawing.DIM)
        )
        if part.change:
            self.border_subtitle = Content.styled(part.change, drawing.BANNER)
        else:
            marks = (f"± {part.counter}",) if part.counter else ()
            flags = drawing.titles_of(part.seat.flags) if part.flags_in_frame else ()
            self.border_subtitle = Content(drawing.BULLET.join((*marks, *flags)))
        self.set_class(bool(part.counter), "-chosen")
        self.set_class(part.is_asked, "-asked")
        self.set_class(not part.is_framed, "-flat")
        self.set_class(part.seat.is_out, "-out")

    @staticmethod
    def draw(part: SeatPart, width: int) -> list[Content]:
        """Draw the big counters, the others in as few rows as possible, then the seat's zones."""
        if part.is_framed:
            return list(_seat_rows(part, width))
        rows = list(_in_rows(part, width))
        return drawing.cut_rows(rows, part.most, width) if 0 < part.most < len(rows) else rows

    def on_click(self, event: events.Click) -> None:
        """Choose the seat on a click."""
        if self.part is not None:
            event.stop()
            self.post_message(TargetChosen(self.part.seat.seat))


def _in_rows(part: SeatPart, width: int) -> Iterator[Content]:
    """Yield the name and figures; below them the zones, if they hold more than a card or two."""
    yield from _draw_head(part, width)
    if part.spread and part.detail > Detail.HEADS:
        yield from (row.pad_left(_INDENT) for row in _draw_things(part, width - _INDENT))


def _draw_head(part: SeatPart, width: int) -> Iterator[Content]:
    """Yield the name and figures in one row, or in several if there is room."""
    first, others = _split_figures(part)
    head = _marked_name(part)
    if first is not None:
        room = max(_GAUGE_COLUMNS, width // 5) if width >= _ROOM_FOR_BARS else 0
        head += drawing.draw_gauge(first, room, brief=True).pad_right(2)
    pieces = list(_head_pieces(part, others, width))
    room = width - head.cell_length
    if part.detail is Detail.ROWS and (part.spread or part.zones != part.seat.zones):
        rows = drawing.lay_out_rows(pieces, room)
    else:
        rows = drawing.fit_rows(pieces, room, part.lines)
    yield from (row.pad_left(head.cell_length) if at else head + row for at, row in enumerate(rows or [Content("")]))


def _draw_things(part: SeatPart, width: int) -> Iterator[Content]:
    """Yield the things of each zone; if rows are scarce, those of all zones but the first together, or only their
    number.

    Named zones keep their titles: they share rows if these are scarce.
    """
    if any(zone.is_named for zone in part.zones):
        zones = [zone for zone in part.zones if zone.things]
        if part.detail >= Detail.ROWS:
            yield from (row for zone in zones for row in drawing.named_zones((zone,), part.detail, width))
        elif part.detail is Detail.NAMES:
            yield from drawing.named_zones(tuple(zones), part.detail, width)
        elif zones:
            more = sum(len(zone.things) for zone in zones[1:])
            yield from drawing.named_zones((zones[0],), part.detail, width, more)
        return
    first, *others = (zone.things for zone in part.zones)
    if part.detail >= Detail.ROWS:
        groups = [(things, 0) for things in (first, *others)]
    else:
        rest = tuple(chain.from_iterable(others))
        groups = [(first, len(rest))] if part.detail is Detail.FIRST else [(first, 0), (rest, 0)]
    for things, more in groups:
        yield from drawing.side_by_side(things, part.detail, width, more)


def _head_pieces(part: SeatPart, others: Sequence[Counter], width: int) -> Iterator[Content]:
    """Yield the big counters and the first one after them (a purse), the card that counts now, the special states, the
    rest.
    """
    if part.change:
        yield Content.styled(part.change, drawing.BANNER)
    purse = next((counter for counter in part.seat.counters if not counter.big), None)
    yield from (
        drawing.draw_brief_counter(counter, brief=True) for counter in others if counter.big or counter is purse
    )
    for zone in () if part.spread else part.zones:
        # A figure needs no word for its zone.
        yield from drawing.zone_rows(replace(zone, title="") if _has_figures(zone) else zone, width // 3, large=False)
    special = (*drawing.titles_of(part.seat.flags), *([f"± {part.counter}"] if part.counter else []))
    yield from (Content.styled(text, drawing.BOLD) for text in special)
    yield from (
        drawing.draw_brief_counter(counter, brief=True) for counter in others if not (counter.big or counter is purse)
    )


def _split_figures(part: SeatPart) -> tuple[Counter | None, list[Counter]]:
    """Return the first big counter and the others; if rows are scarce, those that are 0 are left out."""
    counters = [c for c in part.seat.counters if (c.is_visible or part.all) and c.says_something]
    first = drawing.first_big(counters)
    return first, [c for c in counters if c is not first and (part.large or part.all or c.value != 0)]


def _marked_name(part: SeatPart) -> Content:
    """Return `▶1 Ana `, with the mark only for the seat that is asked; a bar replaces it for the chosen one."""
    turn, name = "▶" if part.is_asked else " ", part.seat.name[: part.name_columns].ljust(part.name_columns)
    content = Content.styled(f"{turn}{part.number:>{part.number_columns}} {name}  ", drawing.BOLD)
    return chosen_row(content) if part.counter else content.stylize("$text-accent", 0, 1)


def _has_figures(zone: Zone) -> bool:
    """Return True if the things of a zone have figures."""
    return any(thing.counters for thing in zone.things)


def _seat_rows(part: SeatPart, width: int) -> Iterator[Content]:
    """Yield the figures, then the zones of the seat; if rows are scarce, a card that counts now comes first.

    Flags that are too long for the frame come last.
    """
    first, others = _split_figures(part)
    # All seats have the same form, even the one that gets a column left over.
    narrowest = min(width, part.columns or width)
    brief = narrowest < _ROOM_FOR_TITLES
    if first is not None and part.large and narrowest >= max(_FIGURE_COLUMNS, part.widest):
        # One more counter fits beside the figure, in the row that is left there.
        beside = [drawing.draw_brief_counter(c) for c in others[:1]]
        yield from drawing.draw_figure(first, beside, width, part.widest)
        others = others[1:]
    elif first is not None:
        room = narrowest - part.longest - 1
        caption = drawing.fit_caption(first, room, brief=brief)
        yield drawing.draw_captioned_gauge(first, caption, width)
    pieces = (drawing.with_sum(c) if part.all else drawing.draw_brief_counter(c, brief=brief) for c in others)
    figures = drawing.lay_out_rows(pieces, width)
    counting = [] if part.large or part.spread else list(filter(_has_figures, part.zones))
    yield from _zone_rows(counting, part, width)
    yield from figures
    yield from _zone_rows([zone for zone in part.zones if zone not in counting], part, width)
    if not part.flags_in_frame:
        flags = drawing.titles_of(part.seat.flags)
        yield from drawing.lay_out_rows([Content.styled(flag, drawing.FLAG) for flag in flags], width)


def _zone_rows(zones: Sequence[Zone], part: SeatPart, width: int) -> Iterator[Content]:
    for zone in zones:
        if part.spread:
            yield from _spread_zone(zone, part, width)
        else:
            yield from drawing.zone_rows(zone, width, large=part.detail is Detail.FULL)


def _spread_zone(zone: Zone, part: SeatPart, width: int) -> Iterator[Content]:
    """Yield many things below the title of their zone, if there is room for it; each explained, or side by side."""
    if zone.is_named and not part.large:
        yield from drawing.named_zones((zone,), part.detail, width) if zone.things else ()
        return
    if part.large and zone.things:
        yield Content.styled(str(zone.title), drawing.DIM)
    if part.detail is not Detail.FULL:
        yield from drawing.side_by_side(zone.things, part.detail, width)
        return
    for thing in zone.things:
        yield from drawing.lay_out_indented(
            [drawing.draw_piece(thing, Detail.HEADS), *drawing.explain_thing(thing)], width
        )
