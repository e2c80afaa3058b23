"""A whole archive in one file that another home or a newer program reads: every stream, entry by entry.

Separate from the files of decks, whose stories are joined where two homes went on differently; here each stream is the
same, longer, or refused. Packed lines of JSON: a head, each stream with its chained entries, and an end that counts.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from companion.archive import exported, jsonl, lists
from companion.archive.archive import Archive
from companion.archive.chain import Chain
from companion.archive.decks import check_name
from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError
from companion.archive.exported import NONSENSE, YEARS
from companion.archive.kinds import LISTS, Watch, unwatched
from companion.archive.lists import DeckRow
from companion.games.text import quoted

if TYPE_CHECKING:
    from companion.archive.transaction import Transaction

KIND: Final = "file of a whole archive"
_ENDS: Final = b'{"streams":'


class Taken(NamedTuple):
    """What an import brought: new streams, streams that went on, those that were known, and entries in all."""

    new: int
    longer: int
    known: int
    entries: int


class _Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    companion: Literal["archive"]
    version: Literal[1]


class _Stream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    entries: int


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    streams: int
    entries: int
    hash: str


_openings = msgspec.json.Decoder(_Opening)
_heads = msgspec.json.Decoder(_Stream)
_ends = msgspec.json.Decoder(_End)


class _Whole:
    """What the end of a file says of all of it: how much it holds, and the hash of all its chains."""

    def __init__(self) -> None:
        self.streams = self.entries = 0
        self._hash = hashlib.sha256(b"companion archive")

    def add(self, entries: int, head: str) -> None:
        self.streams += 1
        self.entries += entries
        self._hash.update(head.encode())

    def end(self) -> _End:
        return _End(self.streams, self.entries, self._hash.hexdigest())


def export(archive: Archive, path: Path, watch: Watch = unwatched) -> int:
    """Writes all that the archive holds, as it is at this moment, to `path`; gives how many entries that are.

    The same archive makes the same file. Raises ArchiveError.
    """
    whole = _Whole()
    with archive.store.reading() as transaction, jsonl.writing(path) as write:
        write(_Opening("archive", 1))
        for kind in sorted(LISTS):
            for stream in watch(kind, transaction.streams(kind)):
                entries = transaction.read_whole(stream)
                write(_Stream(stream, len(entries)))
                head = ""
                for line in exported.lines(entries, Chain(stream)):
                    write(line)
                    head = line.hash
                whole.add(len(entries), head)
        write(whole.end())
    return whole.entries


def take_in(archive: Archive, path: Path, watch: Callable[[float], object] = lambda _: None) -> Taken:
    """Takes in all that a file holds, at once or not at all: what is new, and what went on where ours ended.

    `watch` is told how much of the file is read, from 0 to 1. Raises Unreadable where the file is damaged, was edited
    or makes no sense, NameTaken where another deck has a name, and ArchiveError where a stream went on differently.
    """
    new = longer = known = count = 0
    with jsonl.Lines.open(path, KIND) as lines, archive.store.writing() as transaction:
        for stream, entries in _streams(lines):
            watch(lines.done)
            ours = transaction.read(stream)
            added = _added(stream, ours, entries)
            new += not ours
            longer += bool(ours and added)
            known += not added
            count += len(added)
            if added:
                transaction.write(added)
                _list(lines, transaction, stream, entries)
    return Taken(new, longer, known, count)


def _added(stream: str, ours: tuple[Entry, ...], theirs: tuple[Entry, ...]) -> tuple[Entry, ...]:
    both = min(len(ours), len(theirs))
    if ours[:both] != theirs[:both]:
        way = "; companion deck export and import join the stories of decks" if stream.startswith("deck:") else ""
        raise ArchiveError(f"{stream} went on differently here and in the file, so nothing was taken in{way}.")
    return theirs[both:]


def _list(lines: jsonl.Lines, transaction: Transaction, stream: str, entries: tuple[Entry, ...]) -> None:
    try:
        row = lists.row_of(stream, entries)
    except NONSENSE as error:
        raise lines.refused(f"holds {quoted(stream)}, which makes no sense here ({str(error).rstrip('.')})") from error
    if isinstance(row, DeckRow):
        check_name(transaction, row.game, row.name, but=row.deck)
    transaction.put(row)


def _streams(lines: jsonl.Lines) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """The streams of a file, each proven by its chain, and in the end that it is whole."""
    rows = iter(lines)
    try:
        _openings.decode(next(rows, b""))
    except msgspec.MsgspecError:
        raise lines.refused(f"is no {KIND}, or a newer companion wrote it") from None
    whole = _Whole()
    known: set[str] = set()
    for row in rows:
        if row.startswith(_ENDS):
            if _ends.decode(row) != whole.end() or next(rows, None) is not None:
                raise lines.refused("was changed: it does not hold what its end says")
            return
        head = _heads.decode(row)
        if head.stream in known or head.stream.partition(":")[0] not in LISTS or head.entries < 1:
            raise lines.refused(f"is no {KIND} that a companion wrote")
        known.add(head.stream)
        told = tuple(_entries(lines, rows, head))
        whole.add(len(told), told[-1][1])
        yield head.stream, tuple(entry for entry, _ in told)
    raise lines.refused("was cut off; export it again")


def _entries(lines: jsonl.Lines, rows: Iterator[bytes], head: _Stream) -> Iterator[tuple[Entry, str]]:
    """A stream's entries with their hashes."""
    grown, seq = Chain(head.stream), -1
    for seq, row in enumerate(itertools.islice(rows, head.entries)):
        line = exported.read(row)
        if line.at.year not in YEARS or line.at.tzinfo is None:
            raise lines.refused(f"dates entry {line.seq} of {quoted(head.stream)} wrongly")
        entry = line.entry(head.stream)
        if line.seq != seq or line.hash != grown.add(entry):
            raise lines.refused(f"was changed: entry {seq} of {quoted(head.stream)} does not follow on the one before")
        yield entry, line.hash
    if seq + 1 != head.entries:
        raise lines.refused("was cut off; export it again")
