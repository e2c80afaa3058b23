"""Maintenance of an archive: a summary, checks, copies, and repair of its lists."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from companion.archive import salvage
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, Locked, Look, Unreadable, describe_error
from companion.archive.recovery import backups, migrate
from companion.archive.recovery.stored_entries import holds_entries
from companion.archive.storage import checksums, lists, purses, schema, wal_guard
from companion.archive.storage.checksums import (
    SELECT_ENTRIES,
    StoredEntry,
    decode_entries,
    decode_stream,
    format_ranges,
    is_intact,
    query_bytes,
)
from companion.archive.storage.engine import insert_rows
from companion.archive.storage.lists import LISTS, StreamProgress, fold, no_progress, plural_of, session_stream
from companion.archive.storage.results import check_results, relist
from companion.archive.storage.rows import DeckRow, PersonRow, Row, SessionRow
from companion.archive.storage.transaction import TABLES, Transaction, encode_row
from templates.languages.messages import Message, Text, listed, phrase, phrases

if TYPE_CHECKING:
    from companion.archive.archive import Archive
    from companion.archive.storage.transaction import Transaction


_AT_ONCE: Final = 100
"""The number of streams that are copied at once."""
_PART_OF_STREAMS: Final = " WHERE stream >= :first AND stream < :end ORDER BY stream, seq"

_CopyRows = Callable[[sa.Table, str, Mapping[str, str]], None]
"""A function that copies a table's rows, or those of a range of streams."""


def copy_archive(archive: Archive, other: Archive, watch: StreamProgress = no_progress) -> int:
    """Copy all entries and lists unchanged into another archive that is still empty; return the number of entries.

    The other archive may have another engine. Damaged entries stay damaged, as their checksums show. Raises
    ArchiveError if the other archive holds anything.
    """
    with archive.store.reading() as source, other.store.writing() as target:
        if target.count_entries():
            raise ArchiveError(phrase("{other} has entries already; name a new archive.", other=other.name))
        # A read-only archive may be in memory and not in the named file.
        file = None if archive.store.read_only_reason or not other.store.is_file else archive.store.file
        take = _from_file(file, target.connection) if file else _from_connection(source.connection, target.connection)
        for kind in LISTS:
            streams = source.streams(kind)
            # The progress shows the first stream of each group that is written at once.
            ends = (*streams[_AT_ONCE::_AT_ONCE], f"{kind};")
            for first, end in zip(watch(kind, streams[::_AT_ONCE]), ends, strict=False):
                take(schema.entries, _PART_OF_STREAMS, {"first": first, "end": end})
        for table in (*schema.LISTS, schema.names, schema.results):
            take(table, "", {})
        return target.count_entries()


def _from_file(file: Path, target: sa.Connection) -> _CopyRows:
    """Copy from file to file: SQLite itself reads and writes, and no row passes through Python."""
    # The attachment ends with this connection, which is not reused.
    target.detach()
    target.exec_driver_sql("ATTACH ? AS source", (str(file.resolve()),))

    def take(table: sa.Table, part: str, places: Mapping[str, str]) -> None:
        columns = _columns(table)
        rows = f"SELECT {columns} FROM source.{table.name}{part}"
        target.execute(sa.text(f"INSERT INTO {table.name} ({columns}) {rows}"), places)

    return take


def _from_connection(source: sa.Connection, target: sa.Connection) -> _CopyRows:
    """Copy from or to a server: one driver returns the rows, and the other inserts them."""

    def take(table: sa.Table, part: str, places: Mapping[str, str]) -> None:
        rows = source.execute(sa.text(f"SELECT {_columns(table)} FROM {table.name}{part}"), places)
        insert_rows(target, table, rows.all())

    return take


def _columns(table: sa.Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.columns)


_STREAMS: Final = "SELECT DISTINCT stream FROM entries ORDER BY stream"
_MAX_SENTENCES: Final = 5
_MAX_MISSING: Final = 100_000
"""A larger gap in a stream is a damaged number, not that many missing entries."""
_TREE: Final = re.compile(r"[Tt]ree (?:page )?(\d+)")


