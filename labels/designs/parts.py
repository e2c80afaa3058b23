"""The parts of a user's own label: texts, codes, pictures, fields of colour and frames, each in its own box."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar, Final, Literal, NamedTuple

import msgspec

from labels import layout
from labels.conditions import Condition
from labels.drawing import qr, style, symbols
from labels.drawing.ink import BLACK, Ink, path
from labels.drawing.picture import inspect_picture
from labels.drawing.symbols import Bars, Symbol
from labels.errors import LabelError, excerpt
from labels.geometry import MM, Box, intersection
from labels.markup import parse_markup
from labels.paper.die import InnerBox, Outline
from labels.template import Template
from labels.typesetting import fonts
from labels.typesetting.emphasis import remove_marks
from labels.typesetting.fonts import Weight
from labels.typesetting.text import SMALLEST, ShapedSetting, Span, TextError, TextSetting, fit, fit_shape
from labels.typesetting.typefaces import STANDARD, find_weight
from labels.vertical import VerticalSetting, draw_vertical, fit_vertical
from templates.languages.messages import Finished, Message, phrase

_MAX_CODE_BYTES = 1000
"""The most bytes in a code; phones cannot read larger codes from a label."""


class ShapedRoom(Box, frozen=True):
    """A part's room on a round label.

    The width of a line depends on its height, since everything keeps `margin` points from the edge.
    """

    label: InnerBox
    margin: float

    def span(self, low: float, high: float) -> Span:
        """Return the left and right ends of a line between two heights."""
        left, right = self.label.span(self.margin, low, high)
        return max(left, self.x), min(right, self.right)

    @property
    def outline(self) -> Outline:
        """The outline that encloses everything drawn in the room."""
        return self.label.outline_at(self.margin)

    def translate(self, right: float, up: float) -> "ShapedRoom":
        return msgspec.structs.replace(self, x=self.x + right, y=self.y + up, label=self.label.translate(right, up))


class Role(NamedTuple):
    """The purpose of a text, which decides how it is set."""

    weight: Weight
    size: float
    prefer: Literal["one line", "size"]


ROLES = {
    "title": Role("bold", style.TITLE, "one line"),
    "text": Role("regular", style.TEXT, "size"),
    "small": Role("regular", style.NOTE, "size"),
    "figure": Role("bold", style.FIGURE, "one line"),
}


_BELOW_TITLES: Final = ("text", "small")
"""Roles of texts that are no larger than the title of their label."""
_NEAR: Final = 4 * MM
"""Texts no further apart than this share their rooms if one of them is empty."""


class Symbology(NamedTuple):
    """A kind of code: its name in messages, its encoder, its shortest content, and a sample text, "" for any."""

    title: str
    encode: Callable[[str], Symbol | Bars]
    shortest: str
    example: str = ""


SYMBOLOGIES: Final[Mapping[str, Symbology]] = {
    "qr": Symbology("QR code", qr.symbol, "0"),
    "datamatrix": Symbology("Data Matrix", symbols.data_matrix, "0"),
    "code128": Symbology("Code 128", symbols.code_128, "0"),
    "ean13": Symbology("EAN-13", symbols.ean_13, "0" * 13, "0" * 13),
    "upca": Symbology("UPC-A", symbols.upc_a, "0" * 12, "0" * 12),
    "code39": Symbology("Code 39", symbols.code_39, "0", "CODE 39"),
    "itf14": Symbology("ITF-14", symbols.itf_14, "0" * 14, "0" * 14),
    "pdf417": Symbology("PDF417", symbols.pdf417, "0"),
    "gs1-128": Symbology("GS1-128", symbols.gs1_128, "(10)0", "(10)0"),
    "gs1-datamatrix": Symbology("GS1 DataMatrix", symbols.gs1_data_matrix, "(10)0", "(10)0"),
}
"""The kinds of codes, by their names in designs."""
LINEAR: Final = ("code128", "ean13", "upca", "code39", "itf14", "gs1-128")
"""Barcodes, which may have figures below them."""

_DIGIT_MODULES: Final = 6.6
"""Width in modules of the widest figure below bars: each figure of an EAN-13 has seven."""
_LARGEST_FIGURES: Final = 11.0
"""In points; larger figures below a Code 128 would look like its heading."""
_FIGURES_SHARE: Final = 0.3
"""The largest share of a box's height that figures take."""
_FIGURES_GAP: Final = 1.2
"""Points between bars and the figures below them."""
_DIGITS: Final = "0123456789"
_GUARD: Final = 5
"""Modules by which the guard bars of an EAN-13 extend down between its figures."""


