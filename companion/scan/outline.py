"""Search for the corners of a code by its outline: within its quiet zone all dark parts merge into one shape.

No single module needs to be sharp for this, so it finds codes that are out of focus, in motion, slanted or bent. The
finder patterns, which are wide, then tell which corner is which, and where exactly three of them are.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageChops, ImageFilter, ImageOps, ImageStat

from companion.scan.grid import Corners, Point, plane_coefficients
from companion.scan.location import Region
from companion.scan.mesh import normalize_light, straighten
from companion.scan.qr_layout import SIDE

_MODULE = 4
"""Pixels of a patch per module of a code that is as large as its region."""
_AROUND = 1.15
_FINEST = 0.5
_SLANTED, _STEEPEST = 1.3, 4.0
_COARSE = 3
"""The reduction of the copy in which shapes are searched for."""
_INKS = ((0.5, 3), (0.35, 3), (0.65, 3), (0.5, 5), (0.5, 0))
"""The threshold of ink between the darkest and the lightest nearby, and the gaps that are closed, in pixels."""
_LEAST = 60
_BEST, _STRAY = 2, 30
_NEAR_MIDDLE = 4
# The search for finder patterns: pixels per module, modules around the code, maximum error in modules.
_FINE, _MARGIN, _OFF = 3, 4, 2.6
_MIDDLES = ((3.5, 3.5), (SIDE - 3.5, 3.5), (SIDE - 3.5, SIDE - 3.5), (3.5, SIDE - 3.5))
_APART = SIDE - 7
_NOWHERE = 1e-9
_GREY = 128
# Squares of three, five, seven and nine modules: the ring of light and the light outside, less the dark middle and the
# dark ring; half of it, to stay within 8 bits.
_RINGS = (-0.3 * 9 / 16 - 9 / 66, 0.3 * 25 / 16 + 25 / 66, -49 / 66 - 0.2 * 49 / 32)
_OUTER = 0.2 * 81 / 32


class Patch(NamedTuple):
    """A part of a picture, scaled, rotated or squeezed; `ways` lead back, as in an affine transform."""

    picture: Image.Image
    ways: tuple[float, ...]

    def back(self, corners: Sequence[Point]) -> Corners:
        """Map corners in the patch to corners in the picture."""
        a, b, c, d, e, f = self.ways
        w, x, y, z = ((a * u + b * v + c, d * u + e * v + f) for u, v in corners)
        return w, x, y, z


def patches(picture: Image.Image, region: Region) -> Iterator[Patch]:
    """Yield the region as it is, and squeezed so that a slanted code looks straight."""
    half, scale = _AROUND * region.side, max(region.side / SIDE / _MODULE, _FINEST)
    left, top = max(0, round(region.x - half)), max(0, round(region.y - half))
    right, low = min(picture.width, round(region.x + half)), min(picture.height, round(region.y + half))
    part = ImageOps.autocontrast(picture.crop((left, top, right, low)), cutoff=0.5)
    size = (max(1, round(part.width / scale)), max(1, round(part.height / scale)))
    seen = part.resize(size, Image.Resampling.BOX if scale > 1 else Image.Resampling.BILINEAR)
    whole = Patch(seen, (part.width / size[0], 0, left, 0, part.height / size[1], top))
    yield whole
    angle, steep = _estimate_slant(seen)
    if steep > _SLANTED:
        yield _squeeze(whole, angle, min(steep, _STEEPEST))


def _estimate_slant(picture: Image.Image) -> tuple[float, float]:
    """Return the direction in which the picture is stretched, and by how much: there are fewest edges along it."""
    width, height = picture.size
    inner = picture.crop((width // 5, height // 5, width - width // 5, height - height // 5)).filter(
        ImageFilter.BoxBlur(0.7)
    )

    def change(x: int, y: int) -> float:
        moved = ImageChops.offset(inner, x, y)
        box = (1, 1, inner.width - 1, inner.height - 1)
        return float(ImageStat.Stat(ImageChops.difference(inner, moved).crop(box)).sum2[0])

    if min(inner.size) < 8:
        return 0.0, 1.0
    right, down, falling, rising = change(1, 0), change(0, 1), change(1, 1) / 2, change(1, -1) / 2
    mean = (right + down) / 2
    tilt = math.hypot((right - down) / 2, (falling - rising) / 2)
    steepest = 0.5 * math.atan2((falling - rising) / 2, (right - down) / 2)
    return steepest + math.pi / 2, math.sqrt((mean + tilt) / max(mean - tilt, mean / 20, 1e-6))


def _squeeze(patch: Patch, angle: float, by: float) -> Patch:
    """Return the patch, shortened by the factor `by` in this direction."""
    across, down = math.cos(angle), math.sin(angle)
    width, height = patch.picture.size
    diagonal = math.hypot(width, height) * 0.8
    size = (max(24, round(diagonal / by)), max(24, round(diagonal)))
    a, b, d, e = across * by, -down, down * by, across
    c, f = width / 2 - (a * size[0] + b * size[1]) / 2, height / 2 - (d * size[0] + e * size[1]) / 2
    # Beyond the patch, the picture continues with its median.
    fill = round(ImageStat.Stat(patch.picture).median[0])
    picture = patch.picture.transform(
        size, Image.Transform.AFFINE, (a, b, c, d, e, f), Image.Resampling.BILINEAR, fillcolor=fill
    )
    p, q, r, s, t, u = patch.ways
    ways = (p * a + q * d, p * b + q * e, p * c + q * f + r, s * a + t * d, s * b + t * e, s * c + t * f + u)
    return Patch(picture, ways)


def find_outlines(picture: Image.Image) -> list[tuple[int, Corners]]:
    """Return codes with an outline around the middle of a patch, with their finder patterns' response; best first."""
    first = sorted((_align(picture, quad) for quad in _quads(picture)), reverse=True)
    return sorted((_align(picture, corners) for clear, corners in first[:_BEST] if clear >= _STRAY), reverse=True)


