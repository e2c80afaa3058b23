"""Backups: copies of an archive's file that were read back, which are kept, and when the next is due.

They lie in a folder beside the file and are made by SQLite's own backup, while others go on writing.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal, NamedTuple

from companion.archive import files, lineage, open_files, stored
from companion.archive.errors import ArchiveError

Why = Literal["evening", "hour", "migration", "hand", "replaced"]
"""At the end of an evening; after an hour of play; before a newer companion changed the tables; made by somebody; what
stood in a backup's place before it was restored.
"""

REASONS: Final[Mapping[Why, str]] = {
    "evening": "end of an evening",
    "hour": "an hour of play",
    "migration": "before a newer companion",
    "hand": "made by hand",
    "replaced": "replaced by a backup",
}
"""Why a backup was made, as lists say it."""

KEPT: Final = 15
"""How many of evenings and hours are kept; those before migrations stay for ever."""
HOUR: Final = timedelta(hours=1)

_STAMP: Final = "%Y-%m-%d-%H%M%S"
_OURS: Final = re.compile(r"(\d{4}-\d\d-\d\d-\d{6})-(evening|hour|before-\d+)(-\d+)?\.sqlite")


class Backup(NamedTuple):
    """A backup: where it is, when it was made (UTC), why, and how many bytes it has."""

    path: Path
    made: datetime
    why: Why
    bytes: int


def folder(file: Path) -> Path:
    """Where the backups of an archive's file are kept."""
    return file.with_name(f"{file.name}.backups")


def dated(now: datetime, word: str = "archive") -> str:
    """What a copy of this moment is called: `archive-2026-03-14-203000.sqlite`."""
    return f"{word}-{now:{_STAMP}}.sqlite"


def listed(file: Path) -> tuple[Backup, ...]:
    """All backups of an archive's file, newest first: those in their folder, and dated copies that lie beside it."""
    found = [*_automatic(file), *_beside(file, "archive", "hand"), *_beside(file, _replaced(file), "replaced")]
    return tuple(sorted(found, key=lambda backup: (backup.made, backup.path.name), reverse=True))


def _automatic(file: Path) -> Iterator[Backup]:
    with contextlib.suppress(OSError):
        for path in folder(file).iterdir():
            said = _OURS.fullmatch(path.name)
            if said:
                why: Why = "migration" if said[2].startswith("before") else "hour" if said[2] == "hour" else "evening"
                yield Backup(path, datetime.strptime(said[1], _STAMP).replace(tzinfo=UTC), why, path.stat().st_size)


def _beside(file: Path, word: str, why: Why) -> Iterator[Backup]:
    name = re.compile(rf"{re.escape(word)}-(\d{{4}}-\d\d-\d\d-\d{{6}})(-\d+)?\.sqlite")
    with contextlib.suppress(OSError):
        for path in file.resolve().parent.iterdir():
            said = name.fullmatch(path.name)
            if said:
                # Who makes a copy by hand reads its name on their own clock.
                made = datetime.strptime(said[1], _STAMP).astimezone(UTC)
                yield Backup(path, made, why, path.stat().st_size)


def _replaced(file: Path) -> str:
    return f"{file.stem}-replaced"


def replaced(file: Path, now: datetime) -> Path:
    """Where what is replaced by a backup is kept: beside it."""
    return files.unused(file.with_name(dated(now.astimezone(), _replaced(file))))


def named(file: Path, most: int = 3) -> str:
    """The newest backups in a sentence; "" where there is none."""
    found = listed(file)
    told = ", ".join(f"{_short(file, backup.path)} ({when(backup)})" for backup in found[:most])
    return f"{told} and {len(found) - most} more" if len(found) > most else told


def when(backup: Backup) -> str:
    """When it was made, in the time of the place where the program runs."""
    return f"{backup.made.astimezone():%Y-%m-%d %H:%M}"


def _short(file: Path, path: Path) -> str:
    return str(path.relative_to(file.resolve().parent)) if path.is_relative_to(file.resolve().parent) else str(path)


