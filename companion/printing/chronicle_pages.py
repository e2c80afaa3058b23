"""A chronicle as a booklet: a cover, the contents, a page or more for each deck, their family, and the evenings.

Parts flow over pages as small as A5. A table with more rows than fit continues on the next page. Imposed, two pages lie
side by side on a sheet, in the order in which the folded sheets are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby, pairwise
from math import ceil
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from companion.printing.blocks import (
    CELL,
    GAP,
    GOLD,
    ON_NIGHT,
    RED,
    RULE,
    SOFT,
    TEXT,
    TILE,
    PageBlock,
    add_heading,
    heading,
    measure,
    part_block,
    table_blocks,
    tiles_block,
    write_text,
)
from companion.tabletop.decks import portrait
from companion.tabletop.decks.chronicle import Chronicle, ChronicleDeck, Kin, family_tree
from companion.tabletop.decks.portrait import CardGrid, Chart, DeckVerdict, Listing, PortraitLine
from companion.tabletop.evening import CardBar, CardChart, CardCourse, CardList, CardPart, CardTable, EveningCard
from companion.tabletop.notation.cards import JOKERS, RANKS, SUITS, Card, card_title, pretty
from labels.drawing import qr
from labels.drawing.chart_sketch import COLOURS
from labels.drawing.ink import Ink, line, path
from labels.geometry import INCH, MM, Box, InkName
from labels.output import pdf
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting, fit_truncated, printable
from templates.languages.messages import Message, Text, listed, phrase, phrases

PAPERS: Final = {
    "a5": ((148 * MM, 210 * MM), (297 * MM, 210 * MM)),
    "half-letter": ((5.5 * INCH, 8.5 * INCH), (11 * INCH, 8.5 * INCH)),
}
"""The sizes of a page, and of the sheet that two pages are folded from, in points."""

_INNER: Final = 17 * MM
_OUTER: Final = 13 * MM
_TOP: Final = 15 * MM
_FOOT: Final = 19 * MM
_NUMBER: Final = 10 * MM
"""Height of the page number above the edge."""
_BEFORE_SECTION: Final = 24.0
_ENTRY_GAP: Final = 4.0
_WON: Final = "#3C8D5A"
_LOST: Final = "#B23A3A"
_PER_SHEET: Final = 4

Page = Callable[[Ink], None]


_Opening = Literal["", "page", "room"]
"""The place of a block that opens a section: on a new page always, or only if the current page has no room."""


class _FlowBlock(NamedTuple):
    """A block in the flow, with the space before it, which is dropped at the top of a page.

    A piece that `heads` stays with the next one. `entry` is its line in the contents. If it is the first of a page
    without opening a section, `above` is repeated over it, as the headings of a table are.
    """

    block: PageBlock
    gap: float = GAP
    heads: bool = False
    opens: _Opening = ""
    entry: Text = ""
    above: PageBlock | None = None


class _ContentsLine(NamedTuple):
    """A line of the contents: a title and its page."""

    title: Text
    page: int


def draw_chronicle(chronicle: Chronicle, paper: str = "a5", *, imposed: bool = False, ink: InkName = "colour") -> bytes:
    """Return the chronicle as a PDF, page by page, or `imposed` on sheets to be folded once and stapled in the fold."""
    size, sheet = PAPERS[paper]
    room = Box(0, _FOOT, size[0] - _INNER - _OUTER, size[1] - _TOP - _FOOT)
    pieces = list(_chronicle_pieces(chronicle, room))
    # A few lines too many are set closer together; more are spread evenly over pages.
    listed = sum(bool(piece.entry) for piece in pieces)
    contents_pages = max(1, ceil(listed * _CLOSE_LINE / (room.height - _CONTENTS_HEAD)))
    per_page = ceil(listed / contents_pages) or 1
    pitch = min(_CONTENTS_LINE, (room.height - _CONTENTS_HEAD) / per_page)
    laid = _lay_out(pieces, room)
    first = 2 + contents_pages
    entries = [
        _ContentsLine(piece.entry, first + number)
        for number, page in enumerate(laid)
        for piece, _ in page
        if piece.entry
    ]
    contents = [entries[start : start + per_page] for start in range(0, len(entries), per_page)]
    bodies: list[Callable[[Ink, Box], None]] = [
        *(partial(_draw_contents, part, pitch, number == 0) for number, part in enumerate(contents)),
        *(partial(_draw_page, page) for page in laid),
    ]
    pages: list[Page] = [partial(_draw_cover, chronicle, size)]
    pages += [partial(_draw_framed, body, number, str(chronicle.title), size) for number, body in enumerate(bodies, 2)]
    if imposed:
        return pdf.render_pages(
            _impose(pages, size, sheet), sheet, str(chronicle.title), subject=str(chronicle.subtitle), ink=ink
        )
    return pdf.render_pages(pages, size, str(chronicle.title), subject=str(chronicle.subtitle), ink=ink)


def _impose(pages: Sequence[Page], size: tuple[float, float], sheet: tuple[float, float]) -> list[Page]:
    """Return the sides of the sheets, front and back of each in turn.

    Blank pages fill the last sheet before the back cover.
    """
    missing = -len(pages) % _PER_SHEET
    filled: list[Page | None] = [*pages, *[None] * missing]
    low, high = 0, len(filled) - 1
    sides = []
    while low < high:
        sides.append((filled[high], filled[low]))
        sides.append((filled[low + 1], filled[high - 1]))
        low, high = low + 2, high - 2
    return [partial(_draw_side, side, size, sheet) for side in sides]


def _draw_side(
    side: tuple[Page | None, Page | None], size: tuple[float, float], sheet: tuple[float, float], ink: Ink
) -> None:
    half = sheet[0] / 2
    for number, page in enumerate(side):
        if page is not None:
            # Pages meet at the fold, so that no paper shows between two of them.
            with ink.move(half - size[0] if number == 0 else half, sheet[1] - size[1]):
                page(ink)


# the flow


_Placed = tuple[_FlowBlock, float]
"""A piece, and the distance of its top below that of the page's room."""


