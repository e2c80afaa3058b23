"""Lets storms blow over archives: python -m tests.crash 5000, or from another number on: 500 --first 4500

Says what broke, by the storm's number, and ends with 1 if anything did.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import click

from tests.crash import portions


@click.command()
@click.argument("count", type=int)
@click.option("--first", type=int, default=0, help="The number of the first storm.")
@click.option("--jobs", type=int, default=os.cpu_count() or 1, help="How many blow at once.")
def main(count: int, first: int, jobs: int) -> None:
    """COUNT storms."""
    seen: Counter[str] = Counter()
    broken = 0
    firsts = range(first, first + count, portions.PORTION)
    counts = [min(portions.PORTION, first + count - start) for start in firsts]
    with ProcessPoolExecutor(jobs) as pool:
        for blown in pool.map(portions.blow_portion, firsts, counts):
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
