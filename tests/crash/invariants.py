"""What must hold once a storm is over: who wrote what is asked of files, and what people were told of sentences."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from companion.archive import Archive, ArchiveError, salvage
from companion.archive.maintenance import check_archive
from companion.archive.recovery import backups
from companion.archive.storage import wal_guard
from tests.crash.workload import Acknowledged, Course

Entries = frozenset[tuple[str, int, str]]
"""Stream, number and body of each."""


def after(place: Path, courses: Sequence[Course]) -> Iterator[str]:
    """What does not hold once the storm is over."""
    for course in courses:
        if course.broke:
            yield f"an error that is none of the archive's: {course.broke}"
        yield from (f"not one sentence: {sentence!r}" for sentence in course.refused if not is_sentence(sentence))
    try:
        with Archive.open(str(place)) as archive:
            yield from (f"missing: {kept}" for course in courses for kept in course.kept if not is_there(archive, kept))
            yield from (str(fault.text) for fault in check_archive(archive))
    except ArchiveError as error:
        yield f"cannot be opened any more: {error}"
    with contextlib.closing(sqlite3.connect(place)) as plain:
        sentence = plain.execute("PRAGMA integrity_check").fetchone()[0]
        if sentence != "ok":
            yield f"SQLite says: {sentence}"


def is_there(archive: Archive, kept: Acknowledged) -> bool:
    # By its number and not by its place: of a damaged story entries before it may be lost.
    return any(entry.seq == kept.seq and entry.body == kept.body for entry in archive.entries(kept.stream))


def is_sentence(text: str) -> bool:
    return text.endswith(".") and "\n" not in text and "Traceback" not in text


def looked_at(place: Path) -> Iterator[str]:
    """Whoever opens it, reads everything and checks it hears sentences."""
    try:
        with Archive.open(str(place)) as archive:
            for row in archive.sessions():
                archive.lines(row.session)
            for deck in archive.decks():
                archive.story(deck.deck)
            yield from (f"no sentence: {fault}" for fault in check_archive(archive) if not is_sentence(str(fault.text)))
    except ArchiveError as error:
        if not is_sentence(str(error)):
            yield f"not one sentence: {str(error)!r}"
    except Exception:
        yield f"an error that is none of the archive's: {traceback.format_exc()}"


def entries_in(file: Path) -> Entries:
    """What SQLite itself reads in a copy of a file with its log, as much as it can; nothing where there is none."""
    entries: set[tuple[str, int, str]] = set()
    if not file.is_file():
        return frozenset()
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(*wal_guard.READ_ERRORS):
        copy = Path(folder, "copy")
        shutil.copyfile(file, copy)
        log = wal_guard.log_of(file)
        if log.is_file() and _is_own(file):
            try:
                shutil.copyfile(log, wal_guard.log_of(copy))
            except FileNotFoundError:
                # Whoever closed the archive just now has written its log into it.
                shutil.copyfile(file, copy)
        with contextlib.closing(sqlite3.connect(copy)) as opened:
            entries.update(opened.execute("SELECT stream, seq, body FROM entries"))
    return frozenset(entries)


def entries_in_all(files: Iterable[Path]) -> Entries:
    """The same of several files."""
    return frozenset(entry for file in files for entry in entries_in(file))


def rescued(place: Path, courses: Sequence[Course]) -> list[Path]:
    """The copies that the program kept of an archive that was taken away, as far as it has named them."""
    refusals = " ".join(sentence for course in courses for sentence in course.refused)
    return [copy for copy in _copies(place) if f"“{copy}”" in refusals]


def _copies(place: Path) -> list[Path]:
    return sorted(place.parent.glob(f"{place.stem}-*-*.sqlite"))


def _is_own(file: Path) -> bool:
    try:
        wal_guard.check_log(file)
    except ArchiveError:
        return False
    return True


def sentences(courses: Sequence[Course]) -> Iterator[str]:
    """What people were told that is no sentence, and what broke."""
    for course in courses:
        if course.broke:
            yield f"an error that is none of the archive's: {course.broke}"
        yield from (f"not one sentence: {sentence!r}" for sentence in course.refused if not is_sentence(sentence))


def accounted(place: Path, there: Entries, before: Course, later: Course, elsewhere: Iterable[Path]) -> Iterator[str]:
    """What was acknowledged and is found nowhere, without that anybody was told.

    `there` is what was kept earlier. `before` is the evening in which somebody else did something to the file at
    `place`, or before it was done; `later` the one after it. `elsewhere` is where they may have put it. What only they
    had and destroyed cannot be found; but then nothing more may be acknowledged before a sentence has said so.
    """
    kept = [backup.path for backup in backups.list_backups(place)]
    entries = entries_in_all((place, *elsewhere, *kept, *_copies(place)))
    destroyed = (there | {(kept.stream, kept.seq, kept.body) for kept in before.kept}) - entries
    since = (*before.since, *later.events)
    for event in since:
        if isinstance(event, Acknowledged) and not _is_in(event, entries):
            yield f"acknowledged into nowhere: {event}"
    # The step in which it was done may have been the one that was refused.
    during = before.events[before.struck - 1 : before.struck] if before.struck else ()
    if destroyed and not _is_refused_first(since) and not _is_refused_first(during):
        yield f"{len(destroyed)} gone, and nobody was told: {min(destroyed)} …"


def _is_refused_first(events: Sequence[Acknowledged | str]) -> bool:
    return bool(events) and isinstance(events[0], str)


def _is_in(kept: Acknowledged, entries: Entries) -> bool:
    return (kept.stream, kept.seq, kept.body) in entries


def salvaged(place: Path, courses: Sequence[Course], elsewhere: Iterable[Path] = ()) -> Iterator[str]:
    """What cannot be saved from a damaged file, is found nowhere else, and is not named as lost."""
    kept = [each for course in courses for each in course.kept]
    entries = entries_in_all(elsewhere)
    lost: set[tuple[str, int]] = set()
    try:
        target = place.with_name("saved.sqlite")
        lost = {(loss.stream, seq) for loss in salvage.salvage_archive(place, target).lost for seq in loss.seqs}
        entries |= entries_in(target)
    except ArchiveError as error:
        if not is_sentence(str(error)):
            yield f"not one sentence: {str(error)!r}"
        # Of a young archive one page holds all entries: then a check names what was in it.
        lost = {(loss.stream, seq) for loss in salvage.survey(place) for seq in loss.seqs}
    since = {each for course in courses for each in course.since}
    for each in kept:
        if not _is_in(each, entries) and ((each.stream, each.seq) not in lost or each in since):
            yield f"neither saved nor named: {each}"
