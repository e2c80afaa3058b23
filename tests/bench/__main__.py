"""`make bench`: everything with a budget, measured in one run, as one table."""

import compileall
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench import bench_press, bench_rules, bench_screen
from tests.bench.figures import Figure, table

ROOT = Path(__file__).parent.parent.parent


def figures() -> Iterator[Figure]:
    """All figures, each part announced on stderr while it is measured."""
    for name, measure in (
        ("screens", bench_screen.figures),
        ("rules", bench_rules.figures),
        ("printing", bench_press.figures),
    ):
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        yield from measure()


def main() -> int:
    """Prints the table; 1 if a budget was not kept."""
    # Without bytecode every start-up would be four times too slow.
    for room in ("companion", "labels", "templates", "tests"):
        compileall.compile_dir(ROOT / room, quiet=2)
    measured = list(figures())
    print(table(measured))
    return 0 if all(figure.kept for figure in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
