"""Where an archive is: from what somebody typed, the environment or the platform's data directory to a database URL."""

import os
from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from companion.archive import backups, lineage
from companion.archive.errors import Unreadable

VARIABLE = "COMPANION_ARCHIVE"

_SQLITE_HEADER = b"SQLite format 3\x00"


def locate(typed: str | None) -> URL:
    """The URL of the archive that `typed` names: a URL, or just a file.

    None means the variable COMPANION_ARCHIVE, else a file in the platform's data directory, whose folder is made.
    Raises Unreadable where nothing that can be an archive is named.
    """
    named = typed or os.environ.get(VARIABLE)
    if not named:
        own = user_data_path("table-companion", appauthor=False, ensure_exists=True) / "archive.sqlite"
        return URL.create("sqlite", database=str(own))
    if "://" not in named:
        return URL.create("sqlite", database=str(Path(named).expanduser()))
    return _parse(named)


def _parse(named: str) -> URL:
    try:
        url = make_url(named)
    except ArgumentError:
        raise Unreadable(f"“{named}” is not a URL of an archive; sqlite:///archive.sqlite is one.") from None
    backend = url.drivername.partition("+")[0]
    if backend not in ("sqlite", "postgresql"):
        raise Unreadable(f"An archive is a file, sqlite:///FILE or postgresql://…; {backend} is neither.")
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.database in (None, "", ":memory:"):
        raise Unreadable("An archive is there to last: name its file, as in sqlite:///archive.sqlite.")
    return url.set(drivername="sqlite")


def name(url: URL) -> str:
    """What to call the archive in a sentence: its file, or its URL without the password."""
    return url.database or "" if url.drivername == "sqlite" else url.render_as_string(hide_password=True)


def check_file(url: URL) -> None:
    """Raises Unreadable if the file of an SQLite archive is no database, was lost, or can never be there."""
    path = Path(url.database or "")
    if path.is_dir():
        raise Unreadable(f"“{path}” is a directory; an archive is a file, such as {path / 'archive.sqlite'}.")
    if not path.parent.is_dir():
        raise Unreadable(f"There is no directory “{path.parent}” to keep the archive “{path.name}” in.")
    if not path.exists() or path.stat().st_size == 0:
        _check_new(path)
    elif not _begins_as_database(path):
        raise Unreadable(f"“{path}” is not an archive: it is not an SQLite database.")


def _check_new(path: Path) -> None:
    """Raises Unreadable where something tells that an archive was there: nothing new is begun in its place."""
    waiting = lineage.holds_pages(lineage.log_of(path))
    kept = backups.named(path) if waiting or backups.folder(path).is_dir() or path.exists() else ""
    if not (kept or waiting):
        return
    gone = "is empty, 0 bytes" if path.exists() else "is gone"
    rest = f" Its last entries may be in “{lineage.log_of(path).name}”: keep that." if waiting else ""
    newest = backups.listed(path)[:1]
    way = (
        f"Backups, newest first: {kept}. companion archive restore {newest[0].path} puts one in its place"
        if newest
        else "There is no backup beside it"
    )
    raise Unreadable(
        f"The archive “{path}” {gone}, and there was one.{rest} {way}; to begin a new one, name another file."
    )


def _begins_as_database(path: Path) -> bool:
    with path.open("rb") as file:
        beginning = file.read(len(_SQLITE_HEADER))
    return beginning == _SQLITE_HEADER
