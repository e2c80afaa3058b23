"""Styled text in rows: figures, bars, columns, and the pieces of a table. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from textual.content import Content

from companion.tabletop.notation.cards import GLYPHS, RANKS, SUITS
from companion.tabletop.words import title_of_word
from companion.tui import blocks
from templates.languages.messages import Language, Message, Text, current_language, phrase, phrase_in, phrases

if TYPE_CHECKING:
    from companion.tabletop.table.table import Counter, Thing, Zone

BULLET: Final = " · "
DIM: Final = "$text-muted"
BOLD: Final = "bold $text-strong"
"""Names: the brightest text."""
FIGURE: Final = "bold $text-figure"
"""Figures, which come second."""
ACCENT: Final = "bold $text-accent"
FLAG: Final = "$text-warning"
BANNER: Final = "bold $background on $text-accent"
"""News across the width."""


def narrow_glyphs(text: Text) -> str:
    """Return a text in which every glyph is one cell wide: terminals disagree on the width of emoji."""
    return str(text).replace("⭐", "★").replace("\ufe0f", "")


# Translators: The names that are printed on keys, here and below. Symbols such as ↑ need no name.
_KEY_NAMES: Final = {
    "space": phrase_in("key name", "Space"),
    "shift": phrase_in("key name", "Shift"),
    "alt": phrase_in("key name", "Alt"),
    "pgup": phrase_in("key name", "PgUp"),
    "pgdn": phrase_in("key name", "PgDn"),
    "home": phrase_in("key name", "Home"),
    "end": phrase_in("key name", "End"),
    "del": phrase_in("key name", "Del"),
    "delete": phrase_in("key name", "Delete"),
    "backspace": phrase_in("key name", "Backspace"),
}


def key_title(name: str) -> str:
    """Return the name of a key, or of several to be pressed together, as the reader's keyboard has it."""
    return "+".join(map(_title_part, name.split("+"))) if name != "+" else name


def _title_part(part: str) -> str:
    control, key = ("^", part[1:]) if part.startswith("^") and len(part) > 1 else ("", part)
    title = _KEY_NAMES.get(key.lower(), "") or (key.capitalize() if key.islower() else key)
    return f"{control}{title}"


def within_sentence(title: Text) -> str:
    """Return a title as it stands within a sentence: in English, in small letters."""
    return str(title).lower() if current_language().catalogue is None else str(title)


_CARD: Final = re.compile(rf"(?<![\w♠♥♣♦-])(?<![A-Z]{{3}} )({'|'.join(RANKS)})([{''.join(SUITS)}])(?![\w-])")


def with_signs(text: str) -> str:
    """Return a text with the signs of cards in place of their notation: `9♠` for `9S`. Its length stays the same."""
    return _CARD.sub(lambda card: f"{card[1]}{GLYPHS[card[2]]}", text)


def card_signs(content: Content) -> Content:
    """Return styled text with the signs of cards in place of their notation."""
    text = with_signs(content.plain)
    return content if text == content.plain else Content(text, list(content.spans))


def near_home(path: Path) -> str:
    """Return a path for display; a path in the user's home directory begins with `~`."""
    return f"~/{path.relative_to(Path.home()).as_posix()}" if path.is_relative_to(Path.home()) else str(path)


def in_brief(sentences: Iterable[Text]) -> str:
    """Return the first of several sentences, and the number of the others."""
    first, *others = map(narrow_glyphs, sentences)
    # Translators: {sentence} is the first of several; {n} others are not shown.
    more = phrases("{sentence}, and {n} more", "{sentence}, and {n} more", n=len(others), sentence=first)
    return str(more) if others else first


_BEGINS, _ENDS = "\ufdd0", "\ufdd1"
"""Symbols that no text has: they enclose the part of a sentence that stands out."""
_STRONG: Final = re.compile(f"{_BEGINS}(.*?){_ENDS}", re.DOTALL)


def strong(text: Text) -> str:
    """Return a value of a message's field that stands out when `style_message` draws the message."""
    return f"{_BEGINS}{text}{_ENDS}"


def style_message(message: Text, strong_style: str = BOLD, style: str = "") -> Content:
    """Return a message in a style; the values of its fields that are `strong` have their own."""
    # The parts alternate: what is between the strong ones, and the strong ones.
    parts = _STRONG.split(narrow_glyphs(message))
    styles = (style, strong_style)
    return Content.assemble(*((part, styles[at % 2]) for at, part in enumerate(parts) if part))