def _quads(picture: Image.Image) -> Iterator[Corners]:
    """Yield the perspective squares that dark shapes in the middle fill."""
    small = picture.reduce(_COARSE)
    if min(small.size) < SIDE:
        return
    rough = small.reduce(2)
    soft = ImageFilter.BoxBlur(1)
    high = rough.filter(ImageFilter.MaxFilter(7)).filter(soft).resize(small.size, Image.Resampling.BILINEAR)
    low = rough.filter(ImageFilter.MinFilter(7)).filter(soft).resize(small.size, Image.Resampling.BILINEAR)
    across, down = picture.width / small.width, picture.height / small.height
    seen = set()
    for light, gap in _INKS:
        ink = ImageChops.subtract(Image.blend(low, high, light), small).point(_IS_INK)
        if gap:
            ink = ink.filter(ImageFilter.MaxFilter(gap)).filter(ImageFilter.MinFilter(gap))
        rows = _middle_shape(ink)
        if not rows or rows in seen:
            continue
        seen.add(rows)
        if corners := _reduce_to_quad(_hull(rows)):
            a, b, c, d = ((x * across, y * down) for x, y in corners)
            yield a, b, c, d


_IS_INK = [255 if value > 2 else 0 for value in range(256)]


def _middle_shape(ink: Image.Image) -> tuple[tuple[int, int, int], ...]:
    """Return the shape in the middle as rows with their ends; nothing if it is tiny or reaches an edge.

    The picture is one number with a bit for each pixel, so that a shape grows everywhere at once.
    """
    width, height = ink.size
    padded = Image.new("1", ((width + 8) // 8 * 8, height))
    padded.paste(ink, (0, 0))
    wide = padded.width
    dark = int.from_bytes(padded.tobytes(), "big")
    rows = range(height // 2 - _NEAR_MIDDLE, height // 2 + _NEAR_MIDDLE + 1)
    row = ((1 << 2 * _NEAR_MIDDLE + 1) - 1) << wide - 1 - width // 2 - _NEAR_MIDDLE
    shape = dark & sum(row << wide * (height - 1 - y) for y in rows)
    before = 0
    while shape != before:
        before = shape
        shape = (shape | shape << 1 | shape >> 1 | shape << wide | shape >> wide) & dark
    if shape.bit_count() < _LEAST:
        return ()
    lines = []
    for y in range(height):
        bits = shape >> wide * (height - 1 - y) & (1 << wide) - 1
        if bits:
            lines.append((y, wide - bits.bit_length(), wide - (bits & -bits).bit_length()))
    inside = lines[0][0] > 0 and lines[-1][0] < height - 1
    return tuple(lines) if inside and all(left > 0 and right < width - 1 for _, left, right in lines) else ()


def _hull(rows: Sequence[tuple[int, int, int]]) -> list[Point]:
    """Return the corners of the convex hull of all rows."""
    points = sorted(
        {(float(x), float(y + low)) for y, left, right in rows for x in (left, right + 1) for low in (0, 1)}
    )
    return _half_hull(points) + _half_hull(points[::-1])


def _half_hull(points: Sequence[Point]) -> list[Point]:
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept[:-1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _reduce_to_quad(corners: list[Point]) -> list[Point] | None:
    """Return a quadrilateral around this shape that is hardly larger.

    Sides are replaced one by one by extending their neighbours.
    """
    while len(corners) > 4:
        best: tuple[float, int, Point] | None = None
        for at in range(len(corners)):
            a, b, c, d = (corners[(at + step) % len(corners)] for step in (-1, 0, 1, 2))
            first, last = (b[0] - a[0], b[1] - a[1]), (c[0] - d[0], c[1] - d[1])
            whole = first[0] * last[1] - first[1] * last[0]
            if abs(whole) < 1e-9:
                continue
            along = ((d[0] - a[0]) * last[1] - (d[1] - a[1]) * last[0]) / whole
            back = ((d[0] - a[0]) * first[1] - (d[1] - a[1]) * first[0]) / whole
            if along < 1 or back < 1:
                continue
            tip = (a[0] + along * first[0], a[1] + along * first[1])
            more = abs(_turn(b, tip, c))
            if best is None or more < best[0]:
                best = more, at, tip
        if best is None:
            return None
        _, at, tip = best
        corners[at] = tip
        del corners[(at + 1) % len(corners)]
    return corners if len(corners) == 4 else None


def _align(picture: Image.Image, quad: Corners) -> tuple[int, Corners]:
    """Return the code whose finder patterns stand out most in three corners of the square, and their response."""
    ways = a, b, c, d, e, f, g, h = plane_coefficients(quad, SIDE)
    level = normalize_light(straighten(picture, ways, _FINE, _MARGIN), _FINE)
    three, five, seven, nine = (level.filter(ImageFilter.BoxBlur(radius)) for radius in (4, 7, 10, 13))
    half = Image.merge("RGB", (three, five, seven)).convert("L", (*_RINGS, _GREY))
    response = Image.merge("RGB", (half, nine, nine)).convert("L", (1, _OUTER, 0, 0))
    reach = int(_OFF * _FINE)
    wide = 2 * reach + 1
    matches = []
    for x, y in _MIDDLES:
        left, top = int((_MARGIN + x) * _FINE) - reach, int((_MARGIN + y) * _FINE) - reach
        values = response.crop((left, top, left + wide, top + wide)).tobytes()
        place = values.index(most := max(values))
        matches.append((most - _GREY, x + (place % wide - reach) / _FINE, y + (place // wide - reach) / _FINE))
    weakest = min(range(4), key=lambda corner: matches[corner][0])
    clear = [matches[(weakest + step) % 4] for step in (2, 3, 1)]
    (_, x, y), (_, x1, y1), (_, x2, y2) = clear
    across, down = ((x1 - x) / _APART, (y1 - y) / _APART), ((x2 - x) / _APART, (y2 - y) / _APART)

    def at(right: float, below: float) -> Point:
        right, below = right - _MIDDLES[0][0], below - _MIDDLES[0][1]
        u, v = x + across[0] * right + down[0] * below, y + across[1] * right + down[1] * below
        w = g * u + h * v + 1 or _NOWHERE
        return (a * u + b * v + c) / w, (d * u + e * v + f) / w

    return sum(value for value, _, _ in clear), (at(0, 0), at(SIDE, 0), at(SIDE, SIDE), at(0, SIDE))
