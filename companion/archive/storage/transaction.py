"""Reading and writing in an open transaction: entries in their streams, and rows of the lists."""

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect

from companion.archive.errors import ArchiveError, Clause, Conflict, Damaged, Unknown, describe_error
from companion.archive.storage import checksums
from companion.archive.storage.engine import insert_rows
from companion.archive.storage.entries import Entry, NewEntry
from companion.archive.storage.lists import fold, join_folded, row_of, search_text
from companion.archive.storage.rows import (
    QUERY_SIZE,
    DeckRow,
    LeagueRow,
    ListPage,
    NamedPurseRow,
    PageRow,
    PersonRow,
    PlayRow,
    PrinterRow,
    RehearsalRow,
    Row,
    SessionRow,
    SheetRow,
    StoredChoice,
)
from companion.archive.storage.schema import (
    Facts,
    PositionsText,
    by_code_point,
    decks,
    entries,
    leagues,
    named_purses,
    names,
    pages,
    people,
    phones,
    plays,
    printers,
    rehearsals,
    secret_choices,
    sessions,
    sheets,
)
from companion.tabletop.text import in_quotes, visible_form
from templates.languages.messages import phrase

MAX_RECOGNISED = 1000
"""The number of a transaction's entries that are remembered to recognize it; a transaction is written whole or not."""
_COLUMNS = tuple(entries.c[field] for field in Entry.__struct_fields__)
_LAST_CODE_POINT = "\U0010ffff"
_NUL = re.compile(r'"((?:[^"\\]|\\(?!u0000).)*)\\u0000')
"""A NUL as JSON writes it, and the text before it."""


class AlreadyWritten(Exception):
    """The entries that a transaction is about to write are stored already."""


