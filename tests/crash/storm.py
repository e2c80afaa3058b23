"""One storm after the other over an archive, and what must hold after each: nothing that was acknowledged is missing.

A storm is known by its number alone, so that one that broke something can be looked at again.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError, StoredLine, salvage
from companion.archive.maintenance import check_archive
from companion.archive.recovery import backups
from companion.archive.recovery.restore import restore
from companion.archive.storage.lists import session_stream
from tests.crash import workload
from tests.crash.disk import KINDS, Fault
from tests.crash.invariants import Entries, after, entries_in, is_there, looked_at
from tests.crash.other_programs import renamed_file, second_opener, swapped_file, zeroed_file
from tests.crash.stalled_server import stalled_server

_CALLS: Final = 110
"""More calls than an evening makes that begins with an archive of today."""
_MAX_WAIT: Final = 0.4
_PAGE: Final = 4096
_YEARS: Final = (1990, 2020, 2026, 2099)


class Outcome(NamedTuple):
    """What a storm was, and what it broke: sentences, none if all held."""

    name: str
    broke: tuple[str, ...]


def blow(number: int, calm: Path, folder: Path) -> Outcome:
    """Storm `number` over a copy of the archive `calm`, in the empty `folder`."""
    weather = _WEATHERS[number % len(_WEATHERS)]
    place = folder / "archive.sqlite"
    chance = Random(number)
    if chance.random() < 0.9:
        shutil.copyfile(calm, place)
    return Outcome(weather.__name__.strip("_"), tuple(weather(place, number, chance)))


def _faulty_disk(place: Path, number: int, chance: Random) -> Iterator[str]:
    """Two evenings with a fault each, then a look at what is there."""
    kinds = [KINDS[number % len(KINDS)], chance.choice(KINDS)]
    places = [1 + number // len(KINDS) % _CALLS, chance.randint(1, _CALLS)]
    courses = [
        workload.play(place, chance.getrandbits(32), Fault(kind, at, chance.randint(1, 4)))
        for kind, at in zip(kinds, places, strict=True)
    ]
    yield from after(place, courses)


def _locked(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Another program holds the lock for a while, again and again: everybody waits, and nobody is refused."""
    with Archive.open(str(place)):
        pass
    with _beside(lambda: _hold_lock(place, chance)):
        course = workload.play(place, chance.getrandbits(32))
    yield from (f"refused while another program was writing: {sentence}" for sentence in course.refused)
    yield from after(place, [course])


