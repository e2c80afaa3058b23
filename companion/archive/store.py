"""The archive's database: opening and migrating it, and transactions that read and append.

Knows streams and rows, and nothing of what they mean.
"""

import contextlib
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive import migrate, place
from companion.archive.engine import BUSY_SECONDS, cause, engine, is_away
from companion.archive.entries import Entry, NewEntry
from companion.archive.errors import ArchiveError, Conflict, Unreadable, Unsure, quoted
from companion.archive.lists import DeckRow, NamedPurseRow, Page, PersonRow, Row, SessionRow, fold, searched
from companion.archive.schema import by_code_point, decks, entries, named_purses, people, printers, sessions, sheets
from companion.archive.sheets import PrinterRow, SheetRow
from companion.archive.waits import waits

R = TypeVar("R", bound=Row)
L = TypeVar("L", SessionRow, DeckRow)

_TABLES: dict[type[msgspec.Struct], sa.Table] = {
    SessionRow: sessions,
    DeckRow: decks,
    PersonRow: people,
    NamedPurseRow: named_purses,
    SheetRow: sheets,
    PrinterRow: printers,
}
_LAST_CODE_POINT = "\U0010ffff"
_NUL = re.compile(r'"((?:[^"\\]|\\(?!u0000).)*)\\u0000')
"""A NUL as JSON writes it, and what stands before it in its text."""
_PAUSE = 0.2
_RECOGNISED = 1000
"""How many of a transaction's entries are kept in mind, to know it by; all of it is written or nothing."""