class Fault(NamedTuple):
    """A fault of the archive; `mendable` if rebuilding the lists mends it.

    `seqs` are the affected entries of `stream`: damaged, or lost. `look` is what the user can look at.
    """

    text: Text
    mendable: bool
    stream: str = ""
    seqs: tuple[int, ...] = ()
    look: Look | None = None


def check_archive(archive: Archive, watch: StreamProgress = no_progress, *, thorough: bool = True) -> tuple[Fault, ...]:
    """Return all faults of the archive; none if it is intact.

    Unless `thorough`, a row of a list with a valid checksum is trusted to agree with its entries.
    """
    file = archive.store.file
    faults = [Fault(archive.store.loss_reason, mendable=False, look="loss")] if archive.store.loss_reason else []
    try:
        with archive.store.reading() as transaction:
            damage = list(_check_file(transaction)) if file is not None else []
            faults += (fault for _, fault in damage)
            if file is not None and not {"entries", ""}.isdisjoint(table for table, _ in damage):
                # The database may omit damaged entries, or return wrong values for them, without an error.
                faults += _check_pages(file)
            else:
                faults += _ListCheck(transaction, thorough=thorough).compare(transaction, watch)
                wrong = check_results(transaction, thorough=thorough)
                faults += (Fault(text, mendable=True, stream=session_stream(session)) for session, text in wrong)
    except ArchiveError as error:
        if file is None:
            raise
        faults.append(Fault(error.message, mendable=False))
        faults += _check_pages(file)
    return tuple(faults)


def check_unopened(error: Unreadable, file: Path) -> tuple[Fault, ...]:
    """Return the faults of a file that cannot be opened, read from its pages; none if it is not damaged."""
    if isinstance(error, Locked):
        return ()
    refused = error.look == "damage" or isinstance(error.__cause__, DBAPIError | sqlite3.Error | UnicodeDecodeError)
    is_there = file.is_file() or wal_guard.holds_pages(wal_guard.log_of(file))
    if not is_there or not (refused or holds_entries(file)):
        return ()
    return (Fault(str(error), mendable=False), *_check_pages(file))


def _check_file(transaction: Transaction) -> Iterator[tuple[str, Fault]]:
    """Yield the faults that the database finds in its own file, each with the table affected, or "" if unknown."""
    # The cache must not be trusted: the file may have changed under this connection.
    transaction.connection.exec_driver_sql("PRAGMA shrink_memory")
    roots = transaction.connection.exec_driver_sql("SELECT rootpage, tbl_name FROM sqlite_master").all()
    tables = {str(root): table for root, table in roots}
    try:
        answers = [
            line for answer in transaction.pragma("integrity_check") if answer != "ok" for line in answer.splitlines()
        ]
    except (DBAPIError, UnicodeDecodeError) as error:
        damaged = [table for table in sorted(set(tables.values())) if not _is_whole(transaction, table)]
        yield from ((table, _damaged_in(table)) for table in damaged)
        if not damaged:
            yield "", _damaged_in("", " ".join(str(getattr(error, "orig", error)).split()))
        return
    if not answers:
        yield from ((table, _damaged_in(table)) for table in _tables_with_unreadable_index(transaction))
    lines = [line for line in answers if not line.startswith("***")]
    places = [(tables.get(tree[1], "") if (tree := _TREE.search(line)) else "", line) for line in lines]
    for table, line in places[:_MAX_SENTENCES]:
        yield table, _damaged_in(table, " ".join(line.split()))
    if len(places) > _MAX_SENTENCES:
        more = places[_MAX_SENTENCES:]
        table = next((table for table, _ in more if table in {"entries", ""}), more[0][0])
        yield (
            table,
            Fault(
                phrases(
                    "The database is damaged in {n} more place.",
                    "The database is damaged in {n} more places.",
                    n=len(more),
                ),
                mendable=False,
            ),
        )


