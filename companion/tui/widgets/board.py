"""The board: the zones in the middle, and a panel for each seat, each with the rows that it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol, TypeVar

import msgspec
from msgspec.structs import replace
from textual import events
from textual.containers import Horizontal, Vertical
from textual.content import Content

from companion.session.reading.selection import Selection
from companion.session.reading.table_questions import due_prompts
from companion.tabletop.table.table import Counter, SeatView, TableView, Thing, Zone
from companion.tabletop.text import signed_figure
from companion.tui import drawing
from companion.tui.drawing import Detail
from companion.tui.messages import TargetChosen
from companion.tui.terminal.textual_private import FaultTolerant, PlainGround
from companion.tui.widgets.panel import Panel, chosen_row
from companion.tui.widgets.score_sheet import ScoreSheetPanel, ScoreSheetPart
from companion.tui.widgets.zones import LanesPanel, LanesPart, ZonePanel, ZonePart, columns_of, need_frames
from templates.languages.messages import Text, phrase

_GAUGE_COLUMNS = 15
_ROOM_FOR_BARS = 50
"""Columns below which a bar would take the room of a figure."""
_ROOM_FOR_TITLES = 30
"""Columns below which figures have short titles."""
_INDENT = 1
_FIGURE_COLUMNS = 18
"""Columns below which a figure leaves no room for a word beside it."""


class SeatPart(msgspec.Struct, frozen=True):
    """The view model of a seat.

    `number` is its place clockwise (`2-7`). `deck` is the title of its deck if there is room for it. `is_asked` is True
    while the table waits for it. `counter` is the one that `+` and `-` change ("" unless the seat is chosen), and
    `change` is the running change. `all` includes the counters that a small screen leaves out. `name_columns` is the
    width of all names if seats are below each other, and `most` the maximum of rows of such a seat (0 for any number).
    `columns` are those of each seat if they are side by side, without the column that is left over for one of them.
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
    most: int = 0
    columns: int = 0

    @property
    def is_framed(self) -> bool:
        """True for a panel beside others; else the seat takes rows as wide as the screen, without a frame."""
        return self.detail > Detail.ROWS

    @property
    def large(self) -> bool:
        """True if the figure is three rows high, and there is room for titles and for counters that are 0."""
        return self.detail >= Detail.FIGURES

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
            self.border_subtitle = Content(drawing.BULLET.join((*marks, *drawing.titles_of(part.seat.flags))))
        self.set_class(bool(part.counter), "-chosen")
        self.set_class(part.is_asked, "-asked")
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
        for things, more in _visible_things(part):
            rows = drawing.side_by_side(things, part.detail, width - _INDENT, more)
            yield from (row.pad_left(_INDENT) for row in rows)


