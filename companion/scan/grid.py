"""Sampling of a box's code: from four corners to the odds of 208 bits.

The corners are moved until the patterns that every code of this size has stand out best; the same patterns then show
what blur and movement did to the other modules.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from operator import add, itemgetter, mul
from typing import NamedTuple

from PIL import Image, ImageFilter

from companion.scan import deblur, mesh, qr_layout, soft_decode
from companion.scan.qr_layout import SIDE

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left of the upright code, without its quiet zone."""

_MODULE = 4
"""Pixels per module that are sampled; finer pictures are averaged."""
_WORTH_FITTING, _LIKELY, _LIKE_OURS = 0.25, 0.42, 0.45
_PLANE, _WELL, _BENT = 0.96, 0.97, 0.85
_FLAT, _UNSURE, _MESH_FITS, _MOST_CONTRAST = 0.9, 0.85, 2, 2
_BENDS, _REFINED, _CLEAR, _GAIN = 4, 3, 0.02, 0.005


class LocatedCode(NamedTuple):
    """A code in a part of a picture.

    `corners` are those in the part, `whole` those in the whole picture; `likeness` is how well the modules that are the
    same on all boxes stand out.
    """

    picture: Image.Image
    corners: Corners
    whole: Corners
    mask: int
    likeness: float


class _Pattern:
    """A set of modules with known values, prepared for comparison with sampled light."""

    def __init__(self, dark: Mapping[tuple[int, int], int]) -> None:
        self.dark = dark
        self._seen = itemgetter(*(row * SIDE + column for row, column in dark))
        signs = [1 if one else -1 for one in dark.values()]
        tilt = sum(signs) / len(signs)
        self._even = [sign - tilt for sign in signs]
        self._spread = math.sqrt(sum(map(mul, self._even, self._even)))

    def likeness(self, light: Sequence[float]) -> float:
        """Correlate the modules with this pattern: 1 for equal, 0 for unrelated, −1 for inverted."""
        seen = self._seen(light)
        mean = sum(seen) / len(seen)
        spread = math.sqrt(max(1e-6, sum(map(mul, seen, seen)) - mean * mean * len(seen)))
        return float(-sum(map(mul, seen, self._even)) / (spread * self._spread))


class _ExpectedLight:
    """The light expected of all modules, blurred as it is."""

    def __init__(self, light: Sequence[float]) -> None:
        mean = sum(light) / len(light)
        self._even = [each - mean for each in light]
        self._spread = math.sqrt(sum(map(mul, self._even, self._even))) or 1.0

    def likeness(self, light: Sequence[float]) -> float:
        """Correlate the modules with this light, from −1 to 1."""
        mean = sum(light) / len(light)
        spread = math.sqrt(max(1e-6, sum(map(mul, light, light)) - mean * mean * len(light)))
        return float(sum(map(mul, light, self._even)) / (spread * self._spread))


_ANY_CODE = _Pattern(qr_layout.PATTERNS)


@cache
def _box_pattern(mask: int) -> _Pattern:
    """Return the known modules of a box's code with this mask."""
    modules = {
        place: bit ^ qr_layout.MASKS[mask][number]
        for number, (place, bit) in enumerate(zip(qr_layout.PLACES, soft_decode.constant_bits(), strict=True))
        if bit is not None
    }
    return _Pattern({**qr_layout.PATTERNS, **qr_layout.FORMATS[mask], **modules})


