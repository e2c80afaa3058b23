"""A session read straight out of an archive's file, before the library is loaded that everything else is read with.

Separate because it is a short cut with one use: that library takes as long to load as the screen, and who goes on with
a table need not wait for it. Where anything is less plain than a file of today, nothing is seen, and the archive is
opened as always.
"""

from __future__ import annotations

import contextlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from companion.archive import checksums, lineage, place, symbols
from companion.archive.entries import Entry
from companion.archive.errors import Unreadable
from companion.archive.lists import session_stream
from companion.archive.migrations import REVISION

_LAST_SYMBOL = "\x7f"
"""Comes after every symbol of an id."""


def session(archive: str | None, text: str = "") -> tuple[Entry, ...]:
    """What the stream of a session holds, as `Archive.entries` gives it; `archive` is what `Archive.open` is given.

    The session is the one whose id is, or alone begins with, `text`, without that the one changed last that is not
    sealed. Empty where that cannot be seen from here, which is no reason to believe that it is not there.
    """
    file = place.file(archive)
    if file is None or not file.is_file():
        return ()
    with contextlib.suppress(*lineage.REFUSALS, Unreadable), contextlib.closing(_opened(file)) as database:
        if database.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISION,)]:
            return _entries(database, _meant(database, text))
    return ()


def _opened(file: Path) -> sqlite3.Connection:
    # Whoever opens a file plays the log into it that lies beside it.
    lineage.check(file)
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=rw", uri=True)


def _meant(database: sqlite3.Connection, text: str) -> str:
    if not text:
        newest = "SELECT session FROM sessions WHERE NOT sealed ORDER BY changed DESC, session LIMIT 1"
        return next((session for (session,) in database.execute(newest)), "")
    beginning, strange = symbols.read(text)
    query = "SELECT session FROM sessions WHERE session >= ? AND session < ? LIMIT 2"
    found = database.execute(query, (beginning, beginning + _LAST_SYMBOL)).fetchall()
    return found[0][0] if len(found) == 1 and beginning and not strange else ""


def _entries(database: sqlite3.Connection, session: str) -> tuple[Entry, ...]:
    query = "SELECT checksum, stream, seq, at, by, kind, body, session FROM entries WHERE stream = ? ORDER BY seq"
    found = [
        (checksum, Entry(stream, seq, datetime.fromisoformat(at).replace(tzinfo=UTC), *rest))
        for checksum, stream, seq, at, *rest in database.execute(query, (session_stream(session),))
    ]
    # What is damaged is told by the archive, which knows what can be done about it.
    is_whole = all(checksums.of(entry) == checksum for checksum, entry in found)
    return tuple(entry for _, entry in found) if is_whole else ()
