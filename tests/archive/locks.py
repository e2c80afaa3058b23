"""Whether a process still has its lock on an archive's file, as the kernel tells; and who opened that file behind
SQLite's back; what other programs may do to the file meanwhile.

A process that closes any descriptor of a file loses all locks that it has on it: sqlite.org/howtocorrupt.html, 2.2.
"""

import contextlib
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

_SHARED_LOCK: Final = range(1073741826, 1073741826 + 510)
"""The bytes on which SQLite has the lock of everybody who reads or writes a file."""
_PAGE: Final = 4096
_LOCKS: Final = Path("/proc/locks")
_FOLDER: Final = Path("/proc/self/fd" if sys.platform == "linux" else "/dev/fd")
_MAX_DESCRIPTORS: Final = 512
"""So many are looked at where the system lists none; no test opens more at once."""


def has_lock(file: Path, process: int | None = None) -> bool:
    """Whether a process, by default this one, has SQLite's lock on a file. Only Linux tells, where /proc is mounted."""
    inode, holder = file.stat().st_ino, os.getpid() if process is None else process
    if not _LOCKS.exists():
        pytest.skip("no /proc here: mount -t proc proc /proc")
    for row in _LOCKS.read_text(encoding="utf-8").splitlines():
        fields = row.replace("->", "").split()
        pid, place, first = int(fields[4]), fields[5], int(fields[6])
        if (pid, int(place.rpartition(":")[2])) == (holder, inode) and first in _SHARED_LOCK:
            return True
    return False


class OpenGuard:
    """Notes each time that the program itself opens or copies a file that SQLite has open in this process."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._opened_files: list[str] = []
        self._is_stopped = False
        self._looks = threading.local()

    def take(self) -> list[str]:
        """What was noted since the last time."""
        opened, self._opened_files = self._opened_files, []
        return opened

    def stop(self) -> None:
        """Notes nothing from now on; what hears can never be taken away from Python again."""
        self._is_stopped = True

    def hear(self, event: str, arguments: Sequence[object]) -> None:
        """For `sys.addaudithook`."""
        if self._is_stopped:
            return
        if event == "sqlite3.connect":
            self._names.add(Path(str(arguments[0]).partition("?")[0]).name)
        elif event == "open" and isinstance(arguments[0], str):
            path = arguments[0]
            if path.rpartition("/")[2] in self._names and not getattr(self._looks, "on", False):
                self._looks.on = True
                try:
                    self._look(Path(path))
                finally:
                    self._looks.on = False

    def _look(self, path: Path) -> None:
        rooms = (name for name in _callers() if name.partition(".")[0] in ("companion", "labels", "tests"))
        room = next((name for name in rooms if name != __name__), "")
        if not room.startswith("tests") and is_open(path):
            self._opened_files.append(f"{room} opens {path}, which this process has open")


GUARD: Final = OpenGuard()
"""The one of all tests."""


def _callers() -> Iterator[str]:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame.f_globals.get("__name__", "")
        frame = frame.f_back


def is_open(file: Path) -> bool:
    """Whether this process has a file open, by whatever name."""
    try:
        meant = file.stat()
    except OSError:
        return False
    return any(os.path.samestat(meant, status) for status in _open_files())


def _open_files() -> Iterator[os.stat_result]:
    try:
        descriptors: Iterable[int] = [int(path.name) for path in _FOLDER.iterdir()]
    except OSError:
        descriptors = range(_MAX_DESCRIPTORS)
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            yield os.fstat(descriptor)


@contextlib.contextmanager
def another_program(file: Path, *statements: str) -> Iterator[int]:
    """A process that has the file open and did something with it; its number."""
    code = (
        "import sqlite3, sys; opened = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "[opened.execute(each) for each in sys.argv[2:]]; print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(file), *(statements or ["SELECT 1 FROM entries"])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline(), "it could not do that"
        yield other.pid
        assert other.stdin is not None
        other.stdin.close()


def damage(file: Path, table: str) -> None:
    """Destroys every page of a table but the first, or that."""
    with contextlib.closing(sqlite3.connect(file)) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = opened.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    # By another process: this one may have it open.
    code = "import sys; f = open(sys.argv[1], 'r+b'); f.seek(int(sys.argv[2])); f.write(bytes(4096))"
    subprocess.run([sys.executable, "-c", code, str(file), str((root - 1) * _PAGE)], check=True)


def delete(file: Path) -> None:
    """Deletes a file with its log."""
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).unlink()
