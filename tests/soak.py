"""Plays whole games at random for as long as one likes, each action checked: python -m tests.soak 2000

All games take turns, or one plays alone: --game solforge; with --ready the ready pages do. The tests play a few of the
same; what breaks is kept as a `.table` file that ends where it broke.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click

from companion.session.core.session import Session
from tests.games.decknforge import evening
from tests.games.described import pages
from tests.games.described import player as described
from tests.games.fault import Fault
from tests.games.oddfrontier import match
from tests.games.solforge import player as solforge
from tests.games.soulforger import player as soulforger

PORTION = 4
"""Whole games of one portion."""


class Portion(NamedTuple):
    """What came of one portion: how each game ended, the lines played, and what broke ("" where nothing did)."""

    ends: tuple[str, ...] = ()
    lines: int = 0
    broke: str = ""
    log: str = ""


def _dungeons(seed: int) -> Iterator[Session]:
    """One evening with loose bands, and a campaign of the rest with stored ones."""
    yield evening.loose(seed, seed % 5 + 1)
    yield from evening.campaign(seed, seed % 5 + 1, PORTION - 1)


def _seeds(seed: int) -> range:
    return range(seed * PORTION, (seed + 1) * PORTION)


GAMES: Final[dict[str, Callable[[int], Iterator[Session]]]] = {
    "decknforge": _dungeons,
    "soulforger": lambda seed: (soulforger.game(each, each % 3 + 2, exact=each % 2 == 0) for each in _seeds(seed)),
    "oddfrontier": lambda seed: (match.whole_game(each, each % 3 + 2) for each in _seeds(seed)),
    "solforge": lambda seed: (solforge.game(each, exact=each % 2 == 0) for each in _seeds(seed)),
}
"""Of each game, what plays one portion by its seed alone."""


def _from_its_page(name: str, seed: int) -> Iterator[Session]:
    return (described.game(pages.ready(name), each, exact=each % 2 == 0) for each in _seeds(seed))


READY: Final[dict[str, Callable[[int], Iterator[Session]]]] = {
    name: partial(_from_its_page, name) for name in pages.NAMES
}
"""The same of each ready page."""


def play(names: tuple[str, ...], seed: int) -> Portion:
    """One portion, by the seed alone: of the games that take turns, the one whose turn it is."""
    name = names[seed % len(names)]
    ends: list[str] = []
    lines = 0
    try:
        for session in (GAMES | READY)[name](seed // len(names)):
            outcome = session.state.outcome
            without_winner = outcome in ("draw", "win", "loss") or outcome is None
            ends.append(f"{name} {outcome if without_winner else 'won'}")
            lines += len(session.log.lines)
    except Fault as fault:
        return Portion(tuple(ends), lines, f"{name}: {fault.what}", fault.log)
    return Portion(tuple(ends), lines)


@click.command()
@click.argument("games", type=click.IntRange(1), default=2000)
@click.option("--game", "name", type=click.Choice([*GAMES, *READY]), help="Only this game; else all take turns.")
@click.option("--ready", is_flag=True, help="The ready pages instead of the games that are programmed.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default=True, help="Processes.")
def main(games: int, name: str | None, ready: bool, seed: int, jobs: int) -> None:
    """Play so many whole GAMES (default 2000) and say what broke.

    \b
    Example: python -m tests.soak 2000 --game decknforge --seed 7000
    """
    seeds = range(seed, seed + -(-games // PORTION))
    played = partial(play, (name,) if name else tuple(READY if ready else GAMES))
    ends: Counter[str] = Counter()
    lines, broken = 0, 0
    with ProcessPoolExecutor(jobs) as pool, click.progressbar(length=len(seeds) * PORTION, file=sys.stderr) as bar:
        for number, portion in zip(seeds, pool.map(played, seeds, chunksize=1), strict=True):
            bar.update(PORTION)
            ends.update(portion.ends)
            lines += portion.lines
            if portion.broke:
                broken += 1
                click.echo(f"\nseed {number}: {portion.broke}\n  kept as {_kept(number, portion)}")
    summary = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    click.echo(f"{ends.total()} games ended ({summary}), {lines} lines, {broken} faults.")
    sys.exit(1 if broken else 0)


def _kept(seed: int, portion: Portion) -> Path:
    file = Path(tempfile.mkdtemp(prefix="soak-")) / f"{seed}.table"
    file.write_text(portion.log, encoding="utf-8")
    return file


if __name__ == "__main__":
    main()