def plane_coefficients(corners: Corners, side: float) -> tuple[float, ...]:
    """Return the coefficients with which Pillow maps a square of this side onto the four corners."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners
    dx1, dx2, dx3 = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, dy3 = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    whole = dx1 * dy2 - dx2 * dy1 or 1e-9
    g, h = (dx3 * dy2 - dx2 * dy3) / whole, (dx1 * dy3 - dx3 * dy1) / whole
    a, b, d, e = x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3
    return (a / side, b / side, x0, d / side, e / side, y0, g / side, h / side)


def sample_plane(picture: Image.Image, corners: Corners, fine: int = 1) -> bytes:
    """Sample how light each module is in its middle, or the mean of `fine` × `fine` points of it."""
    side = SIDE * fine
    points = picture.transform(
        (side, side), Image.Transform.PERSPECTIVE, plane_coefficients(corners, side), Image.Resampling.BILINEAR
    )
    return (points.reduce(fine) if fine > 1 else points).tobytes()


def pattern_likeness(
    picture: Image.Image, corners: Corners, pattern: _Pattern | _ExpectedLight = _ANY_CODE, fine: int = 1
) -> float:
    """Correlate the modules there with the patterns of a code: 1 for equal, 0 for unrelated, −1 for light on dark."""
    return pattern.likeness(sample_plane(picture, corners, fine))


def fit_corners(
    picture: Image.Image,
    corners: Corners,
    pattern: _Pattern | _ExpectedLight = _ANY_CODE,
    step: float = 0.7,
    rounds: int = 3,
    fine: int = 1,
) -> tuple[Corners, float]:
    """Move the corners until the pattern stands out best; return them and the likeness. `step` is in modules."""
    at = [list(corner) for corner in corners]
    best = pattern_likeness(picture, corners, pattern, fine)
    stride = step * mean_side(corners) / SIDE
    for _ in range(rounds):
        improved = True
        while improved:
            improved = False
            for corner in at:
                for axis in (0, 1):
                    for way in (stride, -stride):
                        corner[axis] += way
                        value = pattern_likeness(picture, _as_corners(at), pattern, fine)
                        if value > best + 2e-3:
                            best, improved = value, True
                            break
                        corner[axis] -= way
        stride /= 2
    return _as_corners(at), best


def mean_side(corners: Corners) -> float:
    """Return the approximate length of a side."""
    return (math.dist(corners[0], corners[2]) + math.dist(corners[1], corners[3])) / 2 / math.sqrt(2)


def _as_corners(at: Sequence[Sequence[float]]) -> Corners:
    (a, b), (c, d), (e, f), (g, h) = at
    return (a, b), (c, d), (e, f), (g, h)


def locate_code(picture: Image.Image, corners: Corners) -> LocatedCode | None:
    """Locate exactly the box's code that seems to be at these corners; None if there is none."""
    if not _within_reach(picture, corners):
        return None
    part, times, (left, top) = _crop_to_code(picture, corners)
    inside = _as_corners([((x - left) / times, (y - top) / times) for x, y in corners])
    if pattern_likeness(part, inside) < _WORTH_FITTING:
        return None
    inside, like = fit_corners(part, inside)
    if like < _LIKELY:
        return None
    light = sample_plane(part, inside)
    mask = max(range(8), key=lambda each: _box_pattern(each).likeness(light))
    inside, like = fit_corners(part, inside, _box_pattern(mask), 0.5, 2)
    if like < _LIKE_OURS:
        return None
    return LocatedCode(part, inside, _as_corners([(x * times + left, y * times + top) for x, y in inside]), mask, like)


def _within_reach(picture: Image.Image, corners: Corners) -> bool:
    """Return True if the corners are outside the picture by less than its size, which limits the part to cut out."""
    width, height = picture.size
    return all(-width < x < 2 * width and -height < y < 2 * height for x, y in corners)


