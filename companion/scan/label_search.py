"""Search for the codes of labels in a photograph of a spread deck: Data Matrices of six digits, rotated in any way.

A reader that is given the whole picture finds nearly none of fifty small codes. So the places with the most change of
dark and light, as in codes, are searched first, and the reader gets each of them enlarged: as it is, rotated, and
sharpened, until it reads something.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import zxingcpp
from PIL import Image, ImageChops, ImageFilter

_HALF: Final = 64
"""Half the side of a part for the reader, in pixels: a code of 6 mm at 9 pixels per millimetre has 54."""
_LARGER: Final = 2
_CELL: Final = 16
"""The side of the cells in which changes of dark and light are counted, in pixels."""
_FAINT: Final = 8
"""A cell with less change shows no code."""
_PLACES: Final = 190
"""Maximum places that are tried; a deck has 54 cards, and handwriting on them changes often, too."""
QUICK_PLACES: Final = 40
"""Places that a quick search tries before it gives up; a deck has readable codes among the first few."""
_DIGITS: Final = 6
_SAME: Final = 0.75
"""Two readings are one code if their centres are no further apart than this share of a side."""
_DATA_MATRIX: Final = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.DataMatrix)
_PAPER: Final = 190
_MODULES: Final = 10
"""Modules along a side of a code."""
_COARSE: Final = 0.4
"""The blur in pixels that the pixels themselves add."""

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
"""Clockwise from the top left corner of the upright code."""


class CodedLabel(NamedTuple):
    """A label's number, and the corners of its code in the picture."""

    number: str
    corners: Corners


class _Presentation(NamedTuple):
    """A way to present a part to the reader: rotated by an angle in degrees, and sharpened or not."""

    angle: float
    sharp: bool


# A reader follows edges along rows and columns: a code at 45 degrees is read once it is rotated by that angle.
_WAYS: Final = (
    _Presentation(0, False),
    _Presentation(45, False),
    _Presentation(0, True),
    _Presentation(45, True),
    _Presentation(22, True),
    _Presentation(68, True),
)


class SearchLeft(Exception):
    """A quick search has found no label, and has left some places untried."""


def find_labels(picture: Image.Image, places: int = _PLACES) -> tuple[CodedLabel, ...]:
    """Find the labels in a grey picture, each once, however often its code is read.

    Raises SearchLeft if none of the first so many places shows a label, and there are more.
    """
    all_labels: list[CodedLabel] = []
    ways = dict.fromkeys(_WAYS, 0)
    for number, (x, y) in enumerate(_busy_places(picture)):
        if number >= places and not all_labels:
            raise SearchLeft
        if any(math.dist((x, y), _centre(label)) < _CELL for label in all_labels):
            continue
        part = picture.crop((x - _HALF, y - _HALF, x + _HALF, y + _HALF))
        large = part.resize((part.width * _LARGER, part.height * _LARGER), Image.Resampling.BICUBIC)
        # The cards of a deck lie much alike, so the way that has read most codes so far is tried first.
        for way in sorted(_WAYS, key=lambda way: -ways[way]):
            labels = [*_read(large, way, x - _HALF, y - _HALF)]
            all_labels += [label for label in labels if not any(_is_same(label, other) for other in all_labels)]
            ways[way] += len(labels)
            if labels:
                break
    return tuple(all_labels)


