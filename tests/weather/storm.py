"""One storm after the other over an archive, and what must hold after each: nothing that was acknowledged is missing.

A storm is known by its number alone, so that one that broke something can be looked at again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from companion.archive import Archive, ArchiveError, backups, salvage
from companion.archive.check import check
from tests.weather import evening
from tests.weather.disk import KINDS, Fault
from tests.weather.evening import Acknowledged, Course

_CALLS: Final = 110
"""More calls than an evening makes that begins with an archive of today."""
_LONGEST_WAIT: Final = 0.4
_PAGE: Final = 4096


class Outcome(NamedTuple):
    """What a storm was, and what it broke: sentences, none if all held."""

    name: str
    broke: tuple[str, ...]


def blow(number: int, calm: Path, folder: Path) -> Outcome:
    """Storm `number` over a copy of the archive `calm`, in the empty `folder`."""
    weather = _WEATHERS[number % len(_WEATHERS)]
    place = folder / "archive.sqlite"
    chance = Random(number)
    round_ = number // len(_WEATHERS)
    if chance.random() < 0.9:
        shutil.copyfile(calm, place)
    return Outcome(weather.__name__.strip("_"), tuple(weather(place, round_, chance)))


def _faulty_disk(place: Path, round_: int, chance: Random) -> Iterator[str]:
    """Two evenings with a fault each, then a look at what is there."""
    kinds = [KINDS[round_ % len(KINDS)], chance.choice(KINDS)]
    places = [1 + round_ // len(KINDS) % _CALLS, chance.randint(1, _CALLS)]
    courses = [
        evening.play(place, chance.getrandbits(32), Fault(kind, at, chance.randint(1, 4)))
        for kind, at in zip(kinds, places, strict=True)
    ]
    yield from _after(place, courses)


def _locked(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Another program holds the lock for a while, again and again: everybody waits, and nobody is refused."""
    with Archive.open(str(place)):
        pass
    with _beside(lambda: _hold_lock(place, chance)):
        course = evening.play(place, chance.getrandbits(32))
    yield from (f"refused while another program was writing: {said}" for said in course.refused)
    yield from _after(place, [course])


def _two_programs(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Two evenings at once; one of them may be killed."""
    seeds = chance.getrandbits(32), chance.getrandbits(32)
    struck = Fault("kill", chance.randint(1, _CALLS)) if chance.random() < 0.5 else None
    other = evening.begin(place, seeds[0], struck)
    course = evening.play(place, seeds[1])
    yield from _after(place, [course, other.end()])


def _garbage_page(place: Path, _: int, chance: Random) -> Iterator[str]:
    """Pages turn to garbage, or a bit: what is lost is named, and all else can be saved.

    One page without a backup; several after one, of which then nothing may be lost.
    """
    course = evening.play(place, chance.getrandbits(32))
    has_backup = chance.random() < 0.5
    if has_backup:
        backups.keep(place, "evening", datetime.now(UTC))
    _spoil(place, chance, pages=chance.randint(1, 4) if has_backup else 1)
    yield from _looked_at(place)
    target = place.with_name("saved.sqlite")
    try:
        saved = salvage.save(place, target)
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
            if (kept.stream, kept.seq) not in named and not _is_there(archive, kept):
                yield f"neither saved nor named: {kept}"
        yield from (fault.text for fault in check(archive) if not named)


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


def _looked_at(place: Path) -> Iterator[str]:
    """Whoever opens it, reads everything and checks it hears sentences."""
    try:
        with Archive.open(str(place)) as archive:
            for row in archive.sessions():
                archive.lines(row.session)
            for deck in archive.decks():
                archive.story(deck.deck)
            yield from (f"no sentence: {fault}" for fault in check(archive) if not _is_sentence(fault.text))
    except ArchiveError as error:
        if not _is_sentence(str(error)):
            yield f"not one sentence: {str(error)!r}"
    except Exception:
        yield f"an error that is none of the archive's: {traceback.format_exc()}"


_WEATHERS: Final[Sequence[Callable[[Path, int, Random], Iterator[str]]]] = (
    *(_faulty_disk,) * 16,
    *(_garbage_page,) * 3,
    _locked,
    _two_programs,
)
"""In which order storms come: most are of the disk."""


def _after(place: Path, courses: Sequence[Course]) -> Iterator[str]:
    """What does not hold once the storm is over."""
    for course in courses:
        if course.broke:
            yield f"an error that is none of the archive's: {course.broke}"
        yield from (f"not one sentence: {said!r}" for said in course.refused if not _is_sentence(said))
    try:
        with Archive.open(str(place)) as archive:
            yield from (
                f"missing: {kept}" for course in courses for kept in course.kept if not _is_there(archive, kept)
            )
            yield from (str(fault.text) for fault in check(archive))
    except ArchiveError as error:
        yield f"cannot be opened any more: {error}"
    with contextlib.closing(sqlite3.connect(place)) as plain:
        said = plain.execute("PRAGMA integrity_check").fetchone()[0]
        if said != "ok":
            yield f"SQLite says: {said}"


def _is_there(archive: Archive, kept: Acknowledged) -> bool:
    # By its number and not by its place: of a damaged story entries before it may be lost.
    return any(entry.seq == kept.seq and entry.body == kept.body for entry in archive.entries(kept.stream))


def _is_sentence(said: str) -> bool:
    return said.endswith(".") and "\n" not in said and "Traceback" not in said


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
        time.sleep(chance.uniform(0, _LONGEST_WAIT))
        other.execute("COMMIT")
        time.sleep(chance.uniform(0.01, 0.05))
