"""Reads a session or a list straight from an archive's file, without SQLAlchemy.

That takes as long to load as the first screen, or as a sheet takes to be printed.

Where the file is anything but a plain one of today, nothing is given, and the archive is opened as always.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from companion.archive import deck_id, files, location, wal_guard
from companion.archive.errors import ArchiveError, Unreadable
from companion.archive.migrations import REVISION
from companion.archive.rows import DeckRow, ListPage, SessionRow, decoder, find_in_play

if TYPE_CHECKING:
    from companion.archive.entries import Entry

L = TypeVar("L", SessionRow, DeckRow)

_LAST_SYMBOL = "\x7f"
"""Comes after every symbol of an id."""

_NEWEST = 50
"""Sessions among which the one to go on with is looked for: a list of all would take long."""


def read_session(archive: str | None, text: str = "") -> tuple[Entry, ...]:
    """What the stream of a session holds, as `Archive.entries` gives it; `archive` is what `Archive.open` is given.

    The session is the one whose id is, or alone begins with, `text`, without that the one changed last that is not
    sealed and at which somebody sits. Empty where that cannot be seen from here, which is no reason to believe that it
    is not there.
    """
    # Of lists alone nobody needs what entries are made of.
    from companion.archive.lists import page_of, page_stream, page_text, session_stream

    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        entries = _read_entries(database, session_stream(_find_session(database, text)))
        if entries and (page := page_of(entries)):
            from companion.games.described import load

            # The game is played by it, and nobody need open the archive to have it.
            kept = _read_entries(database, page_stream(page))
            load.remember(page_text(page, kept))
        return entries
    return ()


class Lists(NamedTuple):
    """The first pages of the lists of home."""

    sessions: ListPage[SessionRow]
    decks: ListPage[DeckRow]


def read_lists(archive: str | None, count: int) -> Lists | None:
    """The first `count` sessions and decks, as `Archive.page_of_sessions` and `page_of_decks` give them; None where
    they cannot be seen from here.
    """
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        database.execute("BEGIN")
        sessions = _read_page(database, SessionRow, "sessions ORDER BY changed DESC, session", count)
        return Lists(sessions, _read_page(database, DeckRow, "decks ORDER BY folded, deck", count))
    return None


def read_decks(archive: str | None) -> tuple[DeckRow, ...] | None:
    """All decks, as `Archive.decks` gives them; None where they cannot be seen from here."""
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        return _read_rows(database, DeckRow, "decks ORDER BY name, deck")
    return None


def has_sealed(archive: str | None, game: str) -> bool:
    """Whether a game of this kind was sealed, as `Archive.has_sealed` gives it; True where it cannot be seen."""
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        query = "SELECT 1 FROM sessions WHERE sealed AND game = ? LIMIT 1"
        return database.execute(query, (game,)).fetchone() is not None
    return True


@contextlib.contextmanager
def _opening(archive: str | None) -> Iterator[sqlite3.Connection]:
    """The archive's file, if it is one of today. Raises Unreadable, or what the driver does."""
    file = location.archive_file(archive)
    if file is None or not file.is_file():
        raise Unreadable("There is no such file.")
    # Whoever opens a file plays the log into it that lies beside it.
    wal_guard.check_log(file)
    with contextlib.closing(files.connect(f"{files.database_uri(file.resolve())}?mode=rw", uri=True)) as database:
        if database.execute("SELECT version_num FROM alembic_version").fetchall() != [(REVISION,)]:
            raise Unreadable("It is not of today.")
        yield database


_UNREADABLE = (*wal_guard.READ_ERRORS, ArchiveError, ValueError, TypeError)
"""What is damaged is told by the archive, which knows what can be done about it."""


def _find_session(database: sqlite3.Connection, text: str) -> str:
    if not text:
        part = f"sessions WHERE NOT sealed ORDER BY changed DESC, session LIMIT {_NEWEST:d}"
        row = find_in_play(_read_rows(database, SessionRow, part))
        return row.session if row else ""
    beginning, strange = deck_id.read_symbols(text)
    query = "SELECT session FROM sessions WHERE session >= ? AND session < ? LIMIT 2"
    matches = database.execute(query, (beginning, beginning + _LAST_SYMBOL)).fetchall()
    return matches[0][0] if len(matches) == 1 and beginning and not strange else ""


def _read_entries(database: sqlite3.Connection, stream: str) -> tuple[Entry, ...]:
    from companion.archive import checksums
    from companion.archive.entries import Entry

    query = "SELECT checksum, stream, seq, at, by, kind, body, session FROM entries WHERE stream = ? ORDER BY seq"
    rows = [
        (checksum, Entry(stream, seq, datetime.fromisoformat(at).replace(tzinfo=UTC), *rest))
        for checksum, stream, seq, at, *rest in database.execute(query, (stream,))
    ]
    is_whole = all(checksums.entry_checksum(entry) == checksum for checksum, entry in rows)
    return tuple(entry for _, entry in rows) if is_whole else ()


def _read_page(database: sqlite3.Connection, kind: type[L], part: str, count: int) -> ListPage[L]:
    """The beginning of a list. `part` names its table and its order."""
    (total,) = database.execute(f"SELECT count(*) FROM {part.partition(' ')[0]}").fetchone()
    return ListPage(_read_rows(database, kind, f"{part} LIMIT {count:d}"), 0, total)


def _read_rows(database: sqlite3.Connection, kind: type[L], part: str) -> tuple[L, ...]:
    """Rows of a list. `part` names its table, its order and how many."""
    fields = msgspec.structs.fields(kind)
    query = f"SELECT {', '.join(field.name for field in fields)} FROM {part}"
    return tuple(
        kind(*(_decode_value(field.type, value) for field, value in zip(fields, row, strict=True)))
        for row in database.execute(query)
    )


def _decode_value(kind: Any, value: Any) -> Any:
    """What a column holds, as the `kind` that it stands for."""
    if kind is datetime:
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    if kind is bool:
        return bool(value)
    if kind not in (str, int):
        return decoder(kind).decode(value)
    if not isinstance(value, kind):
        raise TypeError(value)
    return value
