"""A design as it looks before there is anything to print: every part's box, and in it the field that will stand there.

Separate because it shows a design to whoever makes one, and never goes onto a card.
"""

from contextlib import suppress

import msgspec

from labels import pdf
from labels.designs.own import Design, OwnLabel
from labels.designs.parts import Align, CodePart, PicturePart, TextPart
from labels.dry import DryInk
from labels.errors import LabelError
from labels.geometry import Box
from labels.ink import GREY, Ink, path
from labels.stocks import Stock

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


def page(label: Specimen, stock: Stock) -> bytes:
    """A PDF of one label of a stock, with its die cut and a little paper around it."""
    cut, room = stock.box(1), stock.room(1)
    die = Box(_AROUND, _AROUND, cut.width, cut.height)
    inner = Box(die.x + room.x - cut.x, die.y + room.y - cut.y, room.width, room.height)

    def draw(ink: Ink) -> None:
        ink.outline([path(die, stock.corner)], GREY, pdf.OUTLINE)
        label.draw(ink, inner)

    return pdf.pages([draw], (cut.width + 2 * _AROUND, cut.height + 2 * _AROUND), label.title)
