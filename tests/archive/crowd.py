"""Many programs that append to one archive at once: whether anything is lost, and how long anybody waits.

Separate because it is also run for a minute, with its figures: python -m tests.archive.crowd URL [PROCESSES] [SECONDS]
"""

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import tests.archive.keepsake  # noqa: F401
from companion.archive import Archive, ArchiveError, Conflict, StoredLine, maintenance

ROOT = Path(__file__).parents[2]


class Crowd(NamedTuple):
    """What came of it: lines kept, times that somebody else was first or a line was refused, and waits in seconds."""

    lines: int
    conflicts: int
    refused: int
    median: float
    longest: float


def gathered(url: str, tables: list[int], seconds: float) -> Crowd:
    """Lets a process append to each of these tables (a number that stands there twice is one table) at once.

    Raises AssertionError where a line is missing that was acknowledged, or stands there that nobody wrote.
    """
    with Archive.open(url) as archive:
        sessions = {table: archive.new_session("keepsake", f"table {table}") for table in set(tables)}
        started = [_started(url, sessions[table], writer, seconds) for writer, table in enumerate(tables)]
        reports = [json.loads(process.communicate()[0]) for process in started]
        for table, session in sessions.items():
            wrote = {
                int(number): line
                for at, report in zip(tables, reports, strict=True)
                for number, line in report["acknowledged"].items()
                if at == table
            }
            assert {line.number: line.line for line in archive.lines(session)} == wrote
        assert sum(len(report["acknowledged"]) for report in reports) == sum(row.lines for row in archive.sessions())
        assert maintenance.check_archive(archive) == ()
    waits = sorted(wait for report in reports for wait in report["waits"])
    return Crowd(
        sum(len(report["acknowledged"]) for report in reports),
        sum(report["conflicts"] for report in reports),
        sum(report["refused"] for report in reports),
        waits[len(waits) // 2],
        waits[-1],
    )


def _started(url: str, session: str, writer: int, seconds: float) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.archive.crowd", "--append", url, session, str(writer), str(seconds)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")


def _append(url: str, session: str, writer: str, seconds: float) -> None:
    """Appends line after line for so long, and prints which were acknowledged under which number."""
    acknowledged: dict[int, str] = {}
    waits: list[float] = []
    counted: Counter[str] = Counter()
    with Archive.open(url, by=writer) as archive:
        number, until = len(archive.lines(session)) + 1, time.monotonic() + seconds
        while (began := time.monotonic()) < until:
            line = f"note {writer} {len(acknowledged)}"
            try:
                archive.append_lines(session, number, [StoredLine(line)])
            except Conflict:
                counted["conflicts"] += 1
                number = archive.find_session(session).lines + 1
            except ArchiveError as error:
                print(error, file=sys.stderr)
                counted["refused"] += 1
            else:
                acknowledged[number] = line
                number += 1
            waits.append(time.monotonic() - began)
    counts = {"conflicts": counted["conflicts"], "refused": counted["refused"]}
    print(json.dumps({"acknowledged": acknowledged, "waits": waits, **counts}))


def main(url: str, processes: str = "20", seconds: str = "60") -> None:
    """Half of the processes at tables of their own, half of them two at a table."""
    count = int(processes)
    tables = [*range(count // 2), *(count + writer // 2 for writer in range(count - count // 2))]
    result = gathered(url, tables, float(seconds))
    print(f"{count} processes, {seconds} s: {result.lines:,} lines kept, nothing lost or doubled;")
    print(f"{result.conflicts:,} times somebody else was first, {result.refused} lines refused;")
    print(f"waits: median {result.median * 1000:.1f} ms, longest {result.longest:.2f} s")


if __name__ == "__main__":
    if sys.argv[1] == "--append":
        _append(sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]))
    else:
        main(*sys.argv[1:])