class Streams:
    """The entries, as one transaction sees and writes them."""

    def __init__(self, connection: sa.Connection, unsure: Sequence[Entry] = ()) -> None:
        self.connection = connection
        self.new_entries: list[Entry] = []
        self._unsure = unsure

    def fetch_all(self, query: sa.Select[Any]) -> Sequence[Any]:
        """Return all rows of a query. Raises Damaged if one has a value that its column cannot have."""
        try:
            return self.connection.execute(query).all()
        except UnicodeEncodeError as error:
            raise Unknown(phrase("The name is not UTF-8 text, so nothing in an archive has it.")) from error
        except (ValueError, msgspec.MsgspecError) as error:
            raise Damaged(
                phrase("The archive is damaged ({reason}).", reason=Clause(describe_error(error))), "damage"
            ) from error

    def length(self, stream: str) -> int:
        """Return the length of a stream, which is also the seq of its next entry."""
        last = self.connection.scalar(sa.select(sa.func.max(entries.c.seq)).where(entries.c.stream == stream))
        return 0 if last is None else last + 1

    def last_entry(self, stream: str) -> tuple[int, int] | None:
        """Return the number and the checksum of a stream's last entry; None if it has none."""
        query = sa.select(entries.c.seq, entries.c.checksum).where(entries.c.stream == stream)
        row = self.connection.execute(query.order_by(entries.c.seq.desc()).limit(1)).first()
        return None if row is None else (row.seq, row.checksum)

    def read(self, stream: str, first: int = 0) -> tuple[Entry, ...]:
        """Return a stream's entries in order, from number `first` on."""
        conditions = entries.c.stream == stream, entries.c.seq >= first
        query = sa.select(*_COLUMNS).where(*conditions).order_by(entries.c.seq)
        return tuple(Entry(*row) for row in self.fetch_all(query))

    def read_whole(self, stream: str) -> tuple[Entry, ...]:
        """Return a stream's entries in order, verified for a copy. Raises ArchiveError if one is damaged."""
        query = sa.select(*_COLUMNS, entries.c.checksum).where(entries.c.stream == stream).order_by(entries.c.seq)
        read = []
        for *columns, checksum in self.fetch_all(query):
            entry = Entry(*columns)
            if checksums.entry_checksum(entry) != checksum:
                raise ArchiveError(
                    phrase("Entry {seq} of {stream} is not as it was written.", seq=str(entry.seq), stream=stream),
                    "damage",
                )
            read.append(entry)
        return tuple(read)

    def read_between(self, streams: Collection[str], first: int, end: int) -> Iterator[Entry]:
        """Return the entries of some streams from number `first` to before `end`, stream by stream and in order."""
        conditions = entries.c.stream.in_(streams), entries.c.seq >= first, entries.c.seq < end
        query = sa.select(*_COLUMNS).where(*conditions).order_by(entries.c.stream, entries.c.seq)
        return (Entry(*row) for row in self.fetch_all(query))

    def append(
        self, stream: str, expected_seq: int, drafts: Sequence[NewEntry], by: str, at: datetime, session: str = ""
    ) -> tuple[Entry, ...]:
        """Append entries, the first at `expected_seq`. Raises Conflict if that is not the stream's next seq.

        A write whose outcome a broken connection left unknown may be repeated: if it was stored, AlreadyWritten ends
        this transaction successfully.
        """
        length = self.length(stream)
        if length != expected_seq:
            self._recognise(stream, expected_seq, [(each.by or by, session, each.kind, each.body) for each in drafts])
            raise Conflict(
                phrase(
                    "{stream} has {entries} entries, not the {expected} it was expected to have: "
                    "somebody else wrote first; open it again and try again.",
                    stream=stream,
                    entries=str(length),
                    expected=str(expected_seq),
                )
            )
        added = tuple(
            Entry(stream, seq, at, each.by or by, each.kind, each.body, session)
            for seq, each in enumerate(drafts, start=expected_seq)
        )
        self.write(added)
        return added

    def _recognise(self, stream: str, seq: int, contents: Sequence[tuple[str, str, str, str]]) -> None:
        ours = [entry for entry in self._unsure if entry.stream == stream]
        same = [(entry.by, entry.session, entry.kind, entry.body) for entry in ours] == list(contents)
        if ours and same and ours[0].seq == seq and self.contains(self._unsure):
            raise AlreadyWritten

    def secret_choices(self, wanted: Collection[str]) -> dict[tuple[str, str], StoredChoice]:
        """Return the secret choices at the wanted sessions, by session and seat."""
        rows = self.connection.execute(sa.select(secret_choices).where(secret_choices.c.session.in_(sorted(wanted))))
        return {(row.session, row.seat): StoredChoice(row.line, row.length, row.phone, row.by) for row in rows}

    def contains(self, whole: Sequence[Entry]) -> bool:
        """Return True if these very entries are stored, date and author included."""
        by_stream: dict[str, set[Entry]] = {}
        for entry in whole:
            by_stream.setdefault(entry.stream, set()).add(entry)
        return all(set(self.read(stream)) >= expected for stream, expected in by_stream.items())

    def write(self, whole: Sequence[Entry]) -> None:
        """Write entries as they are, number, date and author included.

        Raises Conflict if a number is taken, ArchiveError if there is a NUL, which not every engine can store.
        """
        if whole:
            for entry in whole:
                _refuse_nul(entry)
            self.new_entries.extend(whole[: MAX_RECOGNISED - len(self.new_entries)])
            in_file = self.connection.dialect.name == "sqlite"
            insert_rows(self.connection, entries, [_stored_entry(entry, in_file=in_file) for entry in whole])

    def truncate(self, stream: str, length: int) -> None:
        """Delete all but the first `length` entries of a stream. The caller writes the others elsewhere."""
        self.connection.execute(sa.delete(entries).where(entries.c.stream == stream, entries.c.seq >= length))

    def streams(self, kind: str, entry_kind: str = "") -> tuple[str, ...]:
        """Return the names of all streams of a kind (`session`, `deck`, `person`), or with an entry of `entry_kind`."""
        query = sa.select(entries.c.stream).where(starts_with(entries.c.stream, f"{kind}:")).distinct()
        query = query.where(entries.c.kind == entry_kind) if entry_kind else query
        return tuple(self.connection.scalars(query.order_by(entries.c.stream)))

    def whole_streams(self, kind: str) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """Yield all streams of a kind with their entries; only a part of them is in memory at once."""
        query = sa.select(*_COLUMNS).where(starts_with(entries.c.stream, f"{kind}:"))
        query = query.order_by(entries.c.stream, entries.c.seq).execution_options(yield_per=QUERY_SIZE)
        for stream, rows in groupby((Entry(*row) for row in self.connection.execute(query)), attrgetter("stream")):
            yield stream, tuple(rows)

    def bodies_at(self, places: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], str]:
        """Return the bodies of single entries, by their streams and seqs; missing ones are left out."""
        bodies = {}
        for start in range(0, len(places), QUERY_SIZE):
            some = places[start : start + QUERY_SIZE]
            values = tuple(value for place in some for value in place)
            rows = self.connection.exec_driver_sql(_bodies_at(len(some), self.connection.dialect.paramstyle), values)
            bodies.update({(stream, seq): body for stream, seq, body in rows})
        return bodies

    def existing_streams(self, streams: Collection[str]) -> frozenset[str]:
        """Return those of some streams that have entries."""
        query = sa.select(entries.c.stream).where(entries.c.stream.in_(streams), entries.c.seq == 0)
        return frozenset(self.connection.scalars(query))

    def count_entries(self) -> int:
        """Return the number of entries of all streams together."""
        return self.connection.scalar(sa.select(sa.func.count()).select_from(entries)) or 0