def keep(file: Path, why: Literal["evening", "hour"], now: datetime) -> Path | None:
    """Makes the backup that is due at the end of an evening or after an hour; None where nothing is new since the last.

    Raises ArchiveError or OSError where none can be made; what was kept before stays.
    """
    before = [backup for backup in listed(file) if backup.why in ("evening", "hour")]
    now_there = _word_now(file)
    if not now_there or (before and lineage.word_before(before[0].path) == now_there):
        return None
    if why == "hour" and before and now - before[0].made < HOUR:
        return None
    made = _make(file, f"{now:{_STAMP}}-{why}.sqlite")
    _thin(before, why, now)
    return made


def _word_now(file: Path) -> str:
    """The word of the last transaction; "" where there is nothing yet to be kept."""
    with _opened(file) as connection:
        found = connection.execute("SELECT now FROM lineage WHERE EXISTS (SELECT 1 FROM entries)").fetchone()
    return str(found[0]) if found else ""


def _thin(before: Sequence[Backup], why: str, now: datetime) -> None:
    """Lets go of the oldest. An evening that ends several times within the hour has one backup, the last."""
    again = [each for each in before if why == each.why == "evening" and now - each.made < HOUR]
    rest = [each for each in before if each not in again]
    for backup in (*again, *rest[KEPT - 1 :]):
        backup.path.unlink(missing_ok=True)


def before_migration(file: Path, revision: str, now: datetime) -> Path:
    """Makes the backup of an archive whose tables are about to be changed. Raises ArchiveError or OSError."""
    return _make(file, f"{now:{_STAMP}}-before-{revision}.sqlite")


def _make(file: Path, name: str) -> Path:
    into = folder(file)
    into.mkdir(exist_ok=True)
    for left in _abandoned(into):
        left.unlink(missing_ok=True)
    target = files.unused(into / name)
    with files.fresh(target) as draft:
        copy(file, draft)
    return target


def _abandoned(into: Path) -> Iterator[Path]:
    """What processes began that were killed: whoever lives has written to theirs within the hour."""
    for left in (*into.glob(".*.sqlite"), *into.glob(".*.sqlite-journal")):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > HOUR.total_seconds():
                yield left


def copy(file: Path, target: Path) -> None:
    """Writes a copy of an archive's file to `target`, with what waits in its log, and reads it back.

    Others may go on writing meanwhile. Raises ArchiveError where the copy would not be whole.
    """
    with _opened(file) as source, contextlib.closing(open_files.connect(target, isolation_level=None)) as into:
        source.backup(into)
        # One file, which can be read wherever it lies; and a word of its own, for it is no part of the other's line.
        into.execute("PRAGMA journal_mode = DELETE")
        if into.execute("SELECT 1 FROM sqlite_master WHERE name = 'lineage'").fetchone():
            into.execute("UPDATE lineage SET before = now, now = ?", (lineage.fresh(),))
    wrong = stored.first_fault(target)
    if wrong:
        raise ArchiveError(f"The copy would not be whole ({wrong.rstrip('.')}).", "damage")


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """The file as it is now, with its log; errors in words."""
    # Who only lists backups need not wait for the database's library.
    from companion.archive.engine import BUSY_SECONDS, cause, look

    lineage.check(file)
    try:
        how = "mode=ro" if lineage.holds_pages(lineage.log_of(file)) else _plainly(file)
        with contextlib.closing(
            open_files.connect(f"{file.resolve().as_uri()}?{how}", uri=True, timeout=BUSY_SECONDS)
        ) as opened:
            yield opened
    except lineage.REFUSALS as error:
        raise ArchiveError(f"{cause(error)}: {file}.", look(cause(error))) from error


def _plainly(file: Path) -> str:
    # Where nothing waits in a log and nobody has the file open, it can be read without writing anything beside it.
    return "mode=ro" if file.with_name(f"{file.name}-shm").exists() else "mode=ro&immutable=1"