class Store:
    """An open database. Safe to use from several threads; each transaction is one thread's."""

    def __init__(self, url: sa.URL) -> None:
        """Opens, and where needed makes or migrates, the database. Raises Unreadable."""
        self.name = place.name(url)
        self.is_file = url.drivername == "sqlite"
        if self.is_file:
            place.check_file(url)
        self.engine = engine(url)
        self._away_since: float | None = None
        self._unsure: tuple[Entry, ...] = ()
        try:
            with self._in_words(Unreadable):
                migrate.bring_up_to_date(self.engine, self.name)
        except BaseException:
            self.engine.dispose()
            raise

    def close(self) -> None:
        """Lets go of the database."""
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator["Transaction"]:
        """One consistent look at the archive."""
        with self._in_words(ArchiveError), self._connected(writes=False) as connection:
            yield Transaction(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator["Transaction"]:
        """One durable transaction: all of it is on disk when the block has ended well, and nothing otherwise.

        What is known by then to have been written already, before a connection broke, ends the block well, too. Raises
        Unsure where that cannot be known yet.
        """
        with self._in_words(ArchiveError), contextlib.suppress(_Kept), self._connected(writes=True) as connection:
            transaction = Transaction(connection, self._unsure)
            yield transaction
            self._commit(connection, transaction.written)

    @contextlib.contextmanager
    def _connected(self, *, writes: bool) -> Iterator[sa.Connection]:
        with self._reach(writes=writes) as connection:
            yield connection

    def _reach(self, *, writes: bool) -> sa.Connection:
        """A connection, and who writes alone in it. A server that has gone is given some time to come back."""
        deadline = time.monotonic() + BUSY_SECONDS
        with contextlib.ExitStack() as waiting:
            while True:
                try:
                    connection = self._begun(writes=writes)
                except DBAPIError as error:
                    if not is_away(error) or time.monotonic() > deadline:
                        raise
                    self._away_since = self._away_since or time.monotonic()
                    waiting.enter_context(waits.one(self._away_since))
                    time.sleep(_PAUSE)
                else:
                    self._away_since = None
                    return connection

    def _begun(self, *, writes: bool) -> sa.Connection:
        connection = self.engine.connect()
        try:
            connection.execution_options(writes=writes).begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def _commit(self, connection: sa.Connection, written: Sequence[Entry]) -> None:
        try:
            with waits.one():
                connection.commit()
        except DBAPIError as error:
            # The server may have gone before it wrote that, or after.
            if not is_away(error):
                raise
            self._unsure = tuple(written)
            self._find_out(error)

    def _find_out(self, error: DBAPIError) -> None:
        """Whether a transaction was written whose end nobody heard: no other writer begins before it is over."""
        try:
            with self._connected(writes=True) as connection:
                kept = Transaction(connection).holds(self._unsure)
        except DBAPIError:
            kept = None
        if kept is None or not self._unsure:
            raise Unsure(
                f"The server went away while it was writing, and nobody knows yet whether it did: {self.name}. Repeat "
                "that once it is there again; what was written is not written twice."
            ) from error
        self._unsure = ()
        if not kept:
            raise error

    def copy_file(self, path: Path) -> None:
        """Writes an SQLite archive as it is now to `path`, which must not exist; others may go on writing."""
        with self._in_words(ArchiveError), self.engine.connect() as connection:
            connection.connection.cursor().execute("VACUUM INTO ?", (str(path),))

    @contextlib.contextmanager
    def _in_words(self, kind: type[ArchiveError]) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise Conflict(f"Somebody else wrote to {self.name} first; look again and repeat.") from error
        except (DBAPIError, sqlite3.Error) as error:
            raise kind(f"{cause(error)}: {self.name}.") from error


class _Kept(Exception):
    """What a transaction is about to write was written before."""


class Transaction:
    """What can be read and appended while a transaction is open."""

    def __init__(self, connection: sa.Connection, unsure: Sequence[Entry] = ()) -> None:
        self.connection = connection
        self.written: list[Entry] = []
        self._unsure = unsure

    def length(self, stream: str) -> int:
        """How many entries a stream has, which is also the seq of its next entry."""
        last = self.connection.scalar(sa.select(sa.func.max(entries.c.seq)).where(entries.c.stream == stream))
        return 0 if last is None else last + 1

    def read(self, stream: str, first: int = 0) -> tuple[Entry, ...]:
        """A stream's entries in order, from number `first` on."""
        wanted = entries.c.stream == stream, entries.c.seq >= first
        query = sa.select(entries).where(*wanted).order_by(entries.c.seq)
        return tuple(Entry(*row) for row in self.connection.execute(query))

    def append(
        self, stream: str, expected_seq: int, drafts: Sequence[NewEntry], by: str, at: datetime, session: str = ""
    ) -> tuple[Entry, ...]:
        """Appends, the first draft at `expected_seq`. Raises Conflict if that is not the stream's next seq.

        What a broken connection left unknown may be repeated: if it was kept, this transaction ends well here.
        """
        length = self.length(stream)
        if length != expected_seq:
            self._recognise(stream, expected_seq, [(by, session, *draft) for draft in drafts])
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

    def _recognise(self, stream: str, seq: int, said: Sequence[tuple[str, str, str, str]]) -> None:
        ours = [entry for entry in self._unsure if entry.stream == stream]
        same = [(entry.by, entry.session, entry.kind, entry.body) for entry in ours] == list(said)
        if ours and same and ours[0].seq == seq and self.holds(self._unsure):
            raise _Kept

    def holds(self, whole: Sequence[Entry]) -> bool:
        """Whether entries are there exactly as they are, date and writer included."""
        return all(set(self.read(stream)) >= found for stream, found in _by_stream(whole).items())

    def write(self, whole: Sequence[Entry]) -> None:
        """Writes entries as they are, number, date and writer included.

        Raises Conflict where a number is taken, ArchiveError where there is a NUL, which not every engine can keep.
        """
        if whole:
            for entry in whole:
                _refuse_nul(entry)
            self.written.extend(whole[: _RECOGNISED - len(self.written)])
            self.connection.execute(sa.insert(entries), [msgspec.structs.asdict(entry) for entry in whole])

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
        # Only Latin letters are lowered by every engine; other names are found as they are written.
        held = sa.or_(
            entries.c.body.contains(text, autoescape=True),
            sa.func.lower(by_code_point(entries.c.body)).contains(text.lower(), autoescape=True),
        )
        query = sa.select(entries.c.stream).where(_begins(entries.c.stream, f"{kind}:"), held).distinct()
        return tuple(self.connection.scalars(query.order_by(entries.c.stream)))

    def streams_with(self, kind: str, entry: str) -> tuple[str, ...]:
        """The streams of a kind that hold an entry of some kind."""
        held = _begins(entries.c.stream, f"{kind}:"), entries.c.kind == entry
        query = sa.select(entries.c.stream).where(*held).distinct()
        return tuple(self.connection.scalars(query.order_by(entries.c.stream)))

    def put(self, row: Row) -> None:
        """Writes a row in place of the one with its key, or as a new one."""
        table = _TABLES[type(row)]
        values = msgspec.structs.asdict(row)
        if isinstance(row, DeckRow | SessionRow):
            values["folded"] = searched(row)
        key = next(iter(table.primary_key))
        updated = self.connection.execute(sa.update(table).where(key == values[key.name]).values(values))
        if updated.rowcount == 0:
            self.connection.execute(sa.insert(table).values(values))

    def row(self, kind: type[R], key: str) -> R | None:
        """The row with this key, or None."""
        found = self.rows(kind, next(iter(_TABLES[kind].primary_key)) == key)
        return found[0] if found else None

    def rows(self, kind: type[R], where: sa.ColumnElement[bool] | None = None) -> tuple[R, ...]:
        """A list, or those of it for which `where` holds: sessions as last changed, others by name."""
        table = _TABLES[kind]
        query = sa.select(*(table.c[field] for field in kind.__struct_fields__))
        if where is not None:
            query = query.where(where)
        order = sessions.c.changed.desc() if kind is SessionRow else by_code_point(table.c.name)
        key = by_code_point(next(iter(table.primary_key)))
        return tuple(kind(*row) for row in self.connection.execute(query.order_by(order, key)))

    def page(self, kind: type[L], text: str, at: int, count: int, game: str = "") -> Page[L]:
        """The rows of a list from number `at` (from 0) on, at most `count`, in which every word of `text` stands.

        With `game` only those that can be played: its decks that have not retired.
        """
        table = _TABLES[kind]
        where = [table.c.folded.contains(word, autoescape=True) for word in fold(text).split()]
        if game:
            where += [table.c.game == game, sa.not_(table.c.retired)]
        order = sessions.c.changed.desc() if kind is SessionRow else decks.c.folded
        key = next(iter(table.primary_key))
        columns = (table.c[field] for field in kind.__struct_fields__)
        query = sa.select(*columns).where(*where).order_by(order, by_code_point(key)).limit(count).offset(at)
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
        self.connection.execute(sa.delete(_TABLES[kind]))

    def count_entries(self) -> int:
        """How many entries all streams have together."""
        return self.connection.scalar(sa.select(sa.func.count()).select_from(entries)) or 0

    def gaps(self) -> tuple[str, ...]:
        """The streams whose entries are not numbered 0, 1, 2 …"""
        seq = entries.c.seq
        query = sa.select(entries.c.stream).group_by(entries.c.stream)
        return tuple(self.connection.scalars(query.having(sa.func.max(seq) + 1 != sa.func.count()).order_by("stream")))

    def pragma(self, name: str) -> tuple[str, ...]:
        """What an SQLite pragma answers, a line a row."""
        return tuple(str(row[0]) for row in self.connection.exec_driver_sql(f"PRAGMA {name}"))


def _by_stream(whole: Sequence[Entry]) -> dict[str, set[Entry]]:
    found: dict[str, set[Entry]] = {}
    for entry in whole:
        found.setdefault(entry.stream, set()).add(entry)
    return found


def _refuse_nul(entry: Entry) -> None:
    text = "\0".join((entry.stream, entry.by, entry.kind, entry.session))
    if text.count("\0") > 3 or "\0" in entry.body:
        raise ArchiveError(f"{quoted(text)} holds a NUL (U+0000), which cannot be kept; leave it out.")
    if "\\u0000" in entry.body and (found := _NUL.search(entry.body)):
        before = msgspec.json.decode(f'"{found[1]}"', type=str)
        raise ArchiveError(f"After {quoted(before)} stands a NUL (U+0000), which cannot be kept; leave it out.")


def _begins(column: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.and_(column >= beginning, column < beginning + _LAST_CODE_POINT)


def file_of(store: Store) -> Path | None:
    """The archive's file; None for a server."""
    return Path(store.engine.url.database or "") if store.is_file else None