def _stored_entry(entry: Entry, *, in_file: bool) -> tuple[Any, ...]:
    """Return an entry's columns as a driver takes them, in the order of the table."""
    stream, seq, at, by, kind, body, session = msgspec.structs.astuple(entry)
    moment = checksums.encode_time(at)
    parts = (moment, by.encode(), kind.encode(), body.encode(), session.encode())
    checksum = checksums.of_parts(stream.encode(), seq, *parts)
    stored = moment.decode() if in_file else at.astimezone(UTC).replace(tzinfo=None)
    return stream, seq, stored, by, kind, body, session, checksum


def _refuse_nul(entry: Entry) -> None:
    text = "\0".join((entry.stream, entry.by, entry.kind, entry.session))
    if text.count("\0") > 3 or "\0" in entry.body:
        raise ArchiveError(
            phrase("{text} has a NUL (U+0000), which cannot be stored; leave it out.", text=in_quotes(text))
        )
    if "\\u0000" in entry.body and (match := _NUL.search(entry.body)):
        before = msgspec.json.decode(f'"{match[1]}"', type=str)
        raise ArchiveError(
            phrase(
                "There is a NUL (U+0000) after {before}, which cannot be stored; leave it out.",
                before=in_quotes(before),
            )
        )


def _bodies_at(count: int, paramstyle: str) -> str:
    """Return the query for `count` bodies.

    SQLite looks up pairs by their key in a join, but scans the whole table for them in a list. The query is plain SQL
    because compiling an expression would take longer than running it.
    """
    places = ", ".join(["(?, ?)" if paramstyle == "qmark" else "(%s, %s)"] * count)
    return (
        f"WITH place (stream, seq) AS (VALUES {places}) SELECT entries.stream, entries.seq, entries.body "
        "FROM place JOIN entries ON entries.stream = place.stream AND entries.seq = place.seq"
    )


