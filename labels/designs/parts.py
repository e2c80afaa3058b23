"""The parts of a label of one's own: texts, codes, pictures, fields of colour and frames, each in a box of its own."""

import math
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

import msgspec

from labels import fonts, layout, qr, style
from labels.errors import LabelError
from labels.fonts import Weight
from labels.geometry import MM, Box
from labels.ink import Ink, path
from labels.picture import inspect_picture
from labels.template import Template
from labels.text import SMALLEST, Setting, TextError, fit

_MAX_CODE_BYTES = 1000
"""Bytes; what holds more is read by no phone from a label."""
_MAX_QUOTED = 60


class Role(NamedTuple):
    """What a text is for, which says how it is set."""

    weight: Weight
    size: float
    prefer: Literal["one line", "size"]


ROLES = {
    "title": Role("bold", style.TITLE, "one line"),
    "text": Role("regular", style.EFFECT, "size"),
    "small": Role("regular", style.NOTE, "size"),
    "figure": Role("bold", style.FIGURE, "one line"),
}


class Measure(msgspec.Struct, frozen=True):
    """A length on a label: a share of its width or height, and points besides."""

    share: float
    points: float

    def of(self, whole: float) -> float:
        return self.share * whole + self.points


class Placement(msgspec.Struct, frozen=True):
    """Where a part stands: from the label's left and top edge, how wide and how high."""

    left: Measure
    top: Measure
    width: Measure
    height: Measure

    def box(self, width: float, height: float) -> Box:
        """The box on a label of this size, in points from its bottom left corner."""
        left, top = self.left.of(width), self.top.of(height)
        wide, high = self.width.of(width), self.height.of(height)
        return Box(left, height - top - high, wide, high)


class Align(msgspec.Struct, frozen=True):
    """Where in its room something stands that does not fill it: 0 is left and top, 1 is right and bottom.

    `natural` says that nobody chose `across`, so that what is read from the right stands at the right.
    """

    across: float
    down: float
    natural: bool = False

    def inside(self, room: Box, width: float, height: float) -> Box:
        """A box of this size in a room."""
        x = room.x + (room.width - width) * self.across
        return Box(x, room.top - height - (room.height - height) * self.down, width, height)


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """Something on a label. `number` counts from 1, as errors name it."""

    number: int
    place: Placement

    kind: ClassVar[str]

    @property
    def template(self) -> Template | None:
        """What is filled from a row; None where nothing is."""
        return None

    @property
    def named(self) -> str:
        """The part in a sentence."""
        return f"part {self.number} ({self.kind})"

    def check(self, room: Box, whole: Box) -> None:
        """Raises LabelError where its box is too small for anything that could be said there."""

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        """Draws it into its room, saying `value`; `whole` is the room with the margin in it."""
        raise NotImplementedError


class TextPart(_Part, frozen=True):
    """A text in a role; `size` is the smallest and the largest it may be in points, where the design says so."""

    text: Template
    role: str
    align: Align
    size: tuple[float, float] | None
    colour: str

    kind = "text"

    @property
    def template(self) -> Template:
        return self.text

    @property
    def _least(self) -> float:
        """How small it may be, in points."""
        return self.size[0] if self.size else SMALLEST

    def check(self, room: Box, whole: Box) -> None:  # noqa: ARG002
        line = fit("x", "", math.inf, math.inf, self._least, weight=ROLES[self.role].weight).height
        if room.height < line:
            raise TextError(
                f"The box of {self.named} leaves {room.height / MM:.1f} mm of height, and a line of {self._least:g} pt "
                f"needs {line / MM:.1f} mm; make it higher, or choose a larger stock."
            )

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        setting = self._fitted(room, whole, value)
        if setting is None or setting.size < self._least:
            self.check(room, whole)
            raise TextError(
                f"Part {self.number} (“{self.text.source}”) is too long: “{_excerpt(value)}” does not fit even at "
                f"{self._least:g} pt; shorten it, make its box larger, or choose a larger stock."
            )
        self._set(ink, room, setting)

    def _fitted(self, room: Box, whole: Box, value: str) -> Setting | None:
        """The text as it is set; None where it does not fit. Raises GlyphError."""
        role = ROLES[self.role]
        most = self.size[1] if self.size else role.size * layout.scale(whole)
        before = self.size[0] if self.size else math.inf
        what = f"Part {self.number} (“{self.text.source}”)"
        try:
            return fit(
                value, what, room.width, room.height, most, weight=role.weight, prefer=role.prefer, before=before
            )
        except TextError:
            return None

    def _set(self, ink: Ink, room: Box, setting: Setting) -> None:
        align = self.align
        if align.natural and setting.right_to_left:
            align = msgspec.structs.replace(align, across=1.0)
        top = align.inside(room, 0, setting.height).top
        for line in setting.lines:
            width = fonts.measure(line, setting.weight, setting.size)
            alone = msgspec.structs.replace(setting, lines=(line,), width=width)
            ink.lines(align.inside(room, width, 0).x, top, alone, self.colour)
            top -= setting.leading


