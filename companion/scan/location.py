"""Search for places in a picture where a code may be: squares with much detail, and traces of finder patterns."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter, ImageOps

from companion.scan.grid import Corners, mean_side, pattern_likeness
from companion.scan.qr_layout import SIDE

_ROUGH_PIXELS, _ROUGHEST = 80_000, 4
"""Minimum pixels of a rough copy of the picture, and the maximum reduction for it."""
_SIDES = (13, 19, 28, 42, 63)
"""Sides of codes, in pixels of the rough copy."""
_TINY = 8
_EACH = 6
"""The number of squares of each size."""
_TOGETHER = 2
"""The number of squares that may contain the middle of another."""
_SHRUNK = 4
"""The approximate width of a square, in pixels, when squares are selected."""
_GENTLER = [round(255 * (value / 255) ** 0.6) for value in range(256)]
_LOUDER = [min(255, value * 3) for value in range(256)]
_FAINTEST = 4


class Region(NamedTuple):
    """A square that may have a code: its contrast to the surroundings, its middle and its side in pixels."""

    weight: int
    x: float
    y: float
    side: float


def find_regions(picture: Image.Image, most: int) -> list[Region]:
    """Find the squares of a picture in which a code is most likely, the best first."""
    times = max(1, min(_ROUGHEST, round(math.sqrt(picture.width * picture.height / _ROUGH_PIXELS))))
    rough = ImageOps.autocontrast(picture.reduce(times) if times > 1 else picture, cutoff=0.5).point(_GENTLER)
    restless = ImageChops.difference(rough, rough.filter(ImageFilter.BoxBlur(2))).point(_LOUDER)
    every: list[Region] = []
    for width in _SIDES if times < _ROUGHEST or picture.width * picture.height < 2_500_000 else (_TINY, *_SIDES):
        if width <= min(rough.size):
            every += _find_peaks_of_size(restless, width, times)
    chosen: list[Region] = []
    for one in sorted(every, reverse=True):
        near = sum(max(abs(one.x - other.x), abs(one.y - other.y)) < other.side / 2 for other in chosen)
        if near < _TOGETHER and not any(_nearly_same(one, other) for other in chosen):
            chosen.append(one)
            if len(chosen) == most:
                break
    return chosen


def _find_peaks_of_size(restless: Image.Image, side: int, times: int) -> Iterator[Region]:
    """Yield the squares of this side that differ most from their surroundings."""
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


def _nearly_same(one: Region, other: Region) -> bool:
    apart = abs(one.x - other.x) + abs(one.y - other.y)
    return apart < 0.35 * other.side and 0.6 < one.side / other.side < 1.6


_PEAKS = 14
# The side of a tile in modules, and its maximum of peaks: a lamp must not attract all attempts.
_TILE, _IN_TILE = 28, 4
# The centres of finder patterns are 14 modules apart; in perspective a code seems narrower.
_APART = 14.0
_MODULES = (4, 3, 5.4, 2.3)
_LIKELY = 0.38
_MOST = 3
_WORTH = 12


class Peak(NamedTuple):
    """A place that looks like a finder pattern with modules of one pixel."""

    x: float
    y: float


class CodeLocation(NamedTuple):
    """A possible place of a code, and the likeness of its patterns there."""

    likeness: float
    corners: Corners


def guess_codes(patch: Image.Image) -> list[CodeLocation]:
    """Return the possible places of codes in a patch, the most likely first."""
    candidates: list[CodeLocation] = []
    for module in _MODULES:
        if min(patch.size) / module >= SIDE:
            candidates += _guess_with_module(patch, module)
    return _distinct(sorted(candidates, reverse=True))


def _guess_with_module(patch: Image.Image, module: float) -> list[CodeLocation]:
    """Return the possible places of codes with modules of about `module` pixels."""
    small = ImageOps.autocontrast(_smaller(patch, module), cutoff=0.5)
    values = small.tobytes()
    worth = sorted(
        ((_balance(values, small.size, corners), corners) for corners in _squares(_peaks(small))), reverse=True
    )
    candidates = []
    for balance, corners in worth[:_WORTH]:
        back = scale_corners(corners, patch.width / small.width)
        if balance > 0 and (like := pattern_likeness(patch, back)) > _LIKELY:
            candidates.append(CodeLocation(like, back))
    return candidates


def _smaller(picture: Image.Image, times: float) -> Image.Image:
    if times == int(times):
        return picture.reduce(int(times)) if times > 1 else picture
    return picture.resize((round(picture.width / times), round(picture.height / times)), Image.Resampling.BOX)


def _balance(values: bytes, size: tuple[int, int], corners: Corners) -> int:
    """Return how much lighter the light modules around the finder patterns are than as many dark ones."""
    (x, y), (x1, y1), _, (x3, y3) = corners
    ax, ay, bx, by = (x1 - x) / SIDE, (y1 - y) / SIDE, (x3 - x) / SIDE, (y3 - y) / SIDE
    width, height = size
    balance = 0
    for right, below, sign in _SAMPLE_MODULES:
        column, row = int(x + ax * right + bx * below), int(y + ay * right + by * below)
        if 0 <= column < width and 0 <= row < height:
            balance += sign * values[row * width + column]
    return balance


def _sample_modules() -> tuple[tuple[float, float, int], ...]:
    """Return the middles of some modules, with 1 for light and −1 for dark ones: as many of each."""
    corners = [(0, 0), (6, 0), (0, 6)]
    dark = [(left + across, top + down) for left, top in ((0, 0), (14, 0), (0, 14)) for across, down in corners]
    light = [
        (left + across, top + down)
        for left, top in ((0, 0), (14, 0), (0, 14))
        for across, down in ((1, 1), (5, 1), (1, 5))
    ]
    dark += [(8, 6), (10, 6), (12, 6), (6, 8), (6, 10), (6, 12)]
    light += [(7, 6), (9, 6), (11, 6), (6, 7), (6, 9), (6, 11)]
    return tuple((x + 0.5, y + 0.5, sign) for places, sign in ((dark, -1), (light, 1)) for x, y in places)


_SAMPLE_MODULES = _sample_modules()


def scale_corners(corners: Corners, times: float) -> Corners:
    """Return corners in a picture `times` as large."""
    a, b, c, d = ((x * times, y * times) for x, y in corners)
    return a, b, c, d


def _peaks(small: Image.Image) -> list[Peak]:
    """Return the places most like a finder pattern, the best of each neighbourhood."""
    three, five, seven = (small.filter(ImageFilter.BoxBlur(radius)) for radius in (1, 2, 3))
    # Light ring minus dark middle and dark ring: (25 five − 9 three) / 16 − (9 three + 49 seven − 25 five) / 33.
    matrix = (-(9 / 16 + 9 / 33), 25 / 16 + 25 / 33, -49 / 33, 0)
    response = Image.merge("RGB", (three, five, seven)).convert("L", matrix)
    limit = _response_limit(response.histogram())
    values, width = response.tobytes(), small.width
    places = (match.start() for match in re.finditer(b"[%b-\xff]" % re.escape(bytes([limit])), values, re.DOTALL))
    best: list[Peak] = []
    tiles: Counter[tuple[int, int]] = Counter()
    for at in sorted(places, key=values.__getitem__, reverse=True):
        y, x = divmod(at, width)
        tile = (x // _TILE, y // _TILE)
        if tiles[tile] < _IN_TILE and all(abs(x - other.x) + abs(y - other.y) > 4 for other in best):
            tiles[tile] += 1
            best.append(Peak(x + 0.5, y + 0.5))
            if len(best) == _PEAKS:
                break
    return best


def _response_limit(histogram: Sequence[int]) -> int:
    """Return the response that only some hundred places exceed."""
    left, limit = 50 * _PEAKS, 255
    while limit > 8 and left > 0:
        left -= histogram[limit]
        limit -= 1
    return limit


def _squares(peaks: Sequence[Peak]) -> Iterator[Corners]:
    """Yield the codes that any two of the peaks may belong to, with modules of about one pixel."""
    for first in peaks:
        for second in peaks:
            if first is second:
                continue
            x, y = second.x - first.x, second.y - first.y
            apart = math.hypot(x, y)
            if 0.68 * _APART < apart < 1.42 * _APART:
                # Along the upper edge, and along the left one.
                yield _square(first, (x, y), (-y, x))
                yield _square(first, (y, -x), (x, y))
            if 0.68 * _APART < apart / math.sqrt(2) < 1.42 * _APART:
                # From the upper right to the lower left; the third is to the side.
                across, down = ((-x + y) / 2, (-x - y) / 2), ((x + y) / 2, (-x + y) / 2)
                corner = Peak(first.x - across[0], first.y - across[1])
                yield _square(corner, across, down)


def _square(corner: Peak, across: tuple[float, float], down: tuple[float, float]) -> Corners:
    """Return the corners of a code by its upper left finder pattern at `corner` and the vectors to the two others."""

    def at(right: float, below: float) -> tuple[float, float]:
        right, below = right / _APART, below / _APART
        return (corner.x + across[0] * right + down[0] * below, corner.y + across[1] * right + down[1] * below)

    near, far = -3.5, SIDE - 3.5
    return at(near, near), at(far, near), at(far, far), at(near, far)


def _distinct(candidates: Sequence[CodeLocation]) -> list[CodeLocation]:
    """Drop near duplicates after the first, and all beyond the maximum worth a closer look."""
    kept: list[CodeLocation] = []
    for guess in candidates:
        if all(max(map(math.dist, guess.corners, one.corners)) > mean_side(one.corners) / 8 for one in kept):
            kept.append(guess)
            if len(kept) == _MOST:
                break
    return kept