class Measure(msgspec.Struct, frozen=True):
    """A length on a label: a share of its width or height, plus points."""

    share: float
    points: float

    def of(self, whole: float) -> float:
        return self.share * whole + self.points


class Placement(msgspec.Struct, frozen=True):
    """The position of a part from the label's left and top edge, and its width and height."""

    left: Measure
    top: Measure
    width: Measure
    height: Measure

    def box(self, width: float, height: float) -> Box:
        """Return the box on a label of this size, in points from its bottom left corner."""
        left, top = self.left.of(width), self.top.of(height)
        wide, high = self.width.of(width), self.height.of(height)
        return Box(left, height - top - high, wide, high)

    @property
    def has_lengths(self) -> bool:
        """Return True if any measure is a length, and not only a share of the label."""
        return any(measure.points for measure in (self.left, self.top, self.width, self.height))

    @property
    def is_whole(self) -> bool:
        """Return True if it covers the whole label."""
        return self.box(1, 1) == Box(0, 0, 1, 1)

    def turn_quarter(self) -> "Placement":
        """Return the placement as seen from the right of the label, for content turned by 90°."""
        left, width = self.left, self.width
        top = Measure(1 - left.share - width.share, -left.points - width.points)
        return Placement(self.top, top, self.height, width)


class Align(msgspec.Struct, frozen=True):
    """The alignment of content that does not fill its room: 0 is left and top, 1 is right and bottom.

    `natural` means that `across` is the default, so right-to-left text is aligned to the right.
    """

    across: float
    down: float
    natural: bool = False

    def inside(self, room: Box, width: float, height: float) -> Box:
        """Return a box of this size, aligned inside a room."""
        x = room.x + (room.width - width) * self.across
        return Box(x, room.top - height - (room.height - height) * self.down, width, height)


class _LabelPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a label.

    `number` counts from 1 and is used in errors. `quarters` is the number of clockwise quarter turns of the content in
    its box, and `degrees` is by how much the box itself is turned clockwise about its middle. The content is laid out
    in its reading direction. With a condition, `when`, it is printed only for rows for which that holds.
    """

    number: int
    place: Placement
    quarters: int = 0
    degrees: int = 0
    when: Condition | None = None

    kind: ClassVar[str]

    @property
    def template(self) -> Template | None:
        """The template that is filled from a row, or None if there is none."""
        return None

    @property
    def rotation(self) -> int:
        """The clockwise rotation in degrees."""
        return self.quarters * 90 + self.degrees

    def fill(self, row: Mapping[str, str]) -> str:
        """Return the part's text for a row, or "" if all its fields are empty.

        A part without a text has none, or its colour if it has a condition.
        """
        if self.template is not None:
            return self.template.fill_code_text(row)
        return self.source if self.when is not None else ""

    @property
    def quoted_name(self) -> Message:
        """The part's name in messages, quoting its source."""
        match self.kind:
            # Translators: a part of a label's design, in the middle of a sentence or at its beginning
            case "text":
                return phrase("the text “{source}”", source=self.source)
            case "picture":
                return phrase("the picture “{source}”", source=self.source)
            case "fill":
                return phrase("the fill “{source}”", source=self.source)
            case "frame":
                return phrase("the frame “{source}”", source=self.source)
        return phrase("the {kind} “{source}”", kind=self.kind, source=self.source)

    @property
    def source(self) -> str:
        """The source in the design: a text with its fields, or a colour."""
        return excerpt(" ".join(self.template.source.split())) if self.template is not None else ""

    def check(self, room: Box, whole: Box) -> None:
        """Raise LabelError if its box is too small for any content."""
        self._check(self._turn_box(room), self._turn_box(whole))

    def draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        """Draw `value` into the part's room. `whole` is the room of the label, including the margin."""
        if self.degrees:
            with ink.rotate(self.degrees, room.x + room.width / 2, room.y + room.height / 2):
                self._draw(ink, Box(-room.width / 2, -room.height / 2, room.width, room.height), whole, value)
            return
        with ExitStack() as turns:
            if not self.quarters:
                self._draw(ink, room, whole, value)
                return
            for _ in range(self.quarters):
                turns.enter_context(ink.turn(0, 0))
            self._draw(ink, self._turn_box(room), self._turn_box(whole), value)

    def _turn_box(self, box: Box) -> Box:
        """Return a box of the page in the coordinates of the turned part."""
        for _ in range(self.quarters):
            box = Box(-box.top, box.x, box.height, box.width)
        return box

    def _check(self, room: Box, whole: Box) -> None:
        pass

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        raise NotImplementedError


