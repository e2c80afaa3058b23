"""Entries in their streams: read, appended and counted, in a transaction that is open.

Knows entries, and nothing of what they mean.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
import sqlalchemy as sa

from companion.archive import checksums
from companion.archive.engine import fill
from companion.archive.entries import Entry, NewEntry
from companion.archive.errors import ArchiveError, Conflict, Damaged, Unknown
from companion.archive.schema import entries
from companion.tabletop.text import quoted

AT_ONCE = 400
"""How many things are asked for in one query; SQLite takes some 999 values in one."""
RECOGNISED = 1000
"""How many of a transaction's entries are kept in mind, to know it by; all of it is written or nothing."""
_COLUMNS = tuple(entries.c[field] for field in Entry.__struct_fields__)
_LAST_CODE_POINT = "\U0010ffff"
_NUL = re.compile(r'"((?:[^"\\]|\\(?!u0000).)*)\\u0000')
"""A NUL as JSON writes it, and what stands before it in its text."""


class AlreadyWritten(Exception):
    """What a transaction is about to write was written before."""


class Streams:
    """The entries, as one transaction sees and writes them."""

    def __init__(self, connection: sa.Connection, unsure: Sequence[Entry] = ()) -> None:
        self.connection = connection
        self.written: list[Entry] = []
        self._unsure = unsure

    def found(self, query: sa.Select[Any]) -> Sequence[Any]:
        """All rows that a query finds. Raises Damaged where one holds what its column cannot hold."""
        try:
            return self.connection.execute(query).all()
        except UnicodeEncodeError as error:
            raise Unknown("What was asked for is not text in UTF-8, and nothing in an archive is called so.") from error
        except (ValueError, msgspec.MsgspecError) as error:
            raise Damaged(f"The archive is damaged ({str(error).rstrip('.')}).", "damage") from error

    def length(self, stream: str) -> int:
        """How many entries a stream has, which is also the seq of its next entry."""
        last = self.connection.scalar(sa.select(sa.func.max(entries.c.seq)).where(entries.c.stream == stream))
        return 0 if last is None else last + 1

    def read(self, stream: str, first: int = 0) -> tuple[Entry, ...]:
        """A stream's entries in order, from number `first` on."""
        wanted = entries.c.stream == stream, entries.c.seq >= first
        query = sa.select(*_COLUMNS).where(*wanted).order_by(entries.c.seq)
        return tuple(Entry(*row) for row in self.found(query))

    def read_whole(self, stream: str) -> tuple[Entry, ...]:
        """A stream's entries in order, for a copy that vouches for them. Raises ArchiveError where one is damaged."""
        query = sa.select(*_COLUMNS, entries.c.checksum).where(entries.c.stream == stream).order_by(entries.c.seq)
        found = []
        for *columns, checksum in self.found(query):
            entry = Entry(*columns)
            if checksums.of(entry) != checksum:
                raise ArchiveError(f"Entry {entry.seq} of {stream} is not as it was written.", "damage")
            found.append(entry)
        return tuple(found)

    def read_between(self, streams: Collection[str], first: int, end: int) -> Iterator[Entry]:
        """The entries of some streams from number `first` to before `end`, stream by stream and in order."""
        wanted = entries.c.stream.in_(streams), entries.c.seq >= first, entries.c.seq < end
        query = sa.select(*_COLUMNS).where(*wanted).order_by(entries.c.stream, entries.c.seq)
        return (Entry(*row) for row in self.found(query))

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
            raise AlreadyWritten

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
            self.written.extend(whole[: RECOGNISED - len(self.written)])
            in_file = self.connection.dialect.name == "sqlite"
            fill(self.connection, entries, [_stored(entry, in_file=in_file) for entry in whole])

    def cut(self, stream: str, length: int) -> None:
        """Leaves a stream only its first `length` entries. The caller writes what was there elsewhere in it."""
        self.connection.execute(sa.delete(entries).where(entries.c.stream == stream, entries.c.seq >= length))

    def streams(self, kind: str) -> tuple[str, ...]:
        """The names of all streams of a kind (`session`, `deck`, `person`)."""
        query = sa.select(entries.c.stream).where(begins(entries.c.stream, f"{kind}:")).distinct()
        return tuple(self.connection.scalars(query.order_by(entries.c.stream)))

    def whole_streams(self, kind: str) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """All streams of a kind with their entries, one after the other, without holding more than a part of them."""
        query = sa.select(*_COLUMNS).where(begins(entries.c.stream, f"{kind}:"))
        query = query.order_by(entries.c.stream, entries.c.seq).execution_options(yield_per=AT_ONCE)
        for stream, found in groupby((Entry(*row) for row in self.connection.execute(query)), attrgetter("stream")):
            yield stream, tuple(found)

    def bodies_at(self, wanted: Sequence[tuple[str, int]]) -> Mapping[tuple[str, int], str]:
        """The bodies of single entries, by their streams and seqs; those that are not there lack."""
        found = {}
        for start in range(0, len(wanted), AT_ONCE):
            some = wanted[start : start + AT_ONCE]
            values = tuple(value for place in some for value in place)
            asked = self.connection.exec_driver_sql(_bodies_at(len(some), self.connection.dialect.paramstyle), values)
            found.update({(stream, seq): body for stream, seq, body in asked})
        return found

    def known(self, streams: Collection[str]) -> frozenset[str]:
        """Those of some streams that have entries."""
        query = sa.select(entries.c.stream).where(entries.c.stream.in_(streams), entries.c.seq == 0)
        return frozenset(self.connection.scalars(query))

    def count_entries(self) -> int:
        """How many entries all streams have together."""
        return self.connection.scalar(sa.select(sa.func.count()).select_from(entries)) or 0


def _stored(entry: Entry, *, in_file: bool) -> tuple[Any, ...]:
    """An entry's columns as a driver takes them, in the order of the table."""
    stream, seq, at, by, kind, body, session = msgspec.structs.astuple(entry)
    moment = checksums.moment(at)
    parts = (moment, by.encode(), kind.encode(), body.encode(), session.encode())
    checksum = checksums.of_parts(stream.encode(), seq, *parts)
    stored = moment.decode() if in_file else at.astimezone(UTC).replace(tzinfo=None)
    return stream, seq, stored, by, kind, body, session, checksum


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


def _bodies_at(count: int, paramstyle: str) -> str:
    """The query for so many bodies.

    SQLite finds pairs by their key in a join, but looks through everything for them in a list. It is the driver's own
    text, as an expression would take longer to write than to answer.
    """
    places = ", ".join(["(?, ?)" if paramstyle == "qmark" else "(%s, %s)"] * count)
    return (
        f"WITH place (stream, seq) AS (VALUES {places}) SELECT entries.stream, entries.seq, entries.body "
        "FROM place JOIN entries ON entries.stream = place.stream AND entries.seq = place.seq"
    )


def begins(column: sa.ColumnElement[str], beginning: str) -> sa.ColumnElement[bool]:
    return sa.and_(column >= beginning, column < beginning + _LAST_CODE_POINT)