def _lay_out(pieces: Sequence[_FlowBlock], room: Box) -> list[list[_Placed]]:
    """Return the pieces of each page. Short sections share a page, and no page has only the last few rows of one."""
    pages: list[list[_Placed]] = []
    used = 0.0
    for section in _split_sections(pieces):
        parts = _break_pages(section, room.height, used) if used and section[0].opens != "page" else []
        # A section of several pages begins below another one only if that leaves most of the page.
        if not parts or (len(parts) > 1 and used > room.height * _LITTLE):
            parts, used = _break_pages(section, room.height), 0.0
        first, *others = _balance_section(section, room.height, used, parts)
        if used:
            pages[-1] += first
        else:
            pages.append(first)
        pages += others
        used = _end_of(pages[-1])
    return _fill_last(pages, room.height)


_LITTLE: Final = 1 / 3
"""The share of a page that looks unfinished if the content is smaller."""
_STEPS: Final = 12


def _fill_last(pages: list[list[_Placed]], height: float) -> list[list[_Placed]]:
    """Return the pages, with sections moved to a nearly empty last page from the one before it."""
    while len(pages) > 1 and pages[-1][0][0].opens and _end_of(pages[-1]) < height * _LITTLE:
        before = pages[-2]
        starts = [number for number, (piece, _) in enumerate(before) if piece.opens and number]
        if not starts:
            break
        parts = _break_pages([piece for piece, _ in (*before[starts[-1] :], *pages[-1])], height)
        if len(parts) > 1:
            break
        pages[-2:] = [before[: starts[-1]], *parts]
    return pages


def _split_sections(pieces: Sequence[_FlowBlock]) -> Iterator[list[_FlowBlock]]:
    starts = [number for number, piece in enumerate(pieces) if piece.opens or number == 0]
    for start, end in pairwise((*starts, len(pieces))):
        yield list(pieces[start:end])


def _end_of(page: Sequence[_Placed]) -> float:
    piece, down = page[-1]
    return down + piece.block.height


def _balance_section(
    section: Sequence[_FlowBlock], height: float, used: float, parts: list[list[_Placed]]
) -> list[list[_Placed]]:
    """Return a section over the same number of pages, with more on the last one if that is nearly empty."""
    if len(parts) == 1 or _end_of(parts[-1]) >= height * _LITTLE:
        return parts
    low, high = used, height
    for _ in range(_STEPS):
        middle = (low + high) / 2
        tried = _break_pages(section, middle, used)
        if len(tried) > len(parts):
            low = middle
        else:
            high, parts = middle, tried
    return parts