class TextPart(_LabelPart, frozen=True):
    """A text in a role.

    `size` is the smallest and the largest size in points, if the design gives them, and `bold` overrides the role's
    weight. A `vertical` text is set in columns from top to bottom, the first at the right. With `markup` its words are
    marked up; see `markup`. `typeface` is one of `TYPEFACES`. `largest` bounds a text whose size the design does not
    give.
    """

    text: Template
    role: str
    align: Align
    size: tuple[float, float] | None
    colour: str
    bold: bool | None = None
    italic: bool = False
    vertical: bool = False
    markup: bool = False
    typeface: str = STANDARD
    largest: float = math.inf

    kind = "text"

    @property
    def template(self) -> Template:
        return self.text

    def fill(self, row: Mapping[str, str]) -> str:
        """Return the text, with marks of emphasis. An empty field is left out with its words."""
        return parse_markup(self.text).fill(row) if self.markup else self.text.fill_fields(row)

    def title_size(self, room: Box, whole: Box, value: str) -> float:
        """Return the size in points if this is a title, or infinity for other texts."""
        if self.role != "title" or self.vertical:
            return math.inf
        setting = self._fit_value(self._turn_box(room) if self.quarters else room, self._turn_box(whole), value)
        return math.inf if setting is None else setting.size

    def alone(self, room: Box, empty: Sequence[Box], taken: Sequence[Box]) -> "tuple[TextPart, Box]":
        """Return the text and its room.

        A title takes the room of an empty text right above or below it as well, centred in both, if nothing else covers
        them.
        """
        for other in empty if self.role == "title" and not self.rotation else ():
            bottom = min(room.y, other.y)
            both = msgspec.structs.replace(room, y=bottom, height=max(room.top, other.top) - bottom)
            is_near = max(other.y - room.top, room.y - other.top) < _NEAR
            is_below = abs(other.x - room.x) + abs(other.width - room.width) < 1
            covers = any(min((over := intersection(both, each)).width, over.height) > 0 for each in taken)
            if is_near and is_below and not covers:
                return msgspec.structs.replace(self, align=msgspec.structs.replace(self.align, down=0.5)), both
        return self, room

    def limit_size(self, largest: float) -> "TextPart":
        """Return the text limited to the size of the label's titles."""
        return msgspec.structs.replace(self, largest=largest) if self.role in _BELOW_TITLES else self

    @property
    def _least(self) -> float:
        """The smallest size, in points."""
        return self.size[0] if self.size else SMALLEST

    @property
    def _weight(self) -> Weight:
        bold = ROLES[self.role].weight == "bold" if self.bold is None else self.bold
        return find_weight(self.typeface, bold=bold, italic=self.italic)

    def _check(self, room: Box, whole: Box) -> None:  # noqa: ARG002
        if self.vertical:
            if room.width < self._least:
                raise TextError(
                    phrase(
                        "The box of {part} leaves {width} mm of width, and a column of {size} pt needs {needed} mm; "
                        "make it wider, or choose a larger stock.",
                        part=self.quoted_name,
                        width=f"{room.width / MM:.1f}",
                        size=f"{self._least:g}",
                        needed=f"{self._least / MM:.1f}",
                    )
                )
            return
        line = fit("x", "", math.inf, math.inf, self._least, weight=self._weight).height
        if room.height < line:
            raise TextError(
                phrase(
                    "The box of {part} leaves {height} mm of height, and a line of {size} pt needs {needed} mm; make "
                    "it higher, or choose a larger stock.",
                    part=self.quoted_name,
                    height=f"{room.height / MM:.1f}",
                    size=f"{self._least:g}",
                    needed=f"{line / MM:.1f}",
                )
            )

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        setting = self._fit_value(room, whole, value)
        if setting is None or setting.size < self._least:
            self.check(room, whole)
            raise TextError(
                phrase(
                    "{part} is too long: “{text}” does not fit even at {size} pt; shorten it, make its box larger, or "
                    "choose a larger stock.",
                    part=_begin_sentence(self.quoted_name),
                    text=excerpt(remove_marks(value)),
                    size=f"{self._least:g}",
                )
            )
        if isinstance(setting, ShapedSetting):
            self._set_shaped(ink, setting)
        elif isinstance(setting, VerticalSetting):
            draw_vertical(ink, self.align.inside(room, setting.width, setting.height), setting, self.colour)
        else:
            self._set(ink, room, setting)

    def _fit_value(self, room: Box, whole: Box, value: str) -> TextSetting | VerticalSetting | ShapedSetting | None:
        """Return the set text, or None if it does not fit. Raises GlyphError."""
        role, weight = ROLES[self.role], self._weight
        most = (
            self.size[1] if self.size else max(self._least, min(role.size * layout.scale(whole.around), self.largest))
        )
        before = self.size[0] if self.size else math.inf
        what = _begin_sentence(self.quoted_name)
        try:
            if self.vertical:
                return fit_vertical(value, what, room.width, room.height, most, weight=weight)
            if isinstance(room, ShapedRoom):
                return fit_shape(
                    value,
                    what,
                    room,
                    room.span,
                    self.align.down,
                    most,
                    self._least,
                    weight=weight,
                    emphasized=self.markup,
                )
            return fit(
                value,
                what,
                room.width,
                room.height,
                most,
                weight=weight,
                prefer=role.prefer,
                before=before,
                emphasized=self.markup,
            )
        except TextError:
            return None

    def _set_shaped(self, ink: Ink, shaped: ShapedSetting) -> None:
        """Draw each line into its own room."""
        setting, top = shaped.setting, shaped.top
        for line, (left, right) in zip(setting.lines, shaped.spans, strict=True):
            alone = msgspec.structs.replace(setting, lines=(line,), width=right - left)
            self._set(ink, Box(left, top - setting.height, right - left, setting.height), alone, top)
            top -= setting.leading

    def _set(self, ink: Ink, room: Box, setting: TextSetting, top: float | None = None) -> None:
        align = self.align
        if align.natural and setting.right_to_left:
            align = msgspec.structs.replace(align, across=1.0)
        top = align.inside(room, 0, setting.height).top if top is None else top
        for line in setting.lines:
            width = fonts.measure(line, setting.weight, setting.size)
            alone = msgspec.structs.replace(setting, lines=(line,), width=width)
            ink.lines(align.inside(room, width, 0).x, top, alone, self.colour)
            top -= setting.leading


