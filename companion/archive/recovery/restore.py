"""Restoring a backup in the archive's place, and saving what an open connection can still read."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, cast

import platformdirs

from companion.archive.errors import ArchiveError, Unreadable
from companion.archive.migrations import REVISION
from companion.archive.recovery import backups
from companion.archive.recovery.migrate import as_version, describe_newer
from companion.archive.recovery.stored_entries import holds_entries
from companion.archive.storage import checksums, files, wal_guard
from templates.languages.messages import Message, joined, phrase

if TYPE_CHECKING:
    import sqlalchemy as sa


_SCHEMA: Final = "SELECT version_num, (SELECT user_version FROM pragma_user_version) FROM alembic_version"
_HEADS: Final = "SELECT stream, count(*), max(seq) FROM entries GROUP BY stream ORDER BY stream"
_PART: Final = 1 << 20
"""Bytes that are compared at once."""


def restore(backup: Path, file: Path, now: datetime) -> Path | None:
    """Replace the archive `file` by `backup`; return where the replaced file was set aside, None if there was none.

    If the file is gone and only its log is left, the log is set aside. Nothing in this process may have the archive
    open. `file` must be the real file, not a link to it. Raises Unreadable if the backup is damaged, or of a newer
    companion, and ArchiveError while another program has the archive open, or if the present file cannot be set aside;
    nothing is changed then.
    """
    _check_backup(backup, file)
    _take_over_log(file)
    before, exceeding = _summarize(file), backups.next_growth(file, backup)
    log = wal_guard.log_of(file)
    has_more_in_log = wal_guard.holds_pages(log)
    copy: Path | None = None
    aside: Path | None = None
    try:
        with files.lock_exclusively(file) as locked, files.write_atomically(file, force=True) as draft:
            backups.copy_file(backup, draft, exceeding)
            if file.exists():
                aside = copy = backups.replaced_path(file, now)
                _set_aside(file, locked, copy, before)
            elif log.exists():
                # Of a file that is gone.
                aside = files.unused_path(wal_guard.log_of(backups.replaced_path(file, now)))
                log.rename(aside)
            # A leftover log would be taken for the backup's, and replayed into it.
            for part in (log, wal_guard.index_of(file)):
                part.unlink(missing_ok=True)
    except BaseException:
        # Windows: another program has opened it meanwhile. Its file stays as it is, and is not kept twice.
        if copy is not None and (log.exists() or not has_more_in_log):
            _remove_copy(copy)
        raise
    return aside


def describe_restored(backup: Path, copy: Path | None) -> Message:
    """Describe what `restore` has done; `copy` is what it returned."""
    if copy is None:
        return phrase("{backup} is your archive now.", backup=backup.name)
    return phrase("{backup} is your archive now; what was there is kept as {copy}.", backup=backup.name, copy=str(copy))


def read_lengths(file: Path) -> Mapping[str, int]:
    """Return the number of entries of each stream of an archive's file that is not open. Raises Unreadable."""
    try:
        with contextlib.closing(backups.open_to_read(file)) as opened:
            return {str(stream): int(count) for stream, count, _ in opened.execute(_HEADS)}
    except wal_guard.READ_ERRORS as error:
        raise Unreadable(
            phrase("“{backup}” is not an archive of this program, or it is damaged.", backup=file)
        ) from error


def _check_backup(backup: Path, file: Path) -> None:
    if not backup.is_file():
        raise Unreadable(phrase("There is no backup “{backup}”.", backup=backup), "backups")
    if file.exists() and backup.samefile(file):
        raise Unreadable(phrase("“{backup}” is the archive itself.", backup=backup), "backups")

    revision, version = _read_schema(backup)
    if revision is None:
        raise Unreadable(
            phrase(
                "“{backup}” is not an archive of this program, or it is damaged; nothing was changed.", backup=backup
            )
        )
    if revision > REVISION:
        newer = describe_newer(f"“{backup}”", revision, version)
        raise Unreadable(joined(" ", (newer, phrase("Nothing was changed."))))


def _read_schema(backup: Path) -> tuple[str | None, str]:
    """Return the revision of a backup's schema, None if it has none, and the version of the program that made it."""
    try:
        with contextlib.closing(backups.open_to_read(backup)) as opened:
            row = opened.execute(_SCHEMA).fetchone()
    except wal_guard.READ_ERRORS:
        row = wal_guard.query_alone(backup, _SCHEMA)
    return (str(row[0]), as_version(int(row[1]))) if row else (None, "")


def _take_over_log(file: Path) -> None:
    """Checkpoint the log into the file, so that one step replaces both.

    A process killed between setting the log aside and replacing the file would leave a file without its last entries.
    """
    # SQLite deletes the log of an empty file, which may hold the last entries.
    if not file.exists() or not file.stat().st_size or not wal_guard.holds_pages(wal_guard.log_of(file)):
        return
    # If the file is damaged, or the log is another file's, both are kept as they are.
    with contextlib.suppress(*wal_guard.READ_ERRORS, Unreadable):
        wal_guard.check_log(file)
        with contextlib.closing(files.connect(file)) as opened:
            opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(file: Path, locked: BinaryIO | None, target: Path, before: _Summary | None) -> None:
    """Copy the present file with its log to `target`, read the copy back and compare it. Raises ArchiveError.

    The present file keeps its name until the backup takes it, so that there is a file at every moment.
    """
    log, target_log = wal_guard.log_of(file), wal_guard.log_of(target)
    try:
        with (
            files.name_full_disk(target),
            file.open("rb") if locked is None else contextlib.nullcontext(locked) as source,
        ):
            files.copy_locked(source, target)
            shutil.copystat(file, target)
            if log.exists():
                shutil.copy2(log, target_log)
            is_same = _is_equal(source, target) and _summarize(target) == before
        wal_guard.index_of(target).unlink(missing_ok=True)
        if not is_same:
            raise ArchiveError(
                phrase(
                    "What is in “{file}” could not be kept as it is: its copy is not the same. Somebody "
                    "may have written to it meanwhile; try again. Nothing was changed.",
                    file=file,
                )
            )
    except BaseException:
        _remove_copy(target)
        raise


