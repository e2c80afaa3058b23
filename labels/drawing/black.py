"""Drawing in one bit: black ink or none, for printers without colours and greys.

A label printer prints a dot or leaves it out, and dithers colours to speckle. So nothing is converted afterwards.
Fields are drawn black, or as paper with a frame. Text on a field has the opposite shade. Lines are at least two dots
thick, and faint lines are dotted. Pictures are dithered.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from labels.drawing.dots import LINE, is_dark
from labels.drawing.ink import BLACK, WHITE, Ink, path
from labels.drawing.picture import Picture
from labels.drawing.symbols import Bars
from labels.errors import LabelError
from labels.geometry import Box, InkName
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing
    from reportlab.pdfgen.canvas import Canvas

_HAIRLINE: Final = 1.0
"""Light lines thinner than this are background, and are dotted."""
_GRACE: Final = 0.5
_DOT_GRACE: Final = 0.06
"""The most of a dot that rounding may add to a module, so that its code becomes larger rather than smaller."""
_HAIR: Final = 0.001
"""More than the rounding of coordinates in a PDF, and far less than a dot, in points."""
_SQUARE_DOT_GRACE: Final = 0.12
"""The most of a dot that rounding may add for square codes.

They are fewer modules wide: only their quiet zone shrinks.
"""
_STRAIGHT: Final = 1e-6
"""Boxes that are turned by less than this share of their sides are upright."""
_BESIDE, _BELOW, _ABOVE = 1.0, 0.24, 0.8
"""Margins of the plate under a text: beside it in points, below and above its baseline in em."""


_Matrix = tuple[float, float, float, float, float, float]
"""A transformation matrix in the order of the PDF operator `cm`."""


class _Ground(NamedTuple):
    """A box of the page that has been drawn on. Without a colour, no text is legible on it."""

    box: Box
    colour: str | None


class BlackInk(Ink):
    """Ink that draws in black, and in the white of the paper."""

    one_bit = True

    def __init__(self, canvas: "Canvas") -> None:
        super().__init__(canvas)
        self._grounds: list[_Ground] = []
        self._place: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None:
        """Fill a box with black for a dark colour, else with white.

        The box gets a frame if it would not stand out from its background.
        """
        line = self._thinnest
        below = self._ground(box.x + box.width / 2, box.y + box.height / 2)
        if min(box.width, box.height) < 3 * line and colour != below:
            box, shade = _thicken(box, line), _opposite(below)
        else:
            shade = BLACK if is_dark(colour) else WHITE
        super().fill(box, shade, radius)
        if colour != below and shade != _opposite(below):
            super().outline([path(box.inset(line / 2), max(0.0, radius - line / 2))], _opposite(below), line)
        self._lay(box, shade)

    def outline(self, paths: Iterable[str], colour: str, width: float) -> None:
        """Draw lines of at least two dots that stand out from their background. Light hairlines are dotted."""
        paths = tuple(paths)
        if not paths:
            return
        x, y = map(float, paths[0].split(maxsplit=2)[:2])
        shade, line = _opposite(self._ground(x, y)), self._thinnest
        is_dotted = not is_dark(colour) and width / line < _HAIRLINE / LINE
        if is_dotted:
            self._canvas.addLiteral(f"[{line:.4f} {2 * line:.4f}] 0 d")
        super().outline(paths, shade, max(width, line))
        if is_dotted:
            self._canvas.addLiteral("[] 0 d")

    def text(self, x: float, baseline: float, text: str, weight: fonts.Weight, size: float, colour: str) -> None:
        """See `Ink.text`. The text is black on paper and white on black, whatever the colour."""
        if not self._grounds:
            super().text(x, baseline, text, weight, size, BLACK)
            return
        width = fonts.measure(text, weight, size)
        box = Box(x, baseline - _BELOW * size, width, (_ABOVE + _BELOW) * size)
        super().text(x, baseline, text, weight, size, self._letters(box, colour))

    def lines(self, x: float, top: float, setting: TextSetting, colour: str = BLACK, centred: float = 0.0) -> None:
        """See `Ink.lines`. The text is black on paper and white on black, whatever the colour."""
        if self._grounds:
            width = max(fonts.measure(each, setting.weight, setting.size) for each in setting.lines)
            left = x + (centred - width) / 2 if centred else x
            shade = self._letters(Box(left, top - setting.height, width, setting.height), colour)
        else:
            shade = BLACK
        super().lines(x, top, setting, shade, centred)

    def fit_module(self, module: float) -> float:
        """Return the module rounded down to whole dots, at least one, if the printer's resolution is known."""
        return self._whole_dots(module, _DOT_GRACE)

    def _whole_dots(self, module: float, grace: float) -> float:
        if not self.dot:
            return module
        dot = self.dot / self._scale
        return max(1, math.floor(module / dot + grace)) * dot

    def fit_square(self, square: Box, modules: int) -> Box:
        """See `Ink.fit_square`. The result is centred in the square, as nearly as dots allow."""
        side = self._whole_dots(square.width / modules, _SQUARE_DOT_GRACE) * modules
        free = (square.width - side) / 2
        return self._on_dots(Box(square.x + free, square.y + free, side, side))

    def bars(self, box: Box, bars: Bars, descent: float = 0.0) -> None:
        """See `Ink.bars`. They begin at a dot."""
        super().bars(self._on_dots(box), bars, descent)

    def _on_dots(self, box: Box) -> Box:
        """Return the box with its corner moved to the grid of dots, if the printer's resolution is known."""
        if not self.dot:
            return box
        page = _transform(box, self._place)
        right, up = (round(at / self.dot) * self.dot - at for at in (page.x, page.y))
        a, b, c, d, _, _ = self._place
        area = a * d - b * c
        return box.translate((d * right - c * up) / area, (a * up - b * right) / area)

    def _letters(self, box: Box, colour: str) -> str:
        """Return the colour of letters in a box.

        Letters across the edge of a field get a plate in the opposite colour below them.
        """
        core = _transform(Box(box.x, box.y + box.height / 4, box.width, box.height / 2), self._place)
        ground = next((each for each in reversed(self._grounds) if _overlap(each.box, core)), None)
        if ground is None:
            return BLACK
        if ground.colour is not None and _contains(ground.box, core):
            return _opposite(ground.colour)
        shade = BLACK if is_dark(colour) else WHITE
        super().fill(Box(box.x - _BESIDE, box.y, box.width + 2 * _BESIDE, box.height), _opposite(shade))
        return shade

    def _ground(self, x: float, y: float) -> str:
        """Return the background at a point, black or white. Fields that are both count as white."""
        point = _transform(Box(x, y, 0, 0), self._place)
        return next((each.colour or WHITE for each in reversed(self._grounds) if _contains(each.box, point)), WHITE)

    def picture(self, box: Box, picture: Picture, description: str) -> None:
        """Draw the picture dithered to dots; see `Ink.picture`. It is a little smaller, to fill whole dots."""
        super().picture(self._fit_dots(box), picture, description)
        self._lay(box, None)

    def _fit_dots(self, box: Box) -> Box:
        """Return the largest box of whole dots in a box, a hair smaller, if the printer's resolution is known.

        A dithered dot that lies across two dots of the printer would be lost, and so would many if a coordinate that is
        rounded up made the picture reach into one more row of dots.
        """
        if not self.dot:
            return box
        width, height = (self._whole_dots(size, _DOT_GRACE) for size in (box.width, box.height))
        left, below = (box.width - width) / 2, (box.height - height) / 2
        return self._on_dots(Box(box.x + left, box.y + below, width, height)).inset(_HAIR)

    def draw_graphics(self, x: float, y: float, drawing: "Drawing") -> None:
        """See `Ink.draw_graphics`. Fields that differ by their shade are hatched."""
        from labels.drawing import chart_black

        with self._apply_matrix((1, 0, 0, 1, x, y)):
            for field in chart_black.fields(drawing):
                self._lay(field.box, chart_black.solid_shade(field.colour))
            super().draw_graphics(x, y, chart_black.to_black(drawing))

    @property
    def _thinnest(self) -> float:
        """The smallest thickness of a line, in the units of the current transformation."""
        return LINE / self._scale

    @property
    def _scale(self) -> float:
        """The scale factor of the current transformation."""
        a, b, c, d, _, _ = self._place
        return math.sqrt(abs(a * d - b * c))

    def _lay(self, box: Box, colour: str | None) -> None:
        """Record the colour of a box that has been drawn. A turned box does not fill the box around it."""
        a, b, c, d, _, _ = self._place
        is_turned = min(abs(a) + abs(d), abs(b) + abs(c)) > _STRAIGHT
        self._grounds.append(_Ground(_transform(box, self._place), None if is_turned else colour))

    @contextmanager
    def _apply_matrix(self, matrix: _Matrix) -> Iterator[None]:
        """Track a transformation while it applies; see the PDF operator `cm`."""
        before = self._place
        self._place = _multiply(matrix, before)
        yield
        self._place = before

    @contextmanager
    def _fresh_paper(self) -> Iterator[None]:
        """Treat the background as empty paper inside the block."""
        before, self._grounds = self._grounds, []
        yield
        self._grounds = before

    @contextmanager
    def element(self, tag: str = "P", spoken: str = "", scope: str = "") -> Iterator[None]:
        with self._fresh_paper(), super().element(tag, spoken, scope):
            yield

    @contextmanager
    def store_form(self, name: str, width: float, height: float) -> Iterator[Box]:
        with self._fresh_paper(), super().store_form(name, width, height) as box:
            yield box

    @contextmanager
    def move(self, x: float, y: float) -> Iterator[None]:
        with self._apply_matrix((1, 0, 0, 1, x, y)), super().move(x, y):
            yield

    @contextmanager
    def turn(self, x: float, y: float) -> Iterator[None]:
        with self._apply_matrix((0, -1, 1, 0, x, y)), super().turn(x, y):
            yield

    @contextmanager
    def rotate(self, degrees: float, x: float, y: float) -> Iterator[None]:
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        with self._apply_matrix((cos, -sin, sin, cos, x, y)), super().rotate(degrees, x, y):
            yield

    @contextmanager
    def enlarge(self, box: Box, scale: float, margin: float = 0.0) -> Iterator[Box]:
        with ExitStack() as placed:
            if scale != 1:
                placed.enter_context(self._apply_matrix((scale, 0, 0, scale, box.x, box.y)))
            yield placed.enter_context(super().enlarge(box, scale, margin))

    def draw_repeated(self, box: Box, draw: Callable[[Ink, Box], None], *key: Hashable) -> None:
        with self._fresh_paper():
            super().draw_repeated(box, draw, self._thinnest, *key)


