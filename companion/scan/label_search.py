"""The codes of labels in a photograph of a spread deck: Data Matrices of six figures, anywhere and turned anyhow.

A reader that is shown the whole picture finds nearly none of fifty small codes. So it is shown tiles, each twice as
large as it is in the picture: as it is, and sharpened.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import zxingcpp
from PIL import Image, ImageFilter

_TILE: Final = 320
"""The side of a tile in pixels of the picture."""
_OVERLAP: Final = 90
"""How far tiles overlap, so that each code lies in one of them whole: 6 mm at 9 pixels a millimetre, turned by 45°."""
_LARGER: Final = 2
_CONTRAST: Final = 40
"""Grey levels by which dark and light differ at least in a tile that may show a code."""
_GLANCE: Final = 4
_DIGITS: Final = 6
_SAME: Final = 0.75
"""The same code once more, if their centres are no further apart than this share of a side."""
_DATA_MATRIX: Final = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.DataMatrix)

Corners = tuple[tuple[float, float], ...]
"""Top left, top right, bottom right, bottom left, as the code stands."""


class CodedLabel(NamedTuple):
    """A label's number, and the corners of its code in the picture."""

    number: str
    corners: Corners


def find_labels(picture: Image.Image) -> tuple[CodedLabel, ...]:
    """The labels in a grey picture, each once, however often its code is read."""
    found: list[CodedLabel] = []
    for tile, left, top in _tiles(picture):
        large = tile.resize((tile.width * _LARGER, tile.height * _LARGER), Image.Resampling.BICUBIC)
        for copy in (large, large.filter(ImageFilter.UnsharpMask(3, 200, 0))):
            for label in _read(copy, left, top):
                if not any(_is_same(label, other) for other in found):
                    found.append(label)
    return tuple(found)


def _tiles(picture: Image.Image) -> Iterator[tuple[Image.Image, int, int]]:
    """The parts of a picture that may show a code, with their left and top edges."""
    glance = picture.reduce(_GLANCE)
    for top in _starts(picture.height):
        for left in _starts(picture.width):
            box = (left, top, min(picture.width, left + _TILE), min(picture.height, top + _TILE))
            low, high = glance.crop(tuple(edge // _GLANCE for edge in box)).getextrema()
            if high - low >= _CONTRAST:
                yield picture.crop(box), left, top


def _starts(length: int) -> range:
    return range(0, max(1, length - _OVERLAP), _TILE - _OVERLAP)


def _read(copy: Image.Image, left: int, top: int) -> Iterator[CodedLabel]:
    codes = zxingcpp.read_barcodes(
        copy,
        _DATA_MATRIX,
        binarizer=zxingcpp.Binarizer.LocalAverage,
        text_mode=zxingcpp.TextMode.Plain,
        try_invert=False,
        try_downscale=False,
    )
    for code in codes:
        if code.valid and len(code.text) == _DIGITS and code.text.isascii() and code.text.isdecimal():
            at = code.position
            points = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
            yield CodedLabel(code.text, tuple((left + point.x / _LARGER, top + point.y / _LARGER) for point in points))


def _is_same(one: CodedLabel, other: CodedLabel) -> bool:
    if one.number != other.number:
        return False
    side = math.dist(one.corners[0], one.corners[1])
    return math.dist(_centre(one), _centre(other)) < _SAME * max(side, 1.0)


def _centre(label: CodedLabel) -> tuple[float, float]:
    xs, ys = zip(*label.corners, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
