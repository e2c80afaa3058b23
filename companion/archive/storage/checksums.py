"""Entries as they are stored: columns of bytes, each row verified by the checksum beside it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from companion.archive.storage import wal_guard
from companion.archive.storage.entries import Entry
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    import sqlalchemy as sa

_BETWEEN = b"\x1f"


def entry_checksum(entry: Entry) -> int:
    """Return the CRC-32 of all of an entry, as it is stored with it."""
    stream, at, by, kind = entry.stream.encode(), encode_time(entry.at), entry.by.encode(), entry.kind.encode()
    return of_parts(stream, entry.seq, at, by, kind, entry.body.encode(), entry.session.encode())


def of_parts(stream: bytes, seq: int, at: bytes, by: bytes, kind: bytes, body: bytes, session: bytes) -> int:
    """Return the checksum of an entry as it is stored: texts in UTF-8, the time as `encode_time` writes it."""
    return crc32(_BETWEEN.join((stream, b"%d" % seq, at, by, kind, session, body)))


def row_checksum(values: Iterable[Any]) -> int:
    """Return the checksum of a list's row: of its columns, in their order. It is never 0, which means no checksum."""
    return crc32(_BETWEEN.join(map(_encode_value, values))) or 1


def _encode_value(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, datetime):
        return encode_time(value)
    return (repr(int(value)) if isinstance(value, bool) else value if isinstance(value, str) else repr(value)).encode()


def encode_time(at: datetime) -> bytes:
    """Encode a time as a file stores it: in UTC, to the microsecond."""
    # Without the zone, which is +00:00.
    return (at if at.tzinfo is UTC else at.astimezone(UTC)).isoformat(" ", "microseconds")[:26].encode()


COLUMNS: Final = 'stream, seq, at, "by", kind, body, session'
SELECT_ENTRIES: Final = f"SELECT {COLUMNS}, checksum FROM entries ORDER BY stream, seq"

StoredEntry = tuple[bytes, int, bytes, bytes, bytes, bytes, bytes, int]
"""An entry as it is stored, in the order of its columns, and its checksum."""


def is_intact(row: Sequence[Any]) -> bool:
    """Return True if an entry matches the checksum stored with it."""
    stream, seq, at, by, kind, body, session, checksum = row
    try:
        return of_parts(stream, seq, at, by, kind, body, session) == int(checksum)
    except (TypeError, ValueError):
        return False


def first_fault(file: Path) -> Text:
    """Return the first fault of a file that no process writes to, or of an entry in it; "" if it is intact."""
    try:
        with contextlib.closing(wal_guard.connect_alone(file)) as opened:
            (answer,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
            if answer != "ok":
                return " ".join(str(answer).split())
            if not any(column[1] == "checksum" for column in opened.execute("PRAGMA table_info(entries)")):
                return (
                    ""
                    if opened.execute("SELECT version_num FROM alembic_version").fetchone()
                    else phrase("it has no tables")
                )
            opened.text_factory = bytes
            wrong = next((row for row in opened.execute(SELECT_ENTRIES) if not is_intact(row)), None)
    except wal_guard.READ_ERRORS as error:
        return str(error)
    if wrong is None:
        return ""
    return phrase("Entry {seq} of {stream} is not as it was written", seq=str(wrong[1]), stream=decode_stream(wrong[0]))


def decode_entries(stream: str, stored: Sequence[StoredEntry]) -> tuple[Entry, ...]:
    """Return a stream's entries. Raises ValueError if their texts are not UTF-8."""
    return tuple(
        [
            Entry(
                stream,
                seq,
                datetime.fromisoformat(at.decode() + "+00:00"),
                _decode_word(by),
                _decode_word(kind),
                body.decode(),
                _decode_word(session),
            )
            for _, seq, at, by, kind, body, session, _ in stored
        ]
    )


@lru_cache(maxsize=4096)
def _decode_word(text: bytes) -> str:
    """Decode a word; cached, because the same few words are in most entries."""
    return text.decode()


def format_ranges(seqs: Iterable[int]) -> str:
    """Format numbers as ranges: `3–7, 9`."""
    ranges: list[list[int]] = []
    for seq in sorted(seqs):
        if ranges and ranges[-1][1] == seq - 1:
            ranges[-1][1] = seq
        else:
            ranges.append([seq, seq])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges)


def decode_stream(stream: bytes) -> str:
    """Decode the stored name of a stream, damaged or not."""
    return stream.decode(errors="replace") if isinstance(stream, bytes) else str(stream)


@contextlib.contextmanager
def query_bytes(connection: sa.Connection) -> Iterator[Callable[[str], Iterator[Any]]]:
    """Yield a function that queries the database for rows whose texts come as bytes, as they are stored."""
    own = connection.connection.driver_connection
    if not isinstance(own, sqlite3.Connection):
        yield lambda question: _encoded_rows(connection, question)
        return
    before, own.text_factory = own.text_factory, bytes
    try:
        yield own.execute
    finally:
        own.text_factory = before


def _encoded_rows(connection: sa.Connection, question: str) -> Iterator[tuple[Any, ...]]:
    """Query a server for such rows; the server itself checks that texts are valid."""
    # For this query only: what is written later on the connection must not be fetched in parts.
    for row in connection.exec_driver_sql(question, execution_options={"yield_per": 1000}):
        yield tuple(_stored_value(value) for value in row)


def _stored_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(" ", "microseconds").encode()
    return value.encode() if isinstance(value, str) else value
