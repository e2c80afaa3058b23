"""A restore that is killed between any two of its steps: what was there or the backup opens whole, and nothing is lost.

Each step is an event that Python tells before it touches a file; the process is killed there, by SIGKILL, as a person
or a closed lid would.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from companion.archive import Archive, Unreadable, maintenance
from companion.archive.recovery import backups
from companion.archive.recovery.restore import restore
from companion.archive.storage import wal_guard
from tests.archive import household
from tests.archive.test_backups import EVENING, abandoned, add_person, names_in

pytestmark = [pytest.mark.files, pytest.mark.posix]

STEPS = frozenset({"os.rename", "os.remove", "os.link", "os.truncate", "shutil.copyfile", "sqlite3.connect", "open"})


@pytest.fixture
def calm(place: str) -> Path:
    """An archive with a backup, and since then somebody more."""
    with Archive.open(place, by="tests") as archive:
        household.fill(archive, decks=1)
    file = Path(place)
    assert backups.make_backup(file, "evening", EVENING)
    add_person(file, "Zoe")
    return file


def killed(backup: Path, file: Path, at: int) -> bool:
    """Restores in a process that is killed before its step of this number; whether there was one."""
    child = os.fork()
    if not child:
        left = at

        def struck(event: str, arguments: Sequence[object]) -> None:
            nonlocal left
            if event in STEPS and str(file.parent) in str(arguments[0]):
                left -= 1
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(struck)
        restore(backup, file, EVENING)
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL)
    return ended != 0


def each_kill(calm: Path, tmp_path: Path, see: Callable[[Path, Path], None]) -> int:
    """Kills a restore of a copy of everything at each of its steps, and has what is left seen; how many there were."""
    at = 0
    while True:
        at += 1
        folder = tmp_path / f"kill {at}"
        shutil.copytree(calm.parent, folder, ignore=shutil.ignore_patterns("kill *"))
        file = folder / calm.name
        backup = next(each.path for each in backups.list_backups(file) if each.why == "evening")
        was_killed = killed(backup, file, at)
        see(file, backup)
        shutil.rmtree(folder)
        if not was_killed:
            return at - 1


def whole(file: Path) -> dict[tuple[str, int], str]:
    """What an archive holds that opens, and is as it was written."""
    with Archive.open(str(file)) as archive:
        assert maintenance.check_archive(archive) == ()
    return household.stored(file)


def before(file: Path) -> dict[tuple[str, int], str]:
    """What an archive holds, with what waits beside it, which stays there."""
    copy = file.with_name("looked-at.sqlite")
    shutil.copyfile(file, copy)
    if wal_guard.log_of(file).exists():
        shutil.copyfile(wal_guard.log_of(file), wal_guard.log_of(copy))
    entries = whole(copy)
    copy.unlink()
    return entries


@pytest.mark.slow
@pytest.mark.parametrize("waits", [(), ("Yan", "Xia")], ids=["in the file", "beside the file"])
def test_a_killed_restore_leaves_the_old_or_the_backup(calm: Path, tmp_path: Path, waits: Sequence[str]) -> None:
    if waits:
        abandoned(calm, *waits)
    old, new = before(calm), household.stored(backups.list_backups(calm)[0].path)
    assert set(new.items()) < set(old.items())
    seen: list[bool] = []

    def see(file: Path, backup: Path) -> None:
        entries = whole(file)
        assert entries in (old, new)
        assert household.stored(backup) == new
        replaced = [each.path for each in backups.list_backups(file) if each.why == "replaced"]
        if entries == new:
            assert [whole(path) for path in replaced] == [old]
        assert {"Zoe", *waits} <= set().union(*map(names_in, (file, *replaced)))
        seen.append(entries == new)

    steps = each_kill(calm, tmp_path, see)
    assert steps > 5
    assert seen == sorted(seen), "once the backup is in place, it stays there"
    assert (seen[0], seen[-1]) == (False, True)


@pytest.mark.slow
def test_a_restore_of_what_is_damaged_keeps_each_byte_of_it(calm: Path, tmp_path: Path) -> None:
    abandoned(calm, "Yan")
    new = household.stored(backups.list_backups(calm)[0].path)
    calm.write_bytes(bytes(9000))
    log = wal_guard.log_of(calm).read_bytes()

    def see(file: Path, backup: Path) -> None:
        assert household.stored(backup) == new
        kept = [path.read_bytes() for path in file.parent.iterdir() if path.is_file() and path.stat().st_size]
        assert bytes(9000) in kept
        assert log in kept
        try:
            assert whole(file) == new
        except Unreadable:
            assert file.read_bytes() == bytes(9000)

    assert each_kill(calm, tmp_path, see) > 5
