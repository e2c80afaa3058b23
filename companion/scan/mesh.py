"""A box's code that lies on no plane: paper that bends round a can, or was crumpled, is made flat piece by piece.

For every small shift of the whole code, how well each piece of it stands out is known at once; pieces then move where
they stand out best, as long as their neighbours move with them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from PIL import Image, ImageFilter, ImageMath

from companion.scan.field import SIDE

FINE = 6
"""So many pixels a module has once the code is flat."""
MARGIN = 2
"""Modules about the code that are kept."""
EDGE = (SIDE + 2 * MARGIN) * FINE
"""Pixels along an edge of the flat picture."""
PIECE = 3
PIECES = SIDE // PIECE
Shift = tuple[float, float]
"""How far a piece lies from where the plane has it, in modules: to the right, and down."""
_REACH = 7
_WIDE = 2 * _REACH + 1
_STIFF = 1.1
_GREY = 128


def flat(picture: Image.Image, plane: tuple[float, ...], shifts: Sequence[Shift] | None = None) -> Image.Image:
    """The code and its margin as seen from straight above, evenly lit; `plane` leads from modules to the picture."""
    return evened(rectified(picture, plane, shifts), FINE)


def rectified(picture: Image.Image, plane: tuple[float, ...], shifts: Sequence[Shift] | None = None) -> Image.Image:
    """The code and its margin as seen from straight above, in the light that there is."""
    if shifts is None:
        a, b, c, d, e, f, g, h = plane
        w, m = 1 - MARGIN * (g + h), 1 / FINE
        ways = (a * m, b * m, c - MARGIN * (a + b), d * m, e * m, f - MARGIN * (d + e), g * m, h * m)
        return picture.transform(
            (EDGE, EDGE), Image.Transform.PERSPECTIVE, tuple(each / w for each in ways), Image.Resampling.BILINEAR
        )
    return picture.transform((EDGE, EDGE), Image.Transform.MESH, _quads(plane, shifts), Image.Resampling.BILINEAR)


def evened(straight: Image.Image, fine: int) -> Image.Image:
    """The same, `fine` pixels a module, as if every part was as light and as rich in contrast."""
    small = straight.reduce(fine)
    soft = ImageFilter.BoxBlur(1)
    low = small.filter(ImageFilter.RankFilter(7, 8)).filter(soft).resize(straight.size, Image.Resampling.BILINEAR)
    high = small.filter(ImageFilter.RankFilter(7, 40)).filter(soft).resize(straight.size, Image.Resampling.BILINEAR)
    return ImageMath.lambda_eval(_stretch, straight=straight, low=low, high=high)


def _stretch(images: Mapping[str, object]) -> object:
    straight, low, high = images["straight"], images["low"], images["high"]
    spread = images["max"](high - low, 6)
    return images["convert"](_GREY + (straight * 2 - low - high) * 96 / spread, "L")


def sampled(flattened: Image.Image) -> bytes:
    """How light each module is about its middle."""
    values = flattened.filter(ImageFilter.BoxBlur(1)).tobytes()
    return _samples(values, 0, 0)


def _samples(values: bytes, right: int, down: int) -> bytes:
    first = MARGIN * FINE + FINE // 2 + right
    return b"".join(
        values[row * EDGE + first : row * EDGE + first + SIDE * FINE : FINE]
        for row in range(MARGIN * FINE + FINE // 2 + down, (MARGIN + SIDE) * FINE + down, FINE)
    )


_CONTRAST = bytes(min(255, abs(2 * value - 255)) * 6 // 10 for value in range(256))


@lru_cache(32)
def _masks(dark: frozenset[tuple[int, int, int]]) -> tuple[int, int]:
    """Of the modules as one number: which to turn over, and which are known."""
    turn, known = bytearray(SIDE * SIDE), bytearray(SIDE * SIDE)
    for row, column, one in dark:
        known[row * SIDE + column] = 255
        turn[row * SIDE + column] = 255 if one else 0
    return int.from_bytes(turn, "big"), int.from_bytes(known, "big")


def bent(flattened: Image.Image, dark: Mapping[tuple[int, int], int], stiff: float = _STIFF) -> list[Shift]:
    """How far each piece has to move so that what is known of the modules stands out best."""
    volume = _volume(flattened, dark)
    middle = _REACH * _WIDE + _REACH
    at = [(0, 0)] * (PIECES * PIECES)
    for rounds, near in enumerate((6, 4, 3, 2)):
        for piece in range(PIECES * PIECES):
            beside = _BESIDE[piece]
            mean_x = sum(at[other][0] for other in beside) / len(beside)
            mean_y = sum(at[other][1] for other in beside) / len(beside)
            cx, cy = round(mean_x), round(mean_y)
            best, place = -1e9, at[piece]
            for y in range(max(-_REACH, cy - near), min(_REACH, cy + near) + 1):
                for x in range(max(-_REACH, cx - near), min(_REACH, cx + near) + 1):
                    seen = volume[middle + y * _WIDE + x]
                    score = 3 * seen[piece] - stiff * 3 * ((x - mean_x) ** 2 + (y - mean_y) ** 2)
                    score += sum([seen[other] for other in beside]) * (2 if not rounds else 0.7)
                    if score > best:
                        best, place = score, (x, y)
            at[piece] = place
    return [(x / FINE, y / FINE) for x, y in at]


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


def _volume(flattened: Image.Image, dark: Mapping[tuple[int, int], int]) -> list[bytes]:
    """For every shift, row by row, how well each piece stands out."""
    turn, known = _masks(frozenset((row, column, one) for (row, column), one in dark.items()))
    unknown = ~known & ((1 << 8 * SIDE * SIDE) - 1)
    values = flattened.filter(ImageFilter.BoxBlur(1)).tobytes()
    every = []
    for down in range(-_REACH, _REACH + 1):
        for right in range(-_REACH, _REACH + 1):
            light = _samples(values, right, down)
            score = (int.from_bytes(light, "big") ^ turn) & known
            score |= int.from_bytes(light.translate(_CONTRAST), "big") & unknown
            every.append(score.to_bytes(SIDE * SIDE, "big"))
    pieces = Image.frombytes("L", (SIDE, SIDE * len(every)), b"".join(every)).reduce(PIECE).tobytes()
    return [pieces[at : at + PIECES * PIECES] for at in range(0, len(pieces), PIECES * PIECES)]


def _quads(plane: tuple[float, ...], shifts: Sequence[Shift]) -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    """For each square of the flat picture, where its corners lie."""
    a, b, c, d, e, f, g, h = plane
    lines = [-MARGIN, *range(0, SIDE + 1, PIECE), SIDE + MARGIN]
    corners = []
    for j, y in enumerate(lines):
        for i, x in enumerate(lines):
            dx, dy = _between(shifts, i - 1, j - 1)
            u, v = x + dx, y + dy
            w = g * u + h * v + 1
            corners.append(((a * u + b * v + c) / w, (d * u + e * v + f) / w))
    wide = len(lines)
    quads = []
    for j in range(wide - 1):
        for i in range(wide - 1):
            box = tuple((MARGIN + lines[k]) * FINE for k in (i, j, i + 1, j + 1))
            nw, ne = corners[j * wide + i], corners[j * wide + i + 1]
            sw, se = corners[(j + 1) * wide + i], corners[(j + 1) * wide + i + 1]
            quads.append(((box[0], box[1], box[2], box[3]), (*nw, *sw, *se, *ne)))
    return quads


def _between(shifts: Sequence[Shift], i: int, j: int) -> Shift:
    """The shift of the corner right of and below `i` and `j` pieces: the mean of those that touch it."""
    columns = {min(PIECES - 1, max(0, i - 1)), min(PIECES - 1, max(0, i))}
    rows = {min(PIECES - 1, max(0, j - 1)), min(PIECES - 1, max(0, j))}
    near = [shifts[row * PIECES + column] for row in rows for column in columns]
    return sum(x for x, _ in near) / len(near), sum(y for _, y in near) / len(near)
