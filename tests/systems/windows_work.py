"""An evening's work on Windows, by the commands: the demo, 12,000 labels, and a scanned box."""

from __future__ import annotations

import csv
import os
import sys
import tempfile
from pathlib import Path

from companion.cli.main import main


def do(*words: str, status: int = 0) -> None:
    """Run a command of the companion in this process, which must end with a status. Raises what else it ends with."""
    outcome = main(list(words), standalone_mode=False) or 0
    print(f"companion {' '.join(words)}: {outcome}", flush=True)
    assert outcome == status


def work(folder: Path) -> None:
    """Do the work in a folder. Raises AssertionError, or what a command ends with."""
    os.environ["COMPANION_ARCHIVE"] = str(folder / "archive.sqlite")
    os.chdir(folder)
    do("demo", "--out", "printed")
    with Path("rows.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("name",), *((f"Größe {number}",) for number in range(12_000))])
    do("labels", "file", "rows.csv", "-o", "rows.pdf")
    assert Path("rows.pdf").stat().st_size > 100_000
    pictures = sorted(Path("printed").glob("*.png"))
    assert pictures
    # The codes are read; their decks were in the demo's own archive.
    do("scan", *map(str, pictures), status=1)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="der Koffer, grün ", ignore_cleanup_errors=True) as name:
        try:
            work(Path(name))
        finally:
            os.chdir(Path(__file__).parent)
    sys.exit(0)
