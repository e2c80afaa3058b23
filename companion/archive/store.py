"""The archive's database: opening and migrating it, and transactions that read and append.

Knows streams and rows, and nothing of what they mean.
"""

import contextlib
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive import migrate, place
from companion.archive.engine import BUSY_SECONDS, cause, engine, is_away
from companion.archive.entries import Entry, NewEntry
from companion.archive.errors import ArchiveError, Conflict, Unreadable, Unsure, quoted
from companion.archive.lists import (
    DeckRow,
    NamedPurseRow,
    Page,
    PersonRow,
    Row,
    SessionRow,
    fold,
    lined,
    row_of,
    searched,
)
from companion.archive.schema import (
    by_code_point,
    decks,
    entries,
    named_purses,
    names,
    people,
    printers,
    sessions,
    sheets,
)
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
_COLUMNS = tuple(entries.c[field] for field in Entry.__struct_fields__)
_LAST_CODE_POINT = "\U0010ffff"
_NUL = re.compile(r'"((?:[^"\\]|\\(?!u0000).)*)\\u0000')
"""A NUL as JSON writes it, and what stands before it in its text."""
_PAUSE = 0.2
_RECOGNISED = 1000
"""How many of a transaction's entries are kept in mind, to know it by; all of it is written or nothing."""
_AT_ONCE = 400
"""How many things are asked for in one query; SQLite takes some 999 values in one."""


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
        query = sa.select(*_COLUMNS).where(*wanted).order_by(entries.c.seq)
        return tuple(Entry(*row) for row in self.connection.execute(query).all())

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

    def take_over(self, source: "Transaction", first: str, end: str) -> None:
        """Writes another archive's entries as they are there, of the streams from `first` on and before `end`."""
        found = sa.select(entries).where(entries.c.stream >= first, entries.c.stream < end)
        rows = source.connection.execute(found.order_by(entries.c.stream, entries.c.seq)).mappings()
        self.connection.execute(sa.insert(entries), list(map(dict, rows)))

    def cut(self, stream: str, length: int) -> None:
        """Leaves a stream only its first `length` entries. The caller writes what was there elsewhere in it."""
        self.connection.execute(sa.delete(entries).where(entries.c.stream == stream, entries.c.seq >= length))

    def streams(self, kind: str) -> tuple[str, ...]:
        """The names of all streams of a kind (`session`, `deck`, `person`)."""
        query = sa.select(entries.c.stream).where(_begins(entries.c.stream, f"{kind}:")).distinct()
        return tuple(self.connection.scalars(query.order_by(entries.c.stream)))

    def whole_streams(self, kind: str) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """All streams of a kind with their entries, one after the other, without holding more than a part of them."""
        query = sa.select(*_COLUMNS).where(_begins(entries.c.stream, f"{kind}:"))
        query = query.order_by(entries.c.stream, entries.c.seq).execution_options(yield_per=_AT_ONCE)
        for stream, found in groupby((Entry(*row) for row in self.connection.execute(query)), attrgetter("stream")):
            yield stream, tuple(found)

    def entries_at(self, wanted: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], Entry]:
        """Single entries, by their streams and seqs; those that are not there lack."""
        found = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = list(wanted[start : start + _AT_ONCE])
            places = [*some, *(some[-1:] * (_AT_ONCE - len(some)))]
            values: dict[str, str | int] = {}
            for number, (stream, seq) in enumerate(places):
                values |= {f"stream{number}": stream, f"seq{number}": seq}
            for row in self.connection.execute(_entries_at(), values).all():
                entry = Entry(*row)
                found[entry.stream, entry.seq] = entry
        return found

    def put(self, row: Row) -> None:
        """Writes a row in place of the one with its key, or as a new one."""
        table = _TABLES[type(row)]
        values, key = _written(row), next(iter(table.primary_key))
        updated = self.connection.execute(sa.update(table).where(key == values[key.name]).values(values))
        if updated.rowcount == 0:
            self.connection.execute(sa.insert(table).values(values))
        if isinstance(row, PersonRow):
            known = set(self.connection.scalars(sa.select(names.c.folded).where(names.c.person == row.person)))
            self._name(name for name in _names(row) if name["folded"] not in known)

    def put_new(self, rows: Iterable[Row]) -> None:
        """Writes many rows of which no list has any yet. Raises Conflict where one has."""
        new: dict[type[Row], list[Row]] = {}
        for row in rows:
            new.setdefault(type(row), []).append(row)
        for kind, some in new.items():
            self.connection.execute(sa.insert(_TABLES[kind]), list(map(_written, some)))
        self._name(name for row in new.get(PersonRow, ()) if isinstance(row, PersonRow) for name in _names(row))

    def _name(self, new: Iterable[Mapping[str, str]]) -> None:
        if values := list(new):
            self.connection.execute(sa.insert(names), values)

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
        return tuple(kind(*row) for row in self.connection.execute(query.order_by(order, key)).all())

    def page(self, kind: type[L], text: str, at: int, count: int | None, *also: sa.ColumnElement[bool]) -> Page[L]:
        """The rows of a list from number `at` (from 0) on, at most `count`, in which every word of `text` stands and
        of which `also` holds.
        """
        table = _TABLES[kind]
        where = [table.c.folded.contains(word, autoescape=True) for word in fold(text).split()]
        where += also
        order = sessions.c.changed.desc() if kind is SessionRow else decks.c.folded
        key = next(iter(table.primary_key))
        columns = (table.c[field] for field in kind.__struct_fields__)
        query = sa.select(*columns).where(*where).order_by(order, by_code_point(key)).limit(count).offset(at)
        found = tuple(kind(*row) for row in self.connection.execute(query).all())
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(table).where(*where)) or 0
        return Page(found, at, total)

    def page_of_decks(
        self, text: str, at: int, count: int | None, game: str = "", tags: Iterable[str] = (), *, due: bool = False
    ) -> Page[DeckRow]:
        """A page of decks, as `Archive.page_of_decks` says."""
        where = [decks.c.tagged.contains(lined([tag]), autoescape=True) for tag in tags]
        if game:
            where += [decks.c.game == game, sa.not_(decks.c.retired)]
        if due:
            where.append(decks.c.due != ())
        return self.page(DeckRow, text, at, count, *where)

    def decks_called(self, beginning: str) -> tuple[DeckRow, ...]:
        """The decks whose name begins so, in any case."""
        return self.rows(DeckRow, _begins(decks.c.folded, fold(beginning)))

    def decks_held(self, people: Iterable[str], names: Iterable[str]) -> tuple[DeckRow, ...]:
        """The decks that somebody of these ids or names holds or once held."""
        held = [decks.c.held.contains(lined([name]), autoescape=True) for name in names]
        return self.rows(DeckRow, sa.or_(decks.c.person.in_([person for person in people if person]), *held))

    def holders_named(self) -> tuple[str, ...]:
        """The names of those who hold a deck whose record says no person, by the names of their decks."""
        query = (
            sa.select(decks.c.holder)
            .where(decks.c.holder != "", decks.c.person == "")
            .order_by(by_code_point(decks.c.name))
        )
        return tuple(self.connection.scalars(query))

    def decks_tagged(self) -> tuple[DeckRow, ...]:
        """The decks that have any tag."""
        return self.rows(DeckRow, decks.c.tagged != "")

    def people_called(self, name: str) -> tuple[PersonRow, ...]:
        """The people who are called so, or once were."""
        called = sa.select(names.c.person).where(names.c.folded == fold(name))
        return self.rows(PersonRow, people.c.person.in_(called))

    def people_merged(self, person: str) -> tuple[PersonRow, ...]:
        """The people who turned out to be this one."""
        return self.rows(PersonRow, people.c.merged == person)

    def titles(self, some: Iterable[str]) -> Mapping[str, tuple[str, str]]:
        """Title and game of sessions, by their ids."""
        wanted = sorted(set(some))
        found: dict[str, tuple[str, str]] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            chosen = sessions.c.session.in_(wanted[start : start + _AT_ONCE])
            query = sa.select(sessions.c.session, sessions.c.title, sessions.c.game).where(chosen)
            found |= {key: (title, game) for key, title, game in self.connection.execute(query)}
        return found

    def count(self, kind: type[R]) -> int:
        """How many rows a list has."""
        return self.connection.scalar(sa.select(sa.func.count()).select_from(_TABLES[kind])) or 0

    def sessions_called(self, beginning: str) -> tuple[SessionRow, ...]:
        """The sessions whose id begins so."""
        return self.rows(SessionRow, _begins(sessions.c.session, beginning))

    def list_again(self, kind: str) -> None:
        """Makes the rows of all streams of a kind from their entries; where one cannot be read, its row stays."""
        for stream, found in self.whole_streams(kind):
            with contextlib.suppress(ArchiveError, ValueError, LookupError):
                self.put(row_of(stream, found))

    def clear(self, kind: type[R]) -> None:
        """Empties a list, to make it again."""
        self.connection.execute(sa.delete(_TABLES[kind]))
        if kind is PersonRow:
            self.connection.execute(sa.delete(names))

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


