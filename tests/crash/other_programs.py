"""Storms that other programs make: they rename, replace, empty or open the file of an archive, at any moment."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import shutil
import signal
import sqlite3
import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final

from companion.archive import Archive, ArchiveError
from companion.archive.recovery import backups
from companion.archive.recovery.restore import restore
from companion.cli.main import main
from tests.crash import workload
from tests.crash.disk import Fault, Kind
from tests.crash.invariants import (
    accounted,
    after,
    entries_in,
    entries_in_all,
    looked_at,
    rescued,
    salvaged,
    sentences,
)
from tests.crash.workload import BusyEvening, CarefulEvening, Course

Deed = Callable[[], object]

_CALLS: Final = 330
"""As many calls, reads included, as most evenings make; a deed that comes later is done once the archive is closed."""
_MOMENT: Final = 0.3
"""Seconds that an evening waits for somebody who opens the archive, and who may have to wait for the evening."""
_MAX_SECONDS: Final = 60
"""Seconds that are never over."""
_PAGE: Final = 4096
_ENDINGS: Final = ("", "-wal", "-shm")


def renamed_file(place: Path, _: int, chance: Random) -> Iterator[str]:
    """The file, its log or both are renamed or deleted, while it is open or after that."""
    endings = chance.choice([("",), ("-wal",), ("-wal", "-shm"), _ENDINGS, ("", "-wal")])
    moved = place.with_name("moved.sqlite") if chance.random() < 0.7 else None
    if chance.random() < 0.5 and place.exists():
        backups.make_backup(place, "evening", datetime.now(UTC))
    there = entries_in(place)
    before = _struck_evening(place, chance, lambda: _take_away(place, endings, moved))
    later = workload.play(place, chance.getrandbits(32), kind=CarefulEvening)
    elsewhere = [moved] if moved else []
    yield from sentences([before, later])
    yield from accounted(place, there, before, later, elsewhere)
    yield from looked_at(place)
    yield from _goes_on_with_rescued(place, before, later, chance)


def _take_away(place: Path, endings: Sequence[str], moved: Path | None) -> None:
    for ending in endings:
        part = place.with_name(place.name + ending)
        with contextlib.suppress(FileNotFoundError):
            if moved:
                part.rename(moved.with_name(moved.name + ending))
            else:
                part.unlink()


def swapped_file(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Another archive, an older copy or a backup takes the place of the file, while it is open or after that."""
    other = _other(place, chance)
    held = entries_in(other)
    takes_log = chance.random() < 0.3
    swap = chance.choice([_overwrite, _replace])

    def deed() -> None:
        if takes_log:
            _take_away(place, ("-wal", "-shm"), None)
        swap(other, place)

    there = entries_in(place)
    before = _struck_evening(place, chance, deed, "overwriting" if swap is _overwrite else "deed")
    yield from _holds(place, held, "the evening")
    if before.struck == 0:
        # It was there before anybody had it open: an archive that has grown further is told from no other.
        there = frozenset()
    later = workload.play(place, chance.getrandbits(32), kind=CarefulEvening)
    yield from _holds(place, held, "the next evening")
    yield from sentences([before, later])
    yield from accounted(place, there, before, later, ())
    yield from looked_at(place)
    yield from _goes_on_with_rescued(place, before, later, chance)
    if not held <= entries_in_all(place.parent.glob("*.sqlite")):
        yield "what had taken the place is nowhere after the restore"


def _other(place: Path, chance: Random) -> Path:
    """What will take the place of the file."""
    other = place.with_name("other.sqlite")
    kind = chance.choice(["another", "older", "backup"])
    if kind == "another" or not place.exists():
        workload.play(other, chance.getrandbits(32))
    elif kind == "older":
        shutil.copyfile(place, other)
    else:
        kept = backups.make_backup(place, "evening", datetime.now(UTC))
        assert kept is not None
        shutil.copyfile(kept, other)
    return other


def _overwrite(other: Path, place: Path) -> None:
    shutil.copyfile(other, place)


def _replace(other: Path, place: Path) -> None:
    copy = place.with_name("copy.sqlite")
    shutil.copyfile(other, copy)
    copy.replace(place)


def _holds(place: Path, held: frozenset[tuple[str, int, str]], when: str) -> Iterator[str]:
    lost = held - entries_in(place)
    if lost:
        yield f"{len(lost)} of {len(held)} entries that lay there before were overwritten by {when}"


def zeroed_file(place: Path, _: int, chance: Random) -> Iterator[str]:
    """The file is emptied, or pages of it are zeroed, while it is open or after that."""
    if chance.random() < 0.5 and place.exists():
        backups.make_backup(place, "evening", datetime.now(UTC))
    kept = [backup.path for backup in backups.list_backups(place)]
    whole = chance.random() < 0.6
    there = entries_in(place)
    before = _struck_evening(place, chance, lambda: _zero(place, chance, whole=whole))
    is_empty, newest = place.stat().st_size == 0, backups.list_backups(place)[:1]
    later = workload.play(place, chance.getrandbits(32), kind=CarefulEvening)
    yield from sentences([before, later])
    if whole:
        yield from accounted(place, there, before, later, kept)
        if is_empty and newest and not any(f"restore {newest[0].path} puts" in sentence for sentence in later.refused):
            yield f"the newest backup was not named: {later.events[:1]}"
        yield from _goes_on_with_rescued(place, before, later, chance)
    else:
        yield from salvaged(place, [before, later], [*kept, *rescued(place, [before, later])])
    yield from looked_at(place)