class CodePart(_LabelPart, frozen=True):
    """A two-dimensional code, as large as its box allows. Its quiet zone may overlap the margin."""

    code: Template
    align: Align
    symbology: str = "qr"

    kind = "code"

    @property
    def template(self) -> Template:
        return self.code

    @property
    def example(self) -> str:
        """The content that is shown before there is a row: the source with its fields, if such a code can hold that."""
        return SYMBOLOGIES[self.symbology].example or self.code.source

    @property
    def _title(self) -> str:
        return SYMBOLOGIES[self.symbology].title

    @property
    def quoted_name(self) -> Message:
        # Translators: {code} is a kind of code, such as QR code or EAN-13
        return phrase("the {code} “{source}”", code=self._title, source=self.source)

    def _encode(self, value: str) -> Symbol | Bars:
        """Return the encoded code. Raises LabelError if it cannot hold the text."""
        if len(value.encode()) > _MAX_CODE_BYTES:
            raise LabelError(
                phrase("“{text}” is too long for {part}; shorten it.", text=excerpt(value), part=self.quoted_name)
            )
        return SYMBOLOGIES[self.symbology].encode(value)

    def _box(self, whole: Box) -> Box:
        """Return its box on the label including the margin, turned like the part."""
        place = self.place
        for _ in range(self.quarters):
            place = place.turn_quarter()
        box = place.box(whole.width, whole.height)
        return intersection(Box(whole.x + box.x, whole.y + box.y, box.width, box.height), whole)

    def _check(self, room: Box, whole: Box) -> None:
        shortest = self._encode(SYMBOLOGIES[self.symbology].shortest)
        assert isinstance(shortest, Symbol)
        module = _module_width(room, self._box(whole), shortest)
        if module < shortest.smallest:
            raise LabelError(
                phrase(
                    "The box of {part} leaves {size} for it with the white around it, and the shortest needs {needed}; "
                    "make it larger, or choose a larger stock.",
                    part=self.quoted_name,
                    size=_format_size(shortest, module),
                    needed=_format_size(shortest, shortest.smallest),
                )
            )

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        symbol, box = self._encode(value), self._box(whole)
        assert isinstance(symbol, Symbol)
        module = _module_width(room, box, symbol)
        if module < symbol.smallest:
            raise LabelError(
                phrase(
                    "{part} would be {size} with the white around it, and for “{text}” phones need {needed}; make its "
                    "box larger, or the text shorter.",
                    part=_begin_sentence(self.quoted_name),
                    size=_format_size(symbol, module),
                    text=excerpt(value),
                    needed=_format_size(symbol, symbol.smallest),
                )
            )
        # Below the smallest module, whole dots scan more reliably than uneven ones.
        module = ink.fit_module(module)
        width, height = symbol.outer * module, symbol.outer_height * module
        place, quiet = self.align.inside(box, width, height), symbol.quiet_zone * module
        x = min(max(place.x, room.x - quiet), room.right + quiet - width)
        y = min(max(place.y, room.y - quiet), room.top + quiet - height)
        ink.symbol(Box(x, y, width, height), symbol)


