"""Charts in black alone: what differed by its shade differs by its hatching."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from labels.black import LINE, brightness
from labels.chart_sketch import COLOURS
from labels.geometry import Box
from labels.ink import BLACK, WHITE

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing, Shape

_SOLID, _PAPER = 0.25, 0.82
"""Darker fields than the first are black, and lighter ones than the second are paper."""
_HATCHES: Final = ((0.4, 2.0, 1), (0.55, 2.6, -1), (0.7, 4.0, 1), (1.0, 5.5, -1))
"""Up to which brightness, how far from line to line in points, and which way they lean."""
_SERIES: Final = dict(zip(COLOURS, (0.0, 0.5, 1.0, 0.65, 0.35, 0.75, 0.6, 0.3), strict=True))
"""How bright the colours of series are here, which look alike but for their hue."""
_HATCH: Final = LINE


class Field(NamedTuple):
    """A filled box of a drawing."""

    box: Box
    colour: str


def fields(drawing: Drawing) -> list[Field]:
    """The filled boxes of a drawing."""
    from reportlab.graphics.shapes import Rect

    return [
        Field(Box(shape.x, shape.y, shape.width, shape.height), _hex(shape.fillColor))
        for shape in drawing.contents
        if isinstance(shape, Rect)
    ]


def solid_shade(colour: str) -> str | None:
    """Whether a field of this colour is drawn black or white; None where it is hatched."""
    bright = _tone(colour)
    return BLACK if bright < _SOLID else WHITE if bright >= _PAPER else None


def to_black(drawing: Drawing) -> Drawing:
    """The same drawing in black and white: its shapes as they are, its fields hatched, its lines thick enough."""
    from reportlab.graphics.shapes import Drawing as NewDrawing
    from reportlab.graphics.shapes import Rect

    black = NewDrawing(drawing.width, drawing.height)
    for shape in drawing.contents:
        for each in _field(shape) if isinstance(shape, Rect) else [_outlined(shape)]:
            black.add(each)
    return black


def _field(rect: Any) -> Iterator[Shape]:
    """A field as a frame with lines across it, or solid."""
    from reportlab.graphics.shapes import Line, Rect
    from reportlab.lib.colors import black, white

    colour = _hex(rect.fillColor)
    if solid_shade(colour) == BLACK or min(rect.width, rect.height) < 3 * LINE:
        yield Rect(rect.x, rect.y, rect.width, rect.height, fillColor=black, strokeColor=None)
        return
    side = LINE / 2
    box = Box(rect.x, rect.y, rect.width, rect.height).inset(side)
    if colour != WHITE:
        yield Rect(box.x, box.y, box.width, box.height, fillColor=white, strokeColor=black, strokeWidth=LINE)
    if solid_shade(colour) is None:
        _, pitch, lean = next(each for each in _HATCHES if _tone(colour) < each[0])
        for start, end in _hatch(box, pitch * 2**0.5):
            flip = (lambda x: x) if lean > 0 else (lambda x: box.x + box.right - x)
            yield Line(flip(start[0]), start[1], flip(end[0]), end[1], strokeColor=black, strokeWidth=_HATCH)


def _hatch(box: Box, step: float) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The ends of lines that rise by 45° across a box, so many points apart."""
    at = step / 2
    while at < box.width + box.height:
        low, high = max(0.0, at - box.width), min(box.height, at)
        yield (box.x + at - low, box.y + low), (box.x + at - high, box.y + high)
        at += step


def _outlined(shape: Any) -> Shape:
    """Any other shape: white stays white, whatever else is black, and light lines are dotted."""
    from copy import copy

    from reportlab.graphics.shapes import String
    from reportlab.lib.colors import black, white

    new = copy(shape)
    for name in ("fillColor", "strokeColor"):
        colour = getattr(shape, name, None)
        if colour is not None:
            # What letters stand on decides whether they are white.
            setattr(new, name, white if _hex(colour) == WHITE and not isinstance(shape, String) else black)
    if getattr(shape, "strokeColor", None) is not None:
        new.strokeWidth = max(LINE, shape.strokeWidth)
        bright = brightness(_hex(shape.strokeColor))
        if _PAPER <= bright < 1:
            new.strokeDashArray = [LINE, 3 * LINE]
    return new


def _tone(colour: str) -> float:
    """How bright a field is to look, from 0 to 1."""
    return _SERIES.get(colour, brightness(colour))


def _hex(colour: Any) -> str:
    return f"#{colour.hexval()[2:].upper()}"
