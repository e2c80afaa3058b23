"""Where an archive is: from what somebody typed, the environment or the platform's data directory to a database URL.

Links are followed here, once: SQLite would follow them as well, but its log lies beside the real file, and so must all
else that belongs to an archive.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.archive import files
from companion.archive.errors import Unreadable
from companion.tabletop.text import quoted

# A file is looked at by its own path before any database is loaded: hence the imports inside functions.
if TYPE_CHECKING:
    from sqlalchemy.engine import URL

VARIABLE = "COMPANION_ARCHIVE"


def locate(typed: str | None, *, dangling: bool = False) -> URL:
    """The URL of the archive that `typed` names: a URL, or just a file, whose links are followed.

    None means the variable COMPANION_ARCHIVE, else a file in the platform's data directory, whose folder is made.
    Raises Unreadable where nothing that can be an archive is named, also for a link to a file that does not exist:
    nothing new is begun behind one. Only where a backup is put in its place such a link may be `dangling`.
    """
    from sqlalchemy.engine import URL

    own = _named_file(typed)
    if own is None:
        return _parse(typed or os.environ[VARIABLE], dangling=dangling)
    if not (typed or os.environ.get(VARIABLE)):
        # Who begins an archive there is told that this cannot be; who only looks whether there is one needs no folder.
        with suppress(OSError):
            own.parent.mkdir(parents=True, exist_ok=True)
    return URL.create("sqlite", database=str(_resolve(own, dangling=dangling)))


def archive_file(typed: str | None) -> Path | None:
    """The file that `typed` names in the same way; None where that is a URL. Loads no library for databases.

    It need not exist, and nothing is made. Raises Unreadable where it is no file name, or a link that leads back to
    itself.
    """
    own = _named_file(typed)
    return None if own is None else _resolve(own, dangling=True)


def _named_file(typed: str | None) -> Path | None:
    """A file as somebody named it; None where that is a URL. Raises Unreadable."""
    named = typed or os.environ.get(VARIABLE)
    if named:
        return None if "://" in named else _as_path(named)
    return default_file()


def default_file() -> Path:
    """Where the archive is that nobody names."""
    from platformdirs import user_data_path

    return user_data_path("table-companion", appauthor=False) / "archive.sqlite"


def _as_path(named: str) -> Path:
    """A file name as somebody types it. Raises Unreadable, and does not repeat it, where it is rather part of a URL."""
    path = files.expand_user(named)
    # Who left out postgresql:// may have typed a password, which no sentence shows.
    has_password = ":" in os.path.splitdrive(named)[1].rpartition("@")[0]
    if "@" in named and not path.exists() and (has_password or not path.parent.is_dir()):
        raise Unreadable(
            "That looks like a server's address without its beginning; a URL looks like "
            "postgresql://USER@HOST/DATABASE, and the password belongs into a password file."
        )
    return path


def _resolve(path: Path, *, dangling: bool) -> Path:
    """The real file. Where no link leads elsewhere it keeps the name that people typed. Raises Unreadable."""
    real = Path(os.path.realpath(path))
    if not real.name:
        raise Unreadable(f"“{path}” is a directory; an archive is a file, such as {real / 'archive.sqlite'}.")
    if os.path.islink(real):  # noqa: PTH114 – false, too, where the folder may not be looked into
        raise Unreadable(f"“{path}” is a link that leads back to itself; name the file itself.")
    if not dangling and os.path.islink(path) and not os.path.exists(real):  # noqa: PTH110, PTH114
        raise Unreadable(
            f"“{path}” is a link to “{real}”, which is not there; if that is on another disk, put the disk in, or put "
            "a backup there by companion archive restore."
        )
    return path if os.path.normcase(real) == os.path.normcase(os.path.abspath(path)) else real  # noqa: PTH100


def _parse(named: str, *, dangling: bool) -> URL:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from companion.archive import engine

    backend = named.partition("://")[0].partition("+")[0]
    if backend in ("postgresql", "postgres"):
        on_server: URL = engine.load_server().parse_server_url(named)
        return on_server
    try:
        url = make_url(named)
    except ArgumentError:
        raise Unreadable("That is not a URL of an archive; sqlite:///archive.sqlite is one.") from None
    if backend != "sqlite":
        raise Unreadable(f"An archive is a file, sqlite:///FILE or postgresql://…; {quoted(backend)} is neither.")
    if url.database in (None, "", ":memory:"):
        raise Unreadable("An archive is there to last: name its file, as in sqlite:///archive.sqlite.")
    # A file as SQLite's own URL has its links followed by SQLite, as nobody here knows what it says.
    path = url.database
    database = path if path.startswith("file:") else str(_resolve(Path(path), dangling=dangling))
    return url.set(drivername="sqlite", database=database)


def archive_name(url: URL) -> str:
    """What to call the archive in a sentence: its file, or its URL without the password."""
    if url.drivername == "sqlite":
        return url.database or ""
    from companion.archive import engine

    return str(engine.load_server().server_name(url))
