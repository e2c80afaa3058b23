"""Pieces of a table as styled text: figures, bars, counters, things. Pure: takes what a game shows, gives content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from textual.content import Content
from textual.renderables.digits import DIGITS, DIGITS3X3_BOLD

from companion.games.table import Counter, Thing, Zone

BULLET: Final = " · "
DIM: Final = "$text-muted"
BOLD: Final = "bold"

_ROWS: Final = 3
_STROKES: Final = DIGITS3X3_BOLD
_LOW: Final = 0.25
_HALF: Final = 0.5


def single(text: str) -> str:
    """A text whose every glyph is one cell wide: terminals do not agree on how wide an emoji is."""
    return text.replace("⭐", "★").replace("\ufe0f", "")


def figure(number: int) -> tuple[str, str, str]:
    """A number three rows high."""
    rows = ["", "", ""]
    for character in str(number):
        at = DIGITS.index(character) * _ROWS
        for row in range(_ROWS):
            rows[row] += f"{_STROKES[at + row]:<3}"
    return rows[0], rows[1], rows[2]


def bar(value: int, top: int, width: int) -> Content:
    """How full a counter is; what is left shows one block at least, and only a full one shows all of them."""
    full = 0 if value <= 0 or top <= 0 else max(1, min(width, width * value // top))
    return Content.assemble(("█" * full, tone(value, top)), ("░" * (width - full), DIM))


def tone(value: int, top: int | None) -> str:
    """The colour that goes with how full a counter is; the figure and the bar say the same without it."""
    if not top:
        return "$text"
    share = value / top
    return "$text-error" if share <= _LOW else "$text-warning" if share <= _HALF else "$text-success"


def says_something(counter: Counter) -> bool:
    """Whether a counter tells more than that something is not so."""
    return not (counter.value is None or counter.value is False or counter.value == ())


def first_big(counters: Iterable[Counter]) -> Counter | None:
    """The figure that must be read from afar, where there is one."""
    return next((counter for counter in counters if counter.big and counter.number is not None), None)


def _shown(thing: Thing) -> list[Counter]:
    """What there is to say of a thing where room is scarce."""
    return [counter for counter in thing.counters if counter.shown and says_something(counter)]


def short(counter: Counter) -> Content:
    """A counter in a few cells: `Hand 10`, `Asleep`."""
    if counter.value is True:
        return Content(counter.caption)
    return Content.assemble((f"{counter.caption} ", DIM), (counter.text, BOLD))


def with_sum(counter: Counter) -> Content:
    """A counter with the sum behind it: `ATK 5 (3 + 1 Vicious + 1)`."""
    return short(counter) + (Content.assemble((f" ({counter.why})", DIM)) if counter.why else Content(""))


def gauge(counter: Counter, width: int) -> Content:
    """A counter in one row: its title, its value and a bar as wide as what is left."""
    value = counter.number
    if value is None or not counter.top:
        return short(counter)
    head = Content.assemble((f"{counter.caption} ", DIM), (f"{value:>2}", f"bold {tone(value, counter.top)}"))
    tail = f"/{counter.top}"
    room = width - head.cell_length - len(tail) - 2
    row = head + Content.assemble((tail, DIM))
    return row if room < 3 else row + Content.assemble(" ", bar(value, counter.top, min(room, 30)))


def flow(pieces: Iterable[Content], width: int, between: str = BULLET) -> list[Content]:
    """Pieces in as few rows as they fit into, none broken apart that fits a row."""
    rows: list[Content] = []
    for piece in pieces:
        joined = rows[-1] + between + piece if rows else piece
        if rows and joined.cell_length <= width:
            rows[-1] = joined
        else:
            rows += wrapped(piece, width)
    return rows


def wrapped(content: Content, width: int) -> list[Content]:
    """Content in rows of at most a width."""
    return [content] if content.cell_length <= width else content.wrap(max(width, 1))


def figured(counter: Counter, beside: Sequence[Content], width: int) -> list[Content]:
    """A counter as a large figure, with a bar and up to two more rows beside it."""
    value = counter.number
    assert value is not None
    rows = figure(value)
    room = width - len(rows[0]) - 2
    full = Content.assemble(
        (counter.caption, BOLD), (f" of {counter.top}" if counter.top else "", DIM), (_sum(counter), DIM)
    )
    right = [full, *([bar(value, counter.top, min(room, 40))] if counter.top else []), *beside]
    style = f"bold {tone(value, counter.top)}"
    lines = [
        Content.assemble((row, style), "  ", right[at].truncate(room, ellipsis=True) if at < len(right) else "")
        for at, row in enumerate(rows)
    ]
    return lines + [row for content in right[_ROWS:] for row in wrapped(content, width)]


def _sum(counter: Counter) -> str:
    return f" ({counter.why})" if counter.why else ""


def name_of(thing: Thing) -> str:
    """What a thing is called, with a star where it has one."""
    return f"★ {thing.title}" if thing.starred else thing.title


def in_brief(note: str) -> str:
    """A note without its explanation: `Tough` of `Tough: each card 1 less`."""
    return note.partition(":")[0]


def row_of(thing: Thing, width: int, *, named: bool = True, large: bool = True) -> list[Content]:
    """A thing with its name, unless that stands elsewhere; not `large` is one row, with whatever there is room for."""
    shown = _shown(thing)
    figures = [gauge(counter, 20) if counter.top else with_sum(counter) for counter in shown]
    name = [Content.styled(name_of(thing), BOLD)] if named else []
    if large:
        return flow([*name, *figures, *map(Content, thing.notes)], width, "  ")
    notes = [Content.styled(", ".join(map(in_brief, thing.notes)), DIM)] if thing.notes else []
    row = _GAP.join([*name, *figures, *notes])
    if row.cell_length > width and named:
        tail = _GAP.join([*map(_plain, shown), *notes])
        row = _GAP.join([name[0].truncate(max(8, width - tail.cell_length - 2), ellipsis=True), tail])
    return [row.truncate(width, ellipsis=True)]


_GAP: Final = Content("  ")


def _plain(counter: Counter) -> Content:
    """A counter without its bar and its sum."""
    return short(counter) + (f"/{counter.top}" if counter.top else "")


def portrait(thing: Thing, width: int, *, large: bool) -> list[Content]:
    """A thing that has a panel of its own: its first big counter as a large figure, the others beside it.

    Not `large` leaves out what its notes mean, and gives all of them one row.
    """
    big = first_big(thing.counters)
    if big is None:
        return row_of(thing, width, named=False, large=large)
    others = [with_sum(c) for c in _shown(thing) if c is not big]
    rows = figured(big, flow(others, width - 3 * len(str(big.value)) - 2), width)
    if large:
        return rows + [row for note in thing.notes for row in wrapped(Content(note), width)]
    return rows + flow([Content(in_brief(note)) for note in thing.notes], width)


def zone_rows(zone: Zone, width: int, *, large: bool) -> list[Content]:
    """A seat's zone: its title and the things in it with their figures; `large` says what their notes mean, too."""
    if not zone.things:
        return []
    label = Content.styled(f"{zone.title} ", DIM) if zone.title else Content("")
    first, *rest = (_small(thing, large=large) for thing in zone.things)
    if large:
        return flow([label + first, *rest], width)
    row = Content(BULLET).join([first, *rest])
    counting = any(thing.counters for thing in zone.things)
    # A figure matters more than the word for where it lies.
    whole = row if counting and label.cell_length + row.cell_length > width else label + row
    return [whole.truncate(width, ellipsis=True)]


def _small(thing: Thing, *, large: bool) -> Content:
    content = Content.styled(name_of(thing), BOLD)
    for counter in _shown(thing):
        content = content + " " + with_sum(counter)
    notes = thing.notes if large else tuple(map(in_brief, thing.notes))
    return content + (Content.styled(f" {', '.join(notes)}", DIM) if notes else "")