def _break_pages(section: Sequence[_FlowBlock], height: float, used: float = 0.0) -> list[list[_Placed]]:
    """Return the pieces of a section on each of its pages. The first page is already used down to `used`."""
    pages: list[list[_Placed]] = [[]]
    for number, piece in enumerate(section):
        needed = piece.block.height
        for follower in section[number + 1 :] if piece.heads else ():
            needed += follower.gap + follower.block.height
            if not follower.heads:
                break
        gap = piece.gap if used else 0.0
        if used and used + gap + needed > height:
            if pages[-1] or number == 0:
                pages.append([])
            used = gap = 0.0
            if piece.above is not None:
                pages[-1].append((_FlowBlock(piece.above), 0.0))
                used = piece.above.height
        pages[-1].append((piece, used + gap))
        used += gap + piece.block.height
    return pages


def _draw_page(page: Sequence[tuple[_FlowBlock, float]], ink: Ink, room: Box) -> None:
    for piece, down in page:
        block = piece.block
        block.draw(ink, Box(room.x, room.top - down - block.height, room.width, block.height))


def _draw_framed(
    body: Callable[[Ink, Box], None], number: int, title: str, size: tuple[float, float], ink: Ink
) -> None:
    """Draw a page with its number at the outer edge. Even pages lie on the left."""
    is_left = number % 2 == 0
    left = _OUTER if is_left else _INNER
    room = Box(left, _FOOT, size[0] - _INNER - _OUTER, size[1] - _TOP - _FOOT)
    body(ink, room)
    running = fit_truncated(title, room.width * 0.8, 7, most_lines=1)
    with ink.artifact():
        ink.outline([line(room.x, _NUMBER + 11, room.right, _NUMBER + 11)], RULE, 0.5)
        figure = fit_truncated(str(number), 40, 8, "bold", 1)
        if is_left:
            write_text(ink, room.x, _NUMBER + 6, figure)
            write_text(ink, 0, _NUMBER + 6, running, SOFT, right=room.right)
        else:
            write_text(ink, 0, _NUMBER + 6, figure, right=room.right)
            write_text(ink, room.x, _NUMBER + 6, running, SOFT)


def _chronicle_pieces(chronicle: Chronicle, room: Box) -> Iterator[_FlowBlock]:
    for deck in chronicle.decks:
        yield from _deck_pieces(deck, room)
    yield from _overview_pieces(chronicle, room)
    for section in chronicle.sections:
        yield from _section_pieces(section.number, section.card, room)
    if chronicle.credits:
        credit = fit_truncated(" · ".join(map(str, chronicle.credits)), room.width, 6.2)
        yield _FlowBlock(PageBlock(credit.height, partial(_draw_text, credit, SOFT)), _BEFORE_SECTION)


def _draw_text(setting: TextSetting, colour: str, ink: Ink, place: Box) -> None:
    with ink.element():
        write_text(ink, place.x, place.top, setting, colour)


def _part_pieces(part: CardPart, room: Box) -> Iterator[_FlowBlock]:
    """Yield the pieces of a part. A part higher than a page continues on others, and a single point makes no line."""
    if isinstance(part, CardCourse) and len(part.points) < 2:
        return
    if isinstance(part, CardList):
        yield from _list_pieces(part, room.width)
        return
    block = part_block(part, room.width)
    if isinstance(part, CardTable) and block.height > room.height / 2:
        head, *rows = table_blocks(part, room.width)
        yield _FlowBlock(heading(str(part.title), room.width), heads=True)
        yield _FlowBlock(head, 0.0, heads=True)
        for row in rows:
            yield _FlowBlock(row, 0.0, above=head)
    elif isinstance(part, CardChart) and block.height > room.height and len(part.bars) > 1:
        middle = len(part.bars) // 2
        for half in (part.bars[:middle], part.bars[middle:]):
            yield from _part_pieces(replace(part, bars=half), room)
    else:
        yield _FlowBlock(block)


