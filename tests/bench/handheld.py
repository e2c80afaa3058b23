"""Photographs of boxes that are hard to read: held at a slant, in motion, crumpled, under a lamp, far away.

A camera looks at a label in space, so that slant, creases and curves come together as they do in a hand; then come
light, lens, sensor and file. Lengths are in modules of the code unless a name says pixels.
"""

import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import cv2
import numpy as np
from PIL import Image

from tests.bench import trouble
from tests.bench.photos import Label, Photo, between, label, seeded

_FINE = 3
"""Rays of the camera along each edge of a pixel."""

# The place on the label that a place on the sheet in front of the camera shows, in modules from the code's middle.
_Warp = Callable[[Any, Any], tuple[Any, Any, Any]]


class Shot(NamedTuple):
    """How a label is held before the camera: angles in degrees, the width of a module in pixels where it is nearest."""

    module: float
    turn: float
    tilt: float
    axis: float
    distance: float
    at: tuple[float, float]


def _shot(rng: random.Random, size: tuple[int, int], module: float | None = None, tilt: float | None = None) -> Shot:
    width = rng.uniform(3.5, 8) if module is None else module
    room = 12 * width
    return Shot(
        width,
        rng.uniform(0, 360),
        rng.uniform(0, 18) if tilt is None else tilt,
        rng.uniform(0, 2 * math.pi),
        rng.uniform(70, 200),
        (rng.uniform(room, size[0] - room), rng.uniform(room, size[1] - room)),
    )


