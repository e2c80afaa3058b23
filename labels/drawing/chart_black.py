"""Charts in black alone: fields that differ by shade differ by their hatching."""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from typing import Any, Final, NamedTuple

from reportlab.graphics.shapes import Drawing, Line, Rect, Shape, String
from reportlab.lib.colors import black, white

from labels.drawing.chart_sketch import COLOURS
from labels.drawing.dots import LINE, brightness
from labels.drawing.ink import BLACK, WHITE
from labels.geometry import Box


class _Hatch(NamedTuple):
    """The hatching of fields darker than `darker_than`: the distance of the lines in points, and their slant."""

    darker_than: float
    pitch: float
    falls: bool = False


_SOLID, _PAPER = 0.25, 0.82
"""Fields darker than the first value are black. Fields lighter than the second are white."""
_HATCHES: Final = (_Hatch(0.4, 2.0), _Hatch(0.55, 2.6, falls=True), _Hatch(0.7, 4.0), _Hatch(1.0, 5.5, falls=True))
_SERIES: Final = dict(zip(COLOURS, (0.0, 0.5, 1.0, 0.65, 0.35, 0.75, 0.6, 0.3), strict=True))
"""Brightness of each series' colour here, since these colours differ only by hue."""


class FilledBox(NamedTuple):
    """A filled box of a drawing."""

    box: Box
    colour: str


def fields(drawing: Drawing) -> list[FilledBox]:
    """Return the filled boxes of a drawing."""
    return [
        FilledBox(Box(shape.x, shape.y, shape.width, shape.height), _hex_colour(shape.fillColor))
        for shape in drawing.contents
        if isinstance(shape, Rect)
    ]


def solid_shade(colour: str) -> str | None:
    """Return black or white for a field of this colour, or None if it is hatched."""
    bright = _field_brightness(colour)
    return BLACK if bright < _SOLID else WHITE if bright >= _PAPER else None


def to_black(drawing: Drawing) -> Drawing:
    """Return a copy of the drawing in black and white.

    Its fields are hatched, and its lines are thick enough to print.
    """
    copied = Drawing(drawing.width, drawing.height)
    for shape in drawing.contents:
        for each in _draw_field(shape) if isinstance(shape, Rect) else [_blacken_shape(shape)]:
            copied.add(each)
    return copied


def _draw_field(rect: Any) -> Iterator[Shape]:
    """Yield the shapes of a field: a frame with lines across it, or a solid box."""
    colour, box = _hex_colour(rect.fillColor), Box(rect.x, rect.y, rect.width, rect.height)
    is_thin = min(box.width, box.height) < 3 * LINE
    if colour == WHITE or is_thin or solid_shade(colour) == BLACK:
        paint = white if colour == WHITE else black
        yield Rect(box.x, box.y, box.width, box.height, fillColor=paint, strokeColor=None)
        return
    inner = box.inset(LINE / 2)
    yield Rect(inner.x, inner.y, inner.width, inner.height, fillColor=white, strokeColor=black, strokeWidth=LINE)
    if solid_shade(colour) is None:
        for ends in _hatch(inner, next(each for each in _HATCHES if _field_brightness(colour) < each.darker_than)):
            yield Line(*ends, strokeColor=black, strokeWidth=LINE)


def _hatch(box: Box, hatch: _Hatch) -> Iterator[tuple[float, float, float, float]]:
    """Yield the ends of 45° lines across a box."""
    step = at = hatch.pitch * math.sqrt(2)
    while at < box.width + box.height:
        low, high = max(0.0, at - box.width), min(box.height, at)
        start, end = at - low, at - high
        if hatch.falls:
            start, end = box.width - start, box.width - end
        yield box.x + start, box.y + low, box.x + end, box.y + high
        at += step


def _blacken_shape(shape: Any) -> Shape:
    """Return any other shape in black. White stays white, and light lines are dotted."""
    new = copy(shape)
    for name in ("fillColor", "strokeColor"):
        colour = getattr(shape, name, None)
        if colour is not None:
            # The background of letters decides whether they are white.
            setattr(new, name, white if _hex_colour(colour) == WHITE and not isinstance(shape, String) else black)
    if getattr(shape, "strokeColor", None) is not None:
        new.strokeWidth = max(LINE, shape.strokeWidth)
        bright = brightness(_hex_colour(shape.strokeColor))
        if _PAPER <= bright < 1:
            new.strokeDashArray = [LINE, 3 * LINE]
    return new


def _field_brightness(colour: str) -> float:
    """Return the brightness that a field should have, from 0 to 1."""
    return _SERIES.get(colour, brightness(colour))


def _hex_colour(colour: Any) -> str:
    return f"#{colour.hexval()[2:].upper()}"
