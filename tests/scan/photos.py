"""Photographs of a box as hands, lamps and telephones make them: drawn from a seed, with Pillow alone.

Separate from the tests because the bench and the tests look at the same pictures.
"""

import io
import math
import random
from collections.abc import Callable
from typing import Any

import zxingcpp
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps

Photo = Callable[[random.Random, str], Image.Image]


def qr(text: str, module: int = 8, quiet: bool = True) -> Image.Image:
    """`text` as a QR code at level M, `module` pixels a module, with its quiet zone of four modules."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    drawn: Any = zxingcpp.write_barcode_to_image(barcode, scale=module, add_quiet_zones=quiet)
    height, width = drawn.shape
    return Image.frombytes("L", (width, height), bytes(drawn))


def on_table(rng: random.Random, code: Image.Image, size: tuple[int, int] = (900, 700)) -> Image.Image:
    """`code` somewhere on a grained table top."""
    table = grain(rng, (size[0] // 4, size[1] // 4), 30).resize(size).point(lambda v: v * 0.7)
    table.paste(code, (rng.randrange(20, size[0] - code.width - 20), rng.randrange(20, size[1] - code.height - 20)))
    return table


def turned(picture: Image.Image, degrees: float) -> Image.Image:
    """`picture` turned on grey ground, nothing cut off."""
    return picture.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=120)


def leaning(picture: Image.Image, lean: float) -> Image.Image:
    """`picture` seen from the side: its far edge is `lean` (0–1) shorter than its near one."""
    width, height = picture.size
    inset = lean * width / 2
    quad = ((-inset, 0), (width + inset, 0), (width, height), (0, height))
    target = ((0, 0), (width, 0), (width, height), (0, height))
    return picture.transform(
        picture.size, Image.Transform.PERSPECTIVE, _plane(target, quad), Image.Resampling.BICUBIC, fillcolor=120
    )


def grain(rng: random.Random, size: tuple[int, int], sigma: float) -> Image.Image:
    """Noise about middle grey, with a standard deviation of `sigma` grey levels (evenly spread bytes have 73.9)."""
    even = Image.frombytes("L", size, rng.randbytes(size[0] * size[1]))
    return even.point(lambda v: 128 + (v - 127.5) * sigma / 73.9)


def noisy(rng: random.Random, picture: Image.Image, sigma: float) -> Image.Image:
    """`picture` with the grain of a small sensor, `sigma` grey levels strong."""
    return ImageChops.add(picture, grain(rng, picture.size, sigma), scale=1, offset=-128)


def dim(rng: random.Random, picture: Image.Image, light: float) -> Image.Image:
    """`picture` in `light` (0–1) of full light, its grain stronger the darker it is."""
    return noisy(rng, ImageEnhance.Brightness(picture).enhance(light), 6 + 6 * (1 - light))


def lamp_from_left(picture: Image.Image) -> Image.Image:
    """`picture` under a lamp that lights its left side only."""
    shade = Image.linear_gradient("L").rotate(90).resize(picture.size)
    return ImageChops.multiply(picture, ImageOps.autocontrast(ImageChops.invert(shade)).point(lambda v: 45 + v * 0.8))


def jpeg(picture: Image.Image, quality: int) -> Image.Image:
    """`picture` after JPEG compression."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return Image.open(file).convert("L")


def round_a_box(picture: Image.Image, bend: float) -> Image.Image:
    """`picture` wrapped about a cylinder, `bend` of its width (0–0.5) lost at either side."""
    width, height = picture.size
    strips, mesh = 24, []
    for strip in range(strips):
        left, right = strip * width // strips, (strip + 1) * width // strips
        x0, x1 = (_unrolled(x / width, bend) * width for x in (left, right))
        mesh.append(((left, 0, right, height), (x0, 0, x0, height, x1, height, x1, 0)))
    return picture.transform(picture.size, Image.Transform.MESH, mesh, Image.Resampling.BICUBIC)


def stained(rng: random.Random, code: Image.Image, share: float) -> Image.Image:
    """`code` with a stain over `share` (0–1) of its area, off its finder patterns."""
    stain = code.copy()
    side = math.sqrt(share) * code.width
    x, y = (rng.uniform(0.45, 0.6) * code.width for _ in range(2))
    ImageDraw.Draw(stain).ellipse((x, y, x + side, y + side), fill=90)
    return stain


KINDS: dict[str, Photo] = {
    "clean": lambda rng, text: on_table(rng, qr(text)),
    "turned": lambda rng, text: turned(on_table(rng, qr(text)), rng.uniform(0, 360)),
    "leaning": lambda rng, text: leaning(on_table(rng, qr(text, 10)), rng.uniform(0.3, 0.6)),
    "blurred": lambda rng, text: on_table(rng, qr(text)).filter(ImageFilter.GaussianBlur(rng.uniform(2, 3.5))),
    "badly blurred": lambda rng, text: on_table(rng, qr(text)).filter(ImageFilter.GaussianBlur(rng.uniform(3.5, 5.5))),
    "grainy": lambda rng, text: noisy(rng, on_table(rng, qr(text, 5)), rng.uniform(30, 70)),
    "dark": lambda rng, text: dim(rng, on_table(rng, qr(text, 5)), rng.uniform(0.06, 0.2)),
    "one lamp": lambda rng, text: lamp_from_left(on_table(rng, qr(text))),
    "small": lambda rng, text: on_table(rng, qr(text, 8).resize((side := rng.randrange(38, 58), side))),
    "hard jpeg": lambda rng, text: jpeg(on_table(rng, qr(text, 4)), rng.randrange(4, 12)),
    "round": lambda rng, text: round_a_box(qr(text, 12), rng.uniform(0.1, 0.3)),
    "stained": lambda rng, text: on_table(rng, stained(rng, qr(text), rng.uniform(0.02, 0.06))),
    "no quiet zone": lambda rng, text: on_table(rng, qr(text, quiet=False)),
    "edge to edge": lambda rng, text: ImageEnhance.Brightness(qr(text, 6, quiet=False)).enhance(rng.uniform(0.5, 1)),
    "faint": lambda rng, text: noisy(rng, qr(text, 5).point(lambda v: 150 + v // 12), 8),
    "twelve megapixels": lambda rng, text: turned(on_table(rng, qr(text, rng.randrange(5, 10)), (4000, 3000)), 17),
}


def photo(kind: str, seed: int, text: str) -> Image.Image:
    """A picture of one kind; the same seed makes the same picture."""
    return KINDS[kind](seeded(kind, seed), text)


def seeded(kind: str, seed: int) -> random.Random:
    """Chance that is the same in every run."""
    return random.Random(f"{kind} {seed}")


def _unrolled(x: float, bend: float) -> float:
    half = math.pi / 2 * (1 - bend)
    return 0.5 + math.asin((2 * x - 1) * math.sin(half)) / (2 * half)


def _plane(target: tuple[tuple[float, float], ...], source: tuple[tuple[float, float], ...]) -> tuple[float, ...]:
    """The eight coefficients with which Pillow maps the four `target` corners back to the `source` ones."""
    rows = []
    for (x, y), (u, v) in zip(target, source, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    return _solved(rows)


def _solved(rows: list[list[float]]) -> tuple[float, ...]:
    """The unknowns of linear equations, each row's last number being its right-hand side (Gauss–Jordan)."""
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(len(rows)):
            if row != column:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return tuple(row[-1] for row in rows)
