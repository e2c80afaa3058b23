"""Rehearses games, writes each as a `.table` file, and reads it back: python -m tests.rehearsal.soak 10000

Dungeons of one to five, and duels of every game by turns: mixed temperaments, house rules and lists drawn at random.
What reads back to another table is kept.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from companion.session.replay import Replay
from tests.games.constructed import rehearsed
from tests.games.decknforge.test_rehearsal import a_setting, play

DUELS = tuple(rehearsed.LISTS)


def faults(seed: int, folder: Path) -> list[str]:
    """What is wrong with the files of a dungeon and of a duel."""
    dungeon = play(a_setting(seed, seed % 5 + 1), seed)
    duel = rehearsed.play(rehearsed.a_setting(DUELS[seed % len(DUELS)], seed), seed, seed)
    return [
        fault
        for game in (dungeon, duel)
        if (fault := differs(folder / f"{game.game.name}-{seed}.table", game.lines or (), game.table))
    ]


def differs(file: Path, lines: Sequence[str], table: Any) -> str:
    """What is wrong with the file of a game, "" where it leads to the same table. The file goes if it is right."""
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    replay = Replay(file.read_text(encoding="utf-8"))
    for _ in replay:
        pass
    if replay.session.state != table:
        return f"{file} leads to another table"
    file.unlink()
    return ""


@click.command()
@click.argument("games", type=click.IntRange(1), default=10_000)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
def main(games: int, seed: int) -> None:
    """Rehearse so many dungeons and duels and say which of their files do not read back."""
    folder = Path(tempfile.mkdtemp(prefix="rehearsed-"))
    with click.progressbar(range(seed, seed + games), file=sys.stderr) as seeds:
        wrong = [fault for each in seeds for fault in faults(each, folder)]
    click.echo("\n".join([*wrong, f"{games} rehearsed dungeons and duels read back, {len(wrong)} faults."]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
