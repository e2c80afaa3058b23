"""Labels of one's own: a design that is data, filled from a row, and how it looks before there is one."""

import math
from contextlib import suppress
from functools import lru_cache

import msgspec

from labels import pdf
from labels.designs.parts import Align, CodePart, FramePart, Part, PicturePart, TextPart, intersection
from labels.errors import LabelError
from labels.geometry import MM, Box, InkName
from labels.ink import GREY, Ink, path
from labels.null_ink import NullInk
from labels.sheet import SAFE_MARGIN, Label
from labels.stocks import Stock
from labels.template import column_of

_TOLERANCE = 0.1 * MM


class Design(msgspec.Struct, frozen=True):
    """How labels of one's own look. Nothing is printed nearer to the die cut than `margin` points; `stock` is what it
    is made for, "" for any; `beside` the folder in which pictures lie that are the same on all labels; `language` what
    its words are in, "" where it does not say so.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    margin: float = SAFE_MARGIN
    stock: str = ""
    beside: str = ""
    language: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are filled from a row, each once."""
        templates = (part.template for part in self.parts)
        return tuple(dict.fromkeys(field for each in templates if each is not None for field in each.fields))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that fill its fields, each once."""
        return tuple(dict.fromkeys(filter(None, map(column_of, self.fields))))

    def rooms(self, die: Box) -> tuple[Box, ...]:
        """What of each part's box may be printed on. Raises LabelError where that cannot be on such a label."""
        return tuple(
            Box(die.x + room.x, die.y + room.y, room.width, room.height) for room in _rooms(self, die.width, die.height)
        )


class OwnLabel(msgspec.Struct, frozen=True):
    """A label in a design of one's own: `words` are what each part says, in their order; "" leaves a part out."""

    design: Design
    words: tuple[str, ...]

    @property
    def title(self) -> str:
        """What stands first on it."""
        texts = (text for part, text in zip(self.design.parts, self.words, strict=True) if isinstance(part, TextPart))
        return next(filter(None, texts), self.design.title)

    def draw(self, ink: Ink, die: Box) -> None:
        parts = list(zip(self.design.parts, self.design.rooms(die), self.words, strict=True))
        texts = [(part, room, text) for part, room, text in parts if isinstance(part, TextPart)]
        empty = [room for _, room, text in texts if not text]
        titles = (part.title_size(room, die, text) for part, room, text in texts if text)
        largest = min(titles, default=math.inf)
        visible = [each for each in parts if each[2] or each[0].template is None]
        for part, room, text in visible:
            if not isinstance(part, TextPart):
                part.draw(ink, room, die, text)
                continue
            taken = [other for each, other, _ in visible if each is not part] if empty else []
            alone, place = part.alone(room, empty, taken)
            alone.bounded(largest).draw(ink, place, die, text)


@lru_cache(maxsize=64)
def _rooms(design: Design, width: float, height: float) -> tuple[Box, ...]:
    """What of each part's box may be printed on, on a label of this size. Raises LabelError where that cannot be."""
    whole = Box(0, 0, width, height)
    boxes = [part.place.box(width, height) for part in design.parts]
    for part, box in zip(design.parts, boxes, strict=True):
        _check_inside(box, whole, f"The box of {part.named} in the design “{design.name}”")
    rooms = tuple(intersection(box, whole.inset(design.margin)) for box in boxes)
    for part, room in zip(design.parts, rooms, strict=True):
        if room.width <= 0 or room.height <= 0:
            raise LabelError(
                f"The box of {part.named} in the design “{design.name}” lies in the label's margin of "
                f"{design.margin / MM:g} mm, where nothing is printed; move it further in."
            )
    _check_codes_free(design, rooms)
    return rooms


def _check_inside(box: Box, whole: Box, what: str) -> None:
    """Raises LabelError where a box, called `what`, leaves the label."""
    if not (-_TOLERANCE <= box.x < whole.right and 0 < box.top <= whole.top + _TOLERANCE):
        raise LabelError(f"{what} begins outside of the label; move it in, or choose a larger stock.")
    for edge, end, size, way in (
        ("right", box.right, whole.width, "wide"),
        ("bottom", whole.top - box.y, whole.height, "high"),
    ):
        if end > size + _TOLERANCE:
            raise LabelError(
                f"{what} leaves the label at its {edge} edge: it ends at {end / MM:.1f} mm, and the label is "
                f'{size / MM:.1f} mm {way}. Make it smaller, write "rest", or choose a larger stock.'
            )


def _check_codes_free(design: Design, rooms: tuple[Box, ...]) -> None:
    """No part may lie over a code: it would not be read, which nobody sees on paper."""
    parts = list(zip(design.parts, rooms, strict=True))
    for code, place in parts:
        for other, room in parts:
            over = intersection(place, room)
            covers = isinstance(code, CodePart) and other is not code and not isinstance(other, FramePart)
            if covers and min(over.width, over.height) > _TOLERANCE:
                raise LabelError(
                    f"In the design “{design.name}” {other.named} lies over {code.named}, which no phone could "
                    "then read; move one of them."
                )


_AROUND = 4.0


class Specimen(msgspec.Struct, frozen=True):
    """A label that shows its design: fields by their names, in boxes that can be seen."""

    design: Design

    @property
    def title(self) -> str:
        return self.design.title

    def check(self, stock: Stock) -> None:
        """Raises LabelError where the design's boxes cannot be on a label of this stock, or hold nothing there."""
        die, ink = stock.room(1), NullInk()
        for part, room in zip(self.design.parts, self.design.rooms(die), strict=True):
            part.check(room, die)
            if isinstance(part, TextPart | CodePart) and not part.template.fields:
                part.draw(ink, room, die, part.template.filled({}))

    def draw(self, ink: Ink, die: Box) -> None:
        for part, room in zip(self.design.parts, self.design.rooms(die), strict=True):
            ink.outline([path(room)], GREY, 0.25)
            source = part.example if isinstance(part, CodePart) else part.template.source if part.template else ""
            visible_part = _field_name(part) if isinstance(part, PicturePart) else part
            alone = OwnLabel(msgspec.structs.replace(self.design, parts=(visible_part,)), (source,))
            # A field's name may be longer than what will stand there.
            with suppress(LabelError):
                alone.draw(ink, die)


def _field_name(part: PicturePart) -> TextPart:
    """The field of a picture, where it will be seen."""
    centre = Align(0.5, 0.5)
    return TextPart(
        number=part.number,
        place=part.place,
        quarters=part.quarters,
        text=part.picture,
        role="small",
        align=centre,
        size=None,
        colour=GREY,
    )


def specimen_page(label: Label, stock: Stock, ink_name: InkName | None = None) -> bytes:
    """A PDF of one label of a stock, with its die cut and a little paper around it, in the stock's ink or another."""
    cut, room = stock.box(1), stock.room(1)
    die = Box(_AROUND, _AROUND, cut.width, cut.height)
    inner = Box(die.x + room.x - cut.x, die.y + room.y - cut.y, room.width, room.height)

    def draw(ink: Ink) -> None:
        ink.outline((path(*cut) for cut in stock.outlines(die)), GREY, pdf.OUTLINE)
        label.draw(ink, inner)

    size = (cut.width + 2 * _AROUND, cut.height + 2 * _AROUND)
    return pdf.render_pages([draw], size, label.title, ink=ink_name or stock.ink)
