"""`make bench`: everything with a budget, measured in one run, as one table; `make bench press` only that part."""

import compileall
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from tests.bench import (
    bench_archive,
    bench_commands,
    bench_exchange,
    bench_home,
    bench_keys,
    bench_own,
    bench_press,
    bench_rehearsals,
    bench_rules,
    bench_scan,
    bench_screen,
    bench_web,
    bench_weight,
)
from tests.bench.figures import Figure, table

ROOT = Path(__file__).parent.parent.parent


# First what prints: screens that were opened in this very process, as keys are measured, would slow it by a quarter.
PARTS = {
    "press": bench_press.figures,
    "screens": bench_screen.figures,
    "home": bench_home.figures,
    "keys": bench_keys.figures,
    "commands": bench_commands.figures,
    "rules": bench_rules.figures,
    "rehearsals": bench_rehearsals.figures,
    "own": bench_own.figures,
    "exchange": bench_exchange.figures,
    "archive": bench_archive.figures,
    "scan": bench_scan.figures,
    "web": bench_web.figures,
    "weight": bench_weight.figures,
}


def figures(parts: Collection[str]) -> Iterator[Figure]:
    """The figures of these parts, each announced on stderr while it is measured."""
    for name, measure in PARTS.items():
        if name in parts:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            yield from measure()


def main() -> int:
    """Prints the table; 1 if a budget was not kept, 2 for a part that there is not."""
    parts = sys.argv[1:] or list(PARTS)
    if strange := set(parts) - set(PARTS):
        print(f"There is nothing to measure called {', '.join(strange)}; name {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    # Without bytecode every start-up would be four times too slow.
    for room in ("companion", "labels", "templates", "tests"):
        compileall.compile_dir(ROOT / room, quiet=2)
    measured = list(figures(parts))
    print(table(measured))
    return 0 if all(figure.is_within_budget for figure in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