def starts_with(column: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.and_(column >= beginning, column < beginning + _LAST_CODE_POINT)


R = TypeVar("R", bound=Row)
L = TypeVar("L", SessionRow, DeckRow)

TABLES: dict[type[msgspec.Struct], sa.Table] = {
    SessionRow: sessions,
    DeckRow: decks,
    PersonRow: people,
    NamedPurseRow: named_purses,
    SheetRow: sheets,
    PrinterRow: printers,
    LeagueRow: leagues,
    RehearsalRow: rehearsals,
    PlayRow: plays,
    PageRow: pages,
}
_ANY = DefaultDialect()
_INVISIBLE = "[\u180b-\u180f\u200b-\u200f\u2060-\u2064\u2800\u034f\u115f\u1160\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""Characters that may be in a folded name and are invisible."""
_TAG = "tag:"
"""The prefix of a word that is searched among tags only."""


class Rows(Streams):
    """The lists beside the entries, as one transaction sees and writes them."""

    def decks_named(self, names: Collection[str]) -> tuple[DeckRow, ...]:
        """Return the decks that have one of these names, in any case."""
        return self.rows(DeckRow, decks.c.folded.in_([fold(name) for name in names]))

    def decks_with_invisible(self) -> tuple[DeckRow, ...]:
        """Return the decks whose names contain invisible characters, such as joiners; in most archives none."""
        return self.rows(DeckRow, decks.c.folded.regexp_match(_INVISIBLE))

    def put(self, row: Row) -> None:
        """Write a row in place of the one with its key, or as a new one."""
        table = TABLES[type(row)]
        values, key = encode_row(row), next(iter(table.primary_key))
        updated = self.connection.execute(sa.update(table).where(key == values[key.name]).values(values))
        if updated.rowcount == 0:
            self.connection.execute(sa.insert(table).values(values))
        if isinstance(row, PersonRow):
            present = set(self.connection.scalars(sa.select(names.c.folded).where(names.c.person == row.person)))
            self._put_names(name for name in _names(row) if name["folded"] not in present)

    def put_new(self, rows: Iterable[Row]) -> None:
        """Write many new rows. Raises Conflict if a list has one of them already."""
        new: dict[type[Row], list[Row]] = {}
        for row in rows:
            new.setdefault(type(row), []).append(row)
        for kind, some in new.items():
            self.connection.execute(sa.insert(TABLES[kind]), list(map(encode_row, some)))
        self._put_names(name for row in new.get(PersonRow, ()) if isinstance(row, PersonRow) for name in _names(row))

    def _put_names(self, new: Iterable[Mapping[str, str]]) -> None:
        if values := list(new):
            self.connection.execute(sa.insert(names), values)

    def row(self, kind: type[R], key: str) -> R | None:
        """Return the row with this key, or None."""
        rows = self.rows(kind, next(iter(TABLES[kind].primary_key)) == key)
        return rows[0] if rows else None

    @staticmethod
    def key_of(kind: type[R]) -> sa.ColumnElement[Any]:
        """Return the column that identifies a list's rows."""
        return next(iter(TABLES[kind].primary_key))

    def rows(self, kind: type[R], where: sa.ColumnElement[bool] | None = None) -> tuple[R, ...]:
        """Return the rows of a list, or those that match `where`.

        The most recently changed sessions come first, other rows are in the order of their names.
        """
        table = TABLES[kind]
        query = sa.select(*(table.c[field] for field in kind.__struct_fields__))
        if where is not None:
            query = query.where(where)
        order = sessions.c.changed.desc() if kind is SessionRow else by_code_point(table.c.name)
        key = by_code_point(next(iter(table.primary_key)))
        return tuple(kind(*row) for row in self.fetch_all(query.order_by(order, key)))

    def page(
        self,
        kind: type[L],
        text: str,
        at: int,
        count: int | None,
        *also: sa.ColumnElement[bool],
        is_sparse: bool = False,
    ) -> ListPage[L]:
        """Return a page of a list from number `at` (from 0) on, with at most `count` rows.

        The rows contain every word of `text` and match `also`; `is_sparse` if few rows match. Decks come by their
        folded names, as the index has them: a page by the alphabet of its reader would need all rows. Lists that are
        read as a whole use `alphabetical_key`.
        """
        table: sa.Table = TABLES[kind]
        where = [*(_matching_decks(text) if table is decks else _matching_sessions(text)), *also]
        order: sa.ColumnElement[Any] = sessions.c.changed.desc() if kind is SessionRow else decks.c.folded
        if kind is DeckRow and (not count or is_sparse):
            # Looking up each row in the order of an index takes SQLite longer than sorting the rows that match.
            order = decks.c.folded.concat("")
        key = next(iter(table.primary_key))
        columns = (table.c[field] for field in kind.__struct_fields__)
        query = sa.select(*columns).where(*where).order_by(order, by_code_point(key)).limit(count).offset(at)
        rows = tuple(kind(*row) for row in self.fetch_all(query))
        if count is None and not at:
            return ListPage(rows, 0, len(rows))
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(table).where(*where)) or 0
        return ListPage(rows, at, total)

    def page_of_decks(
        self,
        text: str,
        at: int,
        count: int | None,
        game: str = "",
        tags: Iterable[str] = (),
        *,
        pages: Collection[str] = (),
        due: bool = False,
    ) -> ListPage[DeckRow]:
        """Return a page of decks as `Archive.page_of_decks` does; each deck follows one of the editions in `pages`."""
        where = [decks.c.tagged.contains(join_folded([tag]), autoescape=True) for tag in tags]
        if game:
            where += [decks.c.game == game, sa.not_(decks.c.retired)]
        if pages:
            where.append(decks.c.page.in_(pages))
        if due:
            where.append(decks.c.due != ())
        return self.page(DeckRow, text, at, count, *where, is_sparse=due)

    def deck_ids(self) -> tuple[str, ...]:
        """Return the ids of all decks, in no order."""
        return tuple(self.connection.scalars(sa.select(decks.c.deck)))

    def decks_starting_with(self, beginning: str) -> tuple[DeckRow, ...]:
        """Return the decks whose name begins with `beginning`, in any case."""
        return self.rows(DeckRow, starts_with(decks.c.folded, fold(beginning)))

    def decks_of_holders(self, people: Iterable[str], names: Iterable[str]) -> tuple[DeckRow, ...]:
        """Return the decks that people with these ids or names hold or once held."""
        is_held = [decks.c.held.contains(join_folded([name]), autoescape=True) for name in names]
        return self.rows(DeckRow, sa.or_(decks.c.person.in_([person for person in people if person]), *is_held))

    def page_of_heads(self, text: str, besides: Sequence[str], at: int, count: int) -> ListPage[PersonRow]:
        """Return a page of unmerged people, by name.

        They are those with every word of `text` in a name or the id, and those whose ids are in `besides`.
        """
        matches = sa.or_(sa.and_(sa.true(), *_matching(people.c.folded, text)), people.c.person.in_(besides))
        where = people.c.merged == "", matches
        query = sa.select(*(people.c[field] for field in PersonRow.__struct_fields__)).where(*where)
        query = query.order_by(people.c.folded, people.c.person).limit(count).offset(at)
        total = self.connection.scalar(sa.select(sa.func.count()).select_from(people).where(*where)) or 0
        return ListPage(tuple(PersonRow(*row) for row in self.fetch_all(query)), at, total)

    def page_of_holders(self, text: str, at: int, count: int) -> ListPage[str]:
        """Return a page of the names, in order, of holders who appear only in decks.

        They are those that contain every word of `text`.
        """
        holder = decks.c.held_by
        where = holder != "", holder.not_in(sa.select(names.c.folded)), *_matching(holder, text)
        query = sa.select(sa.func.min(decks.c.holder)).where(*where).group_by(holder).order_by(holder)
        total = self.connection.scalar(sa.select(sa.func.count(holder.distinct())).where(*where)) or 0
        return ListPage(tuple(self.connection.scalars(query.limit(count).offset(at))), at, total)

    def people_with_aliases(self) -> tuple[PersonRow, ...]:
        """Return everyone with a public nickname or a hidden name."""
        return self.rows(PersonRow, sa.or_(people.c.nickname != "", people.c.hidden))

    def has_languages(self) -> bool:
        """Return True if the language of anybody is known."""
        return bool(self.fetch_all(sa.select(people.c.person).where(people.c.language != "").limit(1)))

    def forget_names(self, person: str) -> None:
        """Delete all names of a person from the table of names; `put` writes the present ones."""
        self.connection.execute(sa.delete(names).where(names.c.person == person))

    def remove_named_purse(self, kept_as: str) -> None:
        """Delete a purse that was kept under a name from its list."""
        self.connection.execute(sa.delete(named_purses).where(named_purses.c.kept_as == kept_as))

    def forget_phones(self, folded: Collection[str]) -> None:
        """Delete these names from the phones that were admitted."""
        query = sa.select(phones.c.phone, phones.c.name)
        known_phones = [phone for phone, name in self.connection.execute(query).all() if fold(name) in folded]
        self.connection.execute(sa.update(phones).where(phones.c.phone.in_(known_phones)).values(name=""))

    def overwrite_deleted(self) -> None:
        """Have SQLite overwrite what this transaction deletes, so that no page keeps the text."""
        if self.connection.dialect.name == "sqlite":
            self.connection.exec_driver_sql("PRAGMA secure_delete = ON")

    def merged_people(self) -> tuple[PersonRow, ...]:
        """Return everyone who was merged into another person."""
        return self.rows(PersonRow, people.c.merged != "")

    def unregistered_holders(self) -> tuple[str, ...]:
        """Return the holders' names of decks whose record has no person, by the names of their decks."""
        query = (
            sa.select(decks.c.holder)
            .where(decks.c.holder != "", decks.c.person == "")
            .order_by(by_code_point(decks.c.name))
        )
        return tuple(self.connection.scalars(query))

    def people_named(self, name: str) -> tuple[PersonRow, ...]:
        """Return the people who have or had this name."""
        called = sa.select(names.c.person).where(names.c.folded.in_({fold(name), visible_form(name)}))
        return self.rows(PersonRow, people.c.person.in_(called))

    def people_merged_into(self, person: str) -> tuple[PersonRow, ...]:
        """Return the people who were merged into this one."""
        return self.rows(PersonRow, people.c.merged == person)

    def titles(self, some: Iterable[str]) -> Mapping[str, tuple[str, str]]:
        """Return title and game of sessions, by their ids."""
        ids = sorted(set(some))
        titles: dict[str, tuple[str, str]] = {}
        for start in range(0, len(ids), QUERY_SIZE):
            chosen = sessions.c.session.in_(ids[start : start + QUERY_SIZE])
            query = sa.select(sessions.c.session, sessions.c.title, sessions.c.game).where(chosen)
            titles |= {key: (title, game) for key, title, game in self.connection.execute(query)}
        return titles

    def count(self, kind: type[R]) -> int:
        """Return the number of rows of a list."""
        return self.connection.scalar(sa.select(sa.func.count()).select_from(TABLES[kind])) or 0

    def names(self) -> set[tuple[str, str]]:
        """Return all folded names of people, each with the person's id."""
        return {(folded, person) for folded, person in self.connection.execute(sa.select(names))}

    def has_sealed(self, game: str) -> bool:
        """Return True if any session of a game is sealed."""
        query = sa.select(sessions.c.session).where(sessions.c.game == game, sessions.c.sealed).limit(1)
        return self.connection.scalar(query) is not None

    def open_sessions_naming(self, text: str) -> tuple[SessionRow, ...]:
        """Return the unsealed sessions with a line that contains this text, among the most recently changed."""
        stream = sa.literal("session:").concat(sessions.c.session)
        holds = entries.c.stream == stream, entries.c.body.contains(text, autoescape=True)
        newest = sa.select(sessions.c.session).where(sa.not_(sessions.c.sealed)).order_by(sessions.c.changed.desc())
        among = sessions.c.session.in_(newest.limit(QUERY_SIZE))
        return self.rows(SessionRow, sa.and_(among, sa.exists().where(*holds)))

    def sessions_starting_with(self, beginning: str) -> tuple[SessionRow, ...]:
        """Return the sessions whose id begins with `beginning`."""
        return self.rows(SessionRow, starts_with(sessions.c.session, beginning))

    def pages_named(self, name: str) -> tuple[PageRow, ...]:
        """Return the pages whose game has this name here, withdrawn ones included."""
        return self.rows(PageRow, pages.c.name == name)

    def uses_of_games(self) -> Mapping[tuple[str, str], tuple[int, int]]:
        """Return the numbers of decks and sessions of each game, by its name and the digest of its page."""
        counts = [
            {
                (game, page): count
                for game, page, count in self.connection.execute(
                    sa.select(table.c.game, table.c.page, sa.func.count()).group_by(table.c.game, table.c.page)
                )
            }
            for table in (decks, sessions)
        ]
        of_decks, of_sessions = counts
        return {game: (of_decks.get(game, 0), of_sessions.get(game, 0)) for game in {*of_decks, *of_sessions}}

    def clear(self, kind: type[R]) -> None:
        """Delete all rows of a list, to rebuild it."""
        self.connection.execute(sa.delete(TABLES[kind]))
        if kind is PersonRow:
            self.connection.execute(sa.delete(names))


