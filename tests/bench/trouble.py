"""What happens to a label and to a photograph of it, one trouble a function, as strong as it is told.

Separate from the photographs, which say how much of what comes together. Pictures are in grey levels; every function
gives a new one. Lengths are in pixels, shares from 0 to 1.
"""

import io
import math
import random
from typing import Any

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

_Grey = Image.Image
TABLE = 120
"""The grey of what lies behind everything."""


def _array(picture: _Grey) -> Any:
    return np.asarray(picture, dtype=np.float32)


def _picture(array: Any) -> _Grey:
    return Image.fromarray(np.clip(array, 0, 255).astype(np.uint8))


def _dice(rng: random.Random) -> Any:
    return np.random.default_rng(rng.getrandbits(32))


def grain(rng: random.Random, size: tuple[int, int], sigma: float) -> _Grey:
    """Noise about middle grey, with a standard deviation of `sigma` grey levels."""
    return _picture(128 + _dice(rng).normal(0, sigma, (size[1], size[0])))


def noisy(rng: random.Random, picture: _Grey, sigma: float) -> _Grey:
    """`picture` with the grain of a small sensor, `sigma` grey levels strong."""
    return _picture(_array(picture) + _dice(rng).normal(0, sigma, (picture.height, picture.width)))


def wood(rng: random.Random, size: tuple[int, int], contrast: float) -> _Grey:
    """Boards with a strong grain, light and dark `contrast` grey levels apart."""
    dice = _dice(rng)
    width, height = size
    across = np.cumsum(dice.normal(0, 1, (height, 1)), axis=0) * 0.5
    along = np.linspace(0, rng.uniform(2, 6), width)[None, :]
    rings = np.sin(across + np.sin(along) * 2 + np.linspace(0, height / 5, height)[:, None])
    board = _picture(TABLE + contrast / 2 * rings + dice.normal(0, 6, (height, width)))
    return board.rotate(90, expand=True).resize(size) if rng.random() < 0.5 else board


def turned(picture: _Grey, degrees: float) -> _Grey:
    """`picture` turned on grey ground, nothing cut off."""
    return picture.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=TABLE)


def leaning(picture: _Grey, lean: float) -> _Grey:
    """`picture` seen from the side: its far edge is `lean` shorter than its near one, and everything is lower."""
    width, height = picture.size
    inset, low = lean * width / 2, round(height * (1 - 0.6 * lean))
    near = ((inset, 0), (width - inset, 0), (width, low), (0, low))
    whole = ((0, 0), (width, 0), (width, height), (0, height))
    return picture.transform(
        (width, low), Image.Transform.PERSPECTIVE, _plane(near, whole), Image.Resampling.BICUBIC, fillcolor=TABLE
    )


def curved(picture: _Grey, bend: float) -> _Grey:
    """`picture` round a cylinder that shows `bend` of a half turn."""
    width, height = picture.size
    half = math.pi / 2 * bend
    seen = round(width * math.sin(half) / half)
    strips, mesh = 40, []
    for strip in range(strips):
        left, right = strip * seen // strips, (strip + 1) * seen // strips
        x0, x1 = (width * (0.5 + math.asin((2 * x / seen - 1) * math.sin(half)) / (2 * half)) for x in (left, right))
        mesh.append(((left, 0, right, height), (x0, 0, x0, height, x1, height, x1, 0)))
    return picture.transform((seen, height), Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)


def moved(rng: random.Random, picture: _Grey, way: float) -> _Grey:
    """`picture` while the hand moved `way` pixels in some direction."""
    angle = rng.uniform(0, math.pi)
    steps = max(2, round(way * 2))
    whole = np.zeros((picture.height, picture.width), np.float32)
    for step in range(steps):
        gone = way * (step / (steps - 1) - 0.5)
        shift = (1, 0, gone * math.cos(angle), 0, 1, gone * math.sin(angle))
        whole += _array(picture.transform(picture.size, Image.Transform.AFFINE, shift, Image.Resampling.BILINEAR))
    return _picture(whole / steps)


def blurred(picture: _Grey, radius: float) -> _Grey:
    """`picture` out of focus."""
    return picture.filter(ImageFilter.GaussianBlur(radius))


def dimmed(rng: random.Random, picture: _Grey, light: float) -> _Grey:
    """`picture` in `light` of full light, with the grain that a sensor has in the dark."""
    return noisy(rng, ImageEnhance.Brightness(picture).enhance(light), 3 + 3 * (1 - light))


def faint(rng: random.Random, picture: _Grey, contrast: float) -> _Grey:
    """`picture` in ink that is only `contrast` grey levels darker than its paper."""
    paper = rng.uniform(150, 225)
    return noisy(rng, picture.point(lambda v: paper - contrast * (1 - v / 255)), 2)


def shadowed(rng: random.Random, picture: _Grey, centre: tuple[float, float], light: float, edge: float) -> _Grey:
    """`picture` with a shadow over one side of `centre`, in which `light` of the light is left; `edge` is how soft."""
    angle = rng.uniform(0, 2 * math.pi)
    x, y = np.meshgrid(np.arange(picture.width), np.arange(picture.height))
    across = (x - centre[0]) * math.cos(angle) + (y - centre[1]) * math.sin(angle)
    return _picture(_array(picture) * (light + (1 - light) / (1 + np.exp(np.clip(-across / max(edge, 0.5), -60, 60)))))


