"""Users' own labels: a design that is data, filled from a row, and its specimen before there is a row."""

import math
from contextlib import nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeGuard

import msgspec

from labels.designs.parts import (
    Align,
    CodePart,
    FillPart,
    FramePart,
    Part,
    PicturePart,
    ShapedRoom,
    TextPart,
)
from labels.designs.turning import covers, is_on_label, turn_corners
from labels.drawing.ink import GREY, Ink, path
from labels.drawing.null_ink import NullInk
from labels.errors import LabelError
from labels.geometry import MM, Box, InkName, intersection
from labels.output import pdf
from labels.paper.die import InnerBox
from labels.paper.sheet import SAFE_MARGIN, Label
from labels.paper.stocks import Stock
from labels.template import column_of
from labels.typesetting.emphasis import remove_marks
from templates.languages.messages import Message, declared, phrase

_TOLERANCE = 0.1 * MM
_INSIDE_RING = 0.7 * MM
"""Space between a ring and a text inside it."""


Area = Literal["label", "inside"]
"""The area that boxes are measured on: all of a round label, or the largest box inside it."""


class Design(msgspec.Struct, frozen=True):
    """The look of a user's own labels.

    Nothing is printed nearer to the die cut than `margin` points. `stock` is the stock that the design is made for, ""
    for any. `beside` is the folder of pictures that are the same on all labels. `language` is the language of its
    words, "" if unknown. `area` is what boxes are measured on, None for the default.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    margin: float = SAFE_MARGIN
    stock: str = ""
    beside: str = ""
    language: str = ""
    area: Area | None = None

    @property
    def caption(self) -> Message:
        """The title in the language of the reader; that of a user's own design is as it was written."""
        return declared(self.title, "label design")

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are filled from a row or compared with its values, without duplicates."""
        fields = [
            *(field for part in self.parts if part.template is not None for field in part.template.fields),
            *(part.when.field for part in self.parts if part.when is not None),
        ]
        return tuple(dict.fromkeys(fields))

    @property
    def spans_round(self) -> bool:
        """Return True if boxes on a round label are measured on all of it.

        If the design does not choose, they are if they consist of shares alone and no code or picture needs a box.
        """
        if self.area is not None:
            return self.area == "label"
        return not any(part.place.has_lengths or isinstance(part, CodePart | PicturePart) for part in self.parts)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that fill its fields, without duplicates."""
        return tuple(dict.fromkeys(filter(None, map(column_of, self.fields))))

    def rooms(self, die: Box) -> tuple[Box, ...]:
        """Return the printable area of each part's box. Raises LabelError if a part does not fit on such a label."""
        around = die.around
        return tuple(room.translate(around.x, around.y) for room in _rooms(self, die.translate(-around.x, -around.y)))


class OwnLabel(msgspec.Struct, frozen=True):
    """A label in a user's own design.

    `words` are the texts of its parts, in order; "" leaves out a part that has a text or a condition.
    """

    design: Design
    words: tuple[str, ...]

    @property
    def title(self) -> str:
        """The first text of the label."""
        texts = (text for part, text in zip(self.design.parts, self.words, strict=True) if isinstance(part, TextPart))
        return remove_marks(next(filter(None, texts), "")) or str(self.design.caption)

    def draw(self, ink: Ink, die: Box) -> None:
        parts = list(zip(self.design.parts, self.design.rooms(die), self.words, strict=True))
        die = die.around if self.design.spans_round else die
        texts = [(part, room, text) for part, room, text in parts if isinstance(part, TextPart)]
        empty = [room for _, room, text in texts if not text]
        titles = (part.title_size(room, die, text) for part, room, text in texts if text)
        largest = min(titles, default=math.inf)
        visible = [each for each in parts if each[2] or (each[0].template is None and each[0].when is None)]
        for part, room, text in visible:
            if not isinstance(part, TextPart):
                part.draw(ink, room, die, text)
                continue
            taken = [other for each, other, _ in visible if each is not part] if empty else []
            alone, place = part.alone(room, empty, taken)
            alone.limit_size(largest).draw(ink, place, die, text)


