"""Where in a picture a code may lie: squares that are more restless than what is about them.

A code is an island of strong light and dark in white paper, however blurred, bent or slanted it is, and so are words;
few squares are worth a closer look, wherever the light of the picture falls.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter, ImageOps

_ROUGH_PIXELS, _ROUGHEST = 80_000, 4
"""A rough copy of the picture has no fewer, unless that would be many times finer."""
_SIDES = (13, 19, 28, 42, 63)
"""Of codes, in pixels of the rough copy."""
_TINY = 8
_EACH = 6
"""So many squares of each size."""
_TOGETHER = 2
"""So many squares may have the middle of another one in them."""
_SHRUNK = 4
"""About how wide a square is where squares are chosen."""
_GENTLER = [round(255 * (value / 255) ** 0.6) for value in range(256)]
_LOUDER = [min(255, value * 3) for value in range(256)]
_FAINTEST = 4


class Region(NamedTuple):
    """A square that may hold a code: how much it stands out, its middle and its side in pixels of the picture."""

    weight: int
    x: float
    y: float
    side: float


def regions(picture: Image.Image, most: int) -> list[Region]:
    """The squares of a picture in which a code is likeliest, the best first."""
    times = max(1, min(_ROUGHEST, round(math.sqrt(picture.width * picture.height / _ROUGH_PIXELS))))
    rough = ImageOps.autocontrast(picture.reduce(times) if times > 1 else picture, cutoff=0.5).point(_GENTLER)
    restless = ImageChops.difference(rough, rough.filter(ImageFilter.BoxBlur(2))).point(_LOUDER)
    every: list[Region] = []
    for side in _SIDES if times < _ROUGHEST or picture.width * picture.height < 2_500_000 else (_TINY, *_SIDES):
        if side <= min(rough.size):
            every += _islands(restless, side, times)
    kept: list[Region] = []
    for one in sorted(every, reverse=True):
        near = sum(_within(one, other) for other in kept)
        if near < _TOGETHER and not any(_alike(one, other) for other in kept):
            kept.append(one)
            if len(kept) == most:
                break
    return kept


def _islands(restless: Image.Image, side: int, times: int) -> Iterator[Region]:
    """The squares with this side that differ most from what is about them."""
    smaller = max(1, side // _SHRUNK)
    copy = restless.reduce(smaller) if smaller > 1 else restless
    wide = side / smaller
    inner, outer = (copy.filter(ImageFilter.BoxBlur(radius)) for radius in ((wide - 1) / 2, wide))
    island = ImageChops.subtract(inner, outer)
    values, tops = island.tobytes(), island.filter(ImageFilter.MaxFilter(5)).tobytes()
    peaks = [at for at, (value, top) in enumerate(zip(values, tops, strict=True)) if value == top and value > _FAINTEST]
    for at in sorted(peaks, key=values.__getitem__, reverse=True)[:_EACH]:
        y, x = divmod(at, island.width)
        scale = smaller * times
        yield Region(values[at], (x + 0.5) * scale, (y + 0.5) * scale, side * times)


def _within(one: Region, other: Region) -> bool:
    """Whether the middle of one lies in the other."""
    return max(abs(one.x - other.x), abs(one.y - other.y)) < other.side / 2


def _alike(one: Region, other: Region) -> bool:
    apart = abs(one.x - other.x) + abs(one.y - other.y)
    return apart < 0.35 * other.side and 0.6 < one.side / other.side < 1.6
