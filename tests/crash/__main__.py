"""Lets storms blow over archives: python -m tests.crash 5000, or from another number on: 500 --first 4500

Says what broke, by the storm's number, and ends with 1 if anything did.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click

from companion.archive import Archive
from tests.crash import storm, workload

PORTION = 25
"""Storms of one portion."""


def portion(first: int, count: int) -> list[tuple[int, storm.Outcome]]:
    """Storms `first` … one after the other, each over a copy of the same calm archive."""
    with tempfile.TemporaryDirectory() as folder:
        # What this computer remembers of archives, and where it keeps what it saves of them.
        os.environ |= {"XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder}
        calm = Path(folder) / "calm.sqlite"
        with Archive.open(str(calm)):
            pass
        workload.play(calm, seed=0)
        blown = []
        for number in range(first, first + count):
            place = Path(folder) / str(number)
            place.mkdir()
            blown.append((number, storm.blow(number, calm, place)))
        return blown


@click.command()
@click.argument("count", type=int)
@click.option("--first", type=int, default=0, help="The number of the first storm.")
@click.option("--jobs", type=int, default=os.cpu_count() or 1, help="How many blow at once.")
def main(count: int, first: int, jobs: int) -> None:
    """COUNT storms."""
    seen: Counter[str] = Counter()
    broken = 0
    firsts = range(first, first + count, PORTION)
    counts = [min(PORTION, first + count - start) for start in firsts]
    with ProcessPoolExecutor(jobs) as pool:
        for blown in pool.map(portion, firsts, counts):
            for number, outcome in blown:
                seen[outcome.name] += 1
                broken += bool(outcome.broke)
                for fault in outcome.broke:
                    click.echo(f"storm {number} ({outcome.name}): {fault}")
    summary = ", ".join(f"{name.replace('_', ' ')} {times}" for name, times in sorted(seen.items()))
    click.echo(f"{seen.total()} storms ({summary}): {broken} broke something")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
