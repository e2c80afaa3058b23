"""The archive's database: opening and migrating it, and transactions that read and append.

Knows streams and rows, and nothing of what they mean.
"""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive import migrate, place
from companion.archive.engine import cause, engine
from companion.archive.entries import Entry, NewEntry
from companion.archive.errors import ArchiveError, Conflict, Unreadable
from companion.archive.lists import DeckRow, NamedPurseRow, Page, PersonRow, Row, SessionRow, fold, searched
from companion.archive.schema import decks, entries, named_purses, names, people, printers, sessions, sheets
from companion.archive.sheets import PrinterRow, SheetRow

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


class Store:
    """An open database. Safe to use from several threads; each transaction is one thread's."""

    def __init__(self, url: sa.URL) -> None:
        """Opens, and where needed makes or migrates, the database. Raises Unreadable."""
        self.name = place.name(url)
        self.is_file = url.drivername == "sqlite"
        if self.is_file:
            place.check_file(url)
        self.engine = engine(url)
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
        with self._in_words(ArchiveError), self.engine.connect() as connection:
            yield Transaction(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator["Transaction"]:
        """One durable transaction: all of it is on disk when the block has ended well, and nothing otherwise."""
        with self._in_words(ArchiveError), self.engine.connect() as connection:
            connection.execution_options(writes=True)
            with connection.begin():
                yield Transaction(connection)

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


class Transaction:
    """What can be read and appended while a transaction is open."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

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
        # SQLite lowers Latin letters only; other names are found as they are written.
        held = sa.or_(
            entries.c.body.contains(text, autoescape=True),
            sa.func.lower(entries.c.body).contains(text.lower(), autoescape=True),
        )
        query = sa.select(entries.c.stream).where(_begins(entries.c.stream, f"{kind}:"), held).distinct()
        return tuple(self.connection.scalars(query))

    def put(self, row: Row) -> None:
        """Writes a row in place of the one with its key, or as a new one."""
        table = _TABLES[type(row)]
        values = msgspec.structs.asdict(row) | _looked_up(row)
        if isinstance(row, PersonRow):
            self._put_names(row)
        key = next(iter(table.primary_key))
        updated = self.connection.execute(sa.update(table).where(key == values[key.name]).values(values))
        if updated.rowcount == 0:
            self.connection.execute(sa.insert(table).values(values))

    def _put_names(self, row: PersonRow) -> None:
        self.connection.execute(sa.delete(names).where(names.c.person == row.person))
        every = dict.fromkeys(map(fold, (row.name, *row.called)))
        self.connection.execute(sa.insert(names), [{"folded": name, "person": row.person} for name in every])

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
        order = sessions.c.changed.desc() if kind is SessionRow else table.c.name
        return tuple(
            kind(*row) for row in self.connection.execute(query.order_by(order, next(iter(table.primary_key))))
        )

    def page(self, kind: type[L], text: str, at: int, count: int, game: str = "") -> Page[L]:
        """The rows of a list from number `at` (from 0) on, at most `count`, in which every word of `text` stands.

        With `game` only those that can be played: its decks that have not retired.
        """
        table = _TABLES[kind]
        where = _holding(table.c.searched if kind is DeckRow else table.c.folded, text)
        if game:
            where += [table.c.game == game, sa.not_(table.c.retired)]
        order = sessions.c.changed.desc() if kind is SessionRow else decks.c.folded
        key = next(iter(table.primary_key))
        columns = (table.c[field] for field in kind.__struct_fields__)
        query = sa.select(*columns).where(*where).order_by(order, key).limit(count).offset(at)
        found = tuple(kind(*row) for row in self.connection.execute(query))
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(table).where(*where)) or 0
        return Page(found, at, total)

    def page_of_heads(self, text: str, besides: Sequence[str], at: int, count: int) -> Page[PersonRow]:
        """The people who are nobody else, by name: those with every word of `text` in a name or the id, and `besides`
        those of these ids.
        """
        found = sa.or_(sa.and_(*_holding(people.c.folded, text), sa.true()), people.c.person.in_(besides))
        where = people.c.merged == "", found
        query = sa.select(*(people.c[field] for field in PersonRow.__struct_fields__)).where(*where)
        query = query.order_by(people.c.folded, people.c.person).limit(count).offset(at)
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(people).where(*where)) or 0
        return Page(tuple(PersonRow(*row) for row in self.connection.execute(query)), at, total)

    def page_of_holders(self, text: str, at: int, count: int) -> Page[str]:
        """The names that only decks tell of, by name: those that hold every word of `text`."""
        known = sa.select(names.c.folded)
        where = decks.c.person == "", decks.c.held != "", decks.c.held.not_in(known), *_holding(decks.c.held, text)
        query = sa.select(sa.func.min(decks.c.holder)).where(*where).group_by(decks.c.held).order_by(decks.c.held)
        total = self.connection.scalar(sa.select(sa.func.count(decks.c.held.distinct())).where(*where)) or 0
        return Page(tuple(self.connection.scalars(query.limit(count).offset(at))), at, total)

    def merged_people(self) -> tuple[PersonRow, ...]:
        """Everybody who turned out to be somebody else."""
        return self.rows(PersonRow, people.c.merged != "")

    def purses_kept_as(self, kept_as: Sequence[str]) -> tuple[NamedPurseRow, ...]:
        """The purses that were kept under these names."""
        return self.rows(NamedPurseRow, named_purses.c.kept_as.in_(kept_as))

    def decks_called(self, beginning: str) -> tuple[DeckRow, ...]:
        """The decks whose name begins so, in any case."""
        return self.rows(DeckRow, _begins(decks.c.folded, fold(beginning)))

    def sessions_called(self, beginning: str) -> tuple[SessionRow, ...]:
        """The sessions whose id begins so."""
        return self.rows(SessionRow, _begins(sessions.c.session, beginning))

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


def _looked_up(row: Row) -> dict[str, str]:
    """What of a row is written once more in the form in which it is compared and searched."""
    if isinstance(row, DeckRow):
        return {"folded": fold(row.name), "searched": searched(row), "held": fold(row.holder)}
    return {"folded": searched(row)} if isinstance(row, SessionRow | PersonRow) else {}


def _holding(column: sa.ColumnElement[str], text: str) -> list[sa.ColumnElement[bool]]:
    """That every word of a text stands in a column."""
    return [column.contains(word, autoescape=True) for word in fold(text).split()]


def _begins(column: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.and_(column >= beginning, column < beginning + _LAST_CODE_POINT)


def file_of(store: Store) -> Path | None:
    """The archive's file; None for a server."""
    return Path(store.engine.url.database or "") if store.is_file else None
