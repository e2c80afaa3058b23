"""The drawing of a deck's portrait: its things in rows, its cards by suit and rank, its figures as bars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual.content import Content

from companion.tabletop.decks.portrait import CardGrid, Chart, DeckVerdict, Listing, Part, Portrait, PortraitLine
from companion.tabletop.notation.cards import GLYPHS, JOKERS, RANKS, SUITS, Card, pretty
from companion.tabletop.text import signed_figure
from companion.tui import drawing
from companion.tui.widgets.page import Page

_NARROWEST: Final = 3
_WIDEST: Final = 5
_LONGEST_BAR: Final = 40


class PortraitPage(Page):
    """A page that draws a portrait to its own width."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 – Textual's name
        super().__init__(id=id)
        self._portrait: Portrait | None = None
        self._drawn_for = 0

    def show_portrait(self, portrait: Portrait) -> None:
        """Show this portrait from now on."""
        self._portrait, self._drawn_for = portrait, 0
        self._draw()

    def on_resize(self) -> None:
        """Draw the portrait again if the width has changed."""
        self._draw()

    def _draw(self) -> None:
        # Leave a column for the scrollbar.
        width = self.content_size.width - 1
        if self._portrait is not None and width > 0 and width != self._drawn_for:
            self._drawn_for = width
            self.show(portrait_rows(self._portrait, width))


def portrait_rows(portrait: Portrait, width: int) -> Iterator[Content]:
    """Yield the rows of a portrait."""
    for text in portrait.summary:
        yield from drawing.wrap_content(Content(drawing.narrow_glyphs(str(text))), width)
    for number, part in enumerate(portrait.parts):
        if number or portrait.summary:
            yield Content("")
        yield from part_rows(part, width)


def part_rows(part: Part, width: int) -> Iterator[Content]:
    """Yield the rows of a part, below its title."""
    if isinstance(part, DeckVerdict):
        sign, style = ("✗", "bold $text-error") if part.flaws else ("✓", "bold $text-success")
        yield from drawing.wrap_content(Content.styled(f"{sign} {part.title}", style), width)
        for flaw in part.flaws:
            yield from drawing.wrap_with_indent(Content(f"  {drawing.narrow_glyphs(str(flaw))}"), width, 2)
        return
    yield from drawing.wrap_content(Content.styled(drawing.narrow_glyphs(str(part.title)), drawing.ACCENT), width)
    if isinstance(part, Listing):
        yield from _draw_listing(part, width)
    elif isinstance(part, CardGrid):
        yield from _draw_grid(part, width)
    else:
        yield from _draw_chart(part, width)


def _draw_listing(part: Listing, width: int) -> Iterator[Content]:
    heads = [_draw_line_head(line) for line in part.lines]
    widest = max((head.cell_length for head in heads), default=0)
    room = min(widest, width // 2)
    for head, line in zip(heads, part.lines, strict=True):
        about = Content.styled(
            "  " + drawing.BULLET.join(drawing.narrow_glyphs(str(text)) for text in line.about), drawing.DIM
        )
        row = head.pad_right(max(0, room - head.cell_length)) + (about if line.about else "")
        yield from drawing.wrap_with_indent(row, width, 4)


def _draw_line_head(line: PortraitLine) -> Content:
    star = "★ " if line.starred else "  "
    place = f"{_card_symbol(line.card):<3} " if line.card else f"{line.count:>2} " if line.count else ""
    change = (signed_figure(line.change), "bold $text-success" if line.change > 0 else "bold $text-error")
    name = (drawing.narrow_glyphs(str(line.name)), drawing.BOLD)
    # The number of copies comes first; if it does not matter, the change.
    if line.change and not place:
        return Content.assemble("  ", change, " ", name)
    return Content.assemble(star if line.card else "  ", place, name) + (
        Content.assemble("  ", change) if line.change else Content("")
    )


def _card_symbol(card: Card) -> str:
    return card if card in JOKERS else pretty(card)


def _draw_grid(part: CardGrid, width: int) -> Iterator[Content]:
    cell = max(_NARROWEST, min(_WIDEST, (width - 4) // len(RANKS)))
    yield Content.styled("    " + "".join(f"{rank:^{cell}}" for rank in RANKS), drawing.DIM)
    for suit in SUITS:
        cells = [_cell(part, Card(rank + suit), cell) for rank in RANKS]
        yield Content(f"  {GLYPHS[suit]} ") + Content("").join(cells)
    jokers = [card for card in JOKERS if card in part.bears]
    if jokers:
        yield Content("    ") + Content(drawing.BULLET).join(_cell(part, card, cell) for card in jokers)


def _cell(part: CardGrid, card: Card, width: int) -> Content:
    """Return a cell of the grid: a card that bears something is bold on its own background; one that bears nothing is a
    dot.
    """
    name = _card_symbol(card) if card in part.bears or card in part.others else "·"
    look = f"{drawing.BOLD} on $panel" if card in part.bears else drawing.DIM
    before = (width - len(name)) // 2
    return Content.styled(name, look).pad(before, width - len(name) - before)


def _draw_chart(part: Chart, width: int) -> Iterator[Content]:
    labels = max(len(str(bar.label)) for bar in part.bars)
    most = max(part.most, *(bar.value for bar in part.bars)) or 1
    tail = max(len(f"{bar.about or bar.value}") for bar in part.bars)
    room = max(1, min(_LONGEST_BAR, width - labels - tail - 4))
    for bar in part.bars:
        length = 0 if bar.value <= 0 else max(1, round(room * bar.value / most))
        yield Content.assemble(
            f"  {bar.label!s:>{labels}} ",
            ("█" * length, "$text-accent"),
            (f" {bar.about or bar.value}", drawing.FIGURE),
        )
