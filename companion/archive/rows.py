"""Rows of the lists: written beside the entries they add up from, and found, in a transaction that is open."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine.default import DefaultDialect

from companion.archive import checksums
from companion.archive.lists import (
    DeckRow,
    NamedPurseRow,
    Page,
    PersonRow,
    Row,
    SessionRow,
    fold,
    lined,
    searched,
)
from companion.archive.schema import (
    Facts,
    Positions,
    by_code_point,
    decks,
    named_purses,
    names,
    people,
    printers,
    sessions,
    sheets,
)
from companion.archive.sheets import PrinterRow, SheetRow
from companion.archive.streams import AT_ONCE, Streams, begins
from companion.tabletop.text import visible_form

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
_ANY = DefaultDialect()
_VEILED = "[\u180b-\u180f\u200b-\u200f\u2060-\u2064\u2800\u034f\u115f\u1160\ufe00-\ufe0f\U000e0100-\U000e01ef]"
"""What may stand in a name and cannot be seen there, as names are folded."""
_TAG = "tag:"
"""Before a word that is looked for among tags only."""


class Rows(Streams):
    """The lists beside the entries, as one transaction sees and writes them."""

    def decks_named(self, names: Collection[str]) -> tuple[DeckRow, ...]:
        """The decks that have one of these names, in any case."""
        return self.rows(DeckRow, decks.c.folded.in_([fold(name) for name in names]))

    def decks_veiled(self) -> tuple[DeckRow, ...]:
        """The decks whose name holds what cannot be seen alone, such as what joins letters; in most archives none."""
        return self.rows(DeckRow, decks.c.folded.regexp_match(_VEILED))

    def put(self, row: Row) -> None:
        """Writes a row in place of the one with its key, or as a new one."""
        table = TABLES[type(row)]
        values, key = encode_row(row), next(iter(table.primary_key))
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
            self.connection.execute(sa.insert(TABLES[kind]), list(map(encode_row, some)))
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
        return tuple(kind(*row) for row in self.found(query.order_by(order, key)))

    def page(self, kind: type[L], text: str, at: int, count: int | None, *also: sa.ColumnElement[bool]) -> Page[L]:
        """The rows of a list from number `at` (from 0) on, at most `count`, in which every word of `text` stands and
        of which `also` holds.
        """
        table: sa.Table = TABLES[kind]
        where = [*(_told_of_decks(text) if table is decks else _holding(table.c.folded, text)), *also]
        order = (
            sessions.c.changed.desc() if kind is SessionRow else decks.c.folded if count else _sorted(decks.c.folded)
        )
        key = next(iter(table.primary_key))
        columns = (table.c[field] for field in kind.__struct_fields__)
        query = sa.select(*columns).where(*where).order_by(order, by_code_point(key)).limit(count).offset(at)
        found = tuple(kind(*row) for row in self.found(query))
        if count is None and not at:
            return Page(found, 0, len(found))
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
        return self.rows(DeckRow, begins(decks.c.folded, fold(beginning)))

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
        return Page(tuple(PersonRow(*row) for row in self.found(query)), at, total)

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

    def people_called(self, name: str) -> tuple[PersonRow, ...]:
        """The people who are called so, or once were."""
        called = sa.select(names.c.person).where(names.c.folded.in_({fold(name), visible_form(name)}))
        return self.rows(PersonRow, people.c.person.in_(called))

    def people_merged(self, person: str) -> tuple[PersonRow, ...]:
        """The people who turned out to be this one."""
        return self.rows(PersonRow, people.c.merged == person)

    def titles(self, some: Iterable[str]) -> Mapping[str, tuple[str, str]]:
        """Title and game of sessions, by their ids."""
        wanted = sorted(set(some))
        found: dict[str, tuple[str, str]] = {}
        for start in range(0, len(wanted), AT_ONCE):
            chosen = sessions.c.session.in_(wanted[start : start + AT_ONCE])
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
        return self.rows(SessionRow, begins(sessions.c.session, beginning))

    def clear(self, kind: type[R]) -> None:
        """Empties a list, to make it again."""
        self.connection.execute(sa.delete(TABLES[kind]))
        if kind is PersonRow:
            self.connection.execute(sa.delete(names))


def _stored(table: sa.Table, values: dict[str, Any]) -> Iterator[Any]:
    """What a row's columns will hold, in their order."""
    for column in table.columns:
        if column.name in values:
            kind: Any = column.type
            value = values[column.name]
            yield kind.process_bind_param(value, _ANY) if isinstance(kind, Facts | Positions) else value


def encode_row(row: Row) -> dict[str, Any]:
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


def _sorted(column: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    """A column by which a whole list is sorted: looking each row up in the order of an index takes SQLite longer."""
    return column.concat("")


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


def _names(row: PersonRow) -> list[dict[str, str]]:
    """All names of a person, as they are looked for."""
    return [{"folded": folded, "person": row.person} for folded in dict.fromkeys(map(fold, row.called))]