def _tables_with_unreadable_index(transaction: Transaction) -> Iterator[str]:
    """Yield the tables with an index that cannot be read, although SQLite's own check found nothing.

    SQLite 3.46, unlike 3.40, accepts an empty index whose only page is marked as an inner one.
    """
    run = transaction.connection.exec_driver_sql
    for index, table in run("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'").all():
        column = run(f'PRAGMA index_info("{index}")').all()[0][2]
        try:
            run(f'SELECT 1 FROM "{table}" INDEXED BY "{index}" ORDER BY "{column}" LIMIT 1').all()
        except DBAPIError:
            yield table


def _damaged_in(table: str, detail: str = "") -> Fault:
    """Return the fault of a table, "" if it is not known which; `detail` is what the database says."""
    if table and detail:
        sentence = phrase("The database is damaged in the table {table}: {detail}.", table=table, detail=detail)
    elif table:
        sentence = phrase("The database is damaged in the table {table}.", table=table)
    elif detail:
        sentence = phrase("The database is damaged: {detail}.", detail=detail)
    else:
        sentence = phrase("The database is damaged.")
    return Fault(sentence, mendable=False)


def _is_whole(transaction: Transaction, table: str) -> bool:
    """Return True if a table and its indexes can be read to their ends."""
    try:
        return transaction.pragma(f'integrity_check("{table}")') == ("ok",)
    except (DBAPIError, UnicodeDecodeError):
        return False


def _check_pages(file: Path) -> Iterator[Fault]:
    """Yield what is lost in a file that the database cannot read, from its pages."""
    yield from (Fault(loss.text, False, loss.stream, loss.seqs) for loss in salvage.survey(file))


class _ListCheck:
    """All lists as they are stored, for comparison with the entries."""

    def __init__(self, transaction: Transaction, *, thorough: bool) -> None:
        self.thorough = thorough
        self.rows: dict[str, Row] = {}
        self.unreadable: dict[str, Text] = {}
        self.search_columns: dict[str, dict[str, Any]] = {}
        self.is_intact: dict[str, bool] = {}
        for kind, row_type in LISTS.items():
            try:
                self.rows |= rows_by_stream(transaction, kind, row_type)
                self._read(transaction, kind, row_type)
            except ArchiveError as error:
                self.unreadable[kind] = error.message
            except (DBAPIError, ValueError, TypeError, AttributeError) as error:
                self.unreadable[kind] = " ".join(str(getattr(error, "orig", error)).split())

        people = (row for row in self.rows.values() if isinstance(row, PersonRow))
        self.names = {(fold(name), person.person) for person in people for name in person.called}

    def _read(self, transaction: Transaction, kind: str, row_type: type[Row]) -> None:
        """Read the search columns of each row, and check the rows that have a checksum."""
        table = TABLES[row_type]
        names = [column.name for column in table.columns if column.name != "checksum"]
        beside = [number for number, name in enumerate(names) if name not in row_type.__struct_fields__]
        with query_bytes(transaction.connection) as ask:
            for *values, checksum in ask(f"SELECT {', '.join(names)}, checksum FROM {table.name}"):
                stream = f"{kind}:{decode_stream(values[0])}"
                self.search_columns[stream] = {names[number]: values[number] for number in beside}
                if checksum:
                    self.is_intact[stream] = checksums.row_checksum(values) == checksum

    def compare(self, transaction: Transaction, watch: StreamProgress) -> Iterator[Fault]:
        for kind, why in self.unreadable.items():
            yield Fault(
                phrase("The list of {list} cannot be read: {why}.", list=plural_of(kind), why=why), mendable=True
            )
        with query_bytes(transaction.connection) as ask:
            streams = [decode_stream(stream) for (stream,) in ask(_STREAMS)]
            grouped = groupby(ask(SELECT_ENTRIES), key=itemgetter(0))
            for stream, (_, of_stream) in zip(watch("stream", streams), grouped, strict=True):
                yield from self._check_stream(stream, list(of_stream))
        for stream, row in self.rows.items():
            yield self._without_entries(stream, row)
        if "person" not in self.unreadable and not self._has_right_names(transaction):
            yield Fault(phrase("The table of names does not match the list of people."), mendable=True)

    def _without_entries(self, stream: str, row: Row) -> Fault:
        """Return the fault of a row without entries.

        All entries are lost if the row is intact; any other row may be invented.
        """
        if self.is_intact.get(stream, True):
            return _lost_entries(stream, f" ({_name(row)})", range(min(row.length, _MAX_MISSING)))
        kind = plural_of(stream.partition(":")[0])
        return Fault(
            phrase("The list of {list} has {stream}, but there are no entries of it.", list=kind, stream=stream),
            True,
            stream,
        )

    def _has_right_names(self, transaction: Transaction) -> bool:
        """Return True if people are found by exactly the names that they have or had."""
        try:
            return transaction.names() == self.names
        except (DBAPIError, UnicodeDecodeError):
            return False

    def _check_stream(self, stream: str, stored: Sequence[StoredEntry]) -> Iterator[Fault]:
        row = self.rows.pop(stream, None)
        called = f" ({name})" if row is not None and (name := _name(row)) else ""
        faults = [_damaged_entry(stream, called, row[1]) for row in stored if not is_intact(row)]
        faults += _missing_entries(stream, called, stored)
        if faults:
            yield from faults
            return
        if self.is_intact.get(stream) is False:
            kind = stream.partition(":")[0]
            yield Fault(
                phrase(
                    "What the list of {list} says of {stream} is not as it was written.",
                    list=plural_of(kind),
                    stream=f"{stream}{called}",
                ),
                True,
                stream,
            )
        elif row is None or self.thorough or row.length != len(stored) or stream not in self.is_intact:
            yield from self._check_row(stream, called, row, stored)

    def _check_row(self, stream: str, called: str, row: Row | None, stored: Sequence[StoredEntry]) -> Iterator[Fault]:
        kind = stream.partition(":")[0]
        try:
            expected = lists.row_of(stream, decode_entries(stream, stored))
        except (ArchiveError, ValueError, LookupError) as error:
            yield Fault(describe_error(error), False, stream)
            return
        if kind in self.unreadable or (row == expected and self._matches_search(stream, expected)):
            return
        if row is not None and _has_lost_its_end(row, expected):
            yield _lost_entries(stream, called, range(expected.length, row.length))
        else:
            yield Fault(
                phrase(
                    "The list of {list} does not match the entries of {stream}.",
                    list=plural_of(kind),
                    stream=stream,
                ),
                True,
                stream,
            )

    def _matches_search(self, stream: str, row: Row) -> bool:
        values = encode_row(row)
        return all(value == values[name].encode() for name, value in self.search_columns[stream].items())