def bit_odds(place: LocatedCode) -> Iterator[Sequence[float]]:
    """Yield the odds of the code's bits, sampled in one way after the other, the most promising first."""
    corners, shifts = place.corners, None
    if place.likeness < _PLANE:
        shifts, mask = _fit_bends(place)
        place = place._replace(mask=mask)
    pattern = _box_pattern(place.mask)
    if shifts is None:
        light = list(map(float, sample_plane(place.picture, corners, 3)))
    else:
        light = list(
            map(float, mesh.sample_flat(mesh.flatten(place.picture, plane_coefficients(corners, SIDE), shifts)))
        )
    yield _odds_of_bits(light, place.mask)
    # If all known modules stand out well, the others are not lost by blur, but creases may have moved them.
    creased = shifts is not None and pattern.likeness(light) > _WELL
    if creased and shifts:
        yield from _crease_odds(place, shifts)
    unexplained = 1.0
    for _ in range(_REFINED):
        straight = mesh.rectify(place.picture, plane_coefficients(corners, SIDE), shifts)
        modules = deblur.deblur_modules(list(map(float, straight.reduce(mesh.FINE).tobytes())), pattern.dark)
        if modules.unexplained >= unexplained:
            break
        unexplained = modules.unexplained
        yield _unmask(modules.odds, place.mask)
        if shifts is not None or unexplained < _CLEAR:
            break
        corners, _ = fit_corners(place.picture, corners, _ExpectedLight(modules.expected), 0.4, 2, 3)
    yield _odds_of_bits(_normalize_light(light), place.mask)
    if shifts is None:
        sharper = place.picture.filter(ImageFilter.UnsharpMask(_MODULE, 300, 0))
        yield _odds_of_bits(list(map(float, sample_plane(sharper, place.corners, 3))), place.mask)
    if not creased and (shifts is not None or place.likeness > _FLAT):
        yield from _crease_odds(place, shifts or [(0.0, 0.0)] * (mesh.PIECES * mesh.PIECES))


def _crease_odds(place: LocatedCode, shifts: Sequence[mesh.Shift]) -> Iterator[Sequence[float]]:
    """Yield the odds if poorly known pieces lie elsewhere than they seem to, those with the most contrast first."""
    here, pattern = plane_coefficients(place.corners, SIDE), _box_pattern(place.mask)
    best = pattern.likeness(mesh.sample_flat(mesh.flatten(place.picture, here, shifts)))
    lights = []
    for start in mesh.crease_hypotheses(shifts, pattern.dark):
        moved = start
        for _ in range(_MESH_FITS):
            more = mesh.fit_shifts(mesh.flatten(place.picture, here, moved), pattern.dark)
            moved = [(x + u, y + v) for (x, y), (u, v) in zip(moved, more, strict=True)]
        light = mesh.sample_flat(mesh.flatten(place.picture, here, moved))
        if pattern.likeness(light) > best - _CLEAR:
            lights.append((mesh.contrast(light, pattern.dark), light))
    for _, light in sorted(lights, reverse=True)[:_MOST_CONTRAST]:
        yield _odds_of_bits(list(map(float, light)), place.mask)


def _fit_bends(place: LocatedCode) -> tuple[list[mesh.Shift] | None, int]:
    """Return how the paper bends, None if it is nearly flat, and the mask, which creases can obscure."""
    mask = place.mask
    shifts, like, before = _fit_mesh(place, _box_pattern(mask), None)
    if like < _WELL and place.likeness < _UNSURE:
        # The patterns of every code show where the modules that name the mask are.
        again, every, _ = _fit_mesh(place, _ANY_CODE, None)
        if every > _BENT and again is not None:
            light = mesh.sample_flat(mesh.flatten(place.picture, plane_coefficients(place.corners, SIDE), again))
            other = max(range(8), key=lambda each: _box_pattern(each).likeness(light))
            again, likelier, _ = _fit_mesh(place, _box_pattern(other), again)
            if likelier > like:
                shifts, like, mask = again, likelier, other
    return shifts if like > max(before + 0.02, _BENT) else None, mask


def _fit_mesh(
    place: LocatedCode, pattern: _Pattern, shifts: list[mesh.Shift] | None
) -> tuple[list[mesh.Shift] | None, float, float]:
    """Improve shifts until a pattern stands out best; return them, and the likeness after and before."""
    here = plane_coefficients(place.corners, SIDE)
    level = mesh.flatten(place.picture, here, shifts)
    before = best = pattern.likeness(mesh.sample_flat(level))
    for _ in range(_BENDS):
        more = mesh.fit_shifts(level, pattern.dark)
        moved = [(x + u, y + v) for (x, y), (u, v) in zip(shifts or [(0.0, 0.0)] * len(more), more, strict=True)]
        level = mesh.flatten(place.picture, here, moved)
        like = pattern.likeness(mesh.sample_flat(level))
        if like <= best:
            break
        gained, best, shifts = like - best, like, moved
        if gained < _GAIN or (best < _BENT and gained < _GAIN * 4):
            break
    return shifts, best, before


