"""A design as it looks before there is anything to print: every part's box, and in it the field that will stand there.

Separate because it shows a design to whoever makes one, and never goes onto a card.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from labels import pdf, proof
from labels.designs.own import Design, OwnLabel
from labels.designs.parts import Align, CodePart, PicturePart, TextPart
from labels.dry import DryInk
from labels.errors import LabelError
from labels.geometry import Box
from labels.ink import GREY, Ink, path
from labels.stocks import Stock

if TYPE_CHECKING:
    from PIL.Image import Image

_DPI = 300
_AROUND = 4.0


class Specimen(msgspec.Struct, frozen=True):
    """A label that shows its design: fields by their names, in boxes that can be seen."""

    design: Design

    @property
    def title(self) -> str:
        return self.design.title

    def check(self, stock: Stock) -> None:
        """Raises LabelError where the design's boxes cannot be on a label of this stock, or hold nothing there."""
        die, ink = stock.room(1), DryInk()
        for part, room in zip(self.design.parts, self.design.rooms(die), strict=True):
            part.check(room, die)
            if isinstance(part, TextPart | CodePart) and not part.template.fields:
                part.draw(ink, room, die, part.template.filled({}))

    def draw(self, ink: Ink, die: Box) -> None:
        for part, room in zip(self.design.parts, self.design.rooms(die), strict=True):
            ink.outline([path(room)], GREY, 0.25)
            said = part.template.source if part.template else ""
            shown = _named(part) if isinstance(part, PicturePart) else part
            alone = OwnLabel(msgspec.structs.replace(self.design, parts=(shown,)), (said,))
            # A field's name may be longer than what will stand there.
            with suppress(LabelError):
                alone.draw(ink, die)


def _named(part: PicturePart) -> TextPart:
    """The field of a picture, where it will be seen."""
    centre = Align(0.5, 0.5)
    return TextPart(
        number=part.number, place=part.place, text=part.picture, role="small", align=centre, size=None, colour=GREY
    )


def picture(label: Specimen, stock: Stock) -> "Image":
    """A label with a little paper around it."""
    die = stock.box(1)
    page = proof.page(pdf.sheets([{1: label}], stock, pdf.Setup(label.title, outlines=True)), 1, _DPI)
    scale, (_, height) = page.width / stock.page_size[0], stock.page_size
    around = die.inset(-_AROUND)
    return page.crop(
        (around.x * scale, (height - around.top) * scale, around.right * scale, (height - around.y) * scale)
    )