INKS: Final[Mapping[InkName, type[Ink]]] = {"colour": Ink, "black": BlackInk}
"""The inks, by name."""


def parse_ink(text: str) -> InkName | None:
    """Return the ink that `black` or `colour` names, in any case, or None for an empty text. Raises LabelError."""
    name = text.strip().casefold()
    if name and name not in INKS:
        raise LabelError(phrase("Ink is black or colour, not “{ink}”.", ink=text.strip()))
    return next((each for each in INKS if each == name), None)


def _opposite(colour: str) -> str:
    """Return the colour that stands out from a colour: black or white."""
    return WHITE if is_dark(colour) else BLACK


def _thicken(box: Box, least: float) -> Box:
    """Return a box with the same centre whose sides are at least `least` points."""
    width, height = max(box.width, least), max(box.height, least)
    return Box(box.x - (width - box.width) / 2, box.y - (height - box.height) / 2, width, height)


def _multiply(first: _Matrix, then: _Matrix) -> _Matrix:
    """Return the product of two matrices: `first`, `then` the other."""
    a, b, c, d, e, f = first
    x, y = _move(e, f, then)
    return (
        a * then[0] + b * then[2],
        a * then[1] + b * then[3],
        c * then[0] + d * then[2],
        c * then[1] + d * then[3],
        x,
        y,
    )