def _seen(rng: random.Random, each: Label, size: tuple[int, int], shot: Shot, warp: _Warp | None = None) -> Any:
    """The light in the picture, 0–1, of a label that lies on a table as `shot` says."""
    table = _table(rng, size)
    reach = 34 * shot.module
    left, top = (max(0, math.floor(middle - reach)) for middle in shot.at)
    right, low = (min(edge, math.ceil(middle + reach)) for edge, middle in zip(size, shot.at, strict=True))
    xs = (np.arange((right - left) * _FINE, dtype=np.float32) + 0.5) / _FINE + left - shot.at[0]
    ys = (np.arange((low - top) * _FINE, dtype=np.float32) + 0.5) / _FINE + top - shot.at[1]
    x, y = np.meshgrid(xs / shot.module, ys / shot.module)
    # Rays through the picture meet the tilted plane.
    cosine, sine = math.cos(shot.axis), math.sin(shot.axis)
    along, across = x * cosine + y * sine, -x * sine + y * cosine
    lean = math.radians(shot.tilt)
    depth = shot.distance / np.maximum(1e-3, shot.distance * math.cos(lean) - across * math.sin(lean))
    along, across = along * depth * math.cos(lean), across * depth
    turn = math.radians(shot.turn)
    u, v = along * math.cos(turn) - across * math.sin(turn), along * math.sin(turn) + across * math.cos(turn)
    shade = np.float32(1)
    if warp is not None:
        u, v, shade = warp(u, v)
    printed = each.at(min(each.module, shot.module * _FINE))
    middle_x, middle_y = (printed.code[0] + printed.code[2]) / 2, (printed.code[1] + printed.code[3]) / 2
    paper = np.asarray(printed.picture, dtype=np.float32) / 255
    map_x = (u * printed.module + middle_x - 0.5).astype(np.float32)
    map_y = (v * printed.module + middle_y - 0.5).astype(np.float32)
    light = cv2.remap(paper, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (map_x > 0) & (map_y > 0) & (map_x < paper.shape[1] - 1) & (map_y < paper.shape[0] - 1)
    ink, white = rng.uniform(0.05, 0.2), rng.uniform(0.75, 0.95)
    behind = cv2.resize(table[top:low, left:right], (light.shape[1], light.shape[0]), interpolation=cv2.INTER_LINEAR)
    light = np.where(inside, (ink + (white - ink) * light) * shade, behind)
    table[top:low, left:right] = cv2.resize(light, (right - left, low - top), interpolation=cv2.INTER_AREA)
    return table


def _table(rng: random.Random, size: tuple[int, int]) -> Any:
    dice = np.random.default_rng(rng.getrandbits(32))
    rough = rng.choice(((2, 0.03), (8, 0.1), (40, 0.12)))
    small = dice.normal(0, 1, (max(2, size[1] // rough[0]), max(2, size[0] // rough[0]))).astype(np.float32)
    cloth = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    return np.clip(rng.uniform(0.2, 0.7) + rough[1] * cloth, 0, 1).astype(np.float32)


def _lit(rng: random.Random, light: Any, fall: float = 0.3) -> Any:
    """Daylight from one side, `fall` less at the other."""
    height, width = light.shape
    angle = rng.uniform(0, 2 * math.pi)
    x, y = np.linspace(-0.5, 0.5, width)[None, :], np.linspace(-0.5, 0.5, height)[:, None]
    return light * (1 - fall * (0.5 + 0.7 * (x * math.cos(angle) + y * math.sin(angle)))).astype(np.float32)


def _taken(
    rng: random.Random, light: Any, *, blur: float = 0.6, noise: float = 3, quality: int | None = None
) -> Image.Image:
    """What the camera saves: `blur` in pixels, `noise` in grey levels, JPEG of some `quality`."""
    if blur > 0:
        light = cv2.GaussianBlur(light, (0, 0), blur)
    dice = np.random.default_rng(rng.getrandbits(32))
    seen = 255 * light + dice.normal(0, noise, light.shape)
    saved = Image.fromarray(np.clip(np.rint(seen), 0, 255).astype(np.uint8))
    return trouble.jpeg(saved, rng.randrange(75, 95) if quality is None else quality)


_SIZES = ((1024, 768), (1280, 960), (1600, 1200), (2016, 1512))
"""Of pictures, as messengers and cheap cameras leave them."""


def _blurred(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    shot = _shot(rng, size)
    return _taken(rng, _lit(rng, _seen(rng, each, size, shot)), blur=shot.module * between(0.3, 0.75, bad))


def _in_low_light(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    light = _lit(rng, _seen(rng, each, size, _shot(rng, size)), 0.5)
    return _taken(rng, light * between(0.3, 0.05, bad), noise=rng.uniform(2, 5), blur=rng.uniform(0.6, 1))


def _noisy(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    light = _lit(rng, _seen(rng, each, size, _shot(rng, size)), 0.5)
    return _taken(rng, light, noise=between(20, 75, bad), blur=rng.uniform(0.6, 1))


def _glaring(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    shot = _shot(rng, size)
    light = _lit(rng, _seen(rng, each, size, shot))
    angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(0, 9) * shot.module
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    across, down = x - shot.at[0] - away * math.cos(angle), y - shot.at[1] - away * math.sin(angle)
    turn, long = rng.uniform(0, math.pi), rng.uniform(1, 3)
    u, v = across * math.cos(turn) + down * math.sin(turn), -across * math.sin(turn) + down * math.cos(turn)
    lamp = np.exp(-(np.hypot(u / long, v) ** 2) / (2 * (shot.module * between(1, 2.6, bad)) ** 2))
    return _taken(rng, light + between(0.5, 1.6, bad) * lamp)


def _damaged(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    """Scratched, stained or torn."""
    printed = each.at(10)
    hurt = rng.choice(
        (
            lambda: trouble.scratched(rng, printed.picture, printed.code, round(between(1, 6, bad)), rng.uniform(3, 9)),
            lambda: trouble.stained(rng, printed.picture, printed.code, between(0.02, 0.14, bad), rng.uniform(0.4, 1)),
            lambda: trouble.torn(rng, printed.picture, printed.code, between(0.002, 0.05, bad)),
        )
    )()
    return _taken(rng, _lit(rng, _seen(rng, printed.hurt(hurt), size, _shot(rng, size))))


def _curved(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    """Round a can or a tube, whose axis lies anyhow."""
    radius, axis = between(24, 8.5, bad), rng.choice((0.0, math.pi / 2, rng.uniform(0, math.pi)))
    cosine, sine = math.cos(axis), math.sin(axis)
    aside = rng.uniform(-2, 2)

    def round_a_can(u: Any, v: Any) -> tuple[Any, Any, Any]:
        along, across = u * cosine + v * sine, (-u * sine + v * cosine - aside) / radius
        seen = np.arcsin(np.clip(across, -0.999, 0.999))
        shade = 0.45 + 0.55 * np.cos(seen)
        out = np.where(np.abs(across) > 0.999, 1e4, radius * seen) + aside
        return along * cosine - out * sine, along * sine + out * cosine, shade

    shot = _shot(rng, size, rng.uniform(5, 9))
    return _taken(rng, _lit(rng, _seen(rng, each, size, shot, round_a_can)))


def _in_perspective(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    shot = _shot(rng, size, rng.uniform(5, 9), between(50, 77, bad))._replace(distance=rng.uniform(45, 110))
    return _taken(rng, _lit(rng, _seen(rng, each, size, shot)))


def _in_motion(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    """The hand moves while the shutter is open: a way that bends a little."""
    shot = _shot(rng, size)
    way, angle = shot.module * between(0.8, 3.1, bad), rng.uniform(0, 2 * math.pi)
    bow, steps = rng.uniform(-0.2, 0.2) * way, 60
    edge = 2 * math.ceil(way) + 3
    path = np.zeros((edge, edge), np.float32)
    for step in range(steps):
        t = 2 * step / (steps - 1) - 1
        x = edge / 2 + t * way / 2 * math.cos(angle) - bow * t * t * math.sin(angle) - 0.5
        y = edge / 2 + t * way / 2 * math.sin(angle) + bow * t * t * math.cos(angle) - 0.5
        column, row = math.floor(x), math.floor(y)
        for down, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            path[row + down, column + right] += (1 - abs(y - row - down)) * (1 - abs(x - column - right))
    light = cv2.filter2D(_seen(rng, each, size, shot), -1, path / path.sum(), borderType=cv2.BORDER_REPLICATE)
    return _taken(rng, _lit(rng, light))


def _crumpled(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    """Creases in all directions: between them the paper leans this way and that, lighter and darker."""
    strong = between(0.25, 1.0, bad)
    creases = [
        (rng.uniform(0, 2 * math.pi), rng.uniform(-12, 12), rng.uniform(-1, 1), rng.uniform(0.5, 2.5))
        for _ in range(rng.randrange(5, 10))
    ]
    waves = [(rng.uniform(0, 2 * math.pi), rng.uniform(9, 22), rng.uniform(0, 2 * math.pi)) for _ in range(3)]

    def creased(u: Any, v: Any) -> tuple[Any, Any, Any]:
        lean_u, lean_v = np.zeros_like(u), np.zeros_like(v)
        du, dv = np.zeros_like(u), np.zeros_like(v)
        for angle, away, slope, soft in creases:
            across = u * math.cos(angle) + v * math.sin(angle) - away
            # The height of a fold; what is high is nearer to the camera, so it seems shifted.
            side = np.tanh(across / soft)
            lean_u += slope * side * math.cos(angle)
            lean_v += slope * side * math.sin(angle)
            fold = slope * (np.sqrt(across * across + soft * soft) - np.abs(away)) * 0.12
            du += fold * math.sin(angle + slope)
            dv += fold * math.cos(angle + slope)
        for angle, length, phase in waves:
            wave = np.sin((u * math.cos(angle) + v * math.sin(angle)) * 2 * math.pi / length + phase)
            du += 0.45 * wave * math.sin(angle)
            dv += 0.45 * wave * math.cos(angle)
        shade = np.clip(1 - 0.13 * strong * (lean_u + 0.7 * lean_v), 0.35, 1.15)
        return u + strong * du, v + strong * dv, shade

    shot = _shot(rng, size, rng.uniform(4.5, 9))
    return _taken(rng, _lit(rng, _seen(rng, each, size, shot, creased)))


def _small_in_much(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    shot = _shot(rng, size, between(6, 2.7, bad), rng.uniform(0, 25))
    return _taken(rng, _lit(rng, _seen(rng, each, size, shot)), blur=rng.uniform(0.4, 0.8), noise=rng.uniform(2, 6))


def _crushed(rng: random.Random, each: Label, bad: float, size: tuple[int, int]) -> Image.Image:
    shot = _shot(rng, size, rng.uniform(2.8, 5))
    return _taken(rng, _lit(rng, _seen(rng, each, size, shot)), quality=round(between(25, 5, bad)))


def _several(rng: random.Random, bad: float) -> Photo:
    """Three to eight boxes beside each other, each held as it lies."""
    count, cell = round(between(3, 8, bad)), 620
    columns = 2 if count <= 4 else 3
    picture = np.zeros((-(-count // columns) * cell, columns * cell), np.float32)
    texts = dict[str, None]()
    while len(texts) < count:
        each = label(rng)
        if each.text in texts:
            continue
        row, column = divmod(len(texts), columns)
        shot = _shot(rng, (cell, cell), between(7, 3.4, bad), rng.uniform(0, 30))
        picture[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell] = _seen(
            rng, each, (cell, cell), shot
        )
        texts[each.text] = None
    return Photo(_taken(rng, _lit(rng, picture), blur=rng.uniform(0.5, 1)), frozenset(texts))


SEVERAL, FAR_AWAY = "several boxes", "far away in 12 megapixels"
KINDS: dict[str, Callable[[random.Random, Label, float, tuple[int, int]], Image.Image]] = {
    "out of focus": _blurred,
    "in low light": _in_low_light,
    "full of noise": _noisy,
    "under a lamp": _glaring,
    "scratched, stained or torn": _damaged,
    "round a can": _curved,
    "at a slant": _in_perspective,
    "in motion": _in_motion,
    "crumpled": _crumpled,
    FAR_AWAY: _small_in_much,
    "much compressed": _crushed,
}


def photo_in_hand(kind: str, seed: object, bad: float) -> Photo:
    """A picture of one kind, so bad (0–1); the same seed makes the same picture."""
    rng = seeded(f"handheld {kind}", seed)
    if kind == SEVERAL:
        return _several(rng, bad)
    each = label(rng)
    size = (4000, 3000) if kind == FAR_AWAY else rng.choice(_SIZES)
    return Photo(taken(rng, each, kind, bad, size), frozenset({each.text}))


def taken(rng: random.Random, each: Label, kind: str, bad: float, size: tuple[int, int]) -> Image.Image:
    """A picture of this label in one kind of trouble, so many pixels wide and high."""
    return KINDS[kind](rng, each, bad, size)
