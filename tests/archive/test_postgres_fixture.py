"""The servers of these tests end with them, however those end."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.files, pytest.mark.posix]

ROOT = Path(__file__).parents[2]
SERVING = """
import time
from tests.archive import postgres
with postgres.running() as server:
    print(server.pid, server.folder, flush=True)
    time.sleep(600)
"""


def runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_killed_tests_leave_no_server_and_no_folder() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVING], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as tests:
        assert tests.stdout is not None
        process, folder = tests.stdout.readline().split()
        assert runs(int(process))
        tests.kill()
    deadline = time.monotonic() + 30
    while runs(int(process)) or Path(folder).exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
