"""Types so many texts at random tables of each game, and tells what nobody meant: python -m tests.slips 20000

What is typed are beginnings of verbs and names, words one slip away from them, cards, numbers, and several of these. A
fault is told with the seed of its game and the number of its table: `--first SEED --game G` plays that game again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count as numbers

import click

from tests.slips.random_tables import GAMES
from tests.slips.try_out import ARGUABLE, NOTHING, Fault, Tried, try_game


@click.command()
@click.argument("count", type=click.IntRange(1), default=20000)
@click.option("--first", type=int, default=1, show_default=True, help="The seed of the first game.")
@click.option("--game", "only", type=click.Choice(list(GAMES)), help="Only this game; else each in turn.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
@click.option("--screens", type=click.FloatRange(0, 1), default=0.1, help="How often all screens are asked alike.")
@click.option("--examples", type=int, default=3, show_default=True, help="Faults that are told of each cause.")
@click.option("--cause", default="", help="Tell only causes with this in them.")
def main(count: int, first: int, only: str | None, jobs: int, screens: float, examples: int, cause: str) -> None:
    """Type COUNT texts at random tables of each game.

    \b
    Example: python -m tests.slips 50000 --first 7000 --game solforge
    """
    broken = 0
    for game in (only,) if only else tuple(GAMES):
        tried = _tried(game, first, count, jobs, screens)
        click.echo(f"{game}: {tried.sentence()}")
        for row in _rows(tried, examples, cause):
            click.echo(f"  {row}")
        broken += sum(not fault.cause.startswith(ARGUABLE) for fault in tried.faults)
    sys.exit(bool(broken))


def _tried(game: str, first: int, count: int, jobs: int, screens: float) -> Tried:
    tried, seeds = NOTHING, numbers(first)
    with ProcessPoolExecutor(jobs) as pool:
        while tried.texts < count:
            each = partial(try_game, game, screens=screens)
            some = [next(seeds) for _ in range(jobs)]
            tried = sum(pool.map(each, some) if jobs > 1 else map(each, some), start=tried)
    return tried


def _rows(tried: Tried, examples: int, cause: str) -> Iterator[str]:
    """Each cause with its faults, the most frequent cause first; of many, some that are spread, short texts first."""
    by_cause: dict[str, list[Fault]] = {}
    for fault in tried.faults:
        by_cause.setdefault(fault.cause, []).append(fault)
    for what, faults in sorted(by_cause.items(), key=lambda item: -len(item[1])):
        if cause in what:
            yield f"{len(faults)} × {what}"
            short = sorted(faults, key=lambda fault: len(fault.trial.text))
            yield from (f"  {fault}" for fault in short[:: max(1, len(short) // max(1, examples))][:examples])


if __name__ == "__main__":
    main()
