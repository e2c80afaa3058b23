"""The archive's database: opening and migrating it, and transactions that read and append.

Knows streams and rows, and nothing of what they mean.
"""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive import backups, checksums, lineage, migrate, only_read, place
from companion.archive.engine import cause, engine
from companion.archive.entries import Entry, NewEntry
from companion.archive.errors import ArchiveError, Conflict, Unreadable
from companion.archive.lists import DeckRow, NamedPurseRow, Page, PersonRow, Row, SessionRow, fold, searched
from companion.archive.schema import Facts, Positions, decks, entries, named_purses, people, printers, sessions, sheets
from companion.archive.sheets import PrinterRow, SheetRow

R = TypeVar("R", bound=Row)
L = TypeVar("L", SessionRow, DeckRow)

TABLES: dict[type[msgspec.Struct], sa.Table] = {
    SessionRow: sessions,
    DeckRow: decks,
    PersonRow: people,
    NamedPurseRow: named_purses,
    SheetRow: sheets,
    PrinterRow: printers,
}
_COLUMNS = tuple(entries.c[field] for field in Entry.__struct_fields__)
_ANY = DefaultDialect()
_LAST_CODE_POINT = "\U0010ffff"


MINUTE: Final = 60.0
"""Seconds after which what was written is in the one file, and the longest that a copy of it made by hand can lack."""