@lru_cache(maxsize=64)
def _rooms(design: Design, die: Box) -> tuple[Box, ...]:
    """Return the printable area of each part's box on a label at the origin.

    Raises LabelError if a part does not fit.
    """
    rooms = tuple(_part_room(part, design, die) for part in design.parts)
    for part, room in zip(design.parts, rooms, strict=True):
        if room.width <= 0 or room.height <= 0:
            raise LabelError(
                phrase(
                    "The box of {part} in the design “{design}” lies in the label's margin of {margin} mm, where "
                    "nothing is printed; move it further in.",
                    part=part.quoted_name,
                    design=design.name,
                    margin=f"{design.margin / MM:g}",
                )
            )
    _check_codes_free(design, rooms)
    return rooms


def part_area(part: Part, design: Design, die: Box) -> Box:
    """Return the area of a label that the box of a part is measured on."""
    if _bleeds(part) or _spans_round(design, die):
        return die.around
    return Box(die.x, die.y, die.width, die.height)


def _bleeds(part: Part) -> bool:
    return isinstance(part, FillPart) and part.bleed


def _spans_round(design: Design, die: Box) -> bool:
    """Return True if the boxes of a design are measured on all of a round label."""
    return isinstance(die, InnerBox) and die.shape == "ellipse" and design.spans_round


def _part_room(part: Part, design: Design, die: Box) -> Box:
    """Return the printable area of a part's box. Raises LabelError if the box leaves the label."""
    bleeds, is_round = _bleeds(part), _spans_round(design, die)
    whole = part_area(part, design, die)
    box = part.place.box(whole.width, whole.height).translate(whole.x, whole.y)
    if part.degrees:
        if not is_on_label(turn_corners(box, part.degrees), die, design.margin):
            raise LabelError(
                phrase(
                    "The box of {part} in the design “{design}”, turned by {degrees}°, leaves the label or lies in its "
                    "margin of {margin} mm; make it smaller, move it further in, or turn it less.",
                    part=part.quoted_name,
                    design=design.name,
                    degrees=str(part.degrees),
                    margin=f"{design.margin / MM:g}",
                )
            )
        return box
    _check_inside(box, whole, part.quoted_name, design.name)
    margin = 0.0 if bleeds else design.margin
    if isinstance(die, InnerBox) and (bleeds or (is_round and _follows_shape(part))):
        # No text is set beyond the printer's reach, but a field may be cut off there.
        if isinstance(part, TextPart):
            margin += max([each.line + _INSIDE_RING for each in design.parts if _is_ring(each)], default=0.0)
        area = die.cut if bleeds else intersection(die.ink, die.cut.inset(margin))
        room = intersection(box, area)
        return ShapedRoom(room.x, room.y, room.width, room.height, die, margin)
    inside = die.around if bleeds else Box(die.x, die.y, die.width, die.height).inset(margin)
    return intersection(box, inside)


def _follows_shape(part: Part) -> bool:
    """Return True for a part that may extend beyond the largest box inside a round label."""
    if isinstance(part, TextPart):
        return not part.vertical and not part.rotation
    return isinstance(part, FillPart) or _is_ring(part)


def _is_ring(part: Part) -> TypeGuard[FramePart]:
    """Return True for a frame that becomes a ring on a round label, as it surrounds all of it."""
    return isinstance(part, FramePart) and part.place.is_whole and not part.degrees


def _check_inside(box: Box, whole: Box, part: Message, design: str) -> None:
    """Raise LabelError if the box of a part of a design leaves the label."""
    if not (whole.x - _TOLERANCE <= box.x < whole.right and whole.y < box.top <= whole.top + _TOLERANCE):
        raise LabelError(
            phrase(
                "The box of {part} in the design “{design}” begins outside of the label; move it in, or choose a "
                "larger stock.",
                part=part,
                design=design,
            )
        )
    right, down = box.right - whole.x, whole.top - box.y
    if right > whole.width + _TOLERANCE:
        raise LabelError(
            phrase(
                "The box of {part} in the design “{design}” leaves the label at its right edge: it ends at {end} mm, "
                'and the label is {size} mm wide. Make it smaller, write "rest", or choose a larger stock.',
                part=part,
                design=design,
                end=f"{right / MM:.1f}",
                size=f"{whole.width / MM:.1f}",
            )
        )
    if down > whole.height + _TOLERANCE:
        raise LabelError(
            phrase(
                "The box of {part} in the design “{design}” leaves the label at its bottom edge: it ends at {end} mm, "
                'and the label is {size} mm high. Make it smaller, write "rest", or choose a larger stock.',
                part=part,
                design=design,
                end=f"{down / MM:.1f}",
                size=f"{whole.height / MM:.1f}",
            )
        )