def measure_blur(picture: Image.Image, labels: Sequence[CodedLabel]) -> float:
    """Measure the blur in the codes of labels: the median, in modules; 0 without any.

    Measured on drawn photographs: up to 0.6 nearly all codes are read, beyond 0.7 up to half are lost.
    """
    blurs = sorted(_blur(picture, label) for label in labels)
    return blurs[len(blurs) // 2] if blurs else 0.0


def _blur(picture: Image.Image, label: CodedLabel) -> float:
    """Measure the blur of one code, in modules.

    The width of an edge is the contrast divided by the steepest slope; the blur of the pixels is added.
    """
    xs, ys = zip(*label.corners, strict=True)
    code = picture.crop((math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys))))
    module = max(1.0, math.dist(label.corners[0], label.corners[1])) / _MODULES
    wide, high = code.size
    steps = [
        ImageChops.difference(code.crop((0, 0, wide - right, high - down)), code.crop((right, down, wide, high)))
        for right, down in ((1, 0), (0, 1))
    ]
    slopes = [sum(counts) for counts in zip(*(step.histogram() for step in steps), strict=True)]
    contrast = _percentile(code.histogram(), 0.95) - _percentile(code.histogram(), 0.05)
    # The slope of an edge that is blurred by a Gaussian is its contrast divided by √(2π) times the deviation.
    deviation = contrast / (max(1, _percentile(slopes, 0.95)) * math.sqrt(2 * math.pi))
    return (deviation + _COARSE) / module


def _percentile(histogram: Sequence[int], share: float) -> int:
    """Return the value that this share of a histogram does not exceed."""
    left = share * sum(histogram)
    for value, count in enumerate(histogram):
        left -= count
        if left <= 0:
            return value
    return len(histogram) - 1


def _busy_places(picture: Image.Image) -> Iterator[tuple[int, int]]:
    """Yield the places where dark and light change most, the busiest first."""
    edges = picture.reduce(2).filter(ImageFilter.FIND_EDGES)
    cells = edges.reduce(_CELL // 2).filter(ImageFilter.BoxBlur(1))
    wide, high = cells.size
    busy = cells.tobytes()
    places = []
    for row in range(1, high - 1):
        above, here, below = (busy[(row + by) * wide : (row + by + 1) * wide] for by in (-1, 0, 1))
        for column in range(1, wide - 1):
            level = here[column]
            around = slice(column - 1, column + 2)
            if level < _FAINT or level < max(max(above[around]), here[column - 1]):
                continue
            if level > max(here[column + 1], max(below[around])):
                places.append((level, round((column + 0.5) * _CELL), round((row + 0.5) * _CELL)))
    places.sort(reverse=True)
    yield from ((x, y) for _, x, y in places[:_PLACES])


def _read(part: Image.Image, way: _Presentation, left: int, top: int) -> Iterator[CodedLabel]:
    """Read the codes in an enlarged part of the picture in one way; `left` and `top` are the part's edges."""
    copy = part.rotate(way.angle, Image.Resampling.BILINEAR, fillcolor=_PAPER) if way.angle else part
    copy = copy.filter(ImageFilter.UnsharpMask(3, 200, 0)) if way.sharp else copy
    codes = zxingcpp.read_barcodes(
        copy,
        _DATA_MATRIX,
        binarizer=zxingcpp.Binarizer.LocalAverage,
        text_mode=zxingcpp.TextMode.Plain,
        try_invert=False,
        try_downscale=False,
    )
    back = _turn_back(part.width / 2, way.angle)
    for code in codes:
        if code.valid and len(code.text) == _DIGITS and code.text.isascii() and code.text.isdecimal():
            at = code.position
            points = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            one, two, three, four = (back(point.x, point.y) for point in points)
            corners = tuple((left + x / _LARGER, top + y / _LARGER) for x, y in (one, two, three, four))
            yield CodedLabel(code.text, (corners[0], corners[1], corners[2], corners[3]))


def _turn_back(middle: float, angle: float) -> Callable[[float, float], Point]:
    """Return a function that maps points of a part rotated around its middle to those before the rotation."""
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))

    def back(x: float, y: float) -> Point:
        dx, dy = x - middle, y - middle
        return middle + cosine * dx - sine * dy, middle + sine * dx + cosine * dy

    return back


def _is_same(one: CodedLabel, other: CodedLabel) -> bool:
    if one.number != other.number:
        return False
    side = math.dist(one.corners[0], one.corners[1])
    return math.dist(_centre(one), _centre(other)) < _SAME * max(side, 1.0)


def _centre(label: CodedLabel) -> Point:
    xs, ys = zip(*label.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
