"""Where an archive is: from what somebody typed, the environment or the platform's data directory to a database URL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.archive.errors import Unreadable
from companion.games.text import quoted

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

VARIABLE = "COMPANION_ARCHIVE"

_SQLITE_HEADER = b"SQLite format 3\x00"


def locate(typed: str | None) -> URL:
    """The URL of the archive that `typed` names: a URL, or just a file.

    None means the variable COMPANION_ARCHIVE, else a file in the platform's data directory, whose folder is made.
    Raises Unreadable where nothing that can be an archive is named.
    """
    from sqlalchemy.engine import URL

    own = file(typed)
    return URL.create("sqlite", database=str(own)) if own else _parse(typed or os.environ[VARIABLE])


def file(typed: str | None) -> Path | None:
    """The file that `typed` names in the same way; None where that is a URL. Loads no library for databases."""
    named = typed or os.environ.get(VARIABLE)
    if named:
        return None if "://" in named else Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("table-companion", appauthor=False, ensure_exists=True) / "archive.sqlite"


def _parse(named: str) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from companion.archive import engine

    backend = named.partition("://")[0].partition("+")[0]
    if backend in ("postgresql", "postgres"):
        on_server: URL = engine.server().url(named)
        return on_server
    try:
        url = make_url(named)
    except ArgumentError:
        raise Unreadable("That is not a URL of an archive; sqlite:///archive.sqlite is one.") from None
    if backend != "sqlite":
        raise Unreadable(f"An archive is a file, sqlite:///FILE or postgresql://…; {quoted(backend)} is neither.")
    if url.database in (None, "", ":memory:"):
        raise Unreadable("An archive is there to last: name its file, as in sqlite:///archive.sqlite.")
    return url.set(drivername="sqlite")


def name(url: URL) -> str:
    """What to call the archive in a sentence: its file, or its URL without the password."""
    if url.drivername == "sqlite":
        return url.database or ""
    from companion.archive import engine

    return str(engine.server().name(url))


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
        raise Unreadable(
            f"“{path}” is not an archive: it is not an SQLite database. If it was one, companion archive check tells "
            "what can be saved."
        )


def _check_new(path: Path) -> None:
    """Raises Unreadable where something tells that an archive was there: nothing new is begun in its place."""
    from companion.archive import backups, lineage

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
