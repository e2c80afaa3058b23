"""Looks for decks where there are none, as long as one likes: python -m tests.scan.soak 20000 500000

First in pictures of other things: other programs' codes, codes that only look like ours, words, textures, noise. Then
in grids of modules that are damaged beyond what can be mended, given straight to what weighs them. The tests do some.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Final

import click
from PIL import Image, ImageDraw, ImageOps

from companion.archive import deck_id
from companion.archive.deck_id import ALPHABET
from companion.scan import CodeKind, qr_layout, soft_decode
from companion.scan.codes import parse_printed
from companion.scan.picture import read_codes
from tests.bench import handheld, trouble
from tests.bench.photos import Label, qr, seeded

PORTION = 20
"""Pictures of one portion; of grids it has twenty-five times as many."""
GRIDS = 25 * PORTION
_SIZE = (480, 360)

Grid = tuple[list[list[float]], set[str]]
"""A damaged code as odds of its bits, as often as it was looked at, and the payloads that may be read in it."""


def deck(rng: random.Random) -> str:
    """An id, its check symbol right."""
    symbols = "".join(rng.choice(ALPHABET) for _ in range(deck_id.LENGTH - 1))
    return next(symbols + last for last in ALPHABET if _is_deck(symbols + last))


def _is_deck(text: str) -> bool:
    try:
        return deck_id.parse(text) == text
    except deck_id.DeckIdError:
        return False


def _misprint(rng: random.Random) -> str:
    """What begins like a box's code, but with a check symbol that is wrong."""
    right = deck(rng)
    return deck_id.payload(right[:-1] + rng.choice([one for one in ALPHABET if one != right[-1]]))


def _others(rng: random.Random) -> str:
    return rng.choice(
        (
            lambda: f"https://example.org/{rng.randrange(10**9)}",
            lambda: "".join(rng.choice("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:") for _ in range(18)),
            lambda: f"DICE:{deck(rng)}",
            lambda: f"WIFI:S:{rng.randrange(10**6)};;",
            lambda: _misprint(rng),
        )
    )()


def _code(text: str) -> Label:
    picture = qr(text, 10)
    return Label(picture, 10, (40, 40, picture.width - 40, picture.height - 40), text)


def _hurt(rng: random.Random, each: Label) -> Label:
    side = each.picture.width
    for _ in range(rng.randrange(4)):
        x, y, wide, high = rng.randrange(side), rng.randrange(side), rng.randrange(10, 90), rng.randrange(10, 90)
        ImageDraw.Draw(each.picture).rectangle((x, y, x + wide, y + high), fill=rng.choice((0, 90, 255)))
    return each


def _mixed(rng: random.Random) -> tuple[Image.Image, frozenset[str]]:
    """Two boxes' codes, a part of one over the other, and what they say."""
    payloads = [deck_id.payload(deck(rng)) for _ in range(2)]
    one, other = (qr(payload, 10) for payload in payloads)
    wide = rng.randrange(60, 150)
    left, top = (rng.randrange(40, one.width - wide) for _ in range(2))
    one.paste(other.crop((left, top, left + wide, top + wide)), (left, top))
    return one, frozenset(payloads)


def _words(rng: random.Random) -> Image.Image:
    paper = Image.new("L", _SIZE, rng.randrange(180, 256))
    draw = ImageDraw.Draw(paper)
    for line in range(rng.randrange(3, 20)):
        letters = "".join(rng.choice("abcdefgh iklmno prstuvw EIO 0159") for _ in range(60))
        draw.text((rng.randrange(40), 17 * line), letters, fill=rng.randrange(80))
    return paper


def _squares(rng: random.Random) -> Image.Image:
    """Patterns with the finder patterns of a code, and chance between them."""
    side = rng.choice((21, 21, 25, 29))
    image = Image.new("L", (side + 8, side + 8), 255)
    for row in range(side):
        for column in range(side):
            image.putpixel((column + 4, row + 4), rng.choice((0, 255)))
    for (row, column), dark in qr_layout.PATTERNS.items():
        if rng.random() < 0.98:
            image.putpixel((column + 4, row + 4), 0 if dark else 255)
    return image.resize((image.width * 8, image.height * 8), Image.Resampling.NEAREST)