def _written(row: Row) -> dict[str, Any]:
    """A row as its table has it, with what of it is looked through."""
    values = msgspec.structs.asdict(row)
    if isinstance(row, DeckRow | SessionRow):
        values["folded"] = searched(row)
    if isinstance(row, DeckRow):
        names = dict.fromkeys(name for name in (*row.holders, row.holder) if name)
        values |= {"held": lined(names), "tagged": lined(row.tags)}
    return values


@cache
def _entries_at() -> sa.TextualSelect:
    """The query for as many single entries as are asked for at once.

    SQLite finds pairs by their key in a join, but looks through everything for them in a list. As text it is made once;
    as an expression it would take longer to write than to answer.
    """
    places = ", ".join(f"(:stream{number}, :seq{number})" for number in range(_AT_ONCE))
    columns = ", ".join(f'entries."{column.name}"' for column in _COLUMNS)
    return sa.text(
        f"WITH place (stream, seq) AS (VALUES {places}) SELECT {columns} "
        "FROM place JOIN entries ON entries.stream = place.stream AND entries.seq = place.seq"
    ).columns(*_COLUMNS)


def _names(row: PersonRow) -> list[dict[str, str]]:
    """All names of a person, as they are looked for."""
    return [{"folded": folded, "person": row.person} for folded in dict.fromkeys(map(fold, row.called))]


def _begins(column: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.and_(column >= beginning, column < beginning + _LAST_CODE_POINT)


def file_of(store: Store) -> Path | None:
    """The archive's file; None for a server."""
    return Path(store.engine.url.database or "") if store.is_file else None
