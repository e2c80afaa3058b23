"""The location of an archive: a database URL from the user's input, the environment or the platform's data directory.

Links are followed here, once: SQLite would follow them as well, but its log is beside the real file, and so must be
everything else that belongs to an archive.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import platformdirs

from companion.archive.errors import Unreadable
from companion.archive.storage import files
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

# A file is checked by its own path before any database is loaded: hence the imports inside functions.
if TYPE_CHECKING:
    from sqlalchemy.engine import URL

VARIABLE = "COMPANION_ARCHIVE"
_FILE_URL = "sqlite:///"


def locate(typed: str | None, *, dangling: bool = False) -> URL:
    """Return the URL of the archive that `typed` names: a URL, or just a file, whose links are followed.

    None means the variable COMPANION_ARCHIVE, else a file in the platform's data directory, whose folder is created.
    Raises Unreadable if that can be no archive, also for a link to a file that does not exist: nothing new is created
    behind one. Only for restoring a backup such a link may be `dangling`.
    """
    from sqlalchemy.engine import URL

    own = _named_file(typed)
    if own is None:
        return _parse(typed or os.environ[VARIABLE], dangling=dangling)
    if not (typed or os.environ.get(VARIABLE)):
        # Creating an archive there reports the error; checking whether there is one needs no folder.
        with suppress(OSError):
            own.parent.mkdir(parents=True, exist_ok=True)
    return URL.create("sqlite", database=str(_resolve(own, dangling=dangling)))


def archive_file(typed: str | None) -> Path | None:
    """Return the file that `typed` names in the same way; None if it is another URL. Loads no database library.

    The file need not exist, and nothing is created. Raises Unreadable if it is no file name, or a link that leads back
    to itself.
    """
    own = _named_file(typed)
    return None if own is None else _resolve(own, dangling=True)


def _named_file(typed: str | None) -> Path | None:
    """Return the file that the user named; None if it is any other URL than sqlite:///FILE. Raises Unreadable."""
    named = typed or os.environ.get(VARIABLE)
    if not named:
        return default_file()
    if "://" not in named:
        return _as_path(named)
    # The plain form of a URL names a file, too, and needs no library to say which.
    rest = named.removeprefix(_FILE_URL)
    is_plain = rest != named and rest not in ("", ":memory:") and "?" not in rest and not rest.startswith("file:")
    return Path(rest) if is_plain else None


def default_file() -> Path:
    """Return the path of the archive that is used if none is named."""
    return platformdirs.user_data_path("table-companion", appauthor=False) / "archive.sqlite"


def _as_path(named: str) -> Path:
    """Return a typed file name as a path. Raises Unreadable if it looks like part of a URL, without repeating it."""
    path = files.expand_user(named)
    # A URL typed without postgresql:// may contain a password, which no message shows.
    has_password = ":" in os.path.splitdrive(named)[1].rpartition("@")[0]
    if "@" in named and not path.exists() and (has_password or not path.parent.is_dir()):
        raise Unreadable(
            phrase(
                "That looks like a server's address without its beginning; a URL looks like "
                "postgresql://USER@HOST/DATABASE, and the password belongs in a password file."
            )
        )
    return path


def _resolve(path: Path, *, dangling: bool) -> Path:
    """Return the real file, under its typed name unless a link leads elsewhere. Raises Unreadable."""
    real = Path(os.path.realpath(path))
    if not real.name:
        raise Unreadable(
            phrase(
                "“{path}” is a directory; an archive is a file, such as {real}.",
                path=path,
                real=real / "archive.sqlite",
            )
        )
    if os.path.islink(real):  # noqa: PTH114 – also False if the folder may not be read
        raise Unreadable(phrase("“{path}” is a link that leads back to itself; name the file itself.", path=path))
    if not dangling and os.path.islink(path) and not os.path.exists(real):  # noqa: PTH110, PTH114
        raise Unreadable(
            phrase(
                "“{path}” is a link to “{real}”, which is not there; if that is on another disk, "
                "plug in the disk, or put a backup there with companion archive restore.",
                path=path,
                real=real,
            )
        )
    return path if os.path.normcase(real) == os.path.normcase(os.path.abspath(path)) else real  # noqa: PTH100


def _parse(named: str, *, dangling: bool) -> URL:
    import sqlalchemy as sa

    backend = named.partition("://")[0].partition("+")[0]
    if backend in ("postgresql", "postgres"):
        on_server: URL = load_server().parse_server_url(named)
        return on_server
    try:
        url = sa.make_url(named)
    except sa.exc.ArgumentError:
        raise Unreadable(phrase("That is not a URL of an archive; sqlite:///archive.sqlite is one.")) from None
    if backend != "sqlite":
        raise Unreadable(
            phrase(
                "An archive is a file, sqlite:///FILE or postgresql://…; {backend} is none of these.",
                backend=in_quotes(backend),
            )
        )
    if url.database in (None, "", ":memory:"):
        raise Unreadable(phrase("An archive must be kept in a file: name the file, as in sqlite:///archive.sqlite."))
    # An SQLite file: URL is left alone: SQLite follows its links, because this code cannot parse it.
    path = url.database
    database = path if path.startswith("file:") else str(_resolve(Path(path), dangling=dangling))
    return url.set(drivername="sqlite", database=database)


def archive_name(url: URL) -> str:
    """Return the name of the archive for a sentence: its file, or its URL without the password."""
    if url.drivername == "sqlite":
        return url.database or ""
    return str(load_server().server_name(url))


def load_server() -> ModuleType:
    """Load the PostgreSQL support on first use. Raises Unreadable if its library is missing."""
    try:
        from companion.archive.storage import postgresql
    except ImportError:
        raise Unreadable(
            phrase(
                'PostgreSQL needs one more library: uv tool install "FILE[postgres]", where FILE is a release\'s .whl.'
            )
        ) from None
    return postgresql
