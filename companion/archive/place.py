"""Where an archive is: from what somebody typed, the environment or the platform's data directory to a database URL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.archive.errors import Unreadable
from companion.games.text import quoted

# A file is looked at by its own path before any database is loaded: hence the imports inside functions.
if TYPE_CHECKING:
    from sqlalchemy.engine import URL

VARIABLE = "COMPANION_ARCHIVE"


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