def _remove_copy(target: Path) -> None:
    for part in (target, wal_guard.log_of(target), wal_guard.index_of(target)):
        part.unlink(missing_ok=True)


def _is_equal(source: BinaryIO, target: Path) -> bool:
    """Return True if a copy has the bytes of the open file."""
    source.seek(0)
    with target.open("rb") as copy:
        while part := source.read(_PART):
            if part != copy.read(_PART):
                return False
        return not copy.read(1)


class _Summary(NamedTuple):
    """A summary that identifies an archive: its entries counted, its streams' ends hashed, and its last transaction."""

    entries: int
    heads: str
    transaction: str


def _summarize(file: Path) -> _Summary | None:
    """Summarize an archive's file with its log; None if that cannot be read."""
    entries, heads = 0, hashlib.sha256()
    try:
        with contextlib.closing(backups.open_to_read(file)) as opened:
            for stream, count, head in opened.execute(_HEADS):
                entries += count
                heads.update(f"{stream!r} {head}\n".encode("utf-8", "surrogatepass"))
            word = opened.execute("SELECT now FROM lineage").fetchone()
    except wal_guard.READ_ERRORS:
        return None
    return _Summary(entries, heads.hexdigest(), str(word[0]) if word else "")


class RescuedCopy(NamedTuple):
    """A copy of an archive that was open; if it is not whole, it is no backup to restore."""

    path: Path
    is_whole: bool


def save_open_archive(
    connection: sa.Connection, file: Path, now: datetime, overwritten: wal_guard.LineageState | None = None
) -> RescuedCopy | None:
    """Write everything that the connection reads to a new file and return that; None if no place is writable.

    The copy is beside `file`, or, if that is impossible, in the platform's data folder. `overwritten` is the last
    transaction of a file that another program may have written to.
    """
    own = cast("sqlite3.Connection", connection.connection.driver_connection)
    # An older copy of the archive, written over it, is complete with the log: the open connection ignores that log.
    is_older = overwritten is not None and _has_own_log(file, overwritten)
    for folder in _folders(file):
        with contextlib.suppress(OSError, ArchiveError, *wal_guard.READ_ERRORS):
            # Only whole copies get a name that is listed as a backup.
            target = backups.rescued_path(folder / file.name, now)
            with files.write_atomically(target) as draft:
                if is_older:
                    draft.write_bytes(files.read_bytes(file))
                    wal_guard.log_of(draft).write_bytes(files.read_bytes(wal_guard.log_of(file)))
                with contextlib.closing(files.connect(draft, isolation_level=None)) as into:
                    if not is_older:
                        own.backup(into)
                    into.execute("PRAGMA journal_mode = DELETE")
                    into.execute("UPDATE lineage SET before = now, now = ?", (wal_guard.new_word(),))
            is_complete = overwritten is None or (is_older and backups.read_growth(target) >= overwritten.growth)
            if is_complete and not checksums.first_fault(target):
                return RescuedCopy(target, True)
            damaged = files.unused_path(folder / backups.dated_name(now.astimezone(), f"{file.stem}-damaged"))
            target.replace(damaged)
            return RescuedCopy(damaged, False)
    return None


def _has_own_log(file: Path, last: wal_guard.LineageState) -> bool:
    try:
        wal_guard.check_log(file)
        return bool(file.stat().st_size) and wal_guard.LogProof(file).is_in_log(last.word)
    except (OSError, ArchiveError):
        return False


def _folders(file: Path) -> Iterator[Path]:
    yield file.parent
    data = platformdirs.user_data_path("table-companion", appauthor=False)
    with contextlib.suppress(OSError):
        data.mkdir(parents=True, exist_ok=True)
    yield data


def describe_rescue(file: Path, copy: RescuedCopy | None) -> Message:
    """Describe what happened to the archive in this file, where its contents are, and what to do next."""
    happened = phrase(
        "“{file}” was deleted, renamed, replaced or overwritten while it was open here, so nothing more is "
        "written to it.",
        file=file,
    )
    if copy is not None and copy.is_whole:
        kept = phrase(
            "What it held is kept as “{copy}”. Close all windows; companion archive restore {copy} puts that in the "
            "archive's place.",
            copy=str(copy.path),
        )
        return joined(" ", (happened, kept))
    if copy is None:
        kept, repaired = phrase("Nothing of it could be saved from here."), file if holds_entries(file) else None
    else:
        kept = phrase("What can still be read of it is kept as “{copy}”.", copy=str(copy.path))
        repaired = copy.path
    return joined(" ", (happened, kept, _describe_ways(repaired, has_backups=bool(backups.list_backups(file)))))


def _describe_ways(repaired: Path | None, *, has_backups: bool) -> Message:
    """Describe what to do next; `repaired` is the file of which something can be repaired."""
    if repaired is None:
        if has_backups:
            return phrase("Close all windows; companion archive backups lists what to go back to.")
        return phrase("There is no backup beside it.")
    if has_backups:
        return phrase(
            "Close all windows; companion --archive {file} archive check --repair saves what is "
            "intact, and companion archive backups lists what to go back to.",
            file=str(repaired),
        )
    return phrase(
        "Close all windows; companion --archive {file} archive check --repair saves what is intact.",
        file=str(repaired),
    )
