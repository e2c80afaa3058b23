"""An evening on one page to keep or send: large figures, tables, charts, with suits in their two colours.

The page is as wide as A5 and as high as it needs to be, so that nothing of an evening is left out and its picture has
no empty half.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import groupby
from typing import Final

from companion.printing.blocks import (
    GAP,
    GOLD_ON_NIGHT,
    NIGHT,
    ON_NIGHT,
    SOFT,
    SOFT_ON_NIGHT,
    PageBlock,
    bar_chart,
    part_block,
    tiles_block,
    write_text,
)
from companion.tabletop.evening import CardChart, CardList, CardPart, EveningCard
from companion.tabletop.evening_text import as_markdown
from labels import output
from labels.drawing.ink import Ink
from labels.geometry import MM, Box
from labels.output import charts, pdf
from labels.typesetting.text import fit_truncated

WIDTH: Final = 148 * MM
PICTURE_DPI: Final = 240
"""Dots per inch of a picture: 1398 across, sharp on any phone."""

_MARGIN: Final = 26.0
_GUTTER: Final = 16.0
_LOWEST: Final = 100 * MM
"""The least height of the page."""

_PAPER: Final = "#FCF9F2"
_WON: Final = "#3C8D5A"
_LOST: Final = "#B23A3A"
_OPEN: Final = "#5B6474"


def draw_card(card: EveningCard) -> bytes:
    """Return the card as a PDF of one page."""
    body = WIDTH - 2 * _MARGIN
    head = _head(card)
    blocks = [*([tiles_block(card.figures, body)] if card.figures else []), *_arrange_parts(card.parts, body)]
    foot = _foot(card, body)
    height = head.height + sum(block.height + GAP for block in blocks) + GAP + foot.height + _MARGIN * 0.6
    height = max(_LOWEST, height)

    def draw(ink: Ink) -> None:
        with ink.artifact():
            ink.fill(Box(0, 0, WIDTH, height), _PAPER)
        head.draw(ink, Box(0, height - head.height, WIDTH, head.height))
        top = height - head.height - GAP
        for block in blocks:
            block.draw(ink, Box(_MARGIN, top - block.height, body, block.height))
            top -= block.height + GAP
        foot.draw(ink, Box(_MARGIN, _MARGIN * 0.6, body, foot.height))

    return pdf.render_pages([draw], (WIDTH, height), f"{card.game}: {card.title}", subject=str(card.subtitle))


def _head(card: EveningCard) -> PageBlock:
    """Return the head: game and day, the result, and the players."""
    body = WIDTH - 2 * _MARGIN
    above = fit_truncated(str(card.game).upper(), body * 0.55, 8.5, "bold", 1)
    when = fit_truncated(str(card.when), body * 0.43, 8.5, most_lines=1) if card.when else None
    headline = fit_truncated(str(card.headline), body, 27, "bold", 3)
    highlight = fit_truncated(str(card.highlight_sentence), body, 13, most_lines=2) if card.highlights else None
    subtitle = fit_truncated(str(card.subtitle), body, 10.5) if card.subtitle else None
    below = [(text, shade) for text, shade in ((highlight, ON_NIGHT), (subtitle, SOFT_ON_NIGHT)) if text]
    height = 20 + above.height + 13 + headline.height + sum(9 + text.height for text, _ in below) + 20
    colour = {True: _WON, False: _LOST, None: _OPEN}[card.won]

    def draw(ink: Ink, room: Box) -> None:
        with ink.artifact():
            ink.fill(room, NIGHT)
            ink.fill(Box(room.x, room.y, room.width, 5), colour)
        top = room.top - 20
        with ink.element():
            write_text(ink, room.x + _MARGIN, top, above, GOLD_ON_NIGHT)
            if when:
                write_text(ink, 0, top, when, SOFT_ON_NIGHT, right=room.right - _MARGIN)
        top -= above.height + 13
        with ink.element("H1"):
            write_text(ink, room.x + _MARGIN, top, headline, ON_NIGHT)
        top -= headline.height
        for text, shade in below:
            with ink.element():
                write_text(ink, room.x + _MARGIN, top - 9, text, shade)
            top -= 9 + text.height

    return PageBlock(height, draw)


def _arrange_parts(parts: Sequence[CardPart], width: float) -> Iterator[PageBlock]:
    """Yield the parts from top to bottom. Consecutive lists fill two columns."""
    half = (width - _GUTTER) / 2
    for are_lists, some in groupby(parts, lambda part: isinstance(part, CardList)):
        group = list(some)
        if are_lists and len(group) > 1:
            columns: tuple[list[PageBlock], list[PageBlock]] = ([], [])
            for part in group:
                min(columns, key=_height).append(part_block(part, half))
            yield PageBlock(max(map(_height, columns)), partial(_draw_columns, columns, half))
        else:
            yield from (part_block(part, width) for part in group)


def _height(column: Sequence[PageBlock]) -> float:
    """Return the height of stacked parts."""
    return sum(block.height for block in column) + GAP * max(0, len(column) - 1)


def _draw_columns(columns: Sequence[Sequence[PageBlock]], half: float, ink: Ink, place: Box) -> None:
    for x, column in zip((place.x, place.right - half), columns, strict=True):
        top = place.top
        for block in column:
            block.draw(ink, Box(x, top - block.height, half, block.height))
            top -= block.height + GAP


def _foot(card: EveningCard, width: float) -> PageBlock:
    """Return the foot with the credit."""
    credit = fit_truncated(str(card.credit), width, 6.2) if card.credit else None

    def draw(ink: Ink, place: Box) -> None:
        if credit:
            with ink.artifact():
                write_text(ink, place.x, place.top, credit, SOFT)

    return PageBlock(credit.height if credit else 0.0, draw)


def bar_charts(card: EveningCard) -> Iterator[charts.BarChart]:
    """Return the bars of a card as charts."""
    return (bar_chart(part) for part in card.parts if isinstance(part, CardChart))


def draw_picture(card: EveningCard, dpi: float = PICTURE_DPI) -> bytes:
    """Return the printed card as a PNG."""
    out = BytesIO()
    output.proof.page_as_picture(draw_card(card), 1, dpi).save(out, format="PNG", dpi=(dpi, dpi))
    return out.getvalue()


def write_card(card: EveningCard, kind: str) -> bytes:
    """Return the card as a file in one of `companion.tabletop.evening.FORMATS`."""
    if kind == "md":
        return as_markdown(card).encode()
    return draw_picture(card) if kind == "png" else draw_card(card)
