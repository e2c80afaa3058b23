"""The archive's database: opening and migrating it, and transactions that read and append.

Knows streams and rows, and nothing of what they mean.
"""

import contextlib
import os
import re
import sqlite3
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive import backups, checksums, lineage, migrate, only_read, place
from companion.archive.engine import BUSY_SECONDS, cause, engine, fill, is_away
from companion.archive.entries import Entry, NewEntry
from companion.archive.errors import ArchiveError, Conflict, Unreadable, Unsure
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
    Facts,
    Positions,
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
from companion.games.text import quoted

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
_TAG = "tag:"
"""Before a word that is looked for among tags only."""
_LAST_CODE_POINT = "\U0010ffff"
_NUL = re.compile(r'"((?:[^"\\]|\\(?!u0000).)*)\\u0000')
"""A NUL as JSON writes it, and what stands before it in its text."""
_PAUSE = 0.2
_RECOGNISED = 1000
"""How many of a transaction's entries are kept in mind, to know it by; all of it is written or nothing."""
_AT_ONCE = 400
"""How many things are asked for in one query; SQLite takes some 999 values in one."""


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
        self._away_since: float | None = None
        self._unsure: tuple[Entry, ...] = ()
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
            found = self._ready(url)
            if self.file is not None and not os.access(self.file, os.W_OK):
                self.only_read = only_read.told(self.name)
            return found
        except Unreadable as error:
            if self.file is None or not only_read.is_meant(error):
                raise
            refused = error
        for way in only_read.ways(self.file, self._closing):
            with contextlib.suppress(Unreadable):
                found = self._ready(way)
                self.only_read = only_read.told(self.name, refused)
                return found
        raise refused

    def _ready(self, url: sa.URL) -> sa.Engine:
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
        with self._in_words(ArchiveError), self._connected(writes=False) as connection:
            yield Transaction(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator["Transaction"]:
        """One durable transaction: all of it is on disk when the block has ended well, and nothing otherwise.

        What is known by then to have been written already, before a connection broke, ends the block well, too. Raises
        Unsure where that cannot be known yet.
        """
        if self.only_read:
            raise ArchiveError(self.only_read)
        with self._in_words(ArchiveError), contextlib.suppress(_Kept), self._connected(writes=True) as connection:
            transaction = Transaction(connection, self._unsure)
            yield transaction
            if self.is_file:
                lineage.go_on(connection)
            self._commit(connection, transaction.written)
        if self.is_file:
            self._settle_soon()

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
            rows = [{**msgspec.structs.asdict(entry), "checksum": checksums.of(entry)} for entry in whole]
            self.connection.execute(sa.insert(entries), rows)

    def take_over(self, source: "Transaction", first: str, end: str) -> None:
        """Writes another archive's entries as they are there, of the streams from `first` on and before `end`."""
        # Dates as the driver gives them: most of the time would go into reading and writing these.
        columns = (sa.type_coerce(column, sa.types.NullType()) for column in entries.c)
        query = sa.select(*columns).where(entries.c.stream >= first, entries.c.stream < end)
        read = source.connection.execute(query.order_by(entries.c.stream, entries.c.seq)).all()
        fill(self.connection, entries, read)

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

    def known(self, streams: Collection[str]) -> frozenset[str]:
        """Those of some streams that have entries."""
        query = sa.select(entries.c.stream).where(entries.c.stream.in_(streams), entries.c.seq == 0)
        return frozenset(self.connection.scalars(query))

    def decks_named(self, names: Collection[str]) -> tuple[DeckRow, ...]:
        """The decks that have one of these names, in any case."""
        return self.rows(DeckRow, decks.c.folded.in_([fold(name) for name in names]))

    def put(self, row: Row) -> None:
        """Writes a row in place of the one with its key, or as a new one."""
        table = TABLES[type(row)]
        values, key = written(row), next(iter(table.primary_key))
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
            self.connection.execute(sa.insert(TABLES[kind]), list(map(written, some)))
        self._name(name for row in new.get(PersonRow, ()) if isinstance(row, PersonRow) for name in _names(row))

    def _name(self, new: Iterable[Mapping[str, str]]) -> None:
        if values := list(new):
            self.connection.execute(sa.insert(names), values)

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
        order = sessions.c.changed.desc() if kind is SessionRow else by_code_point(table.c.name)
        key = by_code_point(next(iter(table.primary_key)))
        return tuple(kind(*row) for row in self.connection.execute(query.order_by(order, key)).all())

    def page(self, kind: type[L], text: str, at: int, count: int | None, *also: sa.ColumnElement[bool]) -> Page[L]:
        """The rows of a list from number `at` (from 0) on, at most `count`, in which every word of `text` stands and
        of which `also` holds.
        """
        table: sa.Table = TABLES[kind]
        where = [*(_told_of_decks(text) if kind is DeckRow else _holding(table.c.folded, text)), *also]
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

    def page_of_heads(self, text: str, besides: Sequence[str], at: int, count: int) -> Page[PersonRow]:
        """The people who are nobody else, by name: those with every word of `text` in a name or the id, and `besides`
        those of these ids.
        """
        found = sa.or_(sa.and_(sa.true(), *_holding(people.c.folded, text)), people.c.person.in_(besides))
        where = people.c.merged == "", found
        query = sa.select(*(people.c[field] for field in PersonRow.__struct_fields__)).where(*where)
        query = query.order_by(people.c.folded, people.c.person).limit(count).offset(at)
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(people).where(*where)) or 0
        return Page(tuple(PersonRow(*row) for row in self.connection.execute(query)), at, total)

    def page_of_holders(self, text: str, at: int, count: int) -> Page[str]:
        """The names that only decks tell of, by name: those that hold every word of `text`."""
        held = decks.c.held_by
        where = held != "", held.not_in(sa.select(names.c.folded)), *_holding(held, text)
        query = sa.select(sa.func.min(decks.c.holder)).where(*where).group_by(held).order_by(held)
        total = self.connection.scalar(sa.select(sa.func.count(held.distinct())).where(*where)) or 0
        return Page(tuple(self.connection.scalars(query.limit(count).offset(at))), at, total)

    def merged_people(self) -> tuple[PersonRow, ...]:
        """Everybody who turned out to be somebody else."""
        return self.rows(PersonRow, people.c.merged != "")

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
        return self.connection.scalar(sa.select(sa.func.count()).select_from(TABLES[kind])) or 0

    def names(self) -> set[tuple[str, str]]:
        """All names by which people are found, as they are looked for, each with whose it is."""
        return {(folded, person) for folded, person in self.connection.execute(sa.select(names))}

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
        self.connection.execute(sa.delete(TABLES[kind]))
        if kind is PersonRow:
            self.connection.execute(sa.delete(names))

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