def rows_as_written(transaction: Transaction) -> dict[str, Row]:
    """Return the intact rows of all lists, by stream; rows without a checksum are trusted."""
    there = _ListCheck(transaction, thorough=False)
    return {stream: row for stream, row in there.rows.items() if there.is_intact.get(stream, True)}


def rows_by_stream(transaction: Transaction, kind: str, row_type: type[Row]) -> dict[str, Row]:
    """Return a list's rows by their streams; a row's first field is the key of its stream."""
    key = row_type.__struct_fields__[0]
    return {f"{kind}:{getattr(row, key)}": row for row in transaction.rows(row_type)}


def _name(row: Row) -> str:
    return row.title if isinstance(row, SessionRow) else row.name


def _damaged_entry(stream: str, called: str, seq: object) -> Fault:
    """Return the fault of one entry; in a damaged page its number may be anything, and is left out then."""
    subject = f"{stream}{called}"
    if not isinstance(seq, int):
        sentence = phrase("An entry of {stream}, in the table entries, is not as it was written.", stream=subject)
        return Fault(sentence, False, stream)
    sentence = phrase(
        "Entry {seq} of {stream}, in the table entries, is not as it was written.", seq=str(seq), stream=subject
    )
    return Fault(sentence, False, stream, (seq,))


def _missing_entries(stream: str, called: str, stored: Sequence[StoredEntry]) -> Iterator[Fault]:
    if stored[-1][1] != len(stored) - 1:
        there = {row[1] for row in stored if isinstance(row[1], int)}
        missing = [seq for seq in range(min(max(there, default=0), _MAX_MISSING)) if seq not in there]
        if missing:
            yield _lost_entries(stream, called, missing)


