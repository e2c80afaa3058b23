"""A log of what each import did to which streams, so that the last one can be undone while nothing depends on it.

Only here are entries deleted from the archive: only those that an import added, with the removals of games among them,
and in the same transaction that checks that nothing depends on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from companion.archive.errors import ArchiveError, NameTaken, Unknown, list_some
from companion.archive.storage import checksums, lists
from companion.archive.storage.checksums import decode_stream, query_bytes
from companion.archive.storage.engine import insert_rows
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import LISTS, play_stream, session_stream
from companion.archive.storage.lookup import find_taken_name
from companion.archive.storage.results import key_of_play, relist
from companion.archive.storage.rows import QUERY_SIZE, DeckRow, SessionRow
from companion.archive.storage.schema import entries, imported, imports, names, plays, sessions
from companion.archive.storage.transaction import TABLES, starts_with
from companion.tabletop.text import LONGEST_NAME, in_quotes, sanitize
from templates.languages.messages import Text, phrase

if TYPE_CHECKING:
    from companion.archive.archive import Archive
    from companion.archive.storage.transaction import Transaction

MAX_REMEMBERED: Final = 10
"""The number of imports that the log keeps."""
_MAX_NAMED: Final = 6
_ID: Final = re.compile(rb"(?<![0-9A-Z])[0-9A-Z]{6,13}(?![0-9A-Z])|(?<![0-9a-z])[0-9a-f]{16}(?![0-9a-z])")
"""Matches what may be the id of a session, a deck or a person, or the digest of a page, in the body of an entry."""
_REPLACED: Final = msgspec.json.Decoder(tuple[Entry, ...])
"""Decodes the entries that an import replaced."""


class Import(NamedTuple):
    """An import: its date, author and file, and the numbers of streams and entries that it added or changed."""

    number: int
    at: datetime
    by: str
    file: str
    entries: int
    streams: int


class ImportRecord:
    """A record of what an import does to each stream, written in the import's transaction."""

    def __init__(self, transaction: Transaction, archive: Archive, file: str) -> None:
        self._transaction, self._archive, self._file = transaction, archive, sanitize(file[:LONGEST_NAME])
        self._number = (transaction.connection.scalar(sa.select(sa.func.max(imports.c.number))) or 0) + 1
        self._waiting: list[tuple[int, str, int, int, int, str]] = []
        self._entries = 0

    def add(self, kept: int, last: Entry, replaced: Sequence[Entry] = (), *, again: bool = False) -> None:
        """Record that the first `kept` entries of a stream stayed and that `last` is its last one now.

        `replaced` are the earlier entries after the kept ones. `again` is True for a stream that this import has
        changed before.
        """
        if again:
            kept, replaced = self._join_changes(kept, last.stream, replaced)
        before = msgspec.json.encode(replaced).decode() if replaced else ""
        self._waiting.append((self._number, last.stream, kept, last.seq + 1, checksums.entry_checksum(last), before))
        self._entries += last.seq + 1 - kept
        if len(self._waiting) >= QUERY_SIZE:
            self._write()

    def _join_changes(self, kept: int, stream: str, replaced: Sequence[Entry]) -> tuple[int, Sequence[Entry]]:
        """Return what two changes of a stream together kept and replaced, and delete the record of the first."""
        self._write()
        mine = imported.c.number == self._number, imported.c.stream == stream
        query = sa.select(imported.c.kept, imported.c.length, imported.c.replaced).where(*mine)
        ((first, length, before),) = self._transaction.connection.execute(query).all()
        self._transaction.connection.execute(sa.delete(imported).where(*mine))
        self._entries -= length - first
        originals = replaced[: max(0, first - kept)]
        return min(first, kept), (*originals, *(_REPLACED.decode(before) if before else ()))

    def close(self) -> None:
        """Close the record; drop it if the import changed nothing, and delete the oldest records."""
        self._write()
        if not self._entries:
            return
        connection = self._transaction.connection
        values = {"number": self._number, "at": self._archive.now(), "by": self._archive.by, "file": self._file}
        connection.execute(sa.insert(imports).values(**values, entries=self._entries))
        for table in (imports, imported):
            connection.execute(sa.delete(table).where(table.c.number <= self._number - MAX_REMEMBERED))

    def _write(self) -> None:
        if self._waiting:
            insert_rows(self._transaction.connection, imported, self._waiting)
            self._waiting.clear()