def _module_width(room: Box, box: Box, symbol: Symbol) -> float:
    """Return the largest width of a module in points.

    The code with its quiet zone stays in its box, and the modules stay inside the room.
    """
    around = 2 * symbol.quiet_zone
    return min(
        box.width / symbol.outer,
        box.height / symbol.outer_height,
        room.width / (symbol.outer - around),
        room.height / (symbol.outer_height - around),
    )


def _format_size(symbol: Symbol, module: float) -> str:
    """Format the size of a code with this width of module."""
    width = f"{symbol.outer * module / MM:.1f}"
    return f"{width} × {symbol.outer_height * module / MM:.1f} mm" if symbol.height else f"{width} mm"


class _BarLayout(NamedTuple):
    """The layout of bars in a room, in points.

    `module` is the width of a module, `x` the position of the first, and `height` the height of the bars. `size` is the
    size of the figures below them, and `below` the height that these take; both are 0 without figures.
    """

    module: float
    x: float
    height: float
    size: float = 0.0
    below: float = 0.0
    baseline: float = 0.0


class BarcodePart(CodePart, frozen=True):
    """A barcode, as wide as its box allows and as high as the box. Its quiet zones may overlap the margin.

    With `figures` its content is printed below it.
    """

    figures: bool = False

    def _check(self, room: Box, whole: Box) -> None:
        bars = self._encode(SYMBOLOGIES[self.symbology].shortest)
        assert isinstance(bars, Bars)
        layout = self._lay_out(room, self._box(whole), bars)
        if layout.module < bars.smallest:
            raise LabelError(
                phrase(
                    "The box of {part} leaves {width} mm of width, and {code} needs {needed} mm at least with the "
                    "white beside it; make it wider, or choose a larger stock.",
                    part=self.quoted_name,
                    width=f"{bars.outer * layout.module / MM:.1f}",
                    code=self._title,
                    needed=f"{bars.outer * bars.smallest / MM:.1f}",
                )
            )
        self._check_height(layout)

    def _check_height(self, layout: _BarLayout) -> None:
        if layout.height < symbols.SHORTEST_BAR:
            left, needed = f"{max(layout.height, 0) / MM:.1f}", f"{symbols.SHORTEST_BAR / MM:.1f}"
            raise LabelError(
                phrase(
                    "The box of {part} leaves {height} mm for the height of its bars, and a scanner needs {needed} mm; "
                    "make it higher, leave out its figures, or choose a larger stock.",
                    part=self.quoted_name,
                    height=left,
                    needed=needed,
                )
                if self.figures
                else phrase(
                    "The box of {part} leaves {height} mm for the height of its bars, and a scanner needs {needed} mm; "
                    "make it higher, or choose a larger stock.",
                    part=self.quoted_name,
                    height=left,
                    needed=needed,
                )
            )

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:
        bars = self._encode(value)
        assert isinstance(bars, Bars)
        layout = self._lay_out(room, self._box(whole), bars)
        if layout.module < bars.smallest:
            raise LabelError(
                phrase(
                    "{part} would be {width} mm wide with the white beside it, and for “{text}” scanners need {needed} "
                    "mm; make its box wider, or choose a larger stock.",
                    part=_begin_sentence(self.quoted_name),
                    width=f"{bars.outer * layout.module / MM:.1f}",
                    text=excerpt(value),
                    needed=f"{bars.outer * bars.smallest / MM:.1f}",
                )
            )
        self._check_height(layout)
        layout = self._lay_out(room, self._box(whole), bars, ink.fit_module(layout.module))
        box = Box(layout.x, room.y + layout.below, bars.width * layout.module, layout.height)
        ink.bars(box, bars, min(_GUARD * layout.module, layout.below))
        thickness = bars.bearer * layout.module
        if thickness:
            ink.fill(Box(box.x, box.y, box.width, thickness), BLACK)
            ink.fill(Box(box.x, box.top - thickness, box.width, thickness), BLACK)
        if self.figures:
            self._draw_figures(ink, room, bars, layout)

    def _draw_figures(self, ink: Ink, room: Box, bars: Bars, layout: _BarLayout) -> None:
        with ink.span(bars.text):
            for text, start, width in bars.figures:
                middle = layout.x + (start + width / 2) * layout.module
                x = middle - fonts.measure(text, "regular", layout.size) / 2
                ink.text(x, room.y + layout.baseline, text, "regular", layout.size, BLACK)

    def _lay_out(self, room: Box, box: Box, bars: Bars, module: float = 0.0) -> _BarLayout:
        """Lay out the bars with a module of this width, or as large as possible.

        The bars with their figures stay in the room, and with their quiet zones in the box.
        """
        before, behind = bars.quiet_zones
        first = min(figures.start for figures in bars.figures) if self.figures else 0
        last = max(figures.start + figures.width for figures in bars.figures) if self.figures else 0
        # Figures may stand beside the bars, in their quiet zones.
        end = max(last, bars.width)
        module = module or min(
            symbols.LARGEST_BAR,
            box.width / bars.outer,
            room.width / (end - first),
            (room.right - box.x) / (before + end),
            (box.right - room.x) / (bars.width + behind - first),
        )
        x = self.align.inside(box, bars.outer * module, 0).x + before * module
        x = min(max(x, room.x - first * module), room.right - end * module)
        if not self.figures:
            return _BarLayout(module, x, room.height)
        widest = max(fonts.measure(digit, "regular", 1) for digit in _DIGITS)
        size = min(
            _LARGEST_FIGURES,
            max(SMALLEST, _FIGURES_SHARE * room.height),
            _DIGIT_MODULES * module / widest,
            *(width * module / fonts.measure(text, "regular", 1) for text, _, width in bars.figures),
        )
        # Figures have the same height in all symbols, so that neighbouring symbols match.
        falls, rises = zip(*(fonts.extent(char, "regular") for char in (*_DIGITS, *bars.text)), strict=True)
        baseline = max(falls) * size
        below = baseline + max(rises) * size + _FIGURES_GAP
        return _BarLayout(module, x, room.height - below, size, below, baseline)


