"""The files in a shared folder: batches of entries, each packed and complete in itself, one after the other.

A batch is lines of JSON in one member of gzip: a head that says who wrote it, parts of streams with their chained
entries as in every exported file, and an end with totals. A file only grows. Its reader takes batch after batch, and
stops before the first that is not whole: a synchronising program may deliver half of it, or the rest first.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from companion.archive.errors import ArchiveError, Unreadable
from companion.archive.exchange import export_format
from companion.archive.exchange.export_format import YEARS, Chain, EntryLine
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import LISTS

MAX_ENTRIES: Final = 5_000
"""The entries that a batch has at most; it is imported in one transaction."""
MAX_BYTES: Final = 4_000_000
"""The bytes of lines after which a batch ends."""
_MAX_UNPACKED: Final = 4 * export_format.MAX_LINE_BYTES
"""The bytes to which a batch may unpack; nothing that a companion wrote comes near."""
_LEVEL: Final = 6
_CHUNK: Final = 65_536
_MEMBER: Final = b"\x1f\x8b\x08"
_Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A number that can be counted up, and that the notes can hold."""


class BatchHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a batch: which export it belongs to, who writes that, and the batch's number from 1 on.

    An export is all batches of one `writer`, a random name. A device that begins anew takes another, and the next
    number of an `export`; the new export replaces those before.
    """

    companion: Literal["shared"]
    version: Literal[1]
    writer: str
    device: str
    name: str
    export: _Number
    number: _Number


class PartHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line before a part of a stream: its entries from number `first` on, and the hash of the entry before."""

    stream: str
    first: int
    entries: int
    before: str


class _BatchEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: int
    hash: str


class StoryPart(NamedTuple):
    """A part of a stream: consecutive entries from number `first` on, each with the hash of the story up to it.

    The story ends with the last of them. `before` is the hash of the story before the first; "" at its beginning.
    A part that no archive may hold, such as one with a text that nobody can type, has no entries; nor has one of a kind
    that only a newer program knows.
    """

    stream: str
    first: int
    before: str
    entries: tuple[Entry, ...]
    hashes: tuple[str, ...]


class Batch(NamedTuple):
    """A batch that is whole, and the offset in its file after it."""

    head: BatchHead
    parts: tuple[StoryPart, ...]
    end: int


class BrokenBatch(Exception):
    """Bytes that are no whole batch: it is not here yet, or it is damaged."""


class NewerBatch(BrokenBatch):
    """A batch in a format of a newer program."""


class _AnyHead(msgspec.Struct, frozen=True):
    """The keys that the first line of a batch has in every format."""

    companion: Literal["shared"]
    version: int


_FORMAT: Final = 1
_any_heads: Final = msgspec.json.Decoder(_AnyHead)
_heads: Final = msgspec.json.Decoder(BatchHead)
_part_heads: Final = msgspec.json.Decoder(PartHead)
_ends: Final = msgspec.json.Decoder(_BatchEnd)
_encode: Final = msgspec.json.Encoder().encode


def pack_batch(head: BatchHead, parts: Sequence[StoryPart]) -> bytes:
    """Return the bytes of a batch."""
    lines = [_encode(head)]
    for part in parts:
        lines.append(_encode(PartHead(part.stream, part.first, len(part.entries), part.before)))
        lines += (
            _encode(
                EntryLine(each.seq, each.at, each.by, each.session, each.kind, msgspec.Raw(each.body.encode()), link)
            )
            for each, link in zip(part.entries, part.hashes, strict=True)
        )
    lines.append(_encode(_end_of(parts)))
    pack = zlib.compressobj(level=_LEVEL, wbits=31)
    return pack.compress(b"\n".join((*lines, b""))) + pack.flush()


def _end_of(parts: Sequence[StoryPart]) -> _BatchEnd:
    whole = hashlib.sha256(b"companion shared")
    for part in parts:
        whole.update(part.hashes[-1].encode())
    return _BatchEnd(len(parts), whole.hexdigest())


def read_batches(content: bytes, start: int = 0) -> Iterator[Batch]:
    """Yield the batches in a file's content from an offset on, and stop before the first that is not whole.

    Raises BrokenBatch at its end if there is more that is no batch, and NewerBatch if a newer program wrote it.
    """
    at = start
    while at < len(content):
        lines, end = _unpack(content, at)
        yield _read_batch(lines, end)
        at = end


