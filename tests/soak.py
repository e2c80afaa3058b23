"""Plays dungeons at random for as long as one likes, each action checked: python -m tests.soak 2000

The tests play a few of the same; what breaks is kept as a `.table` file that ends where it broke.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import click

from companion.session.session import Session
from tests.games.decknforge import evening

EVENINGS = 4
"""Dungeons of one portion: one with loose bands, and a campaign of the rest with stored ones."""


class Portion(NamedTuple):
    """What came of one portion: how each dungeon ended, the lines played, and what broke ("" where nothing did)."""

    ends: tuple[str, ...] = ()
    lines: int = 0
    broke: str = ""
    log: str = ""


def play(seed: int) -> Portion:
    """One portion of dungeons, by the seed alone."""
    ends: list[str] = []
    lines = 0
    try:
        for session in _evenings(seed):
            ends.append(session.state.outcome)
            lines += len(session.log.lines)
    except evening.Fault as fault:
        return Portion(tuple(ends), lines, fault.what, fault.log)
    return Portion(tuple(ends), lines)


def _evenings(seed: int) -> Iterator[Session]:
    yield evening.loose(seed, seed % 5 + 1)
    yield from evening.campaign(seed, seed % 5 + 1, EVENINGS - 1)


@click.command()
@click.argument("dungeons", type=click.IntRange(1), default=2000)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
def main(dungeons: int, seed: int, jobs: int) -> None:
    """Play DUNGEONS dungeons (default 2000) and say what broke.

    \b
    Example: python -m tests.soak 2000 --seed 7000
    """
    seeds = range(seed, seed + -(-dungeons // EVENINGS))
    ends: Counter[str] = Counter()
    lines, broken = 0, 0
    with ProcessPoolExecutor(jobs) as pool, click.progressbar(length=len(seeds) * EVENINGS, file=sys.stderr) as bar:
        for number, portion in zip(seeds, pool.map(play, seeds, chunksize=1), strict=True):
            bar.update(EVENINGS)
            ends.update(portion.ends)
            lines += portion.lines
            if portion.broke:
                broken += 1
                click.echo(f"\nseed {number}: {portion.broke}\n  kept as {_kept(number, portion)}")
    told = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    click.echo(f"{ends.total()} dungeons sealed ({told}), {lines} lines, {broken} faults.")
    sys.exit(1 if broken else 0)


def _kept(seed: int, portion: Portion) -> Path:
    file = Path(tempfile.mkdtemp(prefix="soak-")) / f"{seed}.table"
    file.write_text(portion.log, encoding="utf-8")
    return file


if __name__ == "__main__":
    main()