def _zero(place: Path, chance: Random, *, whole: bool) -> None:
    size = place.stat().st_size if place.exists() else 0
    if whole:
        with place.open("r+b" if size else "wb") as file:
            file.truncate(0)
            if chance.random() < 0.3:
                file.truncate(size)
    elif size:
        with place.open("r+b") as file:
            file.seek(chance.randrange(size // _PAGE) * _PAGE)
            file.write(bytes(_PAGE))


def _struck_evening(place: Path, chance: Random, deed: Deed, kind: Kind = "deed") -> Course:
    """An evening with a deed in it, at any call; or after it, where it ends before that call."""
    at = chance.randint(1, _CALLS)
    with _somebody_else([deed]) as act:
        course = workload.play(place, chance.getrandbits(32), Fault(kind, at, act=act), CarefulEvening)
        if course.struck is None:
            act()
    return course


def _goes_on_with_rescued(place: Path, before: Course, later: Course, chance: Random) -> Iterator[str]:
    """Who does what the sentence says has everything again that the copy holds, and goes on."""
    copies = [copy for copy in rescued(place, [before, later]) if "-rescued-" in copy.name]
    if not copies:
        return
    held = entries_in(copies[0])
    try:
        restore(copies[0], place, datetime.now(UTC))
    except ArchiveError as error:
        yield f"the copy that was kept cannot be put in the place: {error}"
        return
    again = workload.play(place, chance.getrandbits(32))
    yield from (f"refused though the copy is in the place: {sentence}" for sentence in again.refused)
    yield from _holds(place, held, "the restored copy")
    yield from after(place, [again])


def second_opener(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Other programs open the archive and close it or are killed, at any moments; nobody is refused."""
    with Archive.open(str(place)):
        pass
    report = place.with_name("said.jsonl")
    openers = [_opener(place, report, number, chance) for number in range(chance.randint(1, 4))]
    first, every, calls = chance.randint(1, 100), chance.randint(1, 60), itertools.count()
    with _somebody_else(openers, _MOMENT) as act:
        fault = Fault("deed", first, every * len(openers), lambda: next(calls) % every or act())
        course = workload.play(place, chance.getrandbits(32), fault, BusyEvening)
    yield from (f"refused while others only looked: {each}" for each in course.refused)
    if report.exists():
        yield from (json.loads(line) for line in report.read_text(encoding="utf-8").splitlines())
    yield from after(place, [course])


def _opener(place: Path, report: Path, number: int, chance: Random) -> Deed:
    """Somebody who opens the archive in a process of their own, and writes down what went wrong."""
    looks = chance.choice([_look, _read_plainly, _write_plainly, _check, _backup, _be_killed, _be_killed_writing])

    def open_it() -> None:
        child = os.fork()
        if not child:
            try:
                looks(place.with_name(f"second {number}.sqlite"), place)
            except BaseException:
                with report.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(f"{looks.__name__}: {traceback.format_exc()}") + "\n")
            os._exit(0)
        os.waitpid(child, 0)

    return open_it


def _look(_: Path, place: Path) -> None:
    with Archive.open(str(place), create=False) as archive:
        for row in archive.sessions():
            archive.lines(row.session)


def _read_plainly(_: Path, place: Path) -> None:
    with contextlib.closing(sqlite3.connect(place)) as opened:
        opened.execute("SELECT count(*) FROM entries").fetchall()


def _write_plainly(_: Path, place: Path) -> None:
    with contextlib.closing(sqlite3.connect(place, isolation_level=None, timeout=_MAX_SECONDS)) as opened:
        opened.execute("BEGIN IMMEDIATE")
        opened.execute("ROLLBACK")


def _check(_: Path, place: Path) -> None:
    _run("--archive", str(place), "archive", "check")


def _backup(copy: Path, place: Path) -> None:
    there = entries_in(place)
    _run("--archive", str(place), "archive", "backup", str(copy))
    assert there <= entries_in(copy)


def _run(*arguments: str) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    result = main(arguments, standalone_mode=False)
    assert not result, f"companion {' '.join(arguments)} ends with {result}"


def _be_killed(_: Path, place: Path) -> None:
    opened = sqlite3.connect(place, isolation_level=None)
    opened.execute("BEGIN")
    opened.execute("SELECT count(*) FROM entries").fetchall()
    os.kill(os.getpid(), signal.SIGKILL)


def _be_killed_writing(_: Path, place: Path) -> None:
    archive = Archive.open(str(place))
    archive.new_session("keepsake", "Another")
    os.kill(os.getpid(), signal.SIGKILL)


@contextlib.contextmanager
def _somebody_else(deeds: Sequence[Deed], patience: float = _MAX_SECONDS) -> Iterator[Deed]:
    """Another process that does the next of `deeds` when it is asked to, by any process; who asks waits for it."""
    requests, asks = os.pipe()
    done, does = os.pipe()
    child = os.fork()
    if not child:
        os.close(asks)
        os.close(done)
        for deed in deeds:
            if not os.read(requests, 1):
                break
            deed()
            os.write(does, b".")
        os._exit(0)
    os.close(requests)
    os.close(does)

    def act() -> None:
        with contextlib.suppress(BrokenPipeError):
            os.write(asks, b"!")
            if select.select([done], [], [], patience)[0]:
                os.read(done, 1)

    try:
        yield act
    finally:
        os.close(asks)
        os.waitpid(child, 0)
        os.close(done)
