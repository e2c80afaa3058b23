"""Decks that move between homes: one file with their whole stories, written, read with suspicion, and sorted.

The file is gzip around lines of JSON, which any tool can look into. Nothing of it is believed before its chain holds.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec

from companion.archive import chain, deck_id, lists
from companion.archive.archive import Archive
from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError, Unknown, Unreadable, quoted
from companion.archive.lists import deck_stream
from companion.games import registry
from companion.games.records import Corrected

MOST_BYTES = 24_000_000
"""A file's lines together; read whole, they stay well below 300 MB of memory."""
MOST_ENTRIES = 4_000
"""Of one deck: some four hundred evenings."""
_LONGEST_LINE = 1_000_000
_CHUNK = 65_536
_GZIP = b"\x1f\x8b"

# What a hostile file can provoke while its marks are played through; each means that it makes no sense.
_NONSENSE = (ArchiveError, LookupError, ValueError, TypeError, AttributeError, RecursionError)


class Story(NamedTuple):
    """A deck's whole story as it came in a file."""

    deck: str
    name: str
    entries: tuple[Entry, ...]


class _Opening(msgspec.Struct, frozen=True):
    companion: Literal["decks"]
    version: Literal[1]


class _Deck(msgspec.Struct, frozen=True):
    deck: str
    game: str
    name: str
    entries: int


class _Line(msgspec.Struct, frozen=True):
    seq: int
    at: datetime
    by: str
    session: str
    kind: str
    body: msgspec.Raw
    hash: str


def export(archive: Archive, decks: Sequence[str], path: Path) -> None:
    """Writes the whole stories of decks to `path`. Raises Unknown, or ArchiveError where they are too much."""
    lines: list[bytes] = [msgspec.json.encode(_Opening("decks", 1))]
    for deck in decks:
        lines += _told(archive, deck)
    content = b"\n".join([*lines, b""])
    if len(content) > MOST_BYTES:
        raise ArchiveError(
            f"That is more than {MOST_BYTES // 1_000_000} MB for one file; export fewer decks at a time."
        )
    # Without a date in it, the same stories make the same file.
    path.write_bytes(gzip.compress(content, mtime=0))


def _told(archive: Archive, deck: str) -> Iterator[bytes]:
    entries = archive.entries(deck_stream(deck))
    if not entries:
        raise Unknown(f"Deck {deck_id.show(deck)} is not in this archive; companion deck list shows all.")
    row = archive.find_deck(deck)
    yield msgspec.json.encode(_Deck(deck, row.game, row.name, len(entries)))
    for entry, link in zip(entries, chain.hashes(deck, entries), strict=True):
        body = msgspec.Raw(entry.body.encode())
        yield msgspec.json.encode(_Line(entry.seq, entry.at, entry.by, entry.session, entry.kind, body, link))


def read(path: Path) -> tuple[Story, ...]:
    """The stories in a file, each proven by its chain and played through by its game's rules.

    Raises Unreadable where the file is damaged, was edited, is another program's or makes no sense.
    """
    try:
        with path.open("rb") as file:
            return tuple(_stories(_Lines(path, file)))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise Unreadable(f"{quoted(str(path))} is not a file of decks, or a damaged one; export it again.") from error


class _Lines:
    """The lines of a file, plain or packed, never more at a time than a line may be long."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._chunks = self._unpacked(file)
        self._rest = b""
        self._read = 0

    def refused(self, why: str) -> Unreadable:
        """The error that says what is wrong with the file."""
        return Unreadable(f"{quoted(str(self.path))} {why}.")

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self._read += len(chunk)
            if self._read > MOST_BYTES:
                raise self.refused(f"holds more than {MOST_BYTES // 1_000_000} MB, which no export does")
            *whole, self._rest = (self._rest + chunk).split(b"\n")
            yield from whole
            if len(self._rest) > _LONGEST_LINE:
                raise self.refused("is no file of decks: a line of it has no end")
        if self._rest:
            raise self.refused("was cut off; export it again")

    def _unpacked(self, file: BinaryIO) -> Iterator[bytes]:
        packed = file.peek(2)[:2] == _GZIP if hasattr(file, "peek") else False
        if not packed:
            while chunk := file.read(_CHUNK):
                yield chunk
            return
        unpack = zlib.decompressobj(wbits=31)
        try:
            while chunk := unpack.unconsumed_tail or file.read(_CHUNK):
                yield unpack.decompress(chunk, _CHUNK)
                if unpack.eof:
                    break
        except zlib.error:
            raise self.refused("is damaged; export it again") from None
        if not unpack.eof:
            raise self.refused("was cut off; export it again")


def _stories(lines: _Lines) -> Iterator[Story]:
    rows = iter(lines)
    opening = next(rows, b"")
    try:
        msgspec.json.decode(opening, type=_Opening)
    except msgspec.MsgspecError:
        raise lines.refused("is no file of decks, or a newer companion wrote it") from None
    told: set[str] = set()
    for row in rows:
        head = msgspec.json.decode(row, type=_Deck)
        if head.deck in told or not 1 < head.entries <= MOST_ENTRIES:
            raise lines.refused("is no file of decks that an archive wrote")
        told.add(head.deck)
        yield _story(lines, rows, head)
    if not told:
        raise lines.refused("holds no deck")


def _story(lines: _Lines, rows: Iterator[bytes], head: _Deck) -> Story:
    try:
        deck = deck_id.parse(head.deck)
    except deck_id.DeckIdError:
        raise lines.refused("names a deck that cannot be") from None
    read = []
    for seq in range(head.entries):
        row = next(rows, None)
        if row is None:
            raise lines.refused("was cut off; export it again")
        line = msgspec.json.decode(row, type=_Line)
        if line.seq != seq:
            raise lines.refused(f"lacks a part of the story of {quoted(head.name)}")
        read.append(line)
    entries = tuple(_entry(deck, line) for line in read)
    for entry, line, link in zip(entries, read, chain.hashes(deck, entries), strict=True):
        if line.hash != link:
            raise lines.refused(
                f"was changed: entry {entry.seq} of {quoted(head.name)} does not follow on the one before"
            )
    return Story(deck, _plausible(lines, deck, entries), entries)


def _entry(deck: str, line: _Line) -> Entry:
    at = line.at if line.at.tzinfo else line.at.replace(tzinfo=UTC)
    body = bytes(line.body).decode()
    return Entry(deck_stream(deck), line.seq, at.astimezone(UTC), line.by, line.kind, body, line.session)


def _plausible(lines: _Lines, deck: str, entries: tuple[Entry, ...]) -> str:
    """The deck's name, once its whole life was played through. Raises Unreadable where it makes no sense."""
    try:
        row: Any = lists.row_of(deck_stream(deck), entries)
        marks = lists.marks_of(entries)
        game = registry.game(row.game)
        if any(isinstance(mark, Corrected) and not 0 < mark.of < number for number, mark in enumerate(marks, 1)):
            raise ValueError("a correction of what was not there yet")
        if len(game.story(marks)) != len(marks) or not row.name.strip():
            raise ValueError("a deck without a name or a story")
        if (keeping := game.keeping) is not None:
            keeping.chores(marks)
    except _NONSENSE as error:
        raise lines.refused(f"holds a story that makes no sense here ({_short(error)})") from error
    return str(row.name)


def _short(error: BaseException) -> str:
    return quoted(str(error) or type(error).__name__)[1:-1].rstrip(".")
