"""A copy of what an open connection still reads, where the file that it has open is no longer the one at its path."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from companion.archive import backups, files, lineage, open_files, stored
from companion.archive.errors import ArchiveError

if TYPE_CHECKING:
    import sqlalchemy as sa


def save(connection: sa.Connection, file: Path, now: datetime) -> Path | None:
    """Writes all that the connection reads to a new file and gives that; None where it can be written nowhere.

    It lies beside `file`, or where that is not possible in the platform's folder for data or for what is temporary.
    """
    own = cast("sqlite3.Connection", connection.connection.driver_connection)
    name = backups.dated(now.astimezone(), f"{file.stem}-rescued")
    for folder in _folders(file):
        with contextlib.suppress(OSError, ArchiveError, *lineage.REFUSALS):
            target = files.unused(folder / name)
            with files.fresh(target) as draft:
                _copy(own, draft)
            return target
    return None


def _folders(file: Path) -> Iterator[Path]:
    from platformdirs import user_data_path

    yield file.parent
    yield user_data_path("table-companion", appauthor=False)
    yield Path(tempfile.gettempdir())


def _copy(own: sqlite3.Connection, draft: Path) -> None:
    with contextlib.closing(open_files.connect(draft, isolation_level=None)) as into:
        own.backup(into)
        into.execute("PRAGMA journal_mode = DELETE")
        into.execute("UPDATE lineage SET before = now, now = ?", (lineage.fresh(),))


def sentence(name: str, copy: Path | None) -> str:
    """What happened to the archive of this name, and what became of what it held."""
    happened = f"“{name}” was deleted, renamed or replaced while it was open here, so nothing more is written to it."
    if copy is None:
        return f"{happened} Nothing of it could be saved from here; companion archive backups lists what to go back to."
    if stored.first_fault(copy):
        return (
            f"{happened} What can still be read of it is kept as “{copy}”. Close all windows; companion --archive {copy} "
            "archive check --repair saves what is whole of that, and companion archive backups lists what to go back to."
        )
    return (
        f"{happened} What it held is kept as “{copy}”. Close all windows; companion archive restore {copy} puts that in "
        "the archive's place."
    )