def _list_pieces(part: CardList, width: float) -> Iterator[_FlowBlock]:
    """Yield a list in two columns, row by row, so that it can continue on the next page.

    Long sentences take both columns.
    """
    is_wide = any(measure(str(text), "regular", CELL) > width for text in part.lines)
    columns = 1 if is_wide or len(part.lines) < 4 else 2
    side = (width - GAP * (columns - 1)) / columns
    yield _FlowBlock(heading(str(part.title), width), heads=True)
    for start in range(0, len(part.lines), columns):
        settings = [fit_truncated(str(text), side - 11, CELL) for text in part.lines[start : start + columns]]
        block = PageBlock(max(setting.height for setting in settings), partial(_draw_row, settings, side))
        yield _FlowBlock(block, _ENTRY_GAP if start else 0.0)


def _draw_row(settings: Sequence[TextSetting], side: float, ink: Ink, place: Box) -> None:
    for number, setting in enumerate(settings):
        x = place.x + number * (side + GAP)
        with ink.artifact():
            ink.outline([path(Box(x + 1, place.top - 5.4, 3.6, 3.6), 1)], GOLD, 1.2)
        with ink.element():
            write_text(ink, x + 11, place.top, setting)


# the cover and the contents


def _draw_cover(chronicle: Chronicle, size: tuple[float, float], ink: Ink) -> None:
    """Draw the title, the subtitle, and the decks with their holders. Pips stand for the cards."""
    width, height = size
    room = Box(_INNER, _FOOT, width - _INNER - _OUTER, height - _TOP - _FOOT)
    title = fit_truncated(str(chronicle.title), room.width, 34, "bold", 4)
    subtitle = fit_truncated(str(chronicle.subtitle), room.width, 10.5)
    top = room.top - room.height * 0.16
    with ink.artifact():
        ink.fill(Box(room.x, top + 16, 54, 4), GOLD)
        for number, pip in enumerate("♠♥♣♦"):
            colour = RED if pip in "♥♦" else TEXT
            ink.text(room.x + number * 24, room.y + 4, pip, "regular", 18, colour)
    with ink.element("H1"):
        write_text(ink, room.x, top, title)
    with ink.element():
        write_text(ink, room.x, top - title.height - 14, subtitle, SOFT)
    top -= title.height + 14 + subtitle.height + 34
    with ink.artifact():
        ink.outline([line(room.x, top + 14, room.right, top + 14)], RULE, 0.8)
    left = len(chronicle.decks)
    for deck in chronicle.decks:
        name = fit_truncated(deck.name, room.width, 12, "bold", 1)
        if top - name.height < room.y + 62:
            with ink.element():
                write_text(ink, room.x, top, fit_truncated(str(_decks_left(left)), room.width, 9), SOFT)
            break
        with ink.element():
            write_text(ink, room.x, top, name)
        top -= name.height + 8
        left -= 1
    if chronicle.people:
        people = fit_truncated(", ".join(map(str, chronicle.people)), room.width, 9, most_lines=2)
        with ink.element():
            write_text(ink, room.x, room.y + 26 + people.height, people, SOFT)


def _decks_left(count: int) -> Message:
    # Translators: of decks, below a list that has no room for all
    return phrases("and {n} more", "and {n} more", n=count)


_CONTENTS_LINE: Final = 15.0
_CLOSE_LINE: Final = 12.5
_CONTENTS_HEAD: Final = 40.0
_ENTRY_SIZE: Final = 9.5
_ENTRY_NUMBER: Final = 34.0
"""Width of a page number, with the gap between it and the title."""


def _draw_contents(entries: Sequence[_ContentsLine], pitch: float, is_first: bool, ink: Ink, room: Box) -> None:
    top = room.top
    if is_first:
        contents = fit_truncated(str(phrase("Contents")), room.width, 20, "bold", 1)
        with ink.element("H1"):
            write_text(ink, room.x, top, contents)
        top -= _CONTENTS_HEAD
    for entry in entries:
        title = fit_truncated(str(entry.title), room.width - _ENTRY_NUMBER, _ENTRY_SIZE, most_lines=1)
        number = fit_truncated(str(entry.page), 30, _ENTRY_SIZE, most_lines=1)
        end = room.x + fonts.measure(title.lines[0], "regular", title.size) + 6
        start = room.right - fonts.measure(number.lines[0], "regular", number.size) - 6
        with ink.element():
            write_text(ink, room.x, top, title)
            write_text(ink, 0, top, number, right=room.right)
        with ink.artifact():
            if start - end > 10:
                ink.outline([line(end, top - title.ascent, start, top - title.ascent)], RULE, 0.5)
        top -= pitch