def _unmask(dark: Sequence[float], mask: int) -> list[float]:
    """Return the odds of the bits, from those that modules are dark."""
    ways = zip(qr_layout.PLACES, qr_layout.MASKS[mask], strict=True)
    return [dark[row * SIDE + column] * (-1 if turned else 1) for (row, column), turned in ways]


def _crop_to_code(picture: Image.Image, corners: Corners) -> tuple[Image.Image, int, Point]:
    """Crop the part of the picture around the code, no finer than needed; return it, its reduction, and its origin."""
    across, down = [x for x, _ in corners], [y for _, y in corners]
    edge = max(max(across) - min(across), max(down) - min(down)) * 0.15 + 2
    left, top = math.floor(min(across) - edge), math.floor(min(down) - edge)
    part = picture.crop((left, top, math.ceil(max(across) + edge), math.ceil(max(down) + edge)))
    times = max(1, int(mean_side(corners) / SIDE / _MODULE))
    return part.reduce(times) if times > 1 else part, times, (left, top)


def _normalize_light(light: Sequence[float]) -> list[float]:
    """Normalize light and contrast around each module."""
    even = []
    for row in range(SIDE):
        for column in range(SIDE):
            near = [
                light[r * SIDE + c]
                for r in range(max(0, row - 3), min(SIDE, row + 4))
                for c in range(max(0, column - 3), min(SIDE, column + 4))
            ]
            near.sort()
            low, high = near[len(near) // 6], near[-1 - len(near) // 6]
            even.append((light[row * SIDE + column] - (low + high) / 2) / max(4.0, high - low))
    return even


def _odds_of_bits(light: Sequence[float], mask: int) -> list[float]:
    return _unmask(_module_odds(light, _box_pattern(mask).dark), mask)


def _neighbourhood(light: Sequence[float]) -> list[list[float]]:
    """Return six values of each module for a filter.

    They are its light, the sums of opposite neighbours (beside, above and below, both diagonals), and a constant.
    """
    mean = sum(light) / len(light)
    spread = math.sqrt(sum([(v - mean) ** 2 for v in light]) / len(light)) or 1.0
    wide = SIDE + 2
    edge = (max(light) - mean) / spread
    padded = [edge] * (wide * wide)
    for row in range(SIDE):
        line = light[row * SIDE : (row + 1) * SIDE]
        padded[(row + 1) * wide + 1 : (row + 1) * wide + 1 + SIDE] = [(v - mean) / spread for v in line]

    def shifted_light(step: int) -> list[float]:
        return [
            each for row in range(1, SIDE + 1) for each in padded[row * wide + 1 + step : row * wide + 1 + step + SIDE]
        ]

    pairs = ((-1, 1), (-wide, wide), (-wide - 1, wide + 1), (1 - wide, wide - 1))
    both = [list(map(add, shifted_light(one), shifted_light(other))) for one, other in pairs]
    return [shifted_light(0), *both, [1.0] * len(light)]


def _module_odds(light: Sequence[float], patterns: Mapping[tuple[int, int], int]) -> list[float]:
    """Return the odds that each module is dark, by the filter that undoes blur best on the known modules."""
    columns = _neighbourhood(light)
    places = [row * SIDE + column for row, column in patterns]
    want = [1.0 if dark else -1.0 for dark in patterns.values()]
    lessons = [[column[at] for at in places] for column in columns]
    weights: list[float] | None = None
    for _ in range(3):
        taps = deblur.least_squares(lessons, want, weights, 2.0)
        misses = [each - sum(map(mul, row, taps)) for each, row in zip(want, zip(*lessons, strict=True), strict=True)]
        weights = [1.0 if abs(miss) < 1.2 else 0.0 for miss in misses]
        if sum(weights) < 60:
            break
    noise = max(0.12, sum([min(4.0, miss * miss) for miss in misses]) / len(misses))
    return [max(-7.0, min(7.0, 2 * sum(map(mul, row, taps)) / noise)) for row in zip(*columns, strict=True)]