_BAD, _DOUBTFUL = "$text-error", "$text-warning"
_BLOCKS: Final = {_BAD: "▂", _DOUBTFUL: "▅"}


def draw_bar(value: int, top: int, width: int, style: str = "") -> Content:
    """Draw how full a counter is. Anything above 0 shows at least one block, and only a full counter shows all of them.

    In the colour for bad the blocks are thin, for anyone who sees no colours.
    """
    full = 0 if value <= 0 or top <= 0 else max(1, min(width, width * value // top))
    block = _BLOCKS.get(style, "█")
    return Content.assemble((block * full, style), ("░" * (width - full), "$line"))


def lay_out_rows(pieces: Iterable[Content], width: int, between: str = BULLET) -> list[Content]:
    """Lay out pieces in as few rows as possible; a piece that fits a row is not broken."""
    rows: list[Content] = []
    for piece in pieces:
        joined = rows[-1] + between + piece if rows else piece
        if rows and joined.cell_length <= width:
            rows[-1] = joined
        else:
            rows += wrap_content(piece, width)
    return rows


def fit_rows(pieces: Sequence[Content], width: int, most: int = 1, between: str = BULLET) -> list[Content]:
    """Lay out as many whole pieces as fit in `most` rows; `…` stands for the others."""
    rows: list[Content] = []
    left = list(pieces)
    while left and len(rows) < most:
        count = len(left)
        is_last = len(rows) == most - 1
        while count and _one_row(left, count, between, more=is_last).cell_length > width:
            count -= 1
        count = count or 1  # a piece wider than a row
        rows.append(cut_row(_one_row(left, count, between, more=is_last), width))
        left = left[count:]
    return rows


def _one_row(pieces: Sequence[Content], count: int, between: str, *, more: bool) -> Content:
    """Return the first pieces in a row, with `more` followed by `…` if others are left."""
    left_out = [Content("…")] if more and count < len(pieces) else []
    return Content(between).join([*pieces[:count], *left_out])


_CUT_NUMBER: Final = re.compile(r"[+−-]?[\d.,/]*\d[.,/]?$")


def cut_row(row: Content, width: int) -> Content:
    """Return a row cut to a width, with `…` at its end; a number is kept whole or left out, as it would read as another
    one.
    """
    if row.cell_length <= width:
        return row
    cut = row.truncate(width, ellipsis=True)
    kept = len(cut.plain) - 1
    number = _CUT_NUMBER.search(cut.plain[:kept])
    if number is None or not re.match(r"[.,/]?\d", row.plain[kept:]):
        return cut
    return row[: number.start()].rstrip() + "…"


def wrap_content(content: Content, width: int) -> list[Content]:
    """Wrap content to a width."""
    return [content] if content.cell_length <= width else content.wrap(max(width, 1))


def wrap_with_indent(content: Content, width: int, indent: int) -> list[Content]:
    """Wrap content to a width, and indent all rows but the first if that leaves some room."""
    if content.cell_length <= width or width <= 2 * indent:
        return wrap_content(content, width)
    first = content.wrap(width)[0]
    rest = content[len(first.plain) :]
    blank = len(rest.plain) - len(rest.plain.lstrip())
    return [first, *(row.pad_left(indent) for row in rest[blank:].wrap(width - indent))]


def lay_out_columns(pieces: Sequence[Content], width: int) -> list[Content]:
    """Lay out pieces in as many columns as fit; a piece wider than a row is broken."""
    lengths = [each.cell_length for each in pieces]
    for columns in range(min(len(pieces), max(1, width // _NARROWEST)), 1, -1):
        widths = [max(lengths[at::columns]) for at in range(columns)]
        if sum(widths) + _APART * (columns - 1) <= width:
            return [_join_columns(pieces[at : at + columns], widths) for at in range(0, len(pieces), columns)]
    return [row for each in pieces for row in lay_out_indented([each], width)]


def lay_out_indented(pieces: Sequence[Content], width: int) -> list[Content]:
    """Lay out pieces in as few rows as possible; all rows but the first are indented."""
    first, *others = lay_out_rows(pieces, width)
    return [first, *(row.pad_left(1) for row in lay_out_rows(others, width - 1))]


def cut_rows(rows: Sequence[Content], most: int, width: int) -> list[Content]:
    """Return at most `most` rows; the number of missing rows stands behind the last one, or in its place."""
    missing = len(rows) - most
    for room, count in ((most, missing), (most - 1, missing + 1)):
        more = Content.styled(str(count_missing(count)), FLAG)
        last = rows[room - 1].rstrip() + "  " if room == most else Content("")
        if last.cell_length + more.cell_length <= width:
            break
    return [*rows[: most - 1], last + more]


def count_missing(count: int) -> Message:
    """Return the note that there is more than is shown: `… 3 more`."""
    # Translators: Rows, things or sentences for which there is no room.
    return phrases("… {n} more", "… {n} more", n=count)


def _join_columns(pieces: Sequence[Content], widths: Sequence[int]) -> Content:
    last = len(pieces) - 1
    padded = (each if at == last else each.pad_right(widths[at] - each.cell_length) for at, each in enumerate(pieces))
    return Content(" " * _APART).join(padded)


_NARROWEST: Final = 8
_APART: Final = 2


class Detail(IntEnum):
    """The levels of detail of a table, from least to most.

    Each includes those before it: the players with their big figures; the things of the first zone with their figures
    and flags; those of the other zones; the notes by name; a panel for each seat; figures three rows high; and the
    meaning of each note.
    """

    HEADS = 0
    FIRST = 1
    NAMES = 2
    ROWS = 3
    PANELS = 4
    FIGURES = 5
    FULL = 6


_ROOMY: Final = 40
_GAUGE: Final = 20
"""Columns of a figure and its bar among others."""
_TONES: Final = {"": "$text-figure", "good": "$text-success", "low": _DOUBTFUL, "bad": _BAD}


def counter_colour(counter: Counter) -> str:
    """Return the colour for how full a counter is; the figure and the bar carry the same information without it."""
    return _TONES[counter.standing]


def first_big(counters: Iterable[Counter]) -> Counter | None:
    """Return the figure that must be readable from afar, if there is one."""
    return next((counter for counter in counters if counter.big and counter.number is not None), None)


def _main_counters(thing: Thing) -> list[Counter]:
    """Return the counters of a thing that matter when room is scarce."""
    return [counter for counter in thing.counters if counter.is_visible and counter.says_something]


def _words_besides(thing: Thing) -> tuple[str, ...]:
    """Return the flags and keywords of a thing that none of its counters says."""
    values = {str(counter.figure) for counter in _main_counters(thing) if counter.word_title}
    return tuple(word for word in thing.words if word not in values)


def _explained_words(thing: Thing) -> list[Content]:
    """Return the flags and notes of a thing that none of its counters says, notes with their meaning."""
    values = {str(counter.figure) for counter in _main_counters(thing) if counter.word_title}
    return [words for words in explain_thing(thing) if words.plain not in values]


def draw_brief_counter(counter: Counter, *, brief: bool = False) -> Content:
    """Return a counter in a few cells, such as `Hand 10` or `Asleep`; `brief` uses the short caption, for many side by
    side.
    """
    caption = counter.brief_caption if brief else counter.caption
    if counter.value is True:
        return Content(str(caption))
    return Content.assemble((f"{caption} ", DIM), (str(counter.figure), FIGURE))


def with_sum(counter: Counter) -> Content:
    """Return a counter followed by its sum: `ATK 5 (3 + 1 Vicious + 1)`."""
    return draw_brief_counter(counter) + (Content.assemble((f" ({counter.why})", DIM)) if counter.why else Content(""))


def draw_gauge(counter: Counter, width: int, *, brief: bool = False) -> Content:
    """Return a counter in one row: its title, its value, and a bar in the rest of the width."""
    return draw_captioned_gauge(counter, str(counter.brief_caption if brief else counter.caption), width)


def gauge_length(counter: Counter) -> int:
    """Return the columns of a counter in one row without its caption and its bar."""
    return max(2, len(str(counter.figure))) + len(f"/{counter.top}") if counter.top else len(str(counter.figure))


def fit_caption(counter: Counter, room: int, *, brief: bool = False) -> str:
    """Return the longest caption of a counter that fits; the short one may be cut, and nothing is left of it if there
    is room for a few letters only.
    """
    for caption in map(str, (counter.brief_caption,) if brief else (counter.caption, counter.brief_caption)):
        if len(caption) <= room:
            return caption
    return f"{str(counter.brief_caption)[: room - 1]}…" if room >= _SHORTEST else ""


_SHORTEST: Final = 4
"""The columns of a caption below which it says nothing."""


def draw_captioned_gauge(counter: Counter, caption: str, width: int) -> Content:
    """Return a counter in one row, as `draw_gauge` does, with a caption of its own or without one."""
    value = counter.number
    title = f"{caption} " if caption else ""
    if value is None or not counter.top:
        return Content.assemble((title, DIM), (str(counter.figure), FIGURE))
    head = Content.assemble((title, DIM), (f"{counter.figure!s:>2}", f"bold {counter_colour(counter)}"))
    tail = f"/{counter.top}"
    room = width - head.cell_length - len(tail) - 2
    row = head + Content.assemble((tail, DIM))
    return row if room < 3 else row + Content.assemble(" ", draw_bar(value, counter.top, room, counter_colour(counter)))


def _figure_gap(width: int) -> int:
    """Return the columns between a large figure and the text beside it: one if every column is needed."""
    return 1 if width < _ROOMY else 2


def draw_figure(counter: Counter, beside: Sequence[Content], width: int, widest: int = 0) -> list[Content]:
    """Return a counter as a large figure, with a bar and up to two more rows beside it.

    `widest` are the columns of the widest figure among several that have captions of one form.
    """
    value = counter.number
    assert value is not None
    rows = blocks.figure_rows(value)
    gap = _figure_gap(width)
    room = width - len(rows[0]) - gap
    captions = list(_captions(counter))
    least = width - max(widest, len(rows[0])) - gap
    full = next((each for each in captions if each.cell_length <= least), None)
    bar = [draw_bar(value, counter.top, room, counter_colour(counter))] if counter.top and room > 0 else []
    # What is too long to stand beside the figure has a row of its own below it.
    fitting = [each for each in beside if each.cell_length <= room]
    right = [*([full] if full is not None else []), *bar, *fitting]
    below = [*([captions[-1]] if full is None else []), *(each for each in beside if each.cell_length > room)]
    style = f"bold {counter_colour(counter)}"
    lines = [
        Content.assemble((row, style), " " * gap, right[at].truncate(room, ellipsis=True) if at < len(right) else "")
        for at, row in enumerate(rows)
    ]
    return lines + [row for content in (*right[len(rows) :], *below) for row in wrap_content(content, width)]


def _captions(counter: Counter) -> Iterator[Content]:
    """Yield shorter and shorter captions of a large figure: with its most and its sum, and at last the short title."""
    # Translators: Behind a figure: the most that it can be.
    most = phrase("of {most}", most=str(counter.top))
    of_most = f" {most}" if counter.top else ""
    why = f" ({counter.why})" if counter.why else ""
    for caption in dict.fromkeys((str(counter.caption), str(counter.brief_caption))):
        for behind in dict.fromkeys((of_most + why, of_most, "")):
            yield Content.assemble((caption, BOLD), (behind, DIM))


_SMALL: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def name_of(thing: Thing, *, numbered: bool = True) -> str:
    """Return the name of a thing, after its number in small figures, with a star if it has one."""
    number = str(thing.number).translate(_SMALL) if numbered and thing.number_before else ""
    return f"{'★ ' if thing.starred else ''}{number}{thing.title}"


def row_of(thing: Thing, width: int, *, named: bool = True, large: bool = True, whole: bool = False) -> list[Content]:
    """Return the rows of a thing; its name is left out unless `named`.

    If not `large`, it is one row with whatever fits, or as many as all of it needs if it is to be `whole`.
    """
    counters = _main_counters(thing)
    plain = sum(2 + with_sum(counter).cell_length for counter in counters if not counter.top)
    bars = sum(1 for counter in counters if counter.top)
    # The bars of several things below each other begin and end at the same columns.
    room = _GAUGE if named or not bars else max(_GAUGE, (width - plain) // bars - 2)
    figures = [draw_gauge(counter, room) if counter.top else with_sum(counter) for counter in counters]
    name = [Content.styled(name_of(thing), BOLD)] if named else []
    if large:
        return lay_out_rows([*name, *figures, *_explained_words(thing)], width, "  ")
    words = _words_besides(thing)
    notes = [Content.styled(", ".join(words), DIM)] if words else []
    row = _GAP.join([*name, *figures, *notes])
    if row.cell_length > width and whole:
        return lay_out_rows([*name, *figures, *notes], width, "  ")
    if row.cell_length > width and named:
        # A figure that is cut would be another figure: drop the last ones whole, and say that there are more.
        tail = [*map(_draw_without_bar, counters), *notes]
        more = ""
        while len(tail) > 1 and _NAME + _with_gaps(tail) + len(more) > width:
            tail.pop()
            more = _MORE
        row = _GAP.join([name[0].truncate(max(1, width - _with_gaps(tail) - len(more)), ellipsis=True), *tail])
        row = Content.assemble(row, (more, DIM))
    return [cut_row(row, width)]


# Never measure this object: once its length is cached, `join` counts one gap too many.
_GAP: Final = Content("  ")
_MORE: Final = " …"
"""The sign for figures that are left out."""
_NAME: Final = 8
"""Columns that a name gets at least, before figures beside it are left out."""


def _with_gaps(pieces: Sequence[Content]) -> int:
    """Return the columns of pieces with a gap before each."""
    return sum(piece.cell_length + 2 for piece in pieces)


def _draw_without_bar(counter: Counter) -> Content:
    """Return a counter without its bar and its sum."""
    return draw_brief_counter(counter) + (f"/{counter.top}" if counter.top else "")


def draw_portrait(thing: Thing, width: int, *, large: bool, whole: bool = False) -> list[Content]:
    """Return the rows of a thing that has its own panel: its first big counter as a large figure, the others beside it.

    If not `large`, the meaning of its notes is left out, and the notes share rows. `whole` is as for `row_of`.
    """
    big = first_big(thing.counters)
    if big is None or blocks.figure_width(big.number or 0) > width:
        return row_of(thing, width, named=False, large=large, whole=whole)
    others = [with_sum(c) for c in _main_counters(thing) if c is not big]
    beside = width - blocks.figure_width(big.number or 0) - _figure_gap(width)
    rows = draw_figure(big, lay_out_rows(others, beside if beside >= _NARROWEST else width), width)
    if large:
        return rows + [row for words in _explained_words(thing) for row in wrap_content(words, width)]
    return rows + lay_out_rows(map(Content, _words_besides(thing)), width)


def zone_rows(zone: Zone, width: int, *, large: bool, whole: bool = False) -> list[Content]:
    """Return the rows of a seat's zone: its title and the things in it with their figures; `large` adds the meaning of
    their notes.

    If it is neither `large` nor `whole`, it is one row.
    """
    if not zone.things:
        return []
    label = Content.styled(f"{zone.title} ", DIM) if zone.title else Content("")
    first, *rest = (_draw_small_thing(thing, large=large) for thing in zone.things)
    if not rest and (large or whole) and (label + first).cell_length > width:
        return _lay_out_thing(label, zone.things[0], width, large=large)
    if large:
        return lay_out_rows([label + first, *rest], width)
    row = Content(BULLET).join([first, *rest])
    if whole and (label + row).cell_length > width:
        return lay_out_rows([label + first, *rest], width)
    if not any(thing.counters for thing in zone.things):
        return [(label + row).truncate(width, ellipsis=True)]
    # A figure matters more than the zone's title, and the figures of all things more than what they bear.
    bare = Content(BULLET).join(
        [_draw_small_thing(replace(thing, notes=(), flags=()), large=False) for thing in zone.things]
    )
    rows = (label + row, row, *((label + bare, bare) if rest else ()))
    return [cut_row(next((each for each in rows if each.cell_length <= width), rows[-1]), width)]


def _lay_out_thing(label: Content, thing: Thing, width: int, *, large: bool) -> list[Content]:
    """Return the rows of a thing whose figures do not fit in one row; none is broken."""
    words = tuple(each.plain for each in _explained_words(thing)) if large else _words_besides(thing)
    notes = [Content.styled(", ".join(words), DIM)] if words else []
    name = label + Content.styled(name_of(thing), BOLD)
    return lay_out_rows([name, *map(with_sum, _main_counters(thing)), *notes], width, "  ")


def _draw_small_thing(thing: Thing, *, large: bool) -> Content:
    content = Content.styled(name_of(thing), BOLD)
    for counter in _main_counters(thing):
        content = content + " " + with_sum(counter)
    notes = tuple(each.plain for each in _explained_words(thing)) if large else _words_besides(thing)
    return content + (Content.styled(f" {', '.join(notes)}", DIM) if notes else "")


def thing_colour(thing: Thing) -> str:
    """Return the colour of a thing's figures: that of the counter that has a top."""
    return next((counter_colour(counter) for counter in thing.counters if counter.top), "$text-figure")


def titles_of(flags: Iterable[Text]) -> tuple[str, ...]:
    """Return what is shown for flags."""
    return tuple(str(title_of_word(flag)) for flag in flags)


def draw_piece(thing: Thing, detail: Detail) -> Content:
    """Return a thing as one among many: its name and figures, then its flags and notes as far as `detail` allows."""
    flags = titles_of(thing.flags) if detail > Detail.HEADS else ()
    notes = thing.words[len(thing.flags) :] if detail >= Detail.ROWS else ()
    parts = [(name_of(thing), BOLD)]
    parts += [(f" {thing.brief}", f"bold {thing_colour(thing)}")] if thing.brief else []
    parts += [(f" {', '.join(flags)}", FLAG)] if flags else []
    parts += [(f"{', ' if flags else ' '}{', '.join(notes)}", DIM)] if notes else []
    return Content.assemble(*parts)


def explain_thing(thing: Thing) -> list[Content]:
    """Return the notes of a thing with their meaning, and the flags that no note explains."""
    flags = titles_of(thing.flags)
    notes = thing.notes_by_keyword
    alone = [Content.styled(flag, FLAG) for flag in flags if flag not in dict(notes)]
    return alone + [Content.styled(str(note), FLAG if keyword in flags else "") for keyword, note in notes]


def named_zones(zones: tuple[Zone, ...], detail: Detail, width: int, more: int = 0) -> tuple[Content, ...]:
    """Return the things of zones one behind the other, the first of each behind the title of its zone.

    `more` is as for `side_by_side`, and the result is cached as well.
    """
    return _draw_named_zones(zones, detail, width, more, current_language())


@lru_cache(maxsize=64)
def _draw_named_zones(
    zones: tuple[Zone, ...],
    detail: Detail,
    width: int,
    more: int,
    language: Language,  # noqa: ARG001 – the texts depend on it
) -> tuple[Content, ...]:
    pieces = []
    for zone in zones:
        first, *rest = (draw_piece(thing, detail) for thing in zone.things)
        pieces += [Content.styled(f"{zone.title}: ", DIM) + first, *rest]
    pieces += [Content.styled(str(count_missing(more)), FLAG)] if more else []
    return tuple(lay_out_rows(pieces, width))


def side_by_side(things: tuple[Thing, ...], detail: Detail, width: int, more: int = 0) -> tuple[Content, ...]:
    """Return things in columns, or one behind the other if columns might take too many rows.

    `more` is the number of things for which there is no room. The result is cached, since most things on a table stay
    as they are when something else changes.
    """
    return _draw_side_by_side(things, detail, width, more, current_language())


@lru_cache(maxsize=256)
def _draw_side_by_side(
    things: tuple[Thing, ...],
    detail: Detail,
    width: int,
    more: int,
    language: Language,  # noqa: ARG001 – the texts depend on it
) -> tuple[Content, ...]:
    rows = _pieces_beside(things, detail, width, more)
    if detail > Detail.NAMES:
        return rows
    # If rows are scarce, drop the numbers rather than parts of a name.
    plain = _pieces_beside(tuple(replace(thing, number=0) for thing in things), detail, width, more)
    return plain if len(plain) < len(rows) else rows


def _pieces_beside(things: Iterable[Thing], detail: Detail, width: int, more: int) -> tuple[Content, ...]:
    pieces = [draw_piece(thing, detail) for thing in things]
    pieces += [Content.styled(str(count_missing(more)), FLAG)] if more else []
    columns = lay_out_columns(pieces, width)
    behind = lay_out_rows(pieces, width) if detail < Detail.PANELS else columns
    return tuple(columns if len(columns) <= len(behind) else behind)