# a deck


def _deck_pieces(deck: ChronicleDeck, room: Box) -> Iterator[_FlowBlock]:
    width = room.width
    yield _FlowBlock(_deck_head(deck, width), opens="page", heads=True, entry=deck.name)
    for part in deck.portrait.parts:
        yield from _portrait_pieces(part, room)
    if deck.beginning:
        yield from _list_pieces(CardList(phrase("How it began"), deck.beginning), width)


_CODE: Final = 25 * MM


def _deck_head(deck: ChronicleDeck, width: float) -> PageBlock:
    """Return the name and summary of a deck, and beside them the code of its box with its id below."""
    beside = width - _CODE - 12
    above = fit_truncated(str(deck.game).upper(), beside, 7.5, "bold", 1)
    name = fit_truncated(deck.name, beside, 24, "bold", 3)
    summary = [fit_truncated(str(text), beside, 9) for text in deck.portrait.summary]
    payload, readable = deck.code
    below = fit_truncated(readable, _CODE, 6.5, "bold", 1)
    height = above.height + 8 + name.height + 8 + sum(text.height + 4 for text in summary)

    def draw(ink: Ink, place: Box) -> None:
        top = place.top
        with ink.element():
            write_text(ink, place.x, top, above, GOLD)
        top -= above.height + 8
        with ink.element("H1"):
            write_text(ink, place.x, top, name)
        top -= name.height + 8
        for text in summary:
            with ink.element():
                write_text(ink, place.x, top, text, SOFT)
            top -= text.height + 4
        square = Box(place.right - _CODE, place.top - _CODE, _CODE, _CODE)
        ink.symbol(square, qr.symbol(payload))
        with ink.element():
            text_width = fonts.measure(below.lines[0], "bold", below.size)
            write_text(ink, square.x + (_CODE - text_width) / 2, square.y - 1, below)

    return PageBlock(max(height, _CODE + 4 + below.height), draw)


def _portrait_pieces(part: portrait.Part, room: Box) -> Iterator[_FlowBlock]:
    match part:
        case Listing(title, lines):
            starred = [line for line in lines if line.starred and line.card is not None]
            if starred:
                yield from _starred_pieces(starred, room.width)
            if lines:
                yield from _list_pieces(CardList(title, tuple(map(_line_text, lines))), room.width)
        case CardGrid():
            if part.bears:
                yield _FlowBlock(_card_grid(part, room.width))
        case Chart(title, bars) if bars:
            chart = CardChart(
                title, tuple(CardBar(bar.label, (bar.value,), bar.about or str(bar.value)) for bar in bars)
            )
            yield from _part_pieces(chart, room)
        case DeckVerdict(title, flaws):
            yield from _list_pieces(CardList(title, flaws or (phrase("Nothing is against the rules."),)), room.width)


def _line_text(line: PortraitLine) -> str:
    """Format a line of a portrait: `★ Moth Queen (A♥): HP 15 · ATK 3 · Swift (Easy)`."""
    count = f"{line.count} × " if line.count else ""
    card = f" ({card_title(line.card)})" if line.card else ""
    # A line breaks between phrases, not within them.
    texts = map(str, line.about)
    phrases = [text.replace(" ", "\u00a0") if len(text) <= _SHORT else text for text in texts]
    about = f": {_DOT.join(phrases)}" if phrases else ""
    return f"{'★ ' if line.starred else ''}{count}{line.name}{card}{about}"


_FIGURE: Final = re.compile(r"[A-Z]{2,4} [0-9]+|[0-9]+ [A-Z]{2,4}")
"""A figure of a line in any language: `HP 15`, `15 LP`."""
_SHORT: Final = 24
_DOT: Final = "\u00a0· "
_ACROSS: Final = 3
_PORTRAIT_GAP: Final = 9.0
_RIBBON: Final = 11.0


