"""Flattening of a box's code that is not on a plane: on paper bent around a can, or crumpled, piece by piece.

For every small shift of the whole code, the likeness of each piece is computed at once; pieces then move to where they
stand out best, as long as their neighbours move with them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import sub
from typing import Any

from PIL import Image, ImageChops, ImageFilter, ImageMath

from companion.scan.qr_layout import SIDE

FINE = 6
"""Pixels per module of the flat picture."""
MARGIN = 2
"""Modules around the code that are kept."""
EDGE = (SIDE + 2 * MARGIN) * FINE
"""Pixels along an edge of the flat picture."""
PIECE = 3
PIECES = SIDE // PIECE
Shift = tuple[float, float]
"""The displacement of a piece from the plane, in modules: to the right, and down."""
_REACH = 7
_WIDE = 2 * _REACH + 1
_STAY = _REACH * _WIDE + _REACH
_ROUNDS = ((0.05, 0.1), (0.27, 0.2), (0.4, 0.3), (0.4, 0.3))
"""The weight of a piece compared to its neighbours, and the stiffness of the paper, in each round."""
_GREY, _STRETCHED, _FAINTEST = 128, 84, 3
_NOWHERE = 1e-9
_ABOUT = 3
"""Modules on each side with which a module is compared."""
_ALL = (1 << 8 * SIDE * SIDE) - 1
_LEAST_KNOWN, _SWEEPS = 4, 12
"""The minimum of known modules that make a piece reliable, and the number of times that other pieces are interpolated.
"""
_SLIPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (0, 0))
_INSIDE = frozenset(row * PIECES + column for row in range(3, PIECES) for column in range(2, PIECES - 1))
"""The pieces far from all that is known: right of and below the middle."""
_SMOOTH = Image.Resampling.BILINEAR


def flatten(picture: Image.Image, plane: tuple[float, ...], shifts: Sequence[Shift] | None = None) -> Image.Image:
    """Return the code and its margin from straight above, evenly lit; `plane` maps modules to the picture."""
    return normalize_light(rectify(picture, plane, shifts), FINE)


def rectify(picture: Image.Image, plane: tuple[float, ...], shifts: Sequence[Shift] | None = None) -> Image.Image:
    """Return the code and its margin from straight above, with the light as it is."""
    if shifts is None:
        return straighten(picture, plane, FINE, MARGIN)
    return picture.transform((EDGE, EDGE), Image.Transform.MESH, _quads(plane, shifts), Image.Resampling.BILINEAR)


def straighten(picture: Image.Image, plane: tuple[float, ...], fine: int, margin: int) -> Image.Image:
    """Return the code from straight above, with `fine` pixels per module and `margin` modules around it."""
    a, b, c, d, e, f, g, h = plane
    edge, w, m = (SIDE + 2 * margin) * fine, 1 - margin * (g + h) or _NOWHERE, 1 / fine
    ways = (a * m, b * m, c - margin * (a + b), d * m, e * m, f - margin * (d + e), g * m, h * m)
    return picture.transform(
        (edge, edge), Image.Transform.PERSPECTIVE, tuple(each / w for each in ways), Image.Resampling.BILINEAR
    )


def normalize_light(straight: Image.Image, fine: int) -> Image.Image:
    """Normalize light and contrast of a straight picture with `fine` pixels per module."""
    small = straight.reduce(fine)
    about = ImageFilter.BoxBlur(_ABOUT)
    mean = small.filter(about)
    spread = ImageChops.difference(small, mean).filter(about)
    size = straight.size
    images = {"straight": straight, "mean": mean.resize(size, _SMOOTH), "spread": spread.resize(size, _SMOOTH)}
    level: Image.Image = ImageMath.lambda_eval(_stretch, **images).convert("L")
    return level


def _stretch(images: dict[str, Any]) -> Any:
    away = (images["straight"] - images["mean"]) * _STRETCHED / images["max"](images["spread"], _FAINTEST)
    return images["min"](images["max"](away + _GREY, 0), 255)


def sample_flat(flattened: Image.Image) -> bytes:
    """Sample how light each module is around its middle."""
    values = flattened.filter(ImageFilter.BoxBlur(1)).tobytes()
    return _samples(values, 0, 0)


def _samples(values: bytes, right: int, down: int) -> bytes:
    first = MARGIN * FINE + FINE // 2 + right
    return b"".join(
        values[row * EDGE + first : row * EDGE + first + SIDE * FINE : FINE]
        for row in range(MARGIN * FINE + FINE // 2 + down, (MARGIN + SIDE) * FINE + down, FINE)
    )


_CONTRAST = bytes(abs(2 * value - 255) * 3 // 10 for value in range(256))
"""The score of an unknown module: higher the less grey it is, and lower than that of a known one."""


@lru_cache(32)
def _masks(dark: frozenset[tuple[int, int, int]]) -> tuple[int, int]:
    """Return the modules to invert, and the known modules, each as one number."""
    turn, mask = bytearray(SIDE * SIDE), bytearray(SIDE * SIDE)
    for row, column, one in dark:
        mask[row * SIDE + column] = 255
        turn[row * SIDE + column] = 255 if one else 0
    return int.from_bytes(turn, "big"), int.from_bytes(mask, "big")


def fit_shifts(level: Image.Image, dark: Mapping[tuple[int, int], int]) -> list[Shift]:
    """Return how far each piece has to move, in modules, so that the known modules stand out best."""
    alone = _score_shifts(level, dark)
    about = alone.filter(ImageFilter.BoxBlur(1))
    at = [_STAY] * (PIECES * PIECES)
    for own, stiff in _ROUNDS:
        every = Image.blend(about, alone, own).tobytes()
        for piece, beside in enumerate(_BESIDE):
            x = round(sum([at[other] % _WIDE for other in beside]) / len(beside))
            y = round(sum([at[other] // _WIDE for other in beside]) / len(beside))
            row, column = divmod(piece, PIECES)
            first = (row + 1) * PIECES + column
            scores = list(map(sub, every[first :: PIECES * (PIECES + 2)], _strain(x, y, stiff)))
            at[piece] = scores.index(max(scores))
    return [((place % _WIDE - _REACH) / FINE, (place // _WIDE - _REACH) / FINE) for place in at]


@lru_cache(1000)
def _strain(x: int, y: int, stiff: float) -> list[float]:
    """Return the cost of every position of a piece whose neighbours have moved to (`x`, `y`) on average."""
    return [stiff * ((at % _WIDE - x) ** 2 + (at // _WIDE - y) ** 2) for at in range(_WIDE * _WIDE)]


def _beside() -> list[list[int]]:
    return [
        [
            r * PIECES + c
            for r in range(max(0, row - 1), min(PIECES, row + 2))
            for c in range(max(0, column - 1), min(PIECES, column + 2))
            if (r, c) != (row, column)
        ]
        for row in range(PIECES)
        for column in range(PIECES)
    ]


_BESIDE = _beside()
_NEXT = [[other for other in _BESIDE[piece] if abs(other - piece) in (1, PIECES)] for piece in range(PIECES * PIECES)]


def crease_hypotheses(shifts: Sequence[Shift], dark: Mapping[tuple[int, int], int]) -> Iterator[list[Shift]]:
    """Yield possible positions of the poorly known pieces, given the others.

    They are interpolated, or about a module to one side, because modules that slip by a whole one stand out as well.
    """
    free = _unknown_pieces(frozenset(dark))
    between = list(shifts)
    for _ in range(_SWEEPS):
        for piece in free:
            between[piece] = _mean([between[other] for other in _NEXT[piece]])
    for right, down in _SLIPS:
        slipped = list(between)
        for piece in free & _INSIDE:
            x, y = between[piece]
            slipped[piece] = x + right, y + down
        yield [
            _mean([slipped[piece]] * 2 + [slipped[other] for other in _NEXT[piece]]) if piece in free else shift
            for piece, shift in enumerate(slipped)
        ]


def _mean(shifts: Sequence[Shift]) -> Shift:
    return sum([x for x, _ in shifts]) / len(shifts), sum([y for _, y in shifts]) / len(shifts)


@lru_cache(16)
def _unknown_pieces(places: frozenset[tuple[int, int]]) -> frozenset[int]:
    """Return the pieces with few known modules."""
    count = Counter(row // PIECE * PIECES + column // PIECE for row, column in places)
    return frozenset(piece for piece in range(PIECES * PIECES) if count[piece] < _LEAST_KNOWN)


def contrast(light: bytes, dark: Mapping[tuple[int, int], int]) -> int:
    """Return how little grey is in the unknown modules, in all: the higher, the better they were sampled."""
    _, mask = _masks(frozenset((row, column, one) for (row, column), one in dark.items()))
    return sum((int.from_bytes(light.translate(_CONTRAST), "big") & ~mask & _ALL).to_bytes(SIDE * SIDE, "big"))


def _score_shifts(level: Image.Image, dark: Mapping[tuple[int, int], int]) -> Image.Image:
    """Return the likeness of each piece for every shift: shifts below each other, their first and last rows twice."""
    turn, mask = _masks(frozenset((row, column, one) for (row, column), one in dark.items()))
    unknown = ~mask & _ALL
    values = level.filter(ImageFilter.BoxBlur(1)).tobytes()
    every = []
    for down in range(-_REACH, _REACH + 1):
        for right in range(-_REACH, _REACH + 1):
            light = _samples(values, right, down)
            score = (int.from_bytes(light, "big") ^ turn) & mask
            score |= int.from_bytes(light.translate(_CONTRAST), "big") & unknown
            row_bytes = score.to_bytes(SIDE * SIDE, "big")
            every += [row_bytes[: SIDE * PIECE], row_bytes, row_bytes[-SIDE * PIECE :]]
    return Image.frombytes("L", (SIDE, (SIDE + 2 * PIECE) * _WIDE * _WIDE), b"".join(every)).reduce(PIECE)


def _quads(plane: tuple[float, ...], shifts: Sequence[Shift]) -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    """Return the corners of each square of the flat picture in the original picture."""
    a, b, c, d, e, f, g, h = plane
    lines = [-MARGIN, *range(0, SIDE + 1, PIECE), SIDE + MARGIN]
    corners = []
    for j, y in enumerate(lines):
        for i, x in enumerate(lines):
            dx, dy = _corner_shift(shifts, i - 1, j - 1)
            u, v = x + dx, y + dy
            w = g * u + h * v + 1 or _NOWHERE
            corners.append(((a * u + b * v + c) / w, (d * u + e * v + f) / w))
    wide = len(lines)
    quads: list[tuple[tuple[int, ...], tuple[float, ...]]] = []
    for j in range(wide - 1):
        for i in range(wide - 1):
            box = tuple((MARGIN + lines[k]) * FINE for k in (i, j, i + 1, j + 1))
            nw, ne = corners[j * wide + i], corners[j * wide + i + 1]
            sw, se = corners[(j + 1) * wide + i], corners[(j + 1) * wide + i + 1]
            quads.append(((box[0], box[1], box[2], box[3]), (*nw, *sw, *se, *ne)))
    return quads


def _corner_shift(shifts: Sequence[Shift], i: int, j: int) -> Shift:
    """Return the shift of the corner right of and below `i` and `j` pieces: the mean of the pieces that touch it."""
    columns = {min(PIECES - 1, max(0, i - 1)), min(PIECES - 1, max(0, i))}
    rows = {min(PIECES - 1, max(0, j - 1)), min(PIECES - 1, max(0, j))}
    near = [shifts[row * PIECES + column] for row in rows for column in columns]
    return sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)