def _check_codes_free(design: Design, rooms: tuple[Box, ...]) -> None:
    """Refuse parts that cover a code: it could not be scanned, which is not visible on paper."""
    parts = list(zip(design.parts, rooms, strict=True))
    for code, place in parts:
        for other, room in parts:
            if not isinstance(code, CodePart) or other is code or isinstance(other, FramePart):
                continue
            if covers(turn_corners(room, other.degrees), place, _TOLERANCE):
                raise LabelError(
                    phrase(
                        "In the design “{design}” {part} lies over {code}, which no phone could then read; move one of "
                        "them.",
                        design=design.name,
                        part=other.quoted_name,
                        code=code.quoted_name,
                    )
                )


_AROUND = 4.0


class Specimen(msgspec.Struct, frozen=True):
    """A label that shows its design: field names in visible boxes."""

    design: Design

    @property
    def title(self) -> str:
        return str(self.design.caption)

    def check(self, stock: Stock) -> None:
        """Raise LabelError if the design's boxes do not fit on a label of this stock, or can hold nothing there."""
        die, ink = stock.room(1), NullInk()
        whole = die.around if self.design.spans_round else die
        for part, room in zip(self.design.parts, self.design.rooms(die), strict=True):
            part.check(room, whole)
            if isinstance(part, TextPart | CodePart) and not part.template.fields:
                words = part.fill({}) if isinstance(part, TextPart) else part.template.fill_fields({})
                part.draw(ink, room, whole, words)

    def draw(self, ink: Ink, die: Box) -> None:
        for part, room in zip(self.design.parts, self.design.rooms(die), strict=True):
            with ink.clip(path(*room.outline)) if isinstance(room, ShapedRoom) else nullcontext():
                if part.degrees:
                    with ink.rotate(part.degrees, room.x + room.width / 2, room.y + room.height / 2):
                        ink.outline([path(_centre(room))], GREY, 0.25)
                else:
                    ink.outline([path(room)], GREY, 0.25)
            source, visible_part = _example(part), part
            if isinstance(part, PicturePart):
                file = _fixed_picture(part, self.design)
                visible_part, source = (part, file) if file else (_field_name(part), source)
            visible_part = msgspec.structs.replace(visible_part, when=None)
            # Whether boxes are measured on all of a round label may depend on the other parts.
            area: Area = "label" if self.design.spans_round else "inside"
            alone = OwnLabel(msgspec.structs.replace(self.design, parts=(visible_part,), area=area), (source,))
            # A field's name may be longer than its content will be.
            with suppress(LabelError):
                alone.draw(ink, die)


def _fixed_picture(part: PicturePart, design: Design) -> str:
    """Return the file of a picture that is the same on all labels, "" if rows fill it or there is no such file."""
    file = Path(design.beside, part.template.source)
    return str(file) if design.beside and not part.template.fields and file.is_file() else ""


def _example(part: Part) -> str:
    """Return what a part shows before there is a row: its text with the names of its fields."""
    if isinstance(part, TextPart) and part.markup:
        return part.fill({field: f"{{{field}}}" for field in part.template.fields})
    if isinstance(part, CodePart):
        return part.example
    return part.template.source if part.template is not None else ""


def _centre(box: Box) -> Box:
    return Box(-box.width / 2, -box.height / 2, box.width, box.height)


def _field_name(part: PicturePart) -> TextPart:
    """Return a text with the field of a picture, in the picture's place."""
    centre = Align(0.5, 0.5)
    return TextPart(
        number=part.number,
        place=part.place,
        quarters=part.quarters,
        degrees=part.degrees,
        text=part.picture,
        role="small",
        align=centre,
        size=None,
        colour=GREY,
    )


def specimen_page(label: Label, stock: Stock, ink_name: InkName | None = None) -> bytes:
    """Return a PDF of one label of a stock, with its die cut and a little paper around it.

    It is drawn in the stock's ink, or in `ink_name`.
    """
    cut, room = stock.box(1), stock.room(1)
    die = Box(_AROUND, _AROUND, cut.width, cut.height)
    inner = room.translate(die.x - cut.x, die.y - cut.y)

    def draw(ink: Ink) -> None:
        ink.outline((path(*cut) for cut in stock.outlines(die)), GREY, pdf.OUTLINE)
        label.draw(ink, inner)

    size = (cut.width + 2 * _AROUND, cut.height + 2 * _AROUND)
    return pdf.render_pages([draw], size, label.title, ink=ink_name or stock.ink)
