"""Brings so many hostile files in by every way there is: python -m tests.hostile 300

Each must end in a sentence, within seconds and with little memory; what does not is told, and kept where --keep says.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

import click

from tests.hostile.files import hostile_files
from tests.hostile.trial import trials


@click.command()
@click.argument("count", type=int)
@click.option("--seed", type=int, default=1, help="Another seed makes other files.")
@click.option("--way", "ways", multiple=True, help="Only by this way in: shell, deck, clip, label, screen, phone …")
@click.option("--only", multiple=True, help="Only the kinds of this module: pictures, texts.")
@click.option("--keep", type=click.Path(path_type=Path), help="The folder for files that broke something.")
@click.option("--all", "tells_all", is_flag=True, help="Tell what was said of each file.")
def main(
    count: int, seed: int, ways: tuple[str, ...], only: tuple[str, ...], keep: Path | None, tells_all: bool
) -> None:
    """Brings COUNT hostile files in."""
    seen: Counter[str] = Counter()
    broken, worst, largest = 0, "", 0
    most = 0.0
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        for trial in trials(hostile_files(seed, count, *((only,) if only else ())), Path(folder), ways):
            seen[trial.way] += 1
            if trial.cpu > most:
                most, worst = trial.cpu, f"{trial.file.kind} by {trial.way}"
            largest = max(largest, trial.megabytes)
            if tells_all:
                click.echo(f"{trial.file.kind}, {trial.way}, {trial.cpu:.1f} s: {trial.output.strip()[:300]}")
            if trial.wrong:
                broken += 1
                click.echo(f"{trial.file.kind} ({trial.file.name}) by {trial.way}: {trial.wrong}")
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{broken} {trial.file.kind} {trial.file.name}").write_bytes(trial.file.content)
    counts = ", ".join(f"{way} {times}" for way, times in sorted(seen.items()))
    limits = f"at most {most:.1f} s of CPU ({worst}) and {largest} MB in a child"
    click.echo(f"{count} hostile files ({counts}), {limits}: {broken} broke something")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
