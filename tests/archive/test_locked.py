"""A file that cannot be locked or may not be written to: said in a sentence that names what is wrong, and soon."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.archive import Archive
from tests.archive import household
from tests.archive.locks import another_program
from tests.rights import obey_modes

pytestmark = [pytest.mark.files, pytest.mark.linux]

ROOT = Path(__file__).parents[2]
ANSWERED = 10.0
"""Seconds within which a check answers, whoever has locked the file."""

# As the C library of a system whose network folder has no locks.
_NO_LOCKS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int ask(const char *name, int fd, int command, void *argument) {
    if (command == F_SETLK || command == F_SETLKW) { errno = ENOLCK; return -1; }
    return ((int (*)(int, int, ...)) dlsym(RTLD_NEXT, name))(fd, command, argument);
}
#define REPLACED(name) int name(int fd, int command, ...) { va_list rest; va_start(rest, command); \
    void *argument = va_arg(rest, void *); va_end(rest); return ask(#name, fd, command, argument); }
REPLACED(fcntl)
REPLACED(fcntl64)
"""


class Ran(NamedTuple):
    status: int
    out: str
    err: str
    seconds: float


def companion(*arguments: str, more: Mapping[str, str] | None = None) -> Ran:
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=ROOT,
        env={**os.environ, **(more or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
        preexec_fn=obey_modes,
    )
    return Ran(done.returncode, done.stdout, done.stderr, time.monotonic() - begun)


@pytest.fixture
def file(place: str) -> Path:
    with Archive.open(place, by="tests") as archive:
        household.fill(archive, decks=1)
    return Path(place)


@pytest.fixture
def no_locks(tmp_path: Path) -> Mapping[str, str]:
    """An environment in which no file can be locked."""
    source, library = tmp_path / "nolocks.c", tmp_path / "nolocks.so"
    source.write_text(_NO_LOCKS, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


@pytest.mark.slow
def test_a_check_says_soon_that_no_lock_can_be_had(file: Path, no_locks: Mapping[str, str]) -> None:
    ran = companion("--archive", str(file), "archive", "check", more=no_locks)
    assert (ran.status, ran.out) == (2, "")
    assert "cannot be locked where it lies, as in some network folders" in ran.err
    assert "Another program" not in ran.err
    assert ran.seconds < ANSWERED


@pytest.mark.slow
def test_a_check_says_soon_that_another_program_has_the_lock(file: Path) -> None:
    with another_program(file, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"):
        ran = companion("--archive", str(file), "archive", "check")
    assert (ran.status, ran.out) == (2, "")
    assert "Another program is writing to the archive and does not stop; close it and try again" in ran.err
    assert ran.seconds < ANSWERED


def _abandoned(file: Path) -> None:
    """A program that was killed has left the log and its index."""
    code = (
        "import os, sys; from companion.archive import Archive; from companion.archive.people import people;"
        "people.add_person(Archive.open(sys.argv[1]), 'Zoe'); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(file)], cwd=ROOT, check=False)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("ending", "way"), [("-shm", "delete that file: it is made anew"), ("-wal", "have its owner make it writable")]
)
def test_what_lies_beside_it_read_only_is_named(file: Path, ending: str, way: str) -> None:
    _abandoned(file)
    beside = file.with_name(f"{file.name}{ending}")
    beside.chmod(0o444)
    ran = companion("--archive", str(file), "people", "add", "Yan")
    assert ran.status == 1
    assert f"you may not write to “{beside.name}” beside it" in ran.err
    assert way in ran.err
    listing = companion("--archive", str(file), "people", "list")
    assert (listing.status, "Zoe" in listing.out) == (0, True)


@pytest.mark.slow
def test_a_read_only_index_may_be_deleted_as_it_says(file: Path) -> None:
    _abandoned(file)
    index = file.with_name(f"{file.name}-shm")
    index.chmod(0o444)
    index.unlink()
    assert companion("--archive", str(file), "people", "add", "Yan").status == 0
    assert "Zoe" in companion("--archive", str(file), "people", "list").out