def _starred_pieces(starred: Sequence[PortraitLine], width: float) -> Iterator[_FlowBlock]:
    """Yield portraits of a deck's starred lines, three in a row: as cards that show their labels."""
    for start in range(0, len(starred), _ACROSS):
        row = starred[start : start + _ACROSS]
        most = max(len(_ribbon_texts(line)) for line in row)
        side = (width - _PORTRAIT_GAP * (_ACROSS - 1)) / _ACROSS
        height = 88 + max(1, most) * _RIBBON
        yield _FlowBlock(PageBlock(height, partial(_draw_starred, row, side)))


def _ribbon_texts(line: PortraitLine) -> tuple[str, ...]:
    return tuple(text for text in map(str, line.about) if not _FIGURE.fullmatch(text))


def _draw_starred(starred: Sequence[PortraitLine], side: float, ink: Ink, place: Box) -> None:
    for number, one in enumerate(starred):
        room = Box(place.x + number * (side + _PORTRAIT_GAP), place.y, side, place.height)
        _draw_card(one, ink, room)


def _draw_card(thing: PortraitLine, ink: Ink, room: Box) -> None:
    card = thing.card
    assert card is not None
    pip = "★" if card in JOKERS else pretty(card)[-1]
    red = card == "RJ" or pip in "♥♦"
    side = room.width - 12
    name = fit_truncated(str(thing.name), side, 10, "bold", 2)
    figures = fit_truncated(
        " · ".join(text for text in map(str, thing.about) if _FIGURE.fullmatch(text)), side, 7.5, most_lines=1
    )
    with ink.artifact():
        ink.outline([path(room, 6)], TEXT, 1)
        ink.outline([path(room.inset(3), 4)], GOLD, 0.6)
        wide = fonts.measure(pip, "regular", 30)
        ink.text(room.x + (room.width - wide) / 2, room.top - 42, pip, "regular", 30, RED if red else TEXT)
    index = fit_truncated("J" if card in JOKERS else pretty(card), 30, 8, "bold", 1)
    with ink.element(spoken=f"{card_title(card)}: {_line_text(thing)}"):
        write_text(ink, room.x + 8, room.top - 9, index)
        write_text(ink, 0, room.top - 9, fit_truncated("★", 20, 9, most_lines=1), right=room.right - 8)
        top = room.top - 52
        for setting, colour in ((name, TEXT), (figures, SOFT)):
            for text in setting.lines:
                at = room.x + (room.width - fonts.measure(text, setting.weight, setting.size)) / 2
                write_text(ink, at, top, replace(setting, lines=(text,)), colour)
                top -= setting.leading
            top -= 1
        bottom = room.y + 8
        for text in reversed(_ribbon_texts(thing)):
            ribbon = fit_truncated(text, side - 8, 6.8, most_lines=1)
            ink.fill(Box(room.x + 8, bottom, room.width - 16, _RIBBON - 2), TILE, 2)
            at = room.x + (room.width - fonts.measure(ribbon.lines[0], "regular", ribbon.size)) / 2
            write_text(ink, at, bottom + (_RIBBON - 2 + ribbon.ascent) / 2, ribbon)
            bottom += _RIBBON


_GRID_CELL: Final = 17.0


def _card_grid(grid: CardGrid, width: float) -> PageBlock:
    """Return the 54 cards by suit and rank. Cards with labels are filled."""
    ranks = [*RANKS]
    side = width / (len(ranks) + 0.6)

    def draw(ink: Ink, place: Box) -> None:
        top = place.top
        with ink.element(
            "Figure", spoken=", ".join(f"{card_title(card)} {listed(b)}" for card, b in grid.bears.items())
        ):
            for row in SUITS:
                for number, rank in enumerate(ranks):
                    _draw_cell(
                        Card(f"{rank}{row}"),
                        Box(place.x + number * side, top - _GRID_CELL, side, _GRID_CELL),
                        grid,
                        ink,
                    )
                top -= _GRID_CELL
            for number, joker in enumerate(JOKERS):
                _draw_cell(joker, Box(place.x + number * 2 * side, top - _GRID_CELL, 2 * side, _GRID_CELL), grid, ink)

    return add_heading(str(grid.title), width, PageBlock(_GRID_CELL * (len(SUITS) + 1) + 2, draw))