def glaring(rng: random.Random, picture: _Grey, centre: tuple[float, float], radius: float, strength: float) -> _Grey:
    """`picture` with a lamp mirrored at `centre`; `strength` 1 leaves nothing but white in the middle."""
    x, y = np.meshgrid(np.arange(picture.width), np.arange(picture.height))
    longer, angle = rng.uniform(1, 2), rng.uniform(0, math.pi)
    u = (x - centre[0]) * math.cos(angle) + (y - centre[1]) * math.sin(angle)
    v = -(x - centre[0]) * math.sin(angle) + (y - centre[1]) * math.cos(angle)
    away = np.hypot(u / longer, v) / radius
    return _picture(_array(picture) + 330 * strength * np.exp(-(away**4)) + 60 * strength * np.exp(-away))


def jpeg(picture: _Grey, quality: int) -> _Grey:
    """`picture` after JPEG compression."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("L")


def moire(rng: random.Random, picture: _Grey, strength: float) -> _Grey:
    """`picture` on a screen, whose dots and the camera's make waves `strength` grey levels high."""
    x, y = np.meshgrid(np.arange(picture.width), np.arange(picture.height))
    waves = np.zeros(x.shape)
    for _ in range(2):
        angle, length = rng.uniform(0, math.pi), rng.uniform(2.5, 14)
        waves += np.sin((x * math.cos(angle) + y * math.sin(angle)) * 2 * math.pi / length)
    return _picture(_array(picture) * 0.8 + 20 + waves / 2 * strength)


def inverted(picture: _Grey) -> _Grey:
    """`picture` with light and dark exchanged."""
    return ImageChops.invert(picture)


def stained(rng: random.Random, picture: _Grey, code: tuple[float, ...], share: float, dark: float) -> _Grey:
    """`picture` with spots of coffee over `share` of its code, which take away `dark` of the light."""
    x0, y0, x1, _ = code
    side, spots = x1 - x0, rng.randrange(1, 5)
    mask = Image.new("L", picture.size, 0)
    for _ in range(spots):
        radius = side * math.sqrt(share / spots / math.pi)
        x, y = (start + rng.uniform(0.1, 0.9) * side for start in (x0, y0))
        wide = radius * rng.uniform(0.8, 1.25)
        high = radius * radius / wide
        ImageDraw.Draw(mask).ellipse((x - wide, y - high, x + wide, y + high), fill=255)
    soft = _array(mask.filter(ImageFilter.GaussianBlur(side / 84))) / 255
    return _picture(_array(picture) * (1 - dark * soft))


def scratched(rng: random.Random, picture: _Grey, code: tuple[float, ...], count: int, wide: float) -> _Grey:
    """`picture` with `count` scratches through its code, `wide` pixels each, most of them down to the paper."""
    hurt = picture.copy()
    draw = ImageDraw.Draw(hurt)
    x0, y0, x1, y1 = code
    for _ in range(count):
        middle = (rng.uniform(x0, x1), rng.uniform(y0, y1))
        angle, half = rng.uniform(0, math.pi), rng.uniform(0.3, 0.9) * (x1 - x0)
        bow = rng.uniform(-0.08, 0.08) * (x1 - x0)
        across, down = math.cos(angle), math.sin(angle)
        line = [
            (middle[0] + t * half * across - bow * t * t * down, middle[1] + t * half * down + bow * t * t * across)
            for t in (-1, -0.5, 0, 0.5, 1)
        ]
        draw.line(line, fill=rng.choice((255, 240, 225, 60)), width=max(1, round(wide * rng.uniform(0.6, 1.3))))
    return hurt


def torn(rng: random.Random, picture: _Grey, code: tuple[float, ...], share: float) -> _Grey:
    """`picture` without about `share` of its code: an edge or a corner is torn off, down to the cardboard."""
    x0, y0, x1, y1 = code
    slant, steps = rng.uniform(-1.5, 1.5), 12
    tear = [(share * (1 + slant * (1 - 2 * down / steps)), down / steps) for down in range(-steps, 2 * steps + 1)]
    ragged = [(across + rng.uniform(-0.015, 0.015), down) for across, down in tear]
    points = [(-3.0, -1.0), *ragged, (-3.0, 2.0)]
    for _ in range(rng.randrange(4)):
        points = [(1 - down, across) for across, down in points]
    hurt = picture.copy()
    place = [(x0 + across * (x1 - x0), y0 + down * (y1 - y0)) for across, down in points]
    ImageDraw.Draw(hurt).polygon(place, fill=rng.randrange(70, 170))
    return hurt


def _plane(target: tuple[tuple[float, float], ...], source: tuple[tuple[float, float], ...]) -> tuple[float, ...]:
    """The eight coefficients with which Pillow maps the four `target` corners back to the `source` ones."""
    rows, sides = [], []
    for (x, y), (u, v) in zip(target, source, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        sides += [u, v]
    return tuple(np.linalg.solve(np.array(rows), np.array(sides)).tolist())