class PicturePart(_LabelPart, frozen=True):
    """A picture in its own proportions, as large as its box allows."""

    picture: Template
    align: Align

    kind = "picture"

    @property
    def template(self) -> Template:
        return self.picture

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:  # noqa: ARG002
        picture = inspect_picture(value)
        ink.picture(
            self.align.inside(room, *picture.inside(room)),
            picture,
            str(phrase("Picture: {name}", name=Path(value).stem)),
        )


class FillPart(_LabelPart, frozen=True):
    """A field of colour, such as a stripe or a rule. With `bleed` it extends to the label's edge, across the margin."""

    colour: str
    corner: float
    bleed: bool = False

    kind = "fill"

    @property
    def source(self) -> str:
        return self.colour

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:  # noqa: ARG002
        corner = min(self.corner, room.width / 2, room.height / 2)
        if not isinstance(room, ShapedRoom):
            ink.fill(room, self.colour, corner)
            return
        with ink.clip(path(*room.outline)):
            ink.fill(Box(room.x, room.y, room.width, room.height), self.colour, corner)


class FramePart(_LabelPart, frozen=True):
    """A line around a box. Around all of a round label it is a ring."""

    colour: str
    corner: float
    line: float

    kind = "frame"

    @property
    def source(self) -> str:
        return self.colour

    def _draw(self, ink: Ink, room: Box, whole: Box, value: str) -> None:  # noqa: ARG002
        if isinstance(room, ShapedRoom):
            outline = room.label.outline_at(room.margin + self.line / 2)
            ink.outline([path(*outline)], self.colour, self.line)
            return
        inner = room.inset(self.line / 2)
        ink.outline([path(inner, min(self.corner, inner.width / 2, inner.height / 2))], self.colour, self.line)


Part = TextPart | CodePart | BarcodePart | PicturePart | FillPart | FramePart


def _begin_sentence(words: Message) -> Message:
    return Finished(words, begins=True, ends=False)
