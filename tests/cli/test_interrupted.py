"""Ctrl+C at any moment: one sentence, never a traceback, and what was pressed is never lost."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEGIN = """
import signal, sys, time
from companion.archive import Archive
from companion.cli.__main__ import main
sys.argv = ["companion", "--archive", {place!r}, "deck", "list"]
"""


def _assert_stopped(place: Path, script: str) -> None:
    """Run a command that the script interrupts, and assert that it ends with one sentence."""
    command = [sys.executable, "-c", f"{BEGIN.format(place=str(place))}{script}main()"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert (result.returncode, result.stderr.strip()) == (1, "Stopped.")


@pytest.mark.posix
def test_an_interrupt_as_the_archive_is_closed_shows_no_traceback(empty_archive: Path) -> None:
    _assert_stopped(
        empty_archive,
        "from sqlalchemy import event, pool\n"
        "@event.listens_for(pool.Pool, 'close')\n"
        "def closing(*_): signal.raise_signal(signal.SIGINT)\n",
    )


@pytest.mark.posix
def test_an_interrupt_in_a_destructor_still_stops_the_program(empty_archive: Path) -> None:
    _assert_stopped(
        empty_archive,
        "class Dying:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
        "opened = Archive.open\n"
        "def opening(*words, **more):\n"
        "    Dying()\n"
        "    time.sleep(1)\n"
        "    return opened(*words, **more)\n"
        "Archive.open = opening\n",
    )


@pytest.mark.slow
@pytest.mark.posix
def test_a_rehearsal_is_stopped_at_any_moment(empty_archive: Path) -> None:
    words = ("decknforge", "--players", "1", "--seed", "3", "--wizards", "greedy", "--games", "100000")
    command = [sys.executable, "-m", "companion", "--archive", str(empty_archive), "rehearse", *words]
    moments = random.Random(11)
    for moment in [moments.uniform(0.3, 4) for _ in range(8)]:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True
        )
        time.sleep(moment)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert "Stopped" in errors
        assert "Traceback" not in errors
