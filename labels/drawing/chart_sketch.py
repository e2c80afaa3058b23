"""The drawing surface of charts: shapes of reportlab.graphics in our colours, marks and type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from labels.drawing import style
from labels.typesetting import fonts
from labels.typesetting.text import TextSetting

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing

COLOURS: Final = ("#0B5C99", "#D55E00", "#00795A", "#8C4A8C", "#9A6B00", "#2A8FBD", "#5B6474", "#A3314B")
"""Colours of series, in order. After the last they repeat with other shapes."""
SHADES: Final = ("#102A43", "#2A5C8F", "#4C82B8", "#79A6D2", "#A6C6E5", "#D0E2F3")
"""Shades of the parts of a bar. Each is lighter than the one before, also in grey."""
LIGHT: Final = frozenset(SHADES[3:])
"""Shades on which figures are dark."""
GRID: Final = "#DADDE2"
REFERENCE: Final = "#6B7280"
WHITE: Final = "#FFFFFF"
MARK: Final = 2.6
"""Distance from the centre of a series' mark to its edge."""


class Sketch:
    """A drawing of reportlab.graphics shapes in our colours and type, measured from the bottom left."""

    def __init__(self, width: float, height: float) -> None:
        from reportlab.graphics import shapes
        from reportlab.lib.colors import HexColor

        self.drawing: Drawing = shapes.Drawing(width, height)
        self._shapes, self._colour = shapes, HexColor

    def line(self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 0.6) -> None:
        stroke = self._colour(colour)
        self.drawing.add(self._shapes.Line(x, y, to_x, to_y, strokeColor=stroke, strokeWidth=width))

    def lines(self, points: Sequence[tuple[float, float]], colour: str, width: float) -> None:
        """Draw one line through several points."""
        flat = [part for point in points for part in point]
        stroke = self._colour(colour)
        self.drawing.add(self._shapes.PolyLine(flat, strokeColor=stroke, strokeWidth=width, strokeLineJoin=1))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        fill = self._colour(colour)
        self.drawing.add(self._shapes.Rect(x, y, width, height, fillColor=fill, strokeColor=None))

    def hatch(self, x: float, y: float, width: float, height: float) -> None:
        """Draw white lines across a box, so that it differs from its neighbour in grey."""
        at = 3.0
        while at < width + height:
            low, high = max(0.0, at - width), min(height, at)
            self.line(x + at - low, y + low, x + at - high, y + high, WHITE, 0.8)
            at += 4.0

    def mark(self, x: float, y: float, number: int, size: float = MARK) -> None:
        """Draw the mark of a series in its shape and colour. Every second mark is hollow."""
        colour = self._colour(colour_of(number))
        paint = {
            "fillColor": self._colour(WHITE) if number % 2 else colour,
            "strokeColor": colour,
            "strokeWidth": 1.2,
        }
        shape = (number + number // len(COLOURS)) % len(_SHAPES)
        if _SHAPES[shape] is None:
            self.drawing.add(self._shapes.Circle(x, y, size, **paint))
        else:
            corners = [value for dx, dy in _SHAPES[shape] or () for value in (x + dx * size, y + dy * size)]
            self.drawing.add(self._shapes.Polygon(corners, **paint))

    def text(self, x: float, y: float, text: str, size: float, colour: str, weight: fonts.Weight = "regular") -> None:
        """Draw a text on one line that begins at `x`, vertically centred on `y`."""
        baseline = y - size * style.CAPITALS / 2
        name = fonts.face(weight).font.fontName
        fill = self._colour(colour)
        self.drawing.add(self._shapes.String(x, baseline, text, fontName=name, fontSize=size, fillColor=fill))

    def setting(self, x: float, y: float, setting: TextSetting, colour: str, right: float | None = None) -> None:
        """Draw a set text that begins at `x` or ends at `right`, vertically centred on `y`."""
        middle = y + (len(setting.lines) - 1) * setting.leading / 2
        for line in setting.lines:
            left = x if right is None else right - fonts.measure(line, setting.weight, setting.size)
            self.text(left, middle, line, setting.size, colour, setting.weight)
            middle -= setting.leading


_SHAPES: Final[Sequence[Sequence[tuple[float, float]] | None]] = (
    None,
    ((-1.35, 0), (0, 1.35), (1.35, 0), (0, -1.35)),
    ((-1, -1), (-1, 1), (1, 1), (1, -1)),
    ((-1.3, -0.9), (0, 1.4), (1.3, -0.9)),
    ((-1.3, 0.9), (0, -1.4), (1.3, 0.9)),
)
"""The corners of a mark of size 1; None is a circle."""


def colour_of(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