def written(row: Row) -> dict[str, Any]:
    """A row as its table has it, with what of it is looked through."""
    values = msgspec.structs.asdict(row)
    if isinstance(row, DeckRow | SessionRow | PersonRow):
        values["folded"] = searched(row)
    if isinstance(row, DeckRow):
        names = dict.fromkeys(name for name in (*row.holders, row.holder) if name)
        held_by = "" if row.person else fold(row.holder)
        values |= {"held": lined(names), "tagged": lined(row.tags), "held_by": held_by}
    values["checksum"] = checksums.of_row(_stored(TABLES[type(row)], values))
    return values


def _holding(column: sa.ColumnElement[str], text: str) -> list[sa.ColumnElement[bool]]:
    """That every word of a text stands in a column."""
    return [column.contains(word, autoescape=True) for word in fold(text).split()]


def _told_of_decks(text: str) -> list[sa.ColumnElement[bool]]:
    """That every word of a text stands in a deck's name or its tags; `tag:league` only in these."""
    words = fold(text).split()
    return [
        decks.c.tagged.contains(word.removeprefix(_TAG), autoescape=True)
        if word.startswith(_TAG)
        else sa.or_(decks.c.folded.contains(word, autoescape=True), decks.c.tagged.contains(word, autoescape=True))
        for word in words
    ]


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
    return store.file