def pictures(seed: int) -> Iterator[tuple[Image.Image, frozenset[str]]]:
    """One portion of pictures, and the payloads that may be read in each."""
    rng = seeded("soak", seed)
    for number in range(PORTION):
        allowed = frozenset[str]()
        kind = number % 6
        if kind in (0, 1):
            payload = deck_id.payload(deck(rng)) if kind else _others(rng)
            each, allowed = _hurt(rng, _code(payload)), frozenset({payload})
            shot = rng.choice(list(handheld.KINDS)[:9])
            yield trouble.jpeg(handheld.taken(rng, each, shot, rng.uniform(0.5, 1.6), _SIZE), 85), allowed
            continue
        if kind == 2:
            seen, allowed = _mixed(rng)
        elif kind == 3:
            seen = _words(rng)
        elif kind == 4:
            seen = _squares(rng)
        else:
            seen = trouble.wood(rng, _SIZE, rng.uniform(20, 250))
        seen = ImageOps.expand(seen, 20, rng.randrange(60, 256)).rotate(
            rng.uniform(-180, 180), expand=True, fillcolor=128
        )
        seen = trouble.blurred(seen, rng.uniform(0, 4))
        yield trouble.noisy(rng, seen, rng.uniform(0, 40)), allowed


def wrong_in_pictures(seed: int) -> list[str]:
    """The decks that were read in one portion of pictures and are not there."""
    wrong = []
    for picture, allowed in pictures(seed):
        texts = read_codes(picture)[0]
        wrong += [text for text in texts if text not in allowed and parse_printed(text, "").kind is CodeKind.DECK]
    return wrong


def _odds(bits: Sequence[int], rng: random.Random, blur: float | None = None) -> list[float]:
    """Odds of these bits, more or less sure."""
    sure, blur = rng.uniform(2, 7), rng.uniform(0, 1.2) if blur is None else blur
    return [(sure if bit else -sure) * (1 + rng.gauss(0, blur)) for bit in bits]


def _bits(payload: str) -> list[int]:
    return [word >> 7 - bit & 1 for word in soft_decode.encode_words(payload) for bit in range(8)]


def _payload(rng: random.Random) -> str:
    return deck_id.payload(deck(rng))


def overwritten(rng: random.Random) -> Grid:
    """Another box's code over a part of the words, a stain or a scratch: as sure as the rest."""
    payload = _payload(rng) if rng.random() < 0.8 else _misprint(rng)
    odds, other = _odds(_bits(payload), rng), _bits(_payload(rng))
    sure = rng.uniform(2, 7)
    for place in rng.sample(range(qr_layout.WORDS), rng.randrange(5, 20)):
        word = rng.choice((other[8 * place : 8 * place + 8], [0] * 8, [1] * 8, [rng.randrange(2) for _ in range(8)]))
        odds[8 * place : 8 * place + 8] = [sure if bit else -sure for bit in word]
    return [odds], {payload}


def near(rng: random.Random) -> Grid:
    """Two ids that differ in few symbols, both with the right check symbol, and bits now of one, now of the other."""
    one = deck(rng)
    other = list(one)
    for at in rng.sample(range(deck_id.LENGTH - 1), rng.choice((1, 1, 2, 3))):
        other[at] = rng.choice(ALPHABET)
    symbols = "".join(other[:-1])
    last = next(last for last in ALPHABET if _is_deck(symbols + last))
    payloads = [deck_id.payload(one), deck_id.payload(symbols + last)]
    share = rng.random()
    bits = [a if rng.random() < share else b for a, b in zip(*map(_bits, payloads), strict=True)]
    return [_odds(bits, rng)], set(payloads)


def halves(rng: random.Random) -> Grid:
    """Modules on one side of a line from one box's code, on the other side from another's."""
    payloads = [_payload(rng), _payload(rng)]
    across, down, away = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-6, 6)
    both = zip(qr_layout.PLACES, *map(_bits, payloads), strict=True)
    bits = [one if (column - 10) * across + (row - 10) * down < away else other for (row, column), one, other in both]
    return [_odds(bits, rng)], set(payloads)


def erased(rng: random.Random) -> Grid:
    """Modules turned over at random, squares that are all light, all dark or unknown; seen several times over."""
    payload = _payload(rng)
    share = rng.uniform(0, 0.4)
    looks = [_odds([bit ^ (rng.random() < share) for bit in _bits(payload)], rng) for _ in range(rng.choice((1, 1, 5)))]
    for _ in range(rng.randrange(8)):
        row, column, size = rng.randrange(21), rng.randrange(21), rng.randrange(2, 9)
        level = rng.choice((0.0, 1.0, -5.0, 5.0, 7.0))
        for at, (r, c) in enumerate(qr_layout.PLACES):
            if 0 <= r - row < size and 0 <= c - column < size:
                turned = qr_layout.MASKS[0][at]
                for odds in looks:
                    odds[at] = -level if turned else level
    return looks, {payload}