class Store:
    """An open database. Safe to use from several threads; each transaction is one thread's.

    `file` is the archive's file, None for a server. `only_read` says why nothing can be kept, "" where it can.
    """

    def __init__(self, url: sa.URL) -> None:
        """Opens, and where needed makes or migrates, the database. Raises Unreadable."""
        self.name = place.name(url)
        self.file = Path(url.database or "") if url.drivername == "sqlite" else None
        self.only_read = ""
        self._closing = contextlib.ExitStack()
        self._lock = threading.Lock()
        self._soon: threading.Timer | None = None
        if self.file is not None:
            place.check_file(url)
            lineage.check(self.file)
        with contextlib.ExitStack() as failing:
            failing.callback(self._closing.close)
            self.engine = self._opened(url)
            failing.pop_all()

    @property
    def is_file(self) -> bool:
        """Whether it is a file, and no server."""
        return self.file is not None

    def _opened(self, url: sa.URL) -> sa.Engine:
        try:
            found = self._connected(url)
            if self.file is not None and not os.access(self.file, os.W_OK):
                self.only_read = only_read.told(self.name)
            return found
        except Unreadable as error:
            if self.file is None or not only_read.is_meant(error):
                raise
            refused = error
        for way in only_read.ways(self.file, self._closing):
            with contextlib.suppress(Unreadable):
                found = self._connected(way)
                self.only_read = only_read.told(self.name, refused)
                return found
        raise refused

    def _connected(self, url: sa.URL) -> sa.Engine:
        """A database of today; one of before is migrated, and a backup of it made first."""
        made = engine(url)
        file = self.file if self.file is not None and url.database == str(self.file) else None
        with contextlib.ExitStack() as failing:
            failing.callback(made.dispose)
            with self._in_words(Unreadable):
                migrate.bring_up_to_date(made, self.name, file)
            failing.pop_all()
        self._closing.callback(made.dispose)
        return made

    def close(self) -> None:
        """Lets go of the database; what waited in its log is in the file then."""
        with self._lock:
            soon, self._soon = self._soon, None
        if soon is not None:
            soon.cancel()
        self._closing.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator["Transaction"]:
        """One consistent look at the archive."""
        with self._in_words(ArchiveError), self.engine.connect() as connection:
            yield Transaction(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator["Transaction"]:
        """One durable transaction: all of it is on disk when the block has ended well, and nothing otherwise."""
        if self.only_read:
            raise ArchiveError(self.only_read)
        with self._in_words(ArchiveError), self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield Transaction(connection)
                if self.is_file:
                    lineage.go_on(connection)
        if self.is_file:
            self._settle_soon()

    def _settle_soon(self) -> None:
        with self._lock:
            if self._soon is not None:
                return
            self._soon = threading.Timer(MINUTE, self._settle)
            self._soon.daemon = True
            self._soon.start()

    def _settle(self) -> None:
        """What is due every minute of play, and each hour. Where it fails it is tried anew; nothing is lost by that."""
        with self._lock:
            if self._soon is None:
                return
            self._soon = None
        with contextlib.suppress(ArchiveError, OSError):
            self.settle()
            if self.file is not None:
                backups.keep(self.file, "hour", datetime.now(UTC))

    def settle(self) -> None:
        """Takes over into the one file what waits in its log, so that a copy made by hand has it; waits for nobody."""
        if self.is_file and not self.only_read:
            with self._in_words(ArchiveError), self.engine.connect() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextlib.contextmanager
    def _in_words(self, kind: type[ArchiveError]) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise Conflict(f"Somebody else wrote to {self.name} first; look again and repeat.") from error
        except (DBAPIError, sqlite3.Error) as error:
            raise kind(f"{cause(error)}: {self.name}.") from error


class Transaction:
    """What can be read and appended while a transaction is open."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def length(self, stream: str) -> int:
        """How many entries a stream has, which is also the seq of its next entry."""
        last = self.connection.scalar(sa.select(sa.func.max(entries.c.seq)).where(entries.c.stream == stream))
        return 0 if last is None else last + 1

    def read(self, stream: str) -> tuple[Entry, ...]:
        """A stream's entries in order."""
        query = sa.select(*_COLUMNS).where(entries.c.stream == stream).order_by(entries.c.seq)
        return tuple(Entry(*row) for row in self.connection.execute(query))

    def read_whole(self, stream: str) -> tuple[Entry, ...]:
        """A stream's entries in order, for a copy that vouches for them. Raises ArchiveError where one is damaged."""
        query = sa.select(entries.c.checksum).where(entries.c.stream == stream).order_by(entries.c.seq)
        found = self.read(stream)
        for entry, checksum in zip(found, self.connection.scalars(query), strict=True):
            if checksums.of(entry) != checksum:
                raise ArchiveError(
                    f"Entry {entry.seq} of {stream} is not as it was written; see companion archive check."
                )
        return found

    def append(
        self, stream: str, expected_seq: int, drafts: Sequence[NewEntry], by: str, at: datetime, session: str = ""
    ) -> tuple[Entry, ...]:
        """Appends, the first draft at `expected_seq`. Raises Conflict if that is not the stream's next seq."""
        length = self.length(stream)
        if length != expected_seq:
            raise Conflict(
                f"{stream} has {length} entries, not the {expected_seq} it was expected to have: somebody else wrote "
                "first; open it again and repeat."
            )
        added = tuple(
            Entry(stream, seq, at, by, kind, body, session)
            for seq, (kind, body) in enumerate(drafts, start=expected_seq)
        )
        self.write(added)
        return added

    def write(self, whole: Sequence[Entry]) -> None:
        """Writes entries as they are, number, date and writer included. Raises Conflict where a number is taken."""
        if whole:
            rows = [{**msgspec.structs.asdict(entry), "checksum": checksums.of(entry)} for entry in whole]
            self.connection.execute(sa.insert(entries), rows)

    def cut(self, stream: str, length: int) -> None:
        """Leaves a stream only its first `length` entries. The caller writes what was there elsewhere in it."""
        self.connection.execute(sa.delete(entries).where(entries.c.stream == stream, entries.c.seq >= length))

    def streams(self, kind: str) -> tuple[str, ...]:
        """The names of all streams of a kind (`session`, `deck`, `person`)."""
        query = sa.select(entries.c.stream).where(_begins(entries.c.stream, f"{kind}:")).distinct()
        return tuple(self.connection.scalars(query.order_by(entries.c.stream)))

    def streams_naming(self, kind: str, name: str) -> tuple[str, ...]:
        """The streams of a kind with an entry that holds `name` as a whole JSON text, Latin letters in any case."""
        text = msgspec.json.encode(name).decode()
        # SQLite lowers Latin letters only; other names are found as they are written.
        held = sa.or_(
            entries.c.body.contains(text, autoescape=True),
            sa.func.lower(entries.c.body).contains(text.lower(), autoescape=True),
        )
        query = sa.select(entries.c.stream).where(_begins(entries.c.stream, f"{kind}:"), held).distinct()
        return tuple(self.connection.scalars(query))

    def streams_with(self, kind: str, entry: str) -> tuple[str, ...]:
        """The streams of a kind that hold an entry of some kind."""
        held = _begins(entries.c.stream, f"{kind}:"), entries.c.kind == entry
        return tuple(self.connection.scalars(sa.select(entries.c.stream).where(*held).distinct()))

    def put(self, row: Row) -> None:
        """Writes a row in place of the one with its key, or as a new one."""
        table = TABLES[type(row)]
        values = msgspec.structs.asdict(row)
        if isinstance(row, DeckRow | SessionRow):
            values["folded"] = searched(row)
        values["checksum"] = checksums.of_row(_stored(table, values))
        key = next(iter(table.primary_key))
        updated = self.connection.execute(sa.update(table).where(key == values[key.name]).values(values))
        if updated.rowcount == 0:
            self.connection.execute(sa.insert(table).values(values))

    def row(self, kind: type[R], key: str) -> R | None:
        """The row with this key, or None."""
        found = self.rows(kind, next(iter(TABLES[kind].primary_key)) == key)
        return found[0] if found else None

    def rows(self, kind: type[R], where: sa.ColumnElement[bool] | None = None) -> tuple[R, ...]:
        """A list, or those of it for which `where` holds: sessions as last changed, others by name."""
        table = TABLES[kind]
        query = sa.select(*(table.c[field] for field in kind.__struct_fields__))
        if where is not None:
            query = query.where(where)
        order = sessions.c.changed.desc() if kind is SessionRow else table.c.name
        return tuple(
            kind(*row) for row in self.connection.execute(query.order_by(order, next(iter(table.primary_key))))
        )

    def page(self, kind: type[L], text: str, at: int, count: int, game: str = "") -> Page[L]:
        """The rows of a list from number `at` (from 0) on, at most `count`, in which every word of `text` stands.

        With `game` only those that can be played: its decks that have not retired.
        """
        table = TABLES[kind]
        where = [table.c.folded.contains(word, autoescape=True) for word in fold(text).split()]
        if game:
            where += [table.c.game == game, sa.not_(table.c.retired)]
        order = sessions.c.changed.desc() if kind is SessionRow else decks.c.folded
        key = next(iter(table.primary_key))
        columns = (table.c[field] for field in kind.__struct_fields__)
        query = sa.select(*columns).where(*where).order_by(order, key).limit(count).offset(at)
        found = tuple(kind(*row) for row in self.connection.execute(query))
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(table).where(*where)) or 0
        return Page(found, at, total)

    def decks_called(self, beginning: str) -> tuple[DeckRow, ...]:
        """The decks whose name begins so, in any case."""
        return self.rows(DeckRow, _begins(decks.c.folded, fold(beginning)))

    def sessions_called(self, beginning: str) -> tuple[SessionRow, ...]:
        """The sessions whose id begins so."""
        return self.rows(SessionRow, _begins(sessions.c.session, beginning))

    def clear(self, kind: type[R]) -> None:
        """Empties a list, to make it again."""
        self.connection.execute(sa.delete(TABLES[kind]))

    def count_entries(self) -> int:
        """How many entries all streams have together."""
        return self.connection.scalar(sa.select(sa.func.count()).select_from(entries)) or 0

    def pragma(self, name: str) -> tuple[str, ...]:
        """What an SQLite pragma answers, a line a row."""
        return tuple(str(row[0]) for row in self.connection.exec_driver_sql(f"PRAGMA {name}"))


def _stored(table: sa.Table, values: dict[str, Any]) -> Iterator[Any]:
    """What a row's columns will hold, in their order."""
    for column in table.columns:
        if column.name in values:
            kind: Any = column.type
            value = values[column.name]
            yield kind.process_bind_param(value, _ANY) if isinstance(kind, Facts | Positions) else value


def _begins(column: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.and_(column >= beginning, column < beginning + _LAST_CODE_POINT)


def file_of(store: Store) -> Path | None:
    """The archive's file; None for a server."""
    return store.file
