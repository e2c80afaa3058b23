"""Whether the file of an archive is one, or may become one: where something tells that one was there, none is begun.

Separate from where an archive is: that is asked of every command, before anything of it is looked at.
"""

from __future__ import annotations

from pathlib import Path

from companion.archive import backups, growth, lineage, open_files
from companion.archive.errors import NoArchive, Unreadable

_SQLITE_HEADER = b"SQLite format 3\x00"
_PAGE = 4096
"""Bytes of the first page, which a file has as soon as somebody begins to make an archive in it."""


def check(path: Path, *, create: bool = True) -> None:
    """Raises Unreadable if the file of an archive is no database, was lost, or can never be there.

    Raises NoArchive if there is none, and none is to be begun by `create`.
    """
    if path.is_dir():
        raise Unreadable(f"“{path}” is a directory; an archive is a file, such as {path / 'archive.sqlite'}.")
    if not path.parent.is_dir():
        raise Unreadable(
            f"There is no directory “{path.parent}” to keep the archive “{path.name}” in; look at its name, or plug in "
            "the disk or stick that it is on."
        )
    if not path.exists() or path.stat().st_size == 0:
        _check_new(path)
        if not create:
            why = "is empty, 0 bytes" if path.exists() else "does not exist"
            raise NoArchive(f"There is no archive in “{path}”, which {why}.")
    elif not open_files.begins_with(path, _SQLITE_HEADER):
        raise Unreadable(
            f"“{path}” is not an archive: it is not an SQLite database. If it was one, companion archive check tells "
            "what can be saved."
        )
    elif path.stat().st_nlink > 1:
        _check_only_name(path)


def may_be_new(path: Path) -> bool:
    """Whether no archive has ever been made in a file: even an empty archive's tables take more than one page."""
    try:
        return path.stat().st_size <= _PAGE
    except OSError:
        return True


def _check_only_name(path: Path) -> None:
    """Raises Unreadable where the last entries of a file are in the log of another name that it has in its folder."""
    for other in path.parent.iterdir():
        log = lineage.log_of(other)
        if other.name != path.name and lineage.holds_pages(log) and other.is_file() and other.samefile(path):
            raise Unreadable(
                f"“{path}” is also called “{other.name}”, and its last entries are in “{log.name}”: close what has it "
                "open under that name, or open it by that name."
            )


def _check_new(path: Path) -> None:
    """Raises Unreadable where something tells that an archive was there: nothing new is begun in its place."""
    waiting = lineage.holds_pages(lineage.log_of(path))
    known = growth.recall(path) or 0
    kept = backups.describe_newest(path) if waiting or known or backups.folder(path).is_dir() or path.exists() else ""
    if not (kept or waiting or known):
        return
    gone = "is empty, 0 bytes" if path.exists() else "is gone"
    rest = f" Its last entries may be in “{lineage.log_of(path).name}”: keep that." if waiting else ""
    newest = backups.list_backups(path)[:1]
    way = (
        f"Backups, newest first: {kept}. companion archive restore {newest[0].path} puts one in its place"
        if newest
        else "There is no backup beside it"
    )
    only_seen = known and not (kept or waiting)
    seen = ", as this computer remembers" if only_seen else ""
    first = ", or say companion archive accept first" if only_seen else ""
    raise Unreadable(
        f"The archive “{path}” {gone}, and there was one{seen}.{rest} {way}; to begin a new one, name another "
        f"file{first}."
    )