def _draw_cell(card: Card, cell: Box, grid: CardGrid, ink: Ink) -> None:
    bears, place = card in grid.bears, cell.inset(1)
    is_other = card in grid.others
    if bears:
        ink.fill(place, GOLD, 2)
    ink.outline([path(place, 2)], TEXT if is_other else RULE, 0.8 if is_other else 0.5)
    text = fit_truncated(str(card_title(card)), place.width - 2, 7.5, "bold" if bears or is_other else "regular", 1)
    at = place.x + (place.width - fonts.measure(text.lines[0], text.weight, text.size)) / 2
    top = place.y + (place.height + text.ascent) / 2
    if bears:  # red is illegible on gold
        ink.lines(at, top, text, ON_NIGHT)
    else:
        write_text(ink, at, top, text, SOFT)


# all decks together


def _overview_pieces(chronicle: Chronicle, room: Box) -> Iterator[_FlowBlock]:
    family = family_tree(chronicle.decks)
    drifts = bool(chronicle.evenings)
    if not (family or drifts or chronicle.overview):
        return
    together = phrase("All together") if len(chronicle.decks) > 1 else phrase("At a glance")
    yield _FlowBlock(_headline(str(together), "", room.width, None), opens="room", heads=True, entry=together)
    if family:
        yield _FlowBlock(heading(str(phrase("Family")), room.width), heads=True)
        for kin in family:
            yield _FlowBlock(_kin_block(kin, room.width), 0.0)
    if drifts:
        yield from _drift_pieces(chronicle, room.width)
    for part in chronicle.overview:
        yield from _part_pieces(part, room)


_KIN: Final = 18.0
_INDENT: Final = 18.0


def _kin_block(kin: Kin, width: float) -> PageBlock:
    x = kin.depth * _INDENT
    name = fit_truncated(kin.name, width - x - 90, 9.5, "bold", 1)
    what = fit_truncated(str(phrase("inherited {what}", what=kin.what)) if kin.what else "", 86, 8, most_lines=1)

    def draw(ink: Ink, place: Box) -> None:
        middle = place.y + place.height / 2
        if kin.depth:
            at = place.x + x - _INDENT + 5
            with ink.artifact():
                ink.outline([line(at, place.top + 2, at, middle), line(at, middle, at + 10, middle)], GOLD, 1)
        with ink.element():
            write_text(ink, place.x + x, middle + name.ascent / 2, name)
            if kin.what:
                write_text(ink, 0, middle + what.ascent / 2, what, SOFT, right=place.right)

    return PageBlock(_KIN, draw)


_LANE: Final = 17.0
_NAME_SHARE: Final = 0.27


def _drift_pieces(chronicle: Chronicle, width: float) -> Iterator[_FlowBlock]:
    """Yield the chart of the holders of the boxes since before the first evening: a lane a deck, a colour a person."""
    colours = {str(person): COLOURS[number % len(COLOURS)] for number, person in enumerate(chronicle.people)}
    columns = len(chronicle.evenings) + 1
    yield _FlowBlock(heading(str(phrase("Where the boxes went")), width), heads=True)
    yield _FlowBlock(PageBlock(10.0, partial(_draw_columns, columns)), 0.0, heads=True)
    for deck in chronicle.decks:
        yield _FlowBlock(PageBlock(_LANE, partial(_draw_lane, deck, columns, colours)), 0.0)
    yield from _key_pieces(colours, width)


_KEY: Final = 12.0


def _key_pieces(colours: dict[str, str], width: float) -> Iterator[_FlowBlock]:
    """Yield the key to the colours of persons, in as many rows as needed."""
    rows: list[list[tuple[float, str]]] = []
    x = width
    for person in colours:
        wide = measure(person, "regular", 7) + 20
        if x + wide > width or not rows:
            rows.append([])
            x = 0.0
        rows[-1].append((x, person))
        x += wide
    for number, row in enumerate(rows):
        yield _FlowBlock(PageBlock(_KEY, partial(_draw_key, row, colours)), 0.0 if number else _ENTRY_GAP)


