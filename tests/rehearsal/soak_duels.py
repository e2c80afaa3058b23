"""Rehearses duels, writes each as a `.table` file, and reads it back: python -m tests.rehearsal.soak_duels 10000

Every game of two lists by turns: lists, temperaments and house rules drawn at random. What reads back to another table
is kept.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from companion.session.core.replay import Replay
from tests.games.constructed import rehearsed

DUELS = tuple(rehearsed.LISTS)


def fault_of(seed: int, folder: Path) -> str:
    """What is wrong with the file of one duel, "" where it leads to the same table. The file goes if it is right."""
    game = DUELS[seed % len(DUELS)]
    duel = rehearsed.play(rehearsed.a_setting(game, seed), seed, seed)
    file = folder / f"{game}-{seed}.table"
    file.write_text("\n".join(duel.lines or ()) + "\n", encoding="utf-8")
    replay = Replay(file.read_text(encoding="utf-8"))
    for _ in replay:
        pass
    if replay.session.state != duel.table:
        return f"{file} leads to another table"
    file.unlink()
    return ""


@click.command()
@click.argument("duels", type=click.IntRange(1), default=10_000)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
def soak_duels(duels: int, seed: int) -> None:
    """Rehearse so many DUELS and say which of their files do not read back."""
    folder = Path(tempfile.mkdtemp(prefix="duels-"))
    with click.progressbar(range(seed, seed + duels), file=sys.stderr) as seeds:
        faults = [fault for each in seeds if (fault := fault_of(each, folder))]
    click.echo("\n".join([*faults, f"{duels} rehearsed duels read back, {len(faults)} faults."]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    soak_duels()