def _unpack(content: bytes, start: int) -> tuple[list[bytes], int]:
    """Return the lines of the packed member at an offset, and the offset after it."""
    if content[start : start + len(_MEMBER)] != _MEMBER:
        raise BrokenBatch
    unpack = zlib.decompressobj(wbits=31)
    unpacked = bytearray()
    try:
        for at in range(start, len(content), _CHUNK):
            unpacked += unpack.decompress(content[at : at + _CHUNK], _MAX_UNPACKED - len(unpacked) + 1)
            if len(unpacked) > _MAX_UNPACKED:
                raise BrokenBatch
            if unpack.eof:
                lines = bytes(unpacked).split(b"\n")
                if lines.pop():
                    raise BrokenBatch
                return lines, min(at + _CHUNK, len(content)) - len(unpack.unused_data)
    except zlib.error as error:
        raise BrokenBatch from error
    raise BrokenBatch


def _read_batch(lines: Sequence[bytes], end: int) -> Batch:
    _check_format(lines[0] if lines else b"")
    try:
        head, last = _heads.decode(lines[0]), _ends.decode(lines[-1])
        parts = tuple(_read_parts(lines[1:-1]))
    except (ArchiveError, msgspec.MsgspecError, LookupError, ValueError, RecursionError) as error:
        raise BrokenBatch from error
    if _end_of(parts) != last:
        raise BrokenBatch
    return Batch(head, parts, end)


def _check_format(first_line: bytes) -> None:
    """Raise NewerBatch if a batch has a format that this program does not know yet."""
    try:
        version = _any_heads.decode(first_line).version
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BrokenBatch from error
    if version > _FORMAT:
        raise NewerBatch


def _read_parts(lines: Sequence[bytes]) -> Iterator[StoryPart]:
    at = 0
    while at < len(lines):
        head = _part_heads.decode(lines[at])
        rows = lines[at + 1 : at + 1 + head.entries]
        if head.entries < 1 or len(rows) < head.entries:
            raise BrokenBatch
        yield _read_part(head, rows)
        at += 1 + head.entries


def _read_part(head: PartHead, rows: Sequence[bytes]) -> StoryPart:
    lines = [export_format.decode_line(row) for row in rows]
    unreadable = StoryPart(head.stream, head.first, head.before, (), (lines[-1].hash,))
    if head.stream.partition(":")[0] not in LISTS:
        return unreadable
    try:
        entries = tuple(_read_entry(head.stream, line) for line in lines)
    except ArchiveError:
        return unreadable
    chain = Chain(head.stream, head.before)
    hashes = tuple(chain.add(entry) for entry in entries)
    if hashes != tuple(line.hash for line in lines) or [entry.seq for entry in entries] != list(
        range(head.first, head.first + head.entries)
    ):
        raise BrokenBatch
    return StoryPart(head.stream, head.first, head.before, entries, hashes)


def _read_entry(stream: str, line: EntryLine) -> Entry:
    if line.at.tzinfo is None or line.at.year not in YEARS:
        raise Unreadable
    return line.entry(stream)


def part_of(stream: str, entries: Sequence[Entry], first: int = 0) -> StoryPart:
    """Return the part of a stream from number `first` on; `entries` are all of its entries."""
    chain = Chain(stream)
    hashes = [chain.add(entry) for entry in entries]
    before = hashes[first - 1] if first else ""
    return StoryPart(stream, first, before, tuple(entries[first:]), tuple(hashes[first:]))


def join_parts(
    parts: Sequence[tuple[int, StoryPart]], here: Mapping[str, Sequence[Entry]]
) -> Mapping[str, tuple[Entry, ...]]:
    """Return the stories that the parts of one export make, each with the number of its batch.

    A story ends with its newest part, and hashes say what is before that; what is `here` as well fills a gap. A story
    is left out if a gap remains. Of two newest parts, the longer story counts: the other one was written by a program
    that was killed before it noted that, and is still in a copy of its file.
    """
    links: dict[str, tuple[str, Entry]] = {}
    newest: dict[str, tuple[int, list[StoryPart]]] = {}
    for number, part in sorted(parts, key=itemgetter(0)):
        _link(links, part)
        last, its = newest.get(part.stream, (number, []))
        newest[part.stream] = number, [*its, part] if last == number else [part]
    for stream in newest:
        _link(links, part_of(stream, here.get(stream, ())))
    stories = {}
    for stream, (_, its) in newest.items():
        ends = [_walk_back(links, part.hashes[-1]) for part in its]
        if all(ends):
            stories[stream] = max(ends, key=len)
    return stories


def _link(links: dict[str, tuple[str, Entry]], part: StoryPart) -> None:
    """Add the entries of a part by their hashes, each with the hash before."""
    for before, entry, link in zip((part.before, *part.hashes), part.entries, part.hashes, strict=False):
        links[link] = before, entry


def _walk_back(links: Mapping[str, tuple[str, Entry]], end: str) -> tuple[Entry, ...]:
    """Return the story up to the entry with a hash; nothing if it has a gap."""
    story = []
    while end in links:
        end, entry = links[end]
        story.append(entry)
    story.reverse()
    is_whole = not end and [entry.seq for entry in story] == list(range(len(story)))
    return tuple(story) if is_whole else ()
