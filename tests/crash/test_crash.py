"""Nothing that was acknowledged is lost, whatever the weather; and the weather is real."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.archive import Archive
from tests.crash import workload
from tests.crash.disk import Disk, Fault, Kind
from tests.crash.invariants import accounted, entries_in
from tests.crash.workload import Acknowledged, Course

pytestmark = pytest.mark.posix  # the process of each evening is forked, and a fault ends it by a signal

ROOT = Path(__file__).parents[2]
STORMS = 84
"""More than one round, in which every kind comes; half of them bring two faults."""
PORTIONS = 4


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PORTIONS))
def test_no_storm_loses_what_was_acknowledged(part: int) -> None:
    count = STORMS // PORTIONS
    command = [sys.executable, "-m", "tests.crash", str(count), "--first", str(part * count), "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{count} storms" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("number", [5021], ids=["emptied while it was opened"])
def test_what_a_storm_once_broke_holds(number: int) -> None:
    command = [sys.executable, "-m", "tests.crash", "1", "--first", str(number), "--jobs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def rows_after(place: Path, fault: Fault, synchronous: str) -> tuple[int, int]:
    """How many rows were said to be kept before the fault ended their writer, and how many are there then."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        Disk(fault, Random(4))
        connection = sqlite3.connect(place, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        connection.execute("CREATE TABLE rows (number)")
        for number in range(1000):
            connection.execute("INSERT INTO rows VALUES (?)", (number,))
            os.write(writes, b".")
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        acknowledged = len(pipe.read())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -9
    with contextlib.closing(sqlite3.connect(place)) as after:
        return acknowledged, after.execute("SELECT count(*) FROM rows").fetchone()[0]


@pytest.mark.parametrize("at", [100, 137, 171])
def test_a_power_cut_takes_what_was_not_flushed_and_only_that(tmp_path: Path, at: int) -> None:
    careless = rows_after(tmp_path / "careless.sqlite", Fault("power", at), "OFF")
    assert careless[0] > careless[1]
    careful = rows_after(tmp_path / "careful.sqlite", Fault("power", at), "FULL")
    assert 0 < careful[0] <= careful[1]


@pytest.mark.parametrize("kind", ["kill", "torn"])
def test_a_process_that_is_ended_takes_nothing_with_it(tmp_path: Path, kind: str) -> None:
    acknowledged, there = rows_after(tmp_path / "rows.sqlite", Fault("kill" if kind == "kill" else "torn", 100), "FULL")
    assert 0 < acknowledged <= there


@pytest.fixture
def calm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive in which an evening was played."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place = tmp_path / "archive.sqlite"
    with Archive.open(str(place)):
        workload.play(place, 1)
    return place


@pytest.mark.parametrize("kind", ["deed", "overwriting"])
def test_another_program_acts_in_the_midst_of_an_evening(calm: Path, kind: Kind) -> None:
    course = workload.play(calm, 2, Fault(kind, 60, act=lambda: calm.rename(calm.with_name("moved.sqlite"))))
    assert course.struck
    assert course.since[0] in course.refused
    assert not course.broke


LINE = Acknowledged("session:7K3M9QPX", 1, '{"line":"note one"}')


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("before", "later", "broken"),
    [
        (Course((LINE,)), Course(("It is gone.",)), ""),
        (Course((LINE,)), Course(("It is gone.", LINE)), "acknowledged into nowhere"),
        (Course((LINE,)), Course(), "gone, and nobody was told"),
        (Course(("Wait.", LINE), struck=0), Course(), "acknowledged into nowhere"),
        (Course((LINE, "It is gone."), struck=1), Course(), ""),
    ],
)
def test_what_is_nowhere_is_only_forgiven_who_told_so(calm: Path, before: Course, later: Course, broken: str) -> None:
    there = entries_in(calm)
    assert there
    faults = [*accounted(calm, there, before, later, ())]
    assert (broken in faults[0]) if broken else not faults