def _stored_row(table: sa.Table, values: dict[str, Any]) -> Iterator[Any]:
    """Yield the stored values of a row's columns, in their order."""
    for column in table.columns:
        if column.name in values:
            kind: Any = column.type
            value = values[column.name]
            yield kind.process_bind_param(value, _ANY) if isinstance(kind, Facts | PositionsText) else value


def encode_row(row: Row) -> dict[str, Any]:
    """Return the columns of a row, the search columns included."""
    values = msgspec.structs.asdict(row)
    if isinstance(row, DeckRow | SessionRow | PersonRow):
        values["folded"] = search_text(row)
    if isinstance(row, DeckRow):
        names = dict.fromkeys(name for name in (*row.holders, row.holder) if name)
        held_by = "" if row.person else fold(row.holder)
        values |= {"held": join_folded(names), "tagged": join_folded(row.tags), "held_by": held_by}
    values["checksum"] = checksums.row_checksum(_stored_row(TABLES[type(row)], values))
    return values


def _matching(column: sa.ColumnElement[str], text: str) -> list[sa.ColumnElement[bool]]:
    """Return the conditions that a column contains every word of a text."""
    return [column.contains(word, autoescape=True) for word in fold(text).split()]


def _matching_sessions(text: str) -> list[sa.ColumnElement[bool]]:
    """Return the conditions that every word of a text is in a session's title, game and people, or begins its id."""
    return [
        sa.or_(
            sessions.c.folded.contains(word, autoescape=True),
            sessions.c.session.startswith(word.upper(), autoescape=True),
        )
        for word in fold(text).split()
    ]


