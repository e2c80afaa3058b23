"""Putting a backup in the archive's place: checked first, and what stood there is kept beside it.

Works on files, so that an archive that cannot even be opened can be replaced.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from companion.archive import backups, files, lineage, open_files
from companion.archive.errors import Unreadable


def restore(backup: Path, file: Path, now: datetime) -> Path | None:
    """Puts `backup` in the place of the archive `file`; gives where what was there is kept, None if nothing was.

    Nothing in this process may have the archive open. Raises Unreadable where the backup is not whole, and ArchiveError
    while another program has the archive open; nothing is changed then.
    """
    _check(backup, file)
    _settle(file)
    with open_files.locked_alone(file) as held, files.fresh(file, force=True) as draft:
        backups.copy(backup, draft)
        kept = backups.replaced(file, now) if file.exists() else None
        if kept is not None:
            _set_aside(file, held, kept)
    return kept


def _check(backup: Path, file: Path) -> None:
    if not backup.is_file():
        raise Unreadable(f"There is no backup “{backup}”.", "backups")
    if file.exists() and backup.samefile(file):
        raise Unreadable(f"“{backup}” is the archive itself.", "backups")
    if not _is_archive(backup):
        raise Unreadable(f"“{backup}” is no archive of this program, or a damaged one; nothing was changed.")


def _is_archive(backup: Path) -> bool:
    try:
        with contextlib.closing(open_files.connect(f"{backup.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            return opened.execute("SELECT 1 FROM alembic_version").fetchone() is not None
    except lineage.REFUSALS:
        return bool(lineage.asked(backup, "SELECT 1 FROM alembic_version"))


def _settle(file: Path) -> None:
    """Has what waits beside the file taken over into it, so that one step replaces all of it.

    Who is killed between setting the log aside and replacing the file would leave a file without its last entries.
    """
    if not file.exists() or not lineage.holds_pages(lineage.log_of(file)):
        return
    # Of one that is damaged, or whose log is another's, both are kept as they are.
    with contextlib.suppress(*lineage.REFUSALS, Unreadable):
        lineage.check(file)
        with contextlib.closing(open_files.connect(file)) as opened:
            opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _set_aside(file: Path, held: BinaryIO | None, kept: Path) -> None:
    """The present file stays under its name until the backup takes it, so that at no moment there is none."""
    try:
        os.link(file, kept)
    except OSError:
        if held is None:
            shutil.copy2(file, kept)
        else:
            open_files.copy_held(held, kept)
    log = lineage.log_of(file)
    if log.exists():
        log.replace(lineage.log_of(kept))
    file.with_name(f"{file.name}-shm").unlink(missing_ok=True)