def _has_lost_its_end(row: Row, expected: Row) -> bool:
    """Return True if a row describes entries that are lost, and does not just have a wrong number of them."""
    return row.length > expected.length and msgspec.structs.replace(row, length=expected.length) != expected


def _lost_entries(stream: str, called: str, seqs: Iterable[int]) -> Fault:
    text = phrase("Entries of {stream} are missing: {seqs}.", stream=f"{stream}{called}", seqs=format_ranges(seqs))
    return Fault(text, False, stream, tuple(seqs))


class Info(msgspec.Struct, frozen=True):
    """A summary of an archive. `bytes` is the size of its file and its log; None for a server."""

    archive: str
    schema: str
    entries: int
    sessions: int
    decks: int
    people: int
    bytes: int | None

    @property
    def contents(self) -> Message:
        """The counts for people: `1 session, 2 decks, …`"""
        return listed(
            (
                phrases("{n} session", "{n} sessions", n=self.sessions),
                phrases("{n} deck", "{n} decks", n=self.decks),
                phrases("{n} person", "{n} people", n=self.people),
                phrases("{n} entry", "{n} entries", n=self.entries),
            )
        )


def info(archive: Archive) -> Info:
    """Return a summary of the archive."""
    file = archive.store.file
    parts = (file, wal_guard.log_of(file)) if file else ()
    with archive.store.reading() as transaction:
        return Info(
            archive=archive.name,
            schema=migrate.revision(transaction.connection) or "",
            entries=transaction.count_entries(),
            sessions=transaction.count(SessionRow),
            decks=transaction.count(DeckRow),
            people=len(purses.people_with_ids(transaction)),
            bytes=sum(part.stat().st_size for part in parts if part.exists()) if parts else None,
        )


def backup(archive: Archive, path: Path) -> None:
    """Write a copy of the archive as it is at this moment to `path`, which must not exist, and check the copy.

    Other programs may go on writing meanwhile. Raises ArchiveError if the archive is on a server, or the copy is not
    whole.
    """
    file = archive.store.file
    if file is None:
        raise ArchiveError(phrase("This archive is on a server; copy it with the server's own tool, pg_dump."))
    backups.copy_file(file, path)


def end_evening(archive: Archive) -> Path | None:
    """Do what is due when a table is left and when the program ends: checkpoint the log, back up, and copy offsite.

    Returns the backup; None if nothing is new since the last, or nothing can be backed up. Raises ArchiveError,
    OSError.
    """
    schedule = archive.store.schedule
    if schedule is None or archive.store.read_only_reason:
        return None
    archive.store.settle()
    backup_file = schedule.end_evening(datetime.now(UTC))
    # The file at the path then may have been another one that was put there meanwhile.
    archive.store.settle()
    backups.update_offsite(schedule.file)
    return backup_file


def repair(archive: Archive, watch: StreamProgress = no_progress) -> None:
    """Rebuild all lists from the entries in one transaction.

    Rows stay if their entries cannot be read. So do intact rows that describe lost entries, because nothing else does.
    """
    with archive.store.reading() as transaction:
        intact = rows_as_written(transaction)
    with archive.store.writing() as transaction:
        for kind, row_type in LISTS.items():
            before = _readable_rows(transaction, kind, row_type)
            transaction.clear(row_type)
            for stream in watch(kind, transaction.streams(kind)):
                row = _remake_row(transaction, stream)
                was = intact.pop(stream, None)
                if row is None or (was is not None and was.length > row.length):
                    row = was or before.get(stream)
                if row is not None:
                    transaction.put(row)
            for row in [row for row in intact.values() if isinstance(row, row_type)]:
                transaction.put(row)
        relist(transaction)


def _readable_rows(transaction: Transaction, kind: str, row_type: type[Row]) -> dict[str, Row]:
    try:
        return rows_by_stream(transaction, kind, row_type)
    except (ValueError, TypeError, AttributeError):
        return {}


def _remake_row(transaction: Transaction, stream: str) -> Row | None:
    try:
        return lists.row_of(stream, transaction.read(stream))
    except (ArchiveError, ValueError, LookupError):
        return None