def _two_programs(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Two evenings at once; one of them may be killed."""
    seeds = chance.getrandbits(32), chance.getrandbits(32)
    struck = Fault("kill", chance.randint(1, _CALLS)) if chance.random() < 0.5 else None
    other = workload.begin(place, seeds[0], struck)
    course = workload.play(place, seeds[1])
    yield from after(place, [course, other.end()])


def _garbage_page(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Pages turn to garbage, or a bit: what is lost is named, and all else can be saved.

    One page without a backup; several after one, of which then nothing may be lost.
    """
    course = workload.play(place, chance.getrandbits(32))
    has_backup = chance.random() < 0.5
    if has_backup:
        backups.make_backup(place, "evening", datetime.now(UTC))
    _spoil(place, chance, pages=chance.randint(1, 4) if has_backup else 1)
    yield from looked_at(place)
    target = place.with_name("saved.sqlite")
    try:
        saved = salvage.salvage_archive(place, target)
    except ArchiveError as error:
        # Of a young archive one page holds all entries, and once that is garbage there is nothing more to be had.
        if has_backup or any(kept.body.encode() in place.read_bytes() for kept in course.kept):
            yield f"nothing can be saved: {error}"
        return
    named = {(loss.stream, seq) for loss in saved.lost for seq in loss.seqs}
    if has_backup and named:
        yield f"lost though there is a backup: {sorted(named)}"
    with Archive.open(str(target)) as archive:
        for kept in course.kept:
            if (kept.stream, kept.seq) not in named and not is_there(archive, kept):
                yield f"neither saved nor named: {kept}"
        yield from (str(fault.text) for fault in check_archive(archive) if not named)


def _spoil(place: Path, chance: Random, pages: int) -> None:
    content = bytearray(place.read_bytes())
    for _ in range(pages):
        start = chance.randrange(len(content) // _PAGE) * _PAGE
        how = chance.random()
        if how < 0.3:
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        elif how < 0.5:
            # A page that says that it is of another kind.
            content[start] = chance.randrange(256)
        else:
            content[start : start + _PAGE] = chance.choice([bytes(_PAGE), chance.randbytes(_PAGE)])
    place.write_bytes(content)


def _wrong_clock(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Days that each have another year, with a backup after each; now and then somebody goes back to one."""
    backups_made: list[tuple[Path, Entries]] = []
    for _day in range(chance.randint(3, 22)):
        now = datetime(chance.choice(_YEARS), chance.randint(1, 12), chance.randint(1, 28), tzinfo=UTC)
        if backups_made and chance.random() < 0.1:
            path, content = chance.choice([each for each in backups_made if each[0].exists()])
            restore(path, place, now)
            if entries_in(place) != content:
                yield f"restored and not the same: {path.name}"
        kept = _day_of(place, now, chance)
        backup = backups.make_backup(place, "evening", now)
        if backup is None:
            yield f"no backup though {len(kept)} entries are new"
            continue
        backups_made.append((backup, entries_in(place)))
        if not kept <= backups_made[-1][1]:
            yield f"missing: {sorted(kept - backups_made[-1][1])}"
        listed = [backup.path for backup in backups.list_backups(place) if backup.why == "evening"]
        newest = [path for path, _ in backups_made[: -backups.NEWEST_KEPT - 1 : -1]]
        if listed[: len(newest)] != newest:
            yield f"the newest are {[path.name for path in newest]}, and listed {[path.name for path in listed]}"
            return
    yield from (
        f"a backup changed: {path}" for path, content in backups_made if path.exists() and entries_in(path) != content
    )
    yield from after(place, [])


def _day_of(place: Path, now: datetime, chance: Random) -> Entries:
    """What is acknowledged on a day that begins at `now`, with a clock that jumps by hours."""
    with Archive.open(str(place), clock=lambda: now + timedelta(seconds=chance.randint(-80_000, 80_000))) as archive:
        session = archive.new_session("keepsake", "By a wrong clock")
        archive.append_lines(session, 1, [StoredLine(f"note {now}", 1)])
        stream = session_stream(session)
        return frozenset((stream, entry.seq, entry.body) for entry in archive.entries(stream))


_FAULTS: Final = (*(_faulty_disk,) * 32, *(_garbage_page,) * 6, *(_locked,) * 2, *(_two_programs,) * 2)
_OTHERS: Final = (
    *(stalled_server,),
    *(renamed_file,) * 5,
    *(swapped_file,) * 5,
    *(zeroed_file,) * 4,
    *(second_opener,) * 4,
    *(_wrong_clock,) * 2,
)
_WEATHERS: Final[Sequence[Callable[[Path, int, Random], Iterator[str]]]] = (
    *itertools.chain.from_iterable(zip(_FAULTS[::2], _FAULTS[1::2], _OTHERS, strict=True)),
)
"""In which order storms come: two in three are of the disk, of locks and of damage."""


@contextlib.contextmanager
def _beside(act: Callable[[], object]) -> Iterator[None]:
    """Another process that does something for as long as the block lasts."""
    child = os.fork()
    if not child:
        act()
        os._exit(0)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _hold_lock(place: Path, chance: Random) -> None:
    other = sqlite3.connect(place, isolation_level=None, timeout=60)
    while True:
        other.execute("BEGIN IMMEDIATE")
        time.sleep(chance.uniform(0, _MAX_WAIT))
        other.execute("COMMIT")
        time.sleep(chance.uniform(0.01, 0.05))