def _draw_head(part: SeatPart, width: int) -> Iterator[Content]:
    """Yield the name and figures in one row, or in several if there is room."""
    first, others = _split_figures(part)
    head = _marked_name(part)
    if first is not None:
        room = max(_GAUGE_COLUMNS, width // 5) if width >= _ROOM_FOR_BARS else 0
        head += drawing.draw_gauge(first, room, brief=True).pad_right(2)
    pieces = list(_head_pieces(part, others, width))
    if part.detail is Detail.ROWS and (part.spread or part.zones != part.seat.zones):
        rows = drawing.lay_out_rows(pieces, width - head.cell_length)
        yield from (row.pad_left(head.cell_length) if at else head + row for at, row in enumerate(rows))
    else:
        yield _fit_pieces(head, pieces, width)


def _fit_pieces(head: Content, pieces: list[Content], width: int) -> Content:
    """Return a row with as many whole pieces as fit; `…` stands for the others."""
    row = head + Content(drawing.BULLET).join(pieces)
    while row.cell_length > width and len(pieces) > 1:
        pieces = pieces[:-1]
        row = head + Content(drawing.BULLET).join([*pieces, Content("…")])
    return row.truncate(width, ellipsis=True)


def _visible_things(part: SeatPart) -> list[tuple[tuple[Thing, ...], int]]:
    """Return the things of each zone; if rows are scarce, those of all zones but the first together, or only their
    number.
    """
    first, *others = (zone.things for zone in part.zones)
    if part.detail >= Detail.ROWS:
        return [(things, 0) for things in (first, *others)]
    rest = tuple(chain.from_iterable(others))
    return [(first, len(rest))] if part.detail is Detail.FIRST else [(first, 0), (rest, 0)]


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
    counters = [c for c in part.seat.counters if (c.is_visible or part.all) and drawing.says_something(c)]
    first = drawing.first_big(counters)
    return first, [c for c in counters if c is not first and (part.large or part.all or c.value != 0)]


def _marked_name(part: SeatPart) -> Content:
    """Return `▶1 Ana `, with the mark only for the seat that is asked; a bar replaces it for the chosen one."""
    turn, name = "▶" if part.is_asked else " ", part.seat.name[: part.name_columns].ljust(part.name_columns)
    content = Content.styled(f"{turn}{part.number} {name}  ", drawing.BOLD)
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
    if first is not None and part.large and narrowest >= _FIGURE_COLUMNS:
        # One more counter fits beside the figure, in the row that is left there.
        yield from drawing.draw_figure(first, [drawing.draw_brief_counter(c) for c in others[:1]], width)
        others = others[1:]
    elif first is not None:
        yield drawing.draw_gauge(first, width, brief=brief)
    pieces = (drawing.with_sum(c) if part.all else drawing.draw_brief_counter(c, brief=brief) for c in others)
    figures = drawing.lay_out_rows(pieces, width)
    counting = [] if part.large or part.spread else list(filter(_has_figures, part.zones))
    yield from _zone_rows(counting, part, width)
    yield from figures
    yield from _zone_rows([zone for zone in part.zones if zone not in counting], part, width)
    flags = drawing.titles_of(part.seat.flags)
    if len(drawing.BULLET.join(flags)) > width:
        yield from drawing.lay_out_rows([Content.styled(flag, drawing.FLAG) for flag in flags], width)


def _zone_rows(zones: Sequence[Zone], part: SeatPart, width: int) -> Iterator[Content]:
    for zone in zones:
        if part.spread:
            yield from _spread_zone(zone, part, width)
        else:
            yield from drawing.zone_rows(zone, width, large=part.detail is Detail.FULL)


def _spread_zone(zone: Zone, part: SeatPart, width: int) -> Iterator[Content]:
    """Yield many things below the title of their zone, if there is room for it; each explained, or side by side."""
    if part.large and zone.things:
        yield Content.styled(str(zone.title), drawing.DIM)
    if part.detail is not Detail.FULL:
        yield from drawing.side_by_side(zone.things, part.detail, width)
        return
    for thing in zone.things:
        yield from drawing.lay_out_indented(
            [drawing.draw_piece(thing, Detail.HEADS), *drawing.explain_thing(thing)], width
        )


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
_LEAST = 6
_SPARE = 2
"""Rows that figures leave to the prompts, which need them sooner or later."""
_PROMPTS = 5
"""Rows of `_REST` that are for the prompts."""
_REST = 11
"""The minimum of rows for the head, prompts, log, command bar, status line and keys."""
_WIDE = 100
"""Columns from which on the log is beside the prompts; the app's breakpoint is the same for the stylesheets."""
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

    @property
    def in_rows(self) -> bool:
        """True if seats are below each other without frames."""
        return any(not part.is_framed for part in self.seats)

    def cut_to(self, rows: int, room: BoardSpace) -> Parts:
        """Return the parts with `rows` rows for the seats below each other: each gets its share, and what
        others leave.
        """
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

    def rows(self, room: BoardSpace) -> dict[str, int]:
        """Return the rows of each holder of panels, frames included."""
        seats = rows_below_each_other if self.in_rows else rows_needed
        return {
            "#zones": rows_needed(self.zones, ZonePanel, room),
            "#sheets": rows_needed(self.sheets, ScoreSheetPanel, room),
            "#above": seats(self.above, SeatPanel, room),
            "#lanes": rows_needed(self.lanes, LanesPanel, room),
            "#seats": seats(self.below, SeatPanel, room),
        }

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
    Board.-rows > Horizontal > SeatPanel { width: 100%; height: auto; border: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        # A key and a resize may both start a drawing; only one of them at a time may add and remove panels.
        self._one_at_a_time = asyncio.Lock()

    def render(self) -> str:
        """See `textual.widget.Widget.render`; without panels, Textual would draw the name of this class."""
        return ""

    async def show(self, view: TableView, selection: Selection, room: BoardSpace, prompt_rows: int = 0) -> int:
        """Draw the view with the running change, and return the number of rows.

        `prompt_rows` is the number of rows that the prompts need.
        """
        parts, rows = fitting(view, selection, room, prompt_rows)
        self.set_class(parts.in_rows, "-rows")
        async with self._one_at_a_time:
            await self._fill("zones", ZonePanel, parts.zones, rows["#zones"])
            await self._fill("sheets", ScoreSheetPanel, parts.sheets, rows["#sheets"])
            await self._fill("above", SeatPanel, parts.above, rows["#above"])
            await self._fill("lanes", LanesPanel, parts.lanes, rows["#lanes"])
            await self._fill("seats", SeatPanel, parts.below, rows["#seats"])
        return sum(rows.values())

    async def _fill(self, name: str, kind: type[Panel[P]], parts: Sequence[P], height: int) -> None:
        """Give each part a panel of `height` rows, in a holder that is made for the first of them."""
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
        now = holder.styles.height
        if now is None or now.is_auto or now.value != height:
            holder.styles.height = height


def fitting(view: TableView, selection: Selection, room: BoardSpace, prompt_rows: int) -> tuple[Parts, dict[str, int]]:
    """Return the parts with the most detail that fits, and the rows of each holder of panels."""
    left = room.for_the_board
    for parts in parts_by_detail(view, selection, room):
        rows = parts.rows(room)
        if sum(rows.values()) <= left - parts.kept_free(prompt_rows):
            break
    left = left if room.small else max(left, min(sum(rows.values()), room.height - _REST_OF_MANY))
    if parts.in_rows and sum(rows.values()) > left:
        parts = parts.cut_to(left - rows["#lanes"] - rows["#zones"] - rows["#sheets"], room)
        rows = parts.rows(room)
    return parts, _shared_out(rows, left)


def _shared_out(rows: dict[str, int], left: int) -> dict[str, int]:
    """Return the share of each holder in the rows that are left: the seats first, after the minimum for the zones."""
    rest = left - sum(rows.values()) + rows["#zones"]
    shares = {"#zones": min(rows["#zones"], max(min(_LEAST, left), rest))}
    left -= shares["#zones"]
    for holder in ("#above", "#seats", "#lanes", "#sheets"):
        shares[holder] = min(rows[holder], left)
        left -= shares[holder]
    return shares


def parts_by_detail(view: TableView, selection: Selection, room: BoardSpace) -> Iterator[Parts]:
    """Yield the parts in less and less detail."""
    if room.small:
        yield parts_of(view, selection, room, Detail.HEADS)
        return
    columns = room.width // max(1, len(view.seats))
    for detail in (Detail.FULL, Detail.FIGURES, Detail.PANELS, Detail.ROWS, Detail.NAMES, Detail.FIRST):
        least = _PANEL_COLUMNS if detail is Detail.PANELS else _LEAST_COLUMNS if room.is_alone else 0
        if columns >= least or detail <= Detail.ROWS:
            yield parts_of(view, selection, room, detail)


def parts_of(view: TableView, selection: Selection, room: BoardSpace, detail: Detail) -> Parts:
    """Return the parts at this detail."""
    # Before the set-up a table has zones without things, which would only take the seats' room.
    zones = _in_few(view.zones, room.width) if any(zone.things for zone in view.zones) else ()
    change = changing(selection)
    target = selection.chosen.target
    prompts = due_prompts(view)[:1]
    waits_for = prompts[0].seat if prompts else ""
    names = max((len(seat.name) for seat in view.seats), default=0)
    sides = tuple(side for seat in view.seats if (side := columns_of(seat)))
    return Parts(
        [ZonePart(zone, detail, need_frames(zones, detail), target, change) for zone in zones],
        [
            SeatPart(
                seat,
                number,
                deck=str(seat.title) if room.width // len(view.seats) >= _DECK_COLUMNS else "",
                is_asked=seat.seat == waits_for,
                counter=selection.title if seat.seat == target else "",
                change=change if seat.seat == target else "",
                detail=detail,
                all=room.ample or room.is_alone,
                name_columns=min(_NAME_COLUMNS, names),
                columns=room.width // len(view.seats) - _FRAME_COLUMNS - _PADDING,
            )
            for number, seat in enumerate(view.seats, 1)
        ],
        [LanesPart(sides, detail)] if sides else [],
        [ScoreSheetPart(view.sheet, detail)] if view.sheet else [],
    )


def _in_few(zones: Sequence[Zone], width: int) -> Sequence[Zone]:
    """Return the zones that fit side by side.

    If there are too many, those without a large figure are merged into one, in which each thing of a lane names its
    lane.
    """
    if width // max(1, len(zones)) >= _ZONE_COLUMNS:
        return zones
    large = [zone for zone in zones if any(drawing.first_big(thing.counters) for thing in zone.things)]
    others = [zone for zone in zones if zone.things and zone not in large]
    if len(others) < 2:
        return (*large, *others)
    lying = ((zone, thing) for zone in others for thing in zone.things)
    things = (
        replace(each, title=phrase("{zone}: {thing}", zone=zone.title, thing=each.title)) if zone.column else each
        for zone, each in lying
    )
    return (*large, Zone("middle", phrase("On the table"), tuple(things)))


def rows_needed(parts: Sequence[P], kind: type[Panel[P]], room: BoardSpace) -> int:
    """Return the rows of the highest of some panels side by side, its frame included."""
    columns = room.width // max(1, len(parts))
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