def _matching_decks(text: str) -> list[sa.ColumnElement[bool]]:
    """Return the conditions that every word of a text is in a deck's name or tags; `tag:league` searches only tags."""
    words = fold(text).split()
    return [
        decks.c.tagged.contains(word.removeprefix(_TAG), autoescape=True)
        if word.startswith(_TAG)
        else sa.or_(decks.c.folded.contains(word, autoescape=True), decks.c.tagged.contains(word, autoescape=True))
        for word in words
    ]


def _names(row: PersonRow) -> list[dict[str, str]]:
    """Return all folded names of a person."""
    return [{"folded": folded, "person": row.person} for folded in dict.fromkeys(map(fold, row.called))]


class Transaction(Rows):
    """An open transaction: entries, and the lists that follow from them."""

    def update_list(self, stream: str, added: Sequence[Entry]) -> None:
        """Update a stream's row. A deck is read whole: only its game knows what its marks amount to."""
        kind, _, key = stream.partition(":")
        if kind == "session":
            self.put(row_of(stream, added, self.row(SessionRow, key)))
        elif kind == "person":
            self.put(row_of(stream, added, self.row(PersonRow, key)))
        else:
            self.put(row_of(stream, self.read(stream)))

    def rebuild_list(self, kind: str) -> None:
        """Rebuild the rows of all streams of a kind from their entries; if one cannot be read, its row stays."""
        for stream, whole in self.whole_streams(kind):
            with contextlib.suppress(ArchiveError, ValueError, LookupError):
                self.put(row_of(stream, whole))

    def pragma(self, name: str) -> tuple[str, ...]:
        """Return the answer of an SQLite pragma, one line per row."""
        return tuple(str(row[0]) for row in self.connection.exec_driver_sql(f"PRAGMA {name}"))
