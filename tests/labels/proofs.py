"""A contact sheet: every design on stocks of every size and shape, at true size and with its die cut, to be looked at.

It is drawn twice, in colour and, beside it, in black as a coarse label printer makes its dots.

Run: python -m tests.labels.proofs [FILE.png]. Where a stock has no room for a label, its refusal stands there instead.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from PIL import Image

from companion.games import registry
from companion.printing import designs
from companion.printing.wording import starter_labels
from labels.designs import BlankLabel, EffectLabel, FiguresLabel, HeadedLabel, Plain, TierMark
from labels.drawing.ink import GREY, Ink, path
from labels.errors import LabelError
from labels.geometry import Box, InkName
from labels.output import pdf, proof
from labels.paper import stocks
from labels.paper.sheet import Label
from labels.paper.stocks import Stock
from labels.typesetting.text import fit
from tests.labels.paper import ROLLS, SHEETS, one_bit
from tests.labels.samples import (
    DAMAGE,
    DRAKE,
    EASY,
    LONGEST,
    LONGEST_CODED,
    TENS_AND_ONES,
    box_label,
    count_label,
    figures,
)

DPI = 110
_WORDS = {
    "name": "Ana Müller",
    "text": "dried, from the balcony",
    "role": "Keeps the score",
    "table": "3",
    "link": "https://example.org/ana",
    "code": "SKU-00417",
    "code128": "JAR-07",
    "ean13": "4006381333931",
    "price": "3.49 €",
    "ingredients": "Strawberries, sugar, lemon juice",
    "date": "May 2027",
}
BLACK_DPI = 203
"""What the coarsest label printers have."""
_GAP = 14.0
_SMALL = 6.5
_AT_ONCE = 6
"""Labels that are drawn on one page."""


def labels() -> Iterator[Label]:
    """What is proved: an ordinary one of each design first, then what is long."""
    starter_by_title = {label.title: label for label in starter_labels(registry.game("decknforge"))}
    yield from (
        starter_by_title[name] for name in ("Swift", "Rampage", "Sharp", "Echo", "Mercenary Pact", "Tower's Memory")
    )
    yield FiguresLabel("Imp", (("HP", "6"), ("ATK", "1")), card="A♠")
    gargoyle = figures("The Weeping Gargoyle", 23, 4, legend=True, card="A♠", note="Grave Choir")
    yield gargoyle
    yield from _coded((*(starter_by_title[name] for name in ("Swift", "Rampage", "Sharp", "Mercenary Pact")), gargoyle))
    yield FiguresLabel("Ash Wolf", (("", "12/14"),), TierMark("Level 2", "2", "#1D4E9E"), effect="Armor 2, Mobility 1")
    yield DRAKE
    yield DAMAGE
    yield TENS_AND_ONES
    yield box_label("Grave Choir", 12)
    yield box_label("The Ashen Court of Westmarch", 12)
    yield count_label()
    yield Plain("Ana Müller")
    yield Plain("Blue\nWizard", "WAVE. Typing AV, To, Ty and “Yo.”\nfi fl ffi 1/2")
    yield BlankLabel(EASY)
    yield BlankLabel()
    yield figures("Imp", 6, 1, legend=True)
    yield from _own_labels()
    yield from (
        label for label in (*LONGEST, *LONGEST_CODED) if label not in (DRAKE, DAMAGE, TENS_AND_ONES, BlankLabel())
    )


def _coded(plain: Sequence[Label]) -> Iterator[Label]:
    """The same with codes; those of cards know theirs."""
    for number, label in enumerate(plain):
        if isinstance(label, EffectLabel | HeadedLabel | FiguresLabel):
            card = label.card or ("10♣" if isinstance(label, EffectLabel) else "")
            yield msgspec.structs.replace(label, code=f"{48_000 + number:06}", card=card)


def _own_labels() -> Iterator[Label]:
    """The designs that come along, filled; pictures are left out."""
    for entry in designs.list_designs():
        if entry.design is not None and not entry.own:
            yield designs.fill_design(entry.design, _WORDS)


def contact(samples: Sequence[Label], paper: Sequence[Stock], ink_name: InkName = "colour") -> bytes:
    """A PDF of one page: a row a label, a column a stock; sheets first, and below them rolls."""
    groups = [stocks for roll in (False, True) if (stocks := [stock for stock in paper if stock.roll == roll])]
    heights = [2 * _GAP + len(samples) * _row(group) for group in groups]
    width = max(sum(stock.box(1).width + _GAP for stock in group) + _GAP for group in groups)

    def draw(ink: Ink) -> None:
        top = sum(heights)
        for group, height in zip(groups, heights, strict=True):
            _draw(ink, samples, group, top)
            top -= height

    return pdf.render_pages([draw], (width, sum(heights)), "Proofs", ink=ink_name)


def _row(group: Sequence[Stock]) -> float:
    return max(stock.box(1).height for stock in group) + _GAP


def _draw(ink: Ink, samples: Sequence[Label], group: Sequence[Stock], top: float) -> None:
    x = _GAP
    for stock in group:
        die = stock.box(1)
        ink.text(x, top - _GAP, f"{stock.name} · {stock.size}", "bold", _SMALL, GREY)
        for number, label in enumerate(samples, 1):
            place = Box(x, top - number * _row(group) - _GAP, die.width, die.height)
            ink.outline((path(*cut) for cut in stock.outlines(place)), GREY, pdf.OUTLINE)
            room = stock.room(1)
            _prove(ink, label, Box(place.x + room.x - die.x, place.y + room.y - die.y, room.width, room.height))
        x += die.width + _GAP


def _prove(ink: Ink, label: Label, die: Box) -> None:
    try:
        pdf.render_pages([lambda trial: label.draw(trial, die)], (die.right, die.top), "Trial")
    except LabelError as error:
        _refused(ink, str(error), die)
    else:
        label.draw(ink, die)


def _refused(ink: Ink, reason: str, die: Box) -> None:
    try:
        ink.lines(die.x + 3, die.top - 3, fit(reason, "It", die.width - 6, die.height - 6, _SMALL), GREY)
    except LabelError:
        ink.text(die.x + 3, die.top - 12, "refused", "regular", _SMALL, GREY)


SHAPES = ("22807", "C2244", "4358", "8983", "4471", "5395", "L4785")
"""Stocks that are round, oval, with a hole, or with very round corners."""


def main(file: Path) -> None:
    """Draws the contact sheet as a picture in colour, and one in black beside it."""
    in_black = file.with_stem(f"{file.stem}-black")
    _picture("colour", DPI).save(file)
    one_bit(_picture("black", BLACK_DPI)).save(in_black)
    print(f"{file}, {in_black}: every design on stocks of every size and shape")


def _picture(ink_name: InkName, dpi: float) -> Image.Image:
    """The contact sheet, a few labels at a time: what lies beyond 32,767 pixels pdfium draws in part only."""
    samples, paper = tuple(labels()), [*SHEETS, *map(stocks.find, SHAPES), *ROLLS]
    parts = [
        proof.page_as_picture(contact(samples[start : start + _AT_ONCE], paper, ink_name), 1, dpi)
        for start in range(0, len(samples), _AT_ONCE)
    ]
    whole = Image.new(parts[0].mode, (max(part.width for part in parts), sum(part.height for part in parts)), "white")
    top = 0
    for part in parts:
        whole.paste(part, (0, top))
        top += part.height
    return whole


if __name__ == "__main__":
    main(Path(*sys.argv[1:] or ["proofs.png"]))
