"""A copy of what an open connection still reads, where the file that it has open is no longer the one at its path."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from companion.archive import backups, files, lineage, open_files, stored
from companion.archive.errors import ArchiveError

if TYPE_CHECKING:
    import sqlalchemy as sa


class Rescued(NamedTuple):
    """A copy of what was open, and whether it is whole; what is not is no backup that anybody should go back to."""

    path: Path
    is_whole: bool


def save(
    connection: sa.Connection, file: Path, now: datetime, *, torn: bool = False, growth: int = 0
) -> Rescued | None:
    """Writes all that the connection reads to a new file and gives that; None where it can be written nowhere.

    It lies beside `file`, or where that is not possible in the platform's folder for data or for what is temporary.
    `torn` is where somebody else may have written into the file that is read, which had grown up to `growth`.
    """
    own = cast("sqlite3.Connection", connection.connection.driver_connection)
    # An older copy of the archive, written over it, has all with the log: what is open here takes that for done.
    is_older = torn and _has_own_log(file)
    for folder in _folders(file):
        with contextlib.suppress(OSError, ArchiveError, *lineage.REFUSALS):
            # Only what is whole is listed as a backup, which is by its name.
            target = backups.rescued(folder / file.name, now)
            with files.fresh(target) as draft:
                if is_older:
                    _copy_parts(file, draft)
                else:
                    _copy(own, draft)
            if not stored.first_fault(target) and (not torn or (is_older and backups.read_growth(target) >= growth)):
                return Rescued(target, True)
            damaged = files.unused(folder / backups.dated(now.astimezone(), f"{file.stem}-damaged"))
            target.replace(damaged)
            return Rescued(damaged, False)
    return None


def _has_own_log(file: Path) -> bool:
    try:
        lineage.check(file)
    except (OSError, ArchiveError):
        return False
    return bool(file.stat().st_size) and lineage.holds_pages(lineage.log_of(file))


def _copy_parts(file: Path, draft: Path) -> None:
    for part, into in ((file, draft), (lineage.log_of(file), lineage.log_of(draft))):
        into.write_bytes(open_files.read_bytes(part))
    with contextlib.closing(open_files.connect(draft, isolation_level=None)) as opened:
        opened.execute("PRAGMA journal_mode = DELETE")
        opened.execute("UPDATE lineage SET before = now, now = ?", (lineage.new_word(),))


def _folders(file: Path) -> Iterator[Path]:
    from platformdirs import user_data_path

    yield file.parent
    yield user_data_path("table-companion", appauthor=False)
    yield Path(tempfile.gettempdir())


def _copy(own: sqlite3.Connection, draft: Path) -> None:
    with contextlib.closing(open_files.connect(draft, isolation_level=None)) as into:
        own.backup(into)
        into.execute("PRAGMA journal_mode = DELETE")
        into.execute("UPDATE lineage SET before = now, now = ?", (lineage.new_word(),))


def sentence(name: str, copy: Rescued | None) -> str:
    """What happened to the archive of this name, and what became of what it held."""
    happened = f"“{name}” was deleted, renamed or replaced while it was open here, so nothing more is written to it."
    if copy is None:
        return f"{happened} Nothing of it could be saved from here; companion archive backups lists what to go back to."
    if not copy.is_whole:
        return (
            f"{happened} What can still be read of it is kept as “{copy.path}”. Close all windows; companion --archive "
            f"{copy.path} archive check --repair saves what is whole of that, and companion archive backups lists what "
            "to go back to."
        )
    return (
        f"{happened} What it held is kept as “{copy.path}”. Close all windows; companion archive restore {copy.path} "
        "puts that in the archive's place."
    )
