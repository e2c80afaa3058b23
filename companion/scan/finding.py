"""Where a code of ours may be in a picture, when no reader sees one: by what is left of its finder patterns.

Separate from looking closer. A finder pattern is dark, light and dark again from the middle outwards, whichever way it
is turned, so blurring by squares of three, five and seven modules tells where one may be; two of them suffice.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageFilter

from companion.scan.grid import Corners, likeness
from companion.scan.field import SIDE

_PEAKS = 14
# Finder patterns are 14 modules apart, from middle to middle; a code seen from the side seems narrower.
_APART = 14.0
_MODULES = tuple(1.25 * 2 ** (step / 2) for step in range(8))
_LIKELY = 0.42


class Peak(NamedTuple):
    """A place that looks like a finder pattern with modules of one pixel."""

    x: float
    y: float
    strength: int


class Guess(NamedTuple):
    """Four corners, and how well the patterns stand out there."""

    corners: Corners
    likeness: float


def guesses(picture: Image.Image, most: int = 6) -> list[Guess]:
    """Where codes may be, the likeliest first."""
    found: list[Guess] = []
    for module in _MODULES:
        if min(picture.size) / module < SIDE:
            break
        size = (round(picture.width / module), round(picture.height / module))
        small = picture.resize(size, Image.Resampling.BOX)
        # Two pixels a module are enough to judge by.
        sharper = picture if module < 2 else picture.resize((2 * size[0], 2 * size[1]), Image.Resampling.BOX)
        times = sharper.width / small.width
        for corners in _squares(_peaks(small)):
            placed = _scaled(corners, times)
            like = likeness(sharper, placed)
            if like > _LIKELY:
                found.append(Guess(_scaled(corners, picture.width / small.width), like))
    return _apart(sorted(found, key=lambda guess: -guess.likeness))[:most]


def _scaled(corners: Corners, times: float) -> Corners:
    a, b, c, d = ((x * times, y * times) for x, y in corners)
    return a, b, c, d


def _peaks(small: Image.Image) -> list[Peak]:
    """The places most like a finder pattern, the best of each neighbourhood."""
    squares = [small.filter(ImageFilter.BoxBlur(radius)) for radius in (1, 2, 3)]
    return _highest(small, squares)


def _highest(small: Image.Image, squares: Sequence[Image.Image]) -> list[Peak]:
    three, five, seven = squares
    # Light ring minus dark middle and dark ring: (25 five − 9 three) / 16 − (9 three + 49 seven − 25 five) / 33.
    matrix = (-(9 / 16 + 9 / 33), 25 / 16 + 25 / 33, -49 / 33, 0)
    response = Image.merge("RGB", (three, five, seven)).convert("L", matrix)
    ridge = response.filter(ImageFilter.MaxFilter(5))
    values, tops = response.tobytes(), ridge.tobytes()
    width, height = small.size
    histogram = response.histogram()
    # Only the brightest few hundred are looked at.
    limit, left = 255, 60 * _PEAKS
    while limit > 6 and left > 0:
        left -= histogram[limit]
        limit -= 1
    found = [
        Peak(at % width + 0.5, at // width + 0.5, value)
        for at, value in enumerate(values)
        if value > limit and value == tops[at]
    ]
    found.sort(key=lambda peak: -peak.strength)
    best: list[Peak] = []
    for peak in found:
        if all(abs(peak.x - other.x) + abs(peak.y - other.y) > 4 for other in best):
            best.append(peak)
            if len(best) == _PEAKS:
                break
    return best


def _squares(peaks: Sequence[Peak]) -> Iterator[Corners]:
    """The codes that any two of the peaks may belong to, with modules of about one pixel."""
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
                # From the upper right to the lower left; the third lies aside.
                across, down = ((-x + y) / 2, (-x - y) / 2), ((x + y) / 2, (-x + y) / 2)
                corner = Peak(first.x - across[0], first.y - across[1], 0)
                yield _square(corner, across, down)


def _square(corner: Peak, across: tuple[float, float], down: tuple[float, float]) -> Corners:
    """The corners of a code whose upper left finder pattern is at `corner`, with ways to the two others."""

    def at(right: float, below: float) -> tuple[float, float]:
        right, below = right / _APART, below / _APART
        return (corner.x + across[0] * right + down[0] * below, corner.y + across[1] * right + down[1] * below)

    near, far = -3.5, SIDE - 3.5
    return at(near, near), at(far, near), at(far, far), at(near, far)


def _apart(found: Sequence[Guess]) -> list[Guess]:
    """Only the best of those that are nearly the same."""
    kept: list[Guess] = []
    for guess in found:
        if all(max(map(math.dist, guess.corners, one.corners)) > _side(one.corners) / 8 for one in kept):
            kept.append(guess)
    return kept


def _side(corners: Corners) -> float:
    return math.dist(corners[0], corners[2]) / math.sqrt(2)
