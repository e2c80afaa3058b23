"""Run the tests on other systems: `python -m tests.systems [SYSTEM …] [--all]`.

Each system is made in a cache folder (COMPANION_SYSTEMS, or one in the user's cache) the first time. By default the
tests that start the real program run there; `--all` runs the whole suite. A tool that is missing here is a failure in
CI and a sentence elsewhere; a system that could not be fetched in three tries is reported.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from tests.systems.debian import DebianRoot, OtherPython
from tests.systems.system import ROOT, Run, System, Unavailable, open_pipe
from tests.systems.windows import Windows

_TRIES: Final = 3
_COUNTS: Final = re.compile(r"(\d+) (passed|failed|skipped|deselected|errors?)\b")
_SHOWN_OUTPUT: Final = 60
"""Lines of a failed run's output that are repeated at the end of it."""


@dataclass
class Outcome:
    """The outcome of one run on a system."""

    system: str
    label: str
    status: int
    seconds: float
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def row(self) -> tuple[str, ...]:
        """The cells of its line in the table."""
        get = self.counts.get
        failed = get("failed", 0) + get("error", 0) + get("errors", 0)
        left_out = get("skipped", 0)
        state = "ok" if not self.status else f"status {self.status}"
        numbers = (str(get("passed", 0)), str(failed), str(left_out)) if self.counts else ("–", "–", "–")
        return (self.system, self.label, *numbers, f"{self.seconds:.0f} s", state)


def main(arguments: Sequence[str]) -> int:
    """Run the tests on the systems that are named, all of them by default, and return the exit status."""
    cache = Path(os.environ.get("COMPANION_SYSTEMS") or user_cache_path("table-companion-systems", appauthor=False))
    systems: dict[str, System] = {
        each.name: each
        for each in (
            OtherPython(cache, "3.12"),
            DebianRoot(cache, "trixie"),
            DebianRoot(cache, "forky"),
            Windows(cache),
        )
    }
    parser = argparse.ArgumentParser("make test-systems ARGS=…", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("system", nargs="*", choices=[*systems, []], help=f"of {', '.join(systems)}; else all")
    parser.add_argument("--all", action="store_true", help="the whole suite instead of what starts the program")
    parser.add_argument("--setup", action="store_true", help="make the systems and run nothing")
    chosen = parser.parse_args(arguments)
    with _only_one(cache):
        return _run_all([systems[name] for name in chosen.system or systems], chosen)


@contextmanager
def _only_one(cache: Path) -> Iterator[None]:
    """Wait until no other run makes or uses the systems in this folder."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / ".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run_all(systems: Sequence[System], chosen: argparse.Namespace) -> int:
    """Make the systems and run the tests on them, show the table of outcomes, and return the exit status."""
    outcomes: list[Outcome] = []
    notes: list[str] = []
    is_good = True
    for system in systems:
        name = system.name
        begun = time.monotonic()
        try:
            system.check_tools()
            tries = _prepare(system, is_whole=chosen.all)
        except Unavailable as error:
            is_optional = isinstance(system, OtherPython) or not os.environ.get("CI")
            is_good &= is_optional
            notes.append(f"{name}: {'left out' if is_optional else 'FAILED'}. {error}")
            continue
        if not tries:
            notes.append(f"{name}: left out. It could not be fetched in {_TRIES} tries; see above.")
            continue
        outcomes.append(Outcome(name, "made", 0, time.monotonic() - begun))
        if chosen.setup:
            continue
        runs = system.all_runs() if chosen.all else system.default_runs()
        outcomes.extend(_run(system, run) for run in runs)
    _print_table([("system", "run", "passed", "failed", "left out", "time", ""), *(each.row for each in outcomes)])
    print(*notes, sep="\n")
    return 0 if is_good and not any(each.status for each in outcomes) else 1


def _prepare(system: System, *, is_whole: bool) -> int:
    """Make a system and return the number of tries it took, 0 if none succeeded."""
    for number in range(1, _TRIES + 1):
        print(f"{system.name}: making it …", flush=True)
        try:
            system.prepare(is_whole=is_whole)
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"{system.name}: try {number} of {_TRIES} failed: {str(error)[:300]}", flush=True)
        else:
            return number
    return 0


def _run(system: System, run: Run) -> Outcome:
    """Run something on a system, and show the end of its output if it fails."""
    print(f"{system.name}: {run.label} …", flush=True)
    begun = time.monotonic()
    lines: list[str] = []
    start = partial(open_pipe, folder=ROOT) if run.is_outside else system.start
    arguments = (sys.executable, *run.arguments) if run.is_outside else run.arguments
    with start(arguments, run.environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line.rstrip())
            if re.match(r"(FAILED|ERROR|SKIPPED) ", line):
                print(f"    {line.rstrip()[:300]}", flush=True)
    outcome = Outcome(system.name, run.label, process.returncode, time.monotonic() - begun, _count(lines))
    if outcome.status:
        print(*(f"    {line}" for line in lines[-_SHOWN_OUTPUT:]), sep="\n")
    print(f"{system.name}: {run.label}: {', '.join(outcome.row[2:])}", flush=True)
    return outcome


def _count(lines: Sequence[str]) -> dict[str, int]:
    """Return what the closing line of pytest counts, an empty dictionary if there is none."""
    for line in reversed(lines):
        if " in " in line and (counts := _COUNTS.findall(line)):
            return {what: int(number) for number, what in counts}
    return {}


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
