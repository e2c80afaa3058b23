"""Ink that is black or not there: how everything is drawn for a printer that knows no colours and no greys.

A label printer makes a dot or none, and what was drawn in colours comes out of it as speckle. So nothing is converted
afterwards: fields are black, or paper with a frame; what stands on them is the other of the two; lines have at least
two dots, and those that are there to be looked past are dotted; pictures are dithered.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from labels import fonts
from labels.dots import LINE, is_dark
from labels.errors import LabelError
from labels.geometry import Box, InkName
from labels.ink import BLACK, WHITE, Ink, path
from labels.picture import Picture
from labels.symbols import Bars
from labels.text import Setting

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing
    from reportlab.pdfgen.canvas import Canvas

_HAIRLINE: Final = 1.0
"""A light line thinner than this is there to be looked past, and so dotted."""
_GRACE: Final = 0.5
_DOT_GRACE: Final = 0.06
"""Where a module lacks so much of a dot at the most, its code is that much larger."""
_SQUARE_DOT_GRACE: Final = 0.12
"""The same of square codes, which are fewer modules wide: only their quiet zone becomes smaller."""
_BESIDE, _BELOW, _ABOVE = 1.0, 0.24, 0.8
"""How far the plate under a text reaches: beside it in points, below and above its line in em."""


_Matrix = tuple[float, float, float, float, float, float]
"""As the operator `cm` of PDF takes it."""


class _Ground(NamedTuple):
    """What was drawn into a box of the page; without a colour it is something from which no letter stands out."""

    box: Box
    colour: str | None


class BlackInk(Ink):
    """Draws in black, and in the white of the paper."""

    one_bit = True

    def __init__(self, canvas: "Canvas") -> None:
        super().__init__(canvas)
        self._grounds: list[_Ground] = []
        self._place: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def fill(self, box: Box, colour: str, radius: float = 0.0) -> None:
        """A black field for a dark colour, else one of paper; framed where it would not be seen on what it lies on."""
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
        """Lines of two dots at least that stand out from what they lie on; light hairlines are dotted."""
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
        """See `Ink.text`: black on paper and white on black, whatever the colour."""
        if not self._grounds:
            super().text(x, baseline, text, weight, size, BLACK)
            return
        width = fonts.measure(text, weight, size)
        box = Box(x, baseline - _BELOW * size, width, (_ABOVE + _BELOW) * size)
        super().text(x, baseline, text, weight, size, self._letters(box, colour))

    def lines(self, x: float, top: float, setting: Setting, colour: str = BLACK, centred: float = 0.0) -> None:
        """See `Ink.lines`: black on paper and white on black, whatever the colour."""
        if self._grounds:
            width = max(fonts.measure(each, setting.weight, setting.size) for each in setting.lines)
            left = x + (centred - width) / 2 if centred else x
            shade = self._letters(Box(left, top - setting.height, width, setting.height), colour)
        else:
            shade = BLACK
        super().lines(x, top, setting, shade, centred)

    def fit_module(self, module: float) -> float:
        """A module of whole dots, one at least, where the printer's are known."""
        return self._whole_dots(module, _DOT_GRACE)

    def _whole_dots(self, module: float, grace: float) -> float:
        if not self.dot:
            return module
        dot = self.dot / self._scale
        return max(1, math.floor(module / dot + grace)) * dot

    def fit_square(self, square: Box, modules: int) -> Box:
        """See `Ink.fit_square`: in the middle of the square, as nearly as dots allow."""
        side = self._whole_dots(square.width / modules, _SQUARE_DOT_GRACE) * modules
        free = (square.width - side) / 2
        return self._on_dots(Box(square.x + free, square.y + free, side, side))

    def bars(self, box: Box, bars: Bars, descent: float = 0.0) -> None:
        """See `Ink.bars`: they begin at a dot."""
        super().bars(self._on_dots(box), bars, descent)

    def _on_dots(self, box: Box) -> Box:
        """The box moved so that its corner is that of a dot, where the printer's are known."""
        if not self.dot:
            return box
        page = _transform(box, self._place)
        right, up = (round(at / self.dot) * self.dot - at for at in (page.x, page.y))
        a, b, c, d, _, _ = self._place
        area = a * d - b * c
        return box.translate((d * right - c * up) / area, (a * up - b * right) / area)

    def _letters(self, box: Box, colour: str) -> str:
        """The colour of letters in a box; what lies over both gets a plate of the other one below it."""
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
        """What a point lies on: black or white, which is also what all is on that is both."""
        point = _transform(Box(x, y, 0, 0), self._place)
        return next((each.colour or WHITE for each in reversed(self._grounds) if _contains(each.box, point)), WHITE)

    def picture(self, box: Box, picture: Picture, description: str) -> None:
        """The picture in dots; see `Ink.picture`."""
        super().picture(box, picture, description)
        self._lay(box, None)

    def draw_graphics(self, x: float, y: float, drawing: "Drawing") -> None:
        """See `Ink.draw_graphics`; what differed by its shade is hatched."""
        from labels import chart_black

        with self._placed((1, 0, 0, 1, x, y)):
            for field in chart_black.fields(drawing):
                self._lay(field.box, chart_black.solid_shade(field.colour))
            super().draw_graphics(x, y, chart_black.to_black(drawing))

    @property
    def _thinnest(self) -> float:
        """How thick a line is at least, as lengths are now."""
        return LINE / self._scale

    @property
    def _scale(self) -> float:
        """The factor by which lengths are larger on the page than as they are given now."""
        a, b, c, d, _, _ = self._place
        return math.sqrt(abs(a * d - b * c))

    def _lay(self, box: Box, colour: str | None) -> None:
        """Remembers what has been drawn into a box."""
        self._grounds.append(_Ground(_transform(box, self._place), colour))

    @contextmanager
    def _placed(self, matrix: _Matrix) -> Iterator[None]:
        """What is drawn meanwhile is moved and enlarged so; see the operator `cm` of PDF."""
        before = self._place
        self._place = _multiply(matrix, before)
        yield
        self._place = before

    @contextmanager
    def _fresh_paper(self) -> Iterator[None]:
        """Nothing lies meanwhile below what is drawn."""
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
        with self._placed((1, 0, 0, 1, x, y)), super().move(x, y):
            yield

    @contextmanager
    def turn(self, x: float, y: float) -> Iterator[None]:
        with self._placed((0, -1, 1, 0, x, y)), super().turn(x, y):
            yield

    @contextmanager
    def enlarge(self, box: Box, scale: float, margin: float = 0.0) -> Iterator[Box]:
        with ExitStack() as placed:
            if scale != 1:
                placed.enter_context(self._placed((scale, 0, 0, scale, box.x, box.y)))
            yield placed.enter_context(super().enlarge(box, scale, margin))

    def draw_repeated(self, box: Box, draw: Callable[[Ink, Box], None], *key: Hashable) -> None:
        with self._fresh_paper():
            super().draw_repeated(box, draw, self._thinnest, *key)


