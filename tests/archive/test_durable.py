"""What was shown is on disk: a real process is killed while it appends, over and over."""

import random
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.archive import Archive
from companion.archive.maintenance import check_archive

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KILLS = 10


def killed_while_appending(place: str, session: str, after_ms: float) -> int:
    """Starts a writer, kills it `after_ms` after its first append, and gives the last number it said."""
    command = [sys.executable, "-m", "tests.archive.writer", place, session]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        threading.Timer(after_ms / 1000, writer.kill).start()
        rest = writer.stdout.read()
    assert writer.returncode == -9
    whole = [line for line in (first + rest).splitlines(keepends=True) if line.endswith("\n")]
    return int(whole[-1])


def integrity(place: str) -> str:
    """What SQLite itself says of the file, without our code in between."""
    connection = sqlite3.connect(place)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def test_every_append_that_returned_survives_a_kill(place: str, engine: str) -> None:
    chance = random.Random(20)
    with Archive.open(place) as archive:
        session = archive.new_session("keepsake")
    for _ in range(KILLS):
        acknowledged = killed_while_appending(place, session, after_ms=chance.uniform(0, 40))
        assert engine != "sqlite" or integrity(place) == "ok"
        with Archive.open(place) as archive:
            log = archive.lines(session)
            assert len(log) >= acknowledged
            assert [line.number for line in log] == list(range(1, len(log) + 1))
            assert log[-1].line != "set ana hp 1", "half of what was appended at once is missing"
            last_note = next(line.number for line in reversed(log) if line.line.startswith("note"))
            row = archive.find_session(session)
            assert (row.lines, row.standing) == (len(log), f"line {last_note}")
            assert check_archive(archive) == ()
