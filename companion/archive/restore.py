"""Putting a backup in the archive's place: checked first, and what stood there is kept beside it.

Works on files, so that an archive that cannot even be opened can be replaced. What is kept is a file of its own, and
nothing is replaced before it was compared with what stood there.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from companion.archive import backups, files, lineage, open_files
from companion.archive.errors import ArchiveError, Unreadable
from companion.archive.migrations import REVISION
from companion.archive.version import as_version, describe_newer

_SCHEMA: Final = "SELECT version_num, (SELECT user_version FROM pragma_user_version) FROM alembic_version"
_HEADS: Final = "SELECT stream, count(*), max(seq) FROM entries GROUP BY stream ORDER BY stream"
_PART: Final = 1 << 20
"""Bytes that are compared at once."""


def restore(backup: Path, file: Path, now: datetime) -> Path | None:
    """Puts `backup` in the place of the archive `file`; gives where what was there is kept, None if nothing was.

    Where the file is gone and only its log is left, that is what is kept.

    Nothing in this process may have the archive open. `file` is the real one, and no link to it. Raises Unreadable
    where the backup is not whole, or of a newer companion, and ArchiveError while another program has the archive open,
    or where what is there cannot be kept; nothing is changed then.
    """
    _check(backup, file)
    _settle(file)
    before, exceeding = _summary(file), backups.next_growth(file, backup)
    with open_files.locked_alone(file) as held, files.fresh(file, force=True) as draft:
        backups.copy(backup, draft, exceeding)
        kept = backups.replaced(file, now) if file.exists() else None
        if kept is not None:
            _set_aside(file, held, kept, before)
            _drop_log(file)
        elif lineage.log_of(file).exists():
            # Of a file that is gone; it would be taken for the backup's.
            kept = _set_log_aside(file, now)
    return kept


def _check(backup: Path, file: Path) -> None:
    if not backup.is_file():
        raise Unreadable(f"There is no backup “{backup}”.", "backups")
    if file.exists() and backup.samefile(file):
        raise Unreadable(f"“{backup}” is the archive itself.", "backups")

    revision, version = _schema(backup)
    if revision is None:
        raise Unreadable(f"“{backup}” is no archive of this program, or a damaged one; nothing was changed.")
    if revision > REVISION:
        raise Unreadable(f"{describe_newer(f'“{backup}”', revision, version)} Nothing was changed.")


def _schema(backup: Path) -> tuple[str | None, str]:
    """The revision of a backup's schema, None where it has none, and the version of the program that made it."""
    try:
        with contextlib.closing(backups.open_to_read(backup)) as opened:
            found = opened.execute(_SCHEMA).fetchone()
    except lineage.REFUSALS:
        found = lineage.query_alone(backup, _SCHEMA)
    return (str(found[0]), as_version(int(found[1]))) if found else (None, "")


def _settle(file: Path) -> None:
    """Has what waits beside the file taken over into it, so that one step replaces all of it.

    Who is killed between setting the log aside and replacing the file would leave a file without its last entries.
    """
    # SQLite deletes the log of an empty file, which may hold the last entries.
    if not file.exists() or not file.stat().st_size or not lineage.holds_pages(lineage.log_of(file)):
        return
    # Of one that is damaged, or whose log is another's, both are kept as they are.
    with contextlib.suppress(*lineage.REFUSALS, Unreadable):
        lineage.check(file)
        with contextlib.closing(open_files.connect(file)) as opened:
            opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(file: Path, held: BinaryIO | None, kept: Path, before: _Summary | None) -> None:
    """Copies the present file with its log to `kept`, reads the copy back and compares it. Raises ArchiveError.

    The present one stays under its name until the backup takes it, so that at no moment there is none.
    """
    log, kept_log = lineage.log_of(file), lineage.log_of(kept)
    try:
        with file.open("rb") if held is None else contextlib.nullcontext(held) as source:
            open_files.copy_held(source, kept)
            shutil.copystat(file, kept)
            if log.exists():
                shutil.copy2(log, kept_log)
            is_same = _is_equal(source, kept) and _summary(kept) == before
        _index_of(kept).unlink(missing_ok=True)
        if not is_same:
            raise ArchiveError(
                f"What is in “{file}” could not be kept as it is: its copy is not the same. Somebody may have written "
                "to it meanwhile; repeat. Nothing was changed."
            )
    except BaseException:
        for part in (kept, kept_log, _index_of(kept)):
            part.unlink(missing_ok=True)
        raise


def _is_equal(held: BinaryIO, kept: Path) -> bool:
    """Whether a copy has the bytes of the open file."""
    held.seek(0)
    with kept.open("rb") as copy:
        while part := held.read(_PART):
            if part != copy.read(_PART):
                return False
        return not copy.read(1)


class _Summary(NamedTuple):
    """By what one archive is told from another: its entries, where each stream ends, and its last transaction."""

    entries: int
    heads: str
    transaction: str


def _summary(file: Path) -> _Summary | None:
    """What an archive's file holds, with what waits beside it; None where that cannot be read."""
    entries, heads = 0, hashlib.sha256()
    try:
        with contextlib.closing(backups.open_to_read(file)) as opened:
            for stream, count, head in opened.execute(_HEADS):
                entries += count
                heads.update(f"{stream!r} {head}\n".encode("utf-8", "surrogatepass"))
            word = opened.execute("SELECT now FROM lineage").fetchone()
    except lineage.REFUSALS:
        return None
    return _Summary(entries, heads.hexdigest(), str(word[0]) if word else "")


def _set_log_aside(file: Path, now: datetime) -> Path:
    kept = files.unused(lineage.log_of(backups.replaced(file, now)))
    lineage.log_of(file).rename(kept)
    _index_of(file).unlink(missing_ok=True)
    return kept


def _drop_log(file: Path) -> None:
    """Removes what belongs to the present file, which is kept elsewhere, and would be played into the backup."""
    for part in (lineage.log_of(file), _index_of(file)):
        part.unlink(missing_ok=True)


def _index_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-shm")