INKS: Final[Mapping[InkName, type[Ink]]] = {"colour": Ink, "black": BlackInk}
"""What can be printed with, by name."""


def parse_ink(text: str) -> InkName | None:
    """The ink that `black` or `colour` names, in any case; None for nothing. Raises LabelError."""
    name = text.strip().casefold()
    if name and name not in INKS:
        raise LabelError(f"Ink is black or colour, not “{text.strip()}”.")
    return next((each for each in INKS if each == name), None)


def _opposite(colour: str) -> str:
    """What stands out from a colour."""
    return WHITE if is_dark(colour) else BLACK


def _thicken(box: Box, least: float) -> Box:
    """A box about the same middle that is at least so wide and high."""
    width, height = max(box.width, least), max(box.height, least)
    return Box(box.x - (width - box.width) / 2, box.y - (height - box.height) / 2, width, height)


def _multiply(first: _Matrix, then: _Matrix) -> _Matrix:
    """One matrix after the other."""
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
    """Where a box lies on the page."""
    (left, bottom), (right, top) = (_move(x, y, matrix) for x, y in ((box.x, box.y), (box.right, box.top)))
    return Box(min(left, right), min(bottom, top), abs(right - left), abs(top - bottom))


def _contains(box: Box, inner: Box) -> bool:
    """Whether a box lies in another one, with half a point's grace."""
    grown = box.inset(-_GRACE)
    return grown.x < inner.x and inner.right < grown.right and grown.y < inner.y and inner.top < grown.top


def _overlap(box: Box, other: Box) -> bool:
    """Whether boxes have more in common than half a point."""
    width = min(box.right, other.right) - max(box.x, other.x)
    height = min(box.top, other.top) - max(box.y, other.y)
    return min(width, height) > _GRACE
