"""Rehearses dungeons, writes each as a `.table` file, and reads it back: python -m tests.rehearsal.soak 10000

Tables of one to five, mixed temperaments, house rules drawn at random. What reads back to another table is kept.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from companion.session.replay import Replay
from tests.games.decknforge.test_rehearsal import a_setting, play


def differs(seed: int, folder: Path) -> str:
    """What is wrong with the file of one dungeon, "" where it leads to the same table. The file goes if it is right."""
    dungeon = play(a_setting(seed, seed % 5 + 1), seed)
    file = folder / f"{seed}.table"
    file.write_text("\n".join(dungeon.lines or ()) + "\n", encoding="utf-8")
    replay = Replay(file.read_text(encoding="utf-8"))
    for _ in replay:
        pass
    if replay.session.state != dungeon.table:
        return f"{file} leads to another table"
    file.unlink()
    return ""


@click.command()
@click.argument("dungeons", type=click.IntRange(1), default=10_000)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
def main(dungeons: int, seed: int) -> None:
    """Rehearse so many DUNGEONS and say which of their files do not read back."""
    folder = Path(tempfile.mkdtemp(prefix="rehearsed-"))
    with click.progressbar(range(seed, seed + dungeons), file=sys.stderr) as seeds:
        faults = [fault for each in seeds if (fault := differs(each, folder))]
    click.echo("\n".join([*faults, f"{dungeons} rehearsed dungeons read back, {len(faults)} faults."]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