def _move(x: float, y: float, matrix: _Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _transform(box: Box, matrix: _Matrix) -> Box:
    """Return the box on the page around a box that is transformed by a matrix."""
    (left, bottom), (right, top) = (_move(x, y, matrix) for x, y in ((box.x, box.y), (box.right, box.top)))
    if min(abs(matrix[0]), abs(matrix[1])) > _STRAIGHT:
        across, up = zip(
            (left, bottom),
            (right, top),
            *(_move(x, y, matrix) for x, y in ((box.x, box.top), (box.right, box.y))),
            strict=True,
        )
        return Box(min(across), min(up), max(across) - min(across), max(up) - min(up))
    return Box(min(left, right), min(bottom, top), abs(right - left), abs(top - bottom))


def _contains(box: Box, inner: Box) -> bool:
    """Return True if a box contains another one, with a tolerance of half a point."""
    grown = box.inset(-_GRACE)
    return grown.x < inner.x and inner.right < grown.right and grown.y < inner.y and inner.top < grown.top


def _overlap(box: Box, other: Box) -> bool:
    """Return True if two boxes overlap by more than half a point."""
    width = min(box.right, other.right) - max(box.x, other.x)
    height = min(box.top, other.top) - max(box.y, other.y)
    return min(width, height) > _GRACE