def _draw_key(row: Sequence[tuple[float, str]], colours: dict[str, str], ink: Ink, place: Box) -> None:
    for x, person in row:
        with ink.artifact():
            ink.fill(Box(place.x + x, place.y + 2, 7, 7), colours[person], 1.5)
        with ink.element():
            write_text(ink, place.x + x + 10, place.y + 8.2, fit_truncated(person, place.right - x, 7, most_lines=1))


def _draw_columns(columns: int, ink: Ink, place: Box) -> None:
    """Draw the numbers of the evenings, as many as fit. The first column is the beginning."""
    left = place.x + place.width * _NAME_SHARE
    step = (place.right - left) / columns
    every = max(1, int(14 // step) + 1)
    with ink.element():
        for number in range(columns):
            if number % every == 0:
                # Translators: above the first column, before all evenings
                text = str(number) if number else str(phrase("start"))
                at = min(left + number * step + 1, place.right - measure(text, "regular", 6.5))
                ink.text(at, place.y + 2, text, "regular", 6.5, SOFT)


def _draw_lane(deck: ChronicleDeck, columns: int, colours: dict[str, str], ink: Ink, place: Box) -> None:
    left = place.x + place.width * _NAME_SHARE
    step = (place.right - left) / columns
    name = fit_truncated(deck.name, place.width * _NAME_SHARE - 8, 8.6, "bold", 1)
    holders = [standing.holder if (standing := deck.standing(at - 1)) else "" for at in range(columns)]
    with ink.element(spoken=f"{deck.name}: {', '.join(dict.fromkeys(filter(None, holders)))}"):
        write_text(ink, place.x, place.y + (place.height + name.ascent) / 2, name)
        for holder, run in groupby(enumerate(holders), key=lambda one: one[1]):
            some = [number for number, _ in run]
            if holder:
                bar = Box(left + some[0] * step, place.y + 2, len(some) * step - 1, place.height - 4)
                ink.fill(bar, colours.get(holder, SOFT), 2)
                room = bar.width - 5
                for text in map(printable, (holder, holder[:1])):
                    if measure(text, "bold", 7) <= room:
                        ink.text(bar.x + 3, bar.y + bar.height / 2 - 2.5, fonts.clean(text), "bold", 7, ON_NIGHT)
                        break


# the story


def _section_pieces(number: int, card: EveningCard, room: Box) -> Iterator[_FlowBlock]:
    title = f"{number}. {card.title}" if number else str(card.title)
    about = " · ".join(filter(None, (str(card.when), str(card.subtitle))))
    head = _headline(title, about, room.width, card.won)
    entry = _contents_line(number, card, room.width) if number else ""
    opens: _Opening = "room" if number else ""
    yield _FlowBlock(head, _BEFORE_SECTION, opens=opens, heads=True, entry=entry)
    if card.figures:
        yield _FlowBlock(tiles_block(card.figures, room.width))
    for part in card.parts:
        yield from _part_pieces(part, room)


def _contents_line(number: int, card: EveningCard, width: float) -> Message:
    """Return the line that lists an evening in the contents: its title if that fits, else its highlight or headline."""
    whole, short = (
        phrase("Evening {number}: {title}", number=str(number), title=text)
        for text in (card.title, card.highlight or card.headline)
    )
    return whole if measure(str(whole), "regular", _ENTRY_SIZE) <= width - _ENTRY_NUMBER else short


def _headline(title: str, about: str, width: float, won: bool | None) -> PageBlock:
    """Return the heading of a part of the story, with a bar in the colour of its result."""
    setting = fit_truncated(title, width, 19, "bold", 3)
    below = fit_truncated(about, width, 9) if about else None
    height = 9 + setting.height + (6 + below.height if below else 0) + 2
    colour = GOLD if won is None else _WON if won else _LOST

    def draw(ink: Ink, place: Box) -> None:
        with ink.artifact():
            ink.fill(Box(place.x, place.top - 3, 34, 3), colour)
        with ink.element("H1"):
            write_text(ink, place.x, place.top - 9, setting)
        if below:
            with ink.element():
                write_text(ink, place.x, place.top - 9 - setting.height - 6, below, SOFT)

    return PageBlock(height, draw)
