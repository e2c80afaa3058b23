"""Photographs of boxes as hands, lamps and telephones make them: our press's labels in every trouble, from a seed.

Separate because the bench and the tests look at the same pictures. How bad the trouble is goes from 0, hardly any, to
1, what a person can just still make out; lengths follow the modules of the code, as what is lost depends on these.
"""

import math
import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import zxingcpp
from PIL import Image

from companion.archive import deck_id
from labels.designs import BoxLabel
from labels.geometry import INCH
from labels.output import pdf, proof
from labels.paper import sheet, stocks
from tests.bench import trouble

_DPI = 600
_STOCKS = ("18294", "5160", "22806", "5163")
_NAMES = ("Grave Choir", "The Lanterns of Old Harbour", "Moss", "Ashen Vow", "Bone Orchard", "Zwölf Raben")


class Photo(NamedTuple):
    """A picture in grey levels, and the texts of the codes that are on it."""

    picture: Image.Image
    texts: frozenset[str]


class Label(NamedTuple):
    """A printed box label as a picture, how many pixels a module is wide, and where its code is."""

    picture: Image.Image
    module: float
    code: tuple[float, float, float, float]
    text: str

    def at(self, module: float) -> "Label":
        """This label with modules of so many pixels."""
        times = module / self.module
        size = (round(self.picture.width * times), round(self.picture.height * times))
        x0, y0, x1, y1 = (edge * times for edge in self.code)
        picture = self.picture.resize(size, Image.Resampling.LANCZOS)
        return self._replace(picture=picture, module=module, code=(x0, y0, x1, y1))

    def hurt(self, picture: Image.Image) -> "Label":
        """This label, looking like that now."""
        return self._replace(picture=picture)

    def trimmed(self, margin: float) -> "Label":
        """Only its code, with so many pixels of paper left about it."""
        x0, y0, x1, y1 = self.code
        box = (round(x0 - margin), round(y0 - margin), round(x1 + margin), round(y1 + margin))
        code = (x0 - box[0], y0 - box[1], x1 - box[0], y1 - box[1])
        return self._replace(picture=self.picture.crop(box), code=code)


def qr(text: str, module: int = 8, quiet: bool = True) -> Image.Image:
    """`text` as a QR code at level M, `module` pixels a module, with its quiet zone of four modules."""
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    modules: Any = zxingcpp.write_barcode_to_image(barcode, scale=module, add_quiet_zones=quiet)
    height, width = modules.shape
    return Image.frombytes("L", (width, height), bytes(modules))


def label(rng: random.Random, text: str | None = None) -> Label:
    """A box label as the press prints it on some stock; a deck's own code, or that of `text`."""
    return rng.choice(_printed(rng.choice(_STOCKS), f"{rng.randrange(4)}" if text is None else "", text))


def seeded(kind: str, seed: object) -> random.Random:
    """Chance that is the same in every run."""
    return random.Random(f"{kind} {seed}")


@cache
def _printed(stock_name: str, lot: str, text: str | None) -> tuple[Label, ...]:
    """Some labels of one sheet, rasterised."""
    rng = seeded(stock_name, lot)
    stock = stocks.find(stock_name)
    texts = [text] if text else [deck_id.payload(_deck(rng)) for _ in range(min(stock.count, 10))]
    run = [
        BoxLabel(rng.choice(_NAMES), deck_id.show(payload[-13:]), payload, (f"Glory {rng.randrange(40)}",))
        for payload in texts
    ]
    page = proof.page_as_picture(
        pdf.render_sheets(sheet.place_labels(run, stock), stock, pdf.Setup("Photographs")), 1, _DPI
    ).convert("L")
    return tuple(_cut_out(page, stock, position, payload) for position, payload in enumerate(texts, 1))