def last_import(archive: Archive) -> Import | None:
    """Return the last import that was not undone; None if the log has none."""
    with archive.store.reading() as transaction:
        return _read_last(transaction)


def undo_import(archive: Archive) -> Import:
    """Undo the last import: every stream becomes what it was before, or nothing changes. Returns the import.

    Raises Unknown if the log has no import, ArchiveError if anything depends on what it added, and NameTaken if a deck
    would get back a name that another deck has by now.
    """
    with archive.store.writing() as transaction:
        record = _read_last(transaction)
        if record is None:
            raise Unknown(phrase("There is no import here that could be undone."))
        if reasons := (*_streams_gone_on(transaction, record), *_streams_that_refer(transaction, record)):
            raise ArchiveError(
                phrase(
                    "The import of {file} can no longer be undone, as these have changed since: {streams}.",
                    file=in_quotes(record.file),
                    streams=list_some(dict.fromkeys(reasons)),
                )
            )
        _ImportUndo(transaction, record).undo()
        return record


def _read_last(transaction: Transaction) -> Import | None:
    streams = sa.select(sa.func.count()).where(imported.c.number == imports.c.number).scalar_subquery()
    query = sa.select(imports, streams).order_by(imports.c.number.desc()).limit(1)
    row = next(iter(transaction.fetch_all(query)), None)
    return None if row is None else Import(*row)


def _streams_gone_on(transaction: Transaction, record: Import) -> Iterator[Text]:
    """Yield the streams of an import that no longer end as it left them."""
    of_stream = entries.c.stream == imported.c.stream
    # An imported game is only removed, or restored; without the game that means nothing any more.
    is_play = starts_with(imported.c.stream, play_stream(""))
    more = sa.and_(sa.not_(is_play), sa.exists().where(of_stream, entries.c.seq >= imported.c.length))
    same = of_stream, entries.c.seq == imported.c.length - 1, entries.c.checksum == imported.c.checksum
    changed = sa.or_(more, sa.not_(sa.exists().where(*same)))
    query = sa.select(imported.c.stream).where(imported.c.number == record.number, changed)
    for stream in transaction.connection.scalars(query.order_by(imported.c.stream).limit(_MAX_NAMED)):
        yield describe_stream(transaction, stream)


def _streams_that_refer(transaction: Transaction, record: Import) -> Iterator[Text]:
    """Yield the other streams that refer to what would be deleted: unsealed sessions, and everything written since.

    A sealed session has written to the streams of its decks and people, which have grown then. For unsealed sessions
    dates are not compared, because clocks can be wrong.
    """
    touched = {stream: kept == 0 for stream, kept in _streams(transaction, record)}
    ids = {stream.partition(":")[2].encode(): new for stream, new in touched.items()}
    unsealed = set(transaction.connection.scalars(sa.select(sessions.c.session).where(sa.not_(sessions.c.sealed))))
    since, referring = checksums.encode_time(record.at), dict[str, None]()
    with query_bytes(transaction.connection) as ask:
        for stored, at, body in ask("SELECT stream, at, body FROM entries ORDER BY stream, seq"):
            those = [ids[word] for word in _ID.findall(body) if word in ids]
            if not those or (stream := decode_stream(stored)) in touched or stream in referring:
                continue
            if at >= since or (any(those) and stream.removeprefix("session:") in unsealed):
                referring[stream] = None
                if len(referring) == _MAX_NAMED:
                    break
    yield from (describe_stream(transaction, stream) for stream in referring)


def _streams(transaction: Transaction, record: Import) -> Iterator[tuple[str, int]]:
    """Yield the streams of an import, each with the number of earlier entries that it kept."""
    query = sa.select(imported.c.stream, imported.c.kept).where(imported.c.number == record.number)
    return ((stream, kept) for stream, kept in transaction.connection.execute(query.order_by(imported.c.stream)))


