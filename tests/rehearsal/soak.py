"""Rehearses campaigns, writes each evening as a `.table` file, and reads it back: python -m tests.rehearsal.soak 10000

Tables of one to five, mixed temperaments, house rules drawn at random. What reads back to another table is kept.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from tests.games.decknforge.rehearsed import a_campaign, a_setting, replayed, text_of

EVENINGS = 4
"""Of each campaign, so that bands bring labels, heirlooms and purses; the first is what a single dungeon would be."""


def faults(seed: int, evenings: int, folder: Path) -> Iterator[str]:
    """What is wrong with the file of each evening; "" where it leads to the same table, and then the file goes."""
    for number, dungeon in enumerate(a_campaign(a_setting(seed, seed % 5 + 1, evenings=evenings), seed).play(True), 1):
        file = folder / f"{seed}-{number}.table"
        file.write_text(text_of(dungeon), encoding="utf-8")
        if replayed(file.read_text(encoding="utf-8")).state != dungeon.table:
            yield f"{file} leads to another table"
            continue
        file.unlink()
        yield ""


@click.command()
@click.argument("dungeons", type=click.IntRange(1), default=10_000)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Where the seeds start.")
def main(dungeons: int, seed: int) -> None:
    """Rehearse so many DUNGEONS, four to a campaign, and say which of their files do not read back."""
    folder = Path(tempfile.mkdtemp(prefix="rehearsed-"))
    errors: list[str] = []
    with click.progressbar(length=dungeons, file=sys.stderr) as bar:
        for first in range(0, dungeons, EVENINGS):
            for fault in faults(seed + first // EVENINGS, min(EVENINGS, dungeons - first), folder):
                errors += [fault] if fault else []
                bar.update(1)
    click.echo("\n".join([*errors, f"{dungeons} rehearsed dungeons read back, {len(errors)} faults."]))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
