"""Reads drawn photographs of spread decks, as many as one likes: python -m tests.scan.soak_spreads 1000

Each shows up to 54 labels; nine hundred and ninety-nine pictures of other things come after every thousand. Ends with 1
where a number was read that is on no label, or fewer than 99 % of the codes that show whole.
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import click

from companion.scan.worker import read_spread
from tests.scan import spreads

FIRST_SEED: Final = 100_000
"""Other pictures than those that the tests read."""
_LARGE: Final = 25
"""Every so many pictures one has 48 megapixels."""
LEAST: Final = 0.99


class Portion(NamedTuple):
    """What came of one picture: codes that show whole, how many of them were read, and what was read wrongly."""

    whole: int
    read: int
    wrong: tuple[str, ...]


def read_picture(seed: int) -> Portion:
    """Draws the picture of a seed and reads it."""
    photograph = spreads.photograph(FIRST_SEED + seed, megapixels=48 if seed % _LARGE == 0 else 12)
    numbers = _numbers(photograph.jpeg)
    return Portion(len(photograph.whole), len(photograph.whole & numbers), tuple(numbers - photograph.all))


def read_other(seed: int) -> Portion:
    """The same of a picture without labels."""
    return Portion(0, 0, tuple(_numbers(spreads.other_picture(FIRST_SEED + seed))))


def _numbers(jpeg: bytes) -> set[str]:
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(jpeg)
        file.flush()
        labels = read_spread(Path(file.name)).reply["labels"]
    assert isinstance(labels, list)
    return {str(number) for number, _ in labels}


@click.command()
@click.argument("count", type=int, default=1000)
def main(count: int) -> None:
    """Reads so many pictures of decks, and as many of other things."""
    whole = read = 0
    wrong: list[str] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for job in (read_picture, read_other):
            for number, portion in enumerate(pool.map(job, range(count)), 1):
                whole, read, wrong = whole + portion.whole, read + portion.read, [*wrong, *portion.wrong]
                if number % 50 == 0 or number == count:
                    click.echo(f"{number} of {count}: {read} of {whole} labels read, {len(wrong)} wrong")
    if wrong or read < LEAST * whole:
        click.echo(f"{read} of {whole} read; wrong: {', '.join(wrong) or 'none'}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