def describe_stream(transaction: Transaction, stream: str) -> Text:
    """Name a stream for people: `deck Grave Choir`."""
    kind, _, key = stream.partition(":")
    row = transaction.row(LISTS[kind], key) if kind in LISTS else None
    if row is None:
        return stream
    return _name_stream(kind, (row.title if isinstance(row, SessionRow) else row.name) or key)


def _name_stream(kind: str, name: str) -> Text:
    match kind:
        case "page":
            return phrase("page {name}", name=name)
        case "session":
            return phrase("session {name}", name=name)
        case "deck":
            return phrase("deck {name}", name=name)
        case "person":
            return phrase("person {name}", name=name)
        case "sheet":
            return phrase("sheet {name}", name=name)
        case "printer":
            return phrase("printer {name}", name=name)
        case "league":
            return phrase("league {name}", name=name)
        case "rehearsal":
            return phrase("rehearsal {name}", name=name)
        case "play":
            return phrase("play of {name}", name=name)
        case _:
            return f"{kind} {name}"


class _ImportUndo:
    """The undoing of an import."""

    def __init__(self, transaction: Transaction, record: Import) -> None:
        self._transaction, self._connection = transaction, transaction.connection
        self._number = record.number

    def undo(self) -> None:
        """Undo everything, in the open transaction."""
        listed = [*self._sessions(), *self._plays()]
        self._unlist()
        mine = imported.c.number == self._number
        brought = mine, imported.c.stream == entries.c.stream, entries.c.seq >= imported.c.kept
        self._connection.execute(sa.delete(entries).where(sa.exists().where(*brought)))
        replaced = sa.select(imported.c.replaced).where(mine, imported.c.replaced != "")
        for before in self._connection.scalars(replaced).all():
            self._transaction.write(_REPLACED.decode(before))
        self._list_again()
        relist(self._transaction, listed)
        for table in (imports, imported):
            self._connection.execute(sa.delete(table).where(table.c.number == self._number))

    def _sessions(self) -> Sequence[str]:
        is_session = imported.c.number == self._number, starts_with(imported.c.stream, session_stream(""))
        streams = self._connection.scalars(sa.select(imported.c.stream).where(*is_session))
        return [stream.removeprefix(session_stream("")) for stream in streams]

    def _plays(self) -> Sequence[str]:
        is_brought = (
            imported.c.number == self._number,
            imported.c.stream == sa.literal(play_stream("")).concat(plays.c.play),
        )
        return [
            key_of_play(source) for source in self._connection.scalars(sa.select(plays.c.source).where(*is_brought))
        ]

    def _unlist(self) -> None:
        """Remove all rows of these streams from the lists, so that none has a name that another is to get back."""
        for kind, row_type in LISTS.items():
            table = TABLES[row_type]
            self._remove(table, kind, next(iter(table.primary_key)))
        self._remove(names, "person", names.c.person)

    def _remove(self, table: sa.Table, kind: str, key: sa.ColumnElement[str]) -> None:
        stream = sa.literal(f"{kind}:").concat(key)
        its = sa.exists().where(imported.c.number == self._number, imported.c.stream == stream)
        self._connection.execute(sa.delete(table).where(its))

    def _list_again(self) -> None:
        """List what was here before the import."""
        query = sa.select(imported.c.stream).where(imported.c.number == self._number, imported.c.kept > 0)
        streams = self._connection.scalars(query.order_by(imported.c.stream)).all()
        for start in range(0, len(streams), QUERY_SIZE):
            rows = [lists.row_of(each, self._transaction.read(each)) for each in streams[start : start + QUERY_SIZE]]
            name_owner = find_taken_name(self._transaction, [row for row in rows if isinstance(row, DeckRow)])
            if name_owner is not None:
                raise NameTaken(
                    phrase(
                        "A deck would be called {deck} again, but another deck has that name by now; give "
                        "that one another name with companion deck rename, and try again (V1.15).",
                        deck=in_quotes(name_owner.name),
                    )
                )
            self._transaction.put_new(rows)
