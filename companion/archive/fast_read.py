"""Direct reading of a session or a list from an archive's file, without SQLAlchemy.

Loading SQLAlchemy takes as long as loading the first screen, or printing a sheet. If the file is anything but a plain
archive of the current schema, these functions return nothing, and the archive is opened as usual.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from companion.archive import deck_id
from companion.archive.errors import ArchiveError, Unreadable
from companion.archive.migrations import REVISION
from companion.archive.storage import files, location, wal_guard
from companion.archive.storage.rows import DeckRow, ListPage, SessionRow, decoder, find_in_play
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive.storage.entries import Entry

L = TypeVar("L", SessionRow, DeckRow)

_LAST_SYMBOL = "\x7f"
"""A character that sorts after every symbol of an id."""

_NEWEST = 50
"""The sessions searched for the one to go on with: reading all would take long."""


def read_session(archive: str | None, text: str = "") -> tuple[Entry, ...]:
    """Return the entries of a session's stream, as `Archive.entries` does; `archive` is the `url` of `Archive.open`.

    The session is the one whose id is `text`, or the only one whose id begins with it; without `text` it is the most
    recently changed one that is not sealed and has players. Empty if it cannot be read this way, which does not mean
    that it does not exist.
    """
    # Code that reads only lists does not load what entries are made of.
    from companion.archive import fast_session

    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        return fast_session.read_session_stream(database, _find_session(database, text))
    return ()


class HomeLists(NamedTuple):
    """The first pages of the lists on the home screen."""

    sessions: ListPage[SessionRow]
    decks: ListPage[DeckRow]


def read_lists(archive: str | None, count: int) -> HomeLists | None:
    """Return the first `count` sessions and decks; None if they cannot be read this way.

    They are those of `Archive.page_of_sessions` and `page_of_decks`.
    """
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        database.execute("BEGIN")
        sessions = _read_page(database, SessionRow, "sessions ORDER BY changed DESC, session", count)
        return HomeLists(sessions, _read_page(database, DeckRow, "decks ORDER BY folded, deck", count))
    return None


def read_decks(archive: str | None) -> tuple[DeckRow, ...] | None:
    """Return all decks, as `Archive.decks` does; None if they cannot be read this way."""
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        return _read_rows(database, DeckRow, "decks ORDER BY name, deck")
    return None


def has_sealed(archive: str | None, game: str) -> bool:
    """Return True if a game of this kind was sealed, as `Archive.has_sealed` does, or if it cannot be read this way."""
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        query = "SELECT 1 FROM sessions WHERE sealed AND game = ? LIMIT 1"
        return database.execute(query, (game,)).fetchone() is not None
    return True


def has_languages(archive: str | None) -> bool:
    """Return True if the language of anybody is known, or if it cannot be read this way."""
    with contextlib.suppress(*_UNREADABLE), _opening(archive) as database:
        return database.execute("SELECT 1 FROM people WHERE language <> '' LIMIT 1").fetchone() is not None
    return True


@contextlib.contextmanager
def _opening(archive: str | None) -> Iterator[sqlite3.Connection]:
    """Open the archive's file, if it has the current schema. Raises Unreadable, or what the driver does."""
    file = location.archive_file(archive)
    if file is None or not file.is_file():
        raise Unreadable(phrase("There is no such file."))
    # Opening a file replays the log beside it.
    wal_guard.check_log(file)
    with contextlib.closing(files.connect(f"{files.database_uri(file.resolve())}?mode=rw", uri=True)) as database:
        if database.execute("SELECT version_num FROM alembic_version").fetchall() != [(REVISION,)]:
            raise Unreadable(phrase("It was written by another version of the program."))
        yield database


_UNREADABLE = (*wal_guard.READ_ERRORS, ArchiveError, ValueError, TypeError)
"""Damage is reported by the archive itself, which knows what can be done about it."""


def _find_session(database: sqlite3.Connection, text: str) -> str:
    if not text:
        part = f"sessions WHERE NOT sealed ORDER BY changed DESC, session LIMIT {_NEWEST:d}"
        row = find_in_play(_read_rows(database, SessionRow, part))
        return row.session if row else ""
    beginning, strange = deck_id.read_symbols(text)
    query = "SELECT session FROM sessions WHERE session >= ? AND session < ? LIMIT 2"
    matches = database.execute(query, (beginning, beginning + _LAST_SYMBOL)).fetchall()
    return matches[0][0] if len(matches) == 1 and beginning and not strange else ""


def _read_page(database: sqlite3.Connection, kind: type[L], part: str, count: int) -> ListPage[L]:
    """Read the beginning of a list. `part` names its table and its order."""
    (total,) = database.execute(f"SELECT count(*) FROM {part.partition(' ')[0]}").fetchone()
    return ListPage(_read_rows(database, kind, f"{part} LIMIT {count:d}"), 0, total)


def _read_rows(database: sqlite3.Connection, kind: type[L], part: str) -> tuple[L, ...]:
    """Read rows of a list. `part` names its table, its order and its limit."""
    fields = msgspec.structs.fields(kind)
    query = f"SELECT {', '.join(field.name for field in fields)} FROM {part}"
    return tuple(
        kind(*(_decode_value(field.type, value) for field, value in zip(fields, row, strict=True)))
        for row in database.execute(query)
    )


def _decode_value(kind: Any, value: Any) -> Any:
    """Decode the value of a column as a `kind`."""
    if kind is datetime:
        return datetime.fromisoformat(value).replace(tzinfo=UTC)
    if kind is bool:
        return bool(value)
    if kind not in (str, int):
        return decoder(kind).decode(value)
    if not isinstance(value, kind):
        raise TypeError(value)
    return value