def _cut_out(page: Image.Image, stock: stocks.Stock, position: int, text: str) -> Label:
    die, scale = stock.box(position), _DPI / INCH
    top = stock.page_size[1] - die.y - die.height
    edges = (die.x, top, die.x + die.width, top + die.height)
    picture = page.crop(tuple(round(edge * scale) for edge in edges))  # type: ignore[arg-type]
    corners = zxingcpp.read_barcodes(picture, zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode))[0].position
    x0, y0, x1, y1 = corners.top_left.x, corners.top_left.y, corners.bottom_right.x, corners.bottom_right.y
    return Label(picture, (x1 - x0) / 21, (x0, y0, x1, y1), text)


def _deck(rng: random.Random) -> str:
    symbols = "".join(rng.choice(deck_id.ALPHABET) for _ in range(deck_id.LENGTH - 1))
    return symbols + deck_id._check_symbol(symbols)


# One label in one kind of trouble, so bad (0–1).
_Kind = Callable[[random.Random, Label, float], Image.Image]


def between(easy: float, hard: float, bad: float) -> float:
    """The figure that is `easy` where nothing is wrong and `hard` where it is as `bad` as 1."""
    return easy + (hard - easy) * bad


def on_table(
    rng: random.Random, each: Label, size: tuple[int, int] | None = None, *, turn: float = 8, ground: str = "any"
) -> tuple[Image.Image, tuple[float, float]]:
    """The label somewhere on a table, turned a little; and the middle of its code there."""
    picture = each.picture
    if turn:
        # The paper's own corners, so that the table shows beside a label that is turned.
        angle = rng.uniform(-turn, turn)
        mask = Image.new("L", picture.size, 255).rotate(angle, Image.Resampling.BICUBIC, expand=True)
        picture = picture.rotate(angle, Image.Resampling.BICUBIC, expand=True)
    else:
        angle, mask = 0.0, Image.new("L", picture.size, 255)
    margin = max(24, picture.width // 8)
    size = size or (1000, 750)
    size = (max(size[0], picture.width + margin), max(size[1], picture.height + margin))
    if ground == "any":
        ground = rng.choice(("plain", "wood", "cloth"))
    table = _ground(rng, ground, size)
    at = rng.randrange(size[0] - picture.width), rng.randrange(size[1] - picture.height)
    table.paste(picture, at, mask)
    x0, y0, x1, y1 = each.code
    middle = _turned_about(((x0 + x1) / 2, (y0 + y1) / 2), each.picture.size, picture.size, angle)
    return table, (at[0] + middle[0], at[1] + middle[1])


def _ground(rng: random.Random, ground: str, size: tuple[int, int]) -> Image.Image:
    if ground == "wood":
        return trouble.wood(rng, size, rng.uniform(10, 40))
    if ground == "cloth":
        small = (max(1, size[0] // 4), max(1, size[1] // 4))
        return trouble.grain(rng, small, 25).resize(size).point(lambda v: v * 0.7)
    return Image.new("L", size, rng.randrange(40, 200))


def _turned_about(
    point: tuple[float, float], before: tuple[int, int], after: tuple[int, int], degrees: float
) -> tuple[float, float]:
    angle = -math.radians(degrees)
    x, y = point[0] - before[0] / 2, point[1] - before[1] / 2
    return (
        after[0] / 2 + x * math.cos(angle) - y * math.sin(angle),
        after[1] / 2 + x * math.sin(angle) + y * math.cos(angle),
    )


def _plain(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return on_table(rng, each.at(between(8, 2.2, bad)), turn=0)[0]


def _turned(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return on_table(rng, each.at(between(8, 2.6, bad)), turn=180)[0]


def _leaning(rng: random.Random, each: Label, bad: float) -> Image.Image:
    flat = on_table(rng, each.at(between(7, 10, bad)), turn=0)[0].rotate(90 * rng.randrange(4), expand=True)
    return trouble.turned(trouble.leaning(flat, between(0.2, 0.62, bad)), rng.uniform(-20, 20))


def _curved(rng: random.Random, each: Label, bad: float) -> Image.Image:
    """The whole label bends, so the code beside its text does so on one side."""
    printed = each.at(between(8, 10, bad))
    upright = rng.random() < 0.5
    flat = printed.picture.rotate(90, expand=True) if upright else printed.picture
    bent = trouble.curved(flat, between(0.15, 0.78, bad))
    lying = on_table(rng, printed.hurt(bent.rotate(-90, expand=True) if upright else bent))[0]
    return trouble.leaning(lying, between(0, 0.25, bad))


def _blurred(rng: random.Random, each: Label, bad: float) -> Image.Image:
    module = rng.uniform(3, 9)
    return trouble.blurred(on_table(rng, each.at(module))[0], module * between(0.15, 0.7, bad))


def _moved(rng: random.Random, each: Label, bad: float) -> Image.Image:
    module = rng.uniform(3, 7)
    return trouble.moved(rng, on_table(rng, each.at(module))[0], module * between(0.3, 2.1, bad))


def _noisy(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return trouble.noisy(rng, on_table(rng, each.at(rng.uniform(3.5, 7)))[0], between(15, 95, bad))


def _dark(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return trouble.dimmed(rng, on_table(rng, each.at(rng.uniform(3.5, 7)))[0], between(0.3, 0.045, bad))


def _shadowed(rng: random.Random, each: Label, bad: float) -> Image.Image:
    module = rng.uniform(3.5, 7)
    table, (x, y) = on_table(rng, each.at(module))
    near = x + rng.uniform(-7, 7) * module, y + rng.uniform(-7, 7) * module
    dark = trouble.shadowed(rng, table, near, between(0.5, 0.1, bad), module * rng.uniform(0.1, 3))
    return trouble.noisy(rng, dark, 3)


def _glaring(rng: random.Random, each: Label, bad: float) -> Image.Image:
    module = rng.uniform(3.5, 7)
    table, (x, y) = on_table(rng, each.at(module))
    near = x + rng.uniform(-10, 10) * module, y + rng.uniform(-10, 10) * module
    return trouble.glaring(rng, table, near, module * between(2, 4.5, bad), between(0.3, 0.85, bad))


def _faint(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return trouble.faint(rng, on_table(rng, each.at(rng.uniform(3.5, 7)))[0], between(60, 8, bad))


def _crushed(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return trouble.jpeg(on_table(rng, each.at(rng.uniform(3, 5)))[0], round(between(25, 4, bad)))


def _on_wood(rng: random.Random, each: Label, bad: float) -> Image.Image:
    """The boards show through the label, as if it was clear film."""
    table, _ = on_table(rng, each.at(rng.uniform(3.5, 7)), ground="wood")
    boards = trouble.wood(rng, table.size, 255)
    return Image.blend(table, boards, between(0.1, 0.42, bad))


def _no_quiet_zone(rng: random.Random, each: Label, bad: float) -> Image.Image:
    module = rng.uniform(3.5, 8)
    return on_table(rng, each.at(module).trimmed(module * between(2, 0, bad)))[0]


def _stained(rng: random.Random, each: Label, bad: float) -> Image.Image:
    printed = each.at(rng.uniform(4, 8))
    hurt = trouble.stained(rng, printed.picture, printed.code, between(0.01, 0.12, bad), rng.uniform(0.4, 0.9))
    return on_table(rng, printed.hurt(hurt))[0]


def _scratched(rng: random.Random, each: Label, bad: float) -> Image.Image:
    printed = each.at(rng.uniform(4, 8))
    wide = printed.module * rng.uniform(0.3, 0.8)
    hurt = trouble.scratched(rng, printed.picture, printed.code, round(between(1, 7, bad)), wide)
    return on_table(rng, printed.hurt(hurt))[0]


def _torn(rng: random.Random, each: Label, bad: float) -> Image.Image:
    printed = each.at(rng.uniform(4, 8))
    hurt = trouble.torn(rng, printed.picture, printed.code, between(0.002, 0.05, bad))
    return on_table(rng, printed.hurt(hurt))[0]


def _inverted(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return trouble.inverted(on_table(rng, each.at(between(8, 3, bad)))[0])


def _moire(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return trouble.moire(rng, on_table(rng, each.at(rng.uniform(4, 8)))[0], between(30, 150, bad))


def _small_in_much(rng: random.Random, each: Label, bad: float) -> Image.Image:
    return on_table(rng, each.at(between(7, 2.6, bad)), (4000, 3000), turn=25)[0]


def _tiny(rng: random.Random, each: Label, bad: float) -> Image.Image:
    table, _ = on_table(rng, each.at(between(12, 4.4, bad)), (2560, 1920))
    return table.resize((640, 480), Image.Resampling.BOX)


def _combined(rng: random.Random, each: Label, bad: float) -> Image.Image:
    """Three troubles, none of them as bad as it can be."""
    module, some = rng.uniform(4.5, 7), 0.5 * bad
    printed = each.at(module)
    hurt = rng.choice(
        (
            lambda: trouble.scratched(rng, printed.picture, printed.code, round(between(1, 2, bad)), module * 0.5),
            lambda: trouble.stained(rng, printed.picture, printed.code, between(0.01, 0.05, bad), 0.6),
            lambda: trouble.torn(rng, printed.picture, printed.code, between(0.002, 0.02, bad)),
        )
    )()
    table, middle = on_table(rng, printed.hurt(hurt))
    seen = rng.choice(
        (
            lambda: trouble.leaning(table, between(0.1, 0.35, bad)),
            lambda: trouble.blurred(table, module * between(0.15, 0.4, bad)),
            lambda: trouble.moved(rng, table, module * between(0.2, 0.9, bad)),
            lambda: trouble.shadowed(rng, table, middle, between(0.7, 0.35, bad), module),
        )
    )()
    return rng.choice(
        (
            lambda: trouble.noisy(rng, seen, between(10, 50, some)),
            lambda: trouble.dimmed(rng, seen, between(0.4, 0.12, some)),
            lambda: trouble.jpeg(seen, round(between(30, 10, some))),
        )
    )()


KINDS: dict[str, _Kind] = {
    "straight": _plain,
    "turned": _turned,
    "in perspective": _leaning,
    "curved": _curved,
    "blurred": _blurred,
    "moved": _moved,
    "noisy": _noisy,
    "dark": _dark,
    "shadowed": _shadowed,
    "glaring": _glaring,
    "faint": _faint,
    "crushed by JPEG": _crushed,
    "on wood": _on_wood,
    "without quiet zone": _no_quiet_zone,
    "stained": _stained,
    "scratched": _scratched,
    "torn": _torn,
    "inverted": _inverted,
    "moiré": _moire,
    "several at once": _plain,
    "small in 12 megapixels": _small_in_much,
    "tiny in 640×480": _tiny,
    "several troubles": _combined,
}


def photo(kind: str, seed: object, bad: float, text: str | None = None) -> Photo:
    """A picture of one kind, so bad (0–1); the same seed makes the same picture. With a `text`, its code says that."""
    rng = seeded(kind, seed)
    if kind == "several at once":
        return _several(rng, bad)
    each = label(rng, text)
    return Photo(KINDS[kind](rng, each, bad), frozenset({each.text}))


def _several(rng: random.Random, bad: float) -> Photo:
    """Three to eight boxes side by side, each turned as it lies."""
    texts = set[str]()
    pictures: list[Image.Image] = []
    while len(pictures) < round(between(3, 8, bad)):
        each = label(rng)
        if each.text not in texts:
            texts.add(each.text)
            size = round(0.6 * each.at(between(6, 3, bad)).picture.width)
            pictures.append(on_table(rng, each.at(between(6, 3, bad)), (size, size), turn=30)[0])
    columns = 2
    wide, high = max(one.width for one in pictures), max(one.height for one in pictures)
    table = Image.new("L", (columns * wide, -(-len(pictures) // columns) * high), rng.randrange(40, 200))
    for place, one in enumerate(pictures):
        table.paste(one, (place % columns * wide, place // columns * high))
    return Photo(table, frozenset(texts))
