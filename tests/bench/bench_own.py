"""What a long table weighs: a hundred thousand rows of one's own, tried out and printed, in a process of its own."""

import subprocess
import sys
import tempfile
from pathlib import Path

from companion.printing import custom, run
from companion.printing.spreadsheets import tables
from labels.output.pdf import Setup
from tests.bench.bench_press import _peak
from tests.bench.figures import Figure

ROWS = 100_000


def figures() -> list[Figure]:
    """Peak memory of the program that reads, tries out, draws and writes."""
    output = subprocess.run([sys.executable, "-m", __name__], capture_output=True, encoding="utf-8", check=True).stdout
    return [Figure(f"memory to print a table of {ROWS:,} rows", float(output), "MiB", budget=80)]


def _print(folder: Path) -> None:
    path, stock = folder / "guests.csv", run.find_stock(None)
    with path.open("w", encoding="utf-8") as file:
        file.write("name,text\n")
        file.writelines(f"Guest {number},Sits at table {number % 40} by the window\n" for number in range(ROWS))
    with tables.open_table(path) as table, (folder / "guests.pdf").open("wb") as out:
        labels = custom.own_labels(table, folder, stock=stock)
        run.impose(labels, stock, Setup("Guests"), wanted=labels.wanted).write(out)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        _print(Path(folder))
    print(_peak() / 1024)
