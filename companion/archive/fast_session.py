"""Direct reading of a session's entries from an archive's open file; `fast_read` opens it, and loads this on demand."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from companion.archive.storage import checksums
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import page_of, page_stream, page_text, session_stream
from companion.games.described import load


def read_session_stream(database: sqlite3.Connection, session: str) -> tuple[Entry, ...]:
    """Return the entries of a session's stream, and remember the page that describes its game.

    The game is played by that page, so that the archive need not be opened for it. Empty if there is no such session,
    or its stream is damaged.
    """
    entries = _read_stream(database, session_stream(session))
    if entries and (page := page_of(entries)):
        load.remember(page_text(page, _read_stream(database, page_stream(page))))
    return entries


def _read_stream(database: sqlite3.Connection, stream: str) -> tuple[Entry, ...]:
    query = "SELECT checksum, stream, seq, at, by, kind, body, session FROM entries WHERE stream = ? ORDER BY seq"
    rows = [
        (checksum, Entry(stream, seq, datetime.fromisoformat(at).replace(tzinfo=UTC), *rest))
        for checksum, stream, seq, at, *rest in database.execute(query, (stream,))
    ]
    is_whole = all(checksums.entry_checksum(entry) == checksum for checksum, entry in rows)
    return tuple(entry for _, entry in rows) if is_whole else ()