def moved(rng: random.Random) -> Grid:
    """A code whose modules are a row or column off, in whole or in part, turned, mirrored, or read by a wrong mask."""
    payload, mask = _payload(rng), rng.randrange(8)
    bits = _bits(payload)
    dark: dict[tuple[int, int], int] = {}
    dark |= {place: bit ^ turn for place, bit, turn in zip(qr_layout.PLACES, bits, qr_layout.MASKS[mask], strict=True)}
    dark |= qr_layout.PATTERNS | qr_layout.FORMATS[mask]
    last, way = qr_layout.SIDE - 1, rng.randrange(6)
    down, right = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (2, 0), (0, 2)))
    line = rng.randrange(qr_layout.SIDE)
    read = rng.randrange(8) if way == 5 else mask

    def seen(row: int, column: int) -> int:
        if way == 0:
            row, column = row + down, column + right
        elif way == 1:
            row, column = column, last - row
        elif way == 2:
            row, column = column, row
        elif way == 3 and row > line:
            row, column = row + down, column + right
        elif way == 4 and 9 <= column <= 16 and row > min(line, 12):
            # What creases do: only those modules slip that say the id.
            row, column = row + down, column + right
        return dark.get((row, column), 0)

    bits = [seen(*place) ^ turn for place, turn in zip(qr_layout.PLACES, qr_layout.MASKS[read], strict=True)]
    return [_odds(bits, rng)], {payload}


def foreign(rng: random.Random) -> Grid:
    """Another program's code of the same size, or one that begins as ours do, its mask known or not."""
    text = rng.choice(
        (
            lambda: "".join(rng.choice("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:") for _ in range(18)),
            lambda: "DECK:" + "".join(rng.choice("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(13)),
            lambda: f"DICE:{deck(rng)}",
            lambda: _misprint(rng),
        )
    )()
    share = rng.choice((0.0, 0.05, 0.15, 0.3))
    return [_odds([bit ^ (rng.random() < share) for bit in _bits(text)], rng)], {text}


def surely_wrong(rng: random.Random) -> Grid:
    """The bits that are wrong are the surest of all."""
    payload = _payload(rng)
    odds = _odds(_bits(payload), rng, rng.uniform(0, 0.4))
    for at in rng.sample(range(qr_layout.BITS), rng.randrange(10, 120)):
        odds[at] = -odds[at] * rng.uniform(1, 3)
    return [odds], {payload}


def chance(rng: random.Random) -> Grid:
    """What is alike on all boxes, and pure chance between it."""
    return [_odds([rng.randrange(2) if bit is None else bit for bit in soft_decode.constant_bits()], rng)], set()


DAMAGE: Final = (overwritten, near, halves, erased, moved, foreign, surely_wrong, chance)


def grids(seed: int) -> Iterator[Grid]:
    """One portion of damaged grids, each kind of damage in its turn."""
    rng = random.Random(f"grids {seed}")
    for number in range(GRIDS):
        yield DAMAGE[number % len(DAMAGE)](rng)


def wrong_in_grids(seed: int) -> list[str]:
    """The decks that were read in one portion of grids and are not in them."""
    readings = ((soft_decode.decode(looks), payloads) for looks, payloads in grids(seed))
    return [reading.text for reading, payloads in readings if reading and reading.text not in payloads]


PARTS: Final = {"pictures": (wrong_in_pictures, PORTION), "grids": (wrong_in_grids, GRIDS)}


@click.command()
@click.argument("pictures", type=click.IntRange(0), default=20_000)
@click.argument("grids", type=click.IntRange(0), default=500_000)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
def main(pictures: int, grids: int, seed: int, jobs: int) -> None:
    """Look for decks in so many PICTURES of other things and so many damaged GRIDS; 1 if one is read that is not there.

    \b
    Example: python -m tests.scan.soak 2000 50000 --seed 7000
    """
    wrong = Counter[str]()
    with ProcessPoolExecutor(jobs) as pool:
        for name, most in (("pictures", pictures), ("grids", grids)):
            look, portion = PARTS[name]
            seeds = range(seed, seed + -(-most // portion))
            done, started = 0, time.monotonic()
            for number, texts in zip(seeds, pool.map(look, seeds), strict=True):
                done += portion
                wrong[name] += len(texts)
                for text in texts:
                    click.echo(f"seed {number}: {text} was read in {name} without it")
                if sys.stderr.isatty():
                    click.echo(f"\r{done} {name}", nl=False, err=True)
                elif done * 20 // most > (done - portion) * 20 // most:
                    click.echo(f"{done} of {most} {name} after {time.monotonic() - started:.0f} s", err=True)
            click.echo(f"{done} {name}: {wrong[name]} decks read that are not there.")
    sys.exit(1 if wrong.total() else 0)


if __name__ == "__main__":
    main()