class CodePart(_Part, frozen=True):
    """A QR code, as large as goes into its box; its quiet zone may run through the margin."""

    code: Template
    align: Align

    kind = "code"

    @property
    def template(self) -> Template:
        return self.code

    def check(self, room: Box, whole: Box) -> None:
        shortest = qr.symbol("0")
        _, side = self._side(room, whole, shortest)
        needed = shortest.outer * qr.SMALLEST_MODULE
        if side < needed:
            raise LabelError(
                f"The box of {self.named} leaves {side / MM:.1f} mm for a QR code with the white around it, and the "
                f"shortest needs {needed / MM:.1f} mm; make it larger, or choose a larger stock."
            )

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        if len(value.encode()) > _MAX_CODE_BYTES:
            raise LabelError(f"“{_excerpt(value)}” is too long for the QR code of part {self.number}; shorten it.")
        symbol = qr.symbol(value)
        box, side = self._side(room, whole, symbol)
        module = side / symbol.outer
        if module < qr.SMALLEST_MODULE:
            needed = symbol.outer * qr.SMALLEST_MODULE
            raise LabelError(
                f"The QR code of {self.named} would be {side / MM:.1f} mm with the white around it, and for "
                f"“{_excerpt(value)}” phones need {needed / MM:.1f} mm; make its box larger, or the text shorter."
            )
        square, quiet = self.align.inside(box, side, side), qr.QUIET_ZONE * module
        x = min(max(square.x, room.x - quiet), room.right + quiet - side)
        y = min(max(square.y, room.y - quiet), room.top + quiet - side)
        ink.symbol(Box(x, y, side, side), symbol)

    def _side(self, room: Box, whole: Box, symbol: qr.Symbol) -> tuple[Box, float]:
        """The box on the label, and how long the sides of a code with its quiet zone can be in it."""
        box = self.place.box(whole.width, whole.height)
        box = intersection(Box(whole.x + box.x, whole.y + box.y, box.width, box.height), whole)
        return box, min(box.width, box.height, min(room.width, room.height) * symbol.outer / symbol.side)


class PicturePart(_Part, frozen=True):
    """A picture in its own proportions, as large as goes into its box."""

    picture: Template
    align: Align

    kind = "picture"

    @property
    def template(self) -> Template:
        return self.picture

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:  # noqa: ARG002
        picture = inspect_picture(value)
        ink.picture(self.align.inside(room, *picture.inside(room)), picture, f"Picture: {Path(value).stem}")


class FillPart(_Part, frozen=True):
    """A field of colour: a stripe, a rule."""

    colour: str
    corner: float

    kind = "fill"

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:  # noqa: ARG002
        ink.fill(room, self.colour, min(self.corner, room.width / 2, room.height / 2))


class FramePart(_Part, frozen=True):
    """A line around a box."""

    colour: str
    corner: float
    line: float

    kind = "frame"

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:  # noqa: ARG002
        inner = room.inset(self.line / 2)
        ink.outline([path(inner, min(self.corner, inner.width / 2, inner.height / 2))], self.colour, self.line)


Part = TextPart | CodePart | PicturePart | FillPart | FramePart


def _excerpt(value: str) -> str:
    """A text as a sentence can quote it."""
    return value if len(value) <= _MAX_QUOTED else f"{value[:_MAX_QUOTED]}…"


def intersection(box: Box, other: Box) -> Box:
    """What two boxes have in common; no width or height, or less, where they have nothing."""
    x, y = max(box.x, other.x), max(box.y, other.y)
    return Box(x, y, min(box.right, other.right) - x, min(box.top, other.top) - y)
