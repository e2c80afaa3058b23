"""Export and import of a whole archive as one file for another installation or a newer program.

The file holds packed lines of JSON: a head, each stream with its chained entries, and an end with totals. An imported
stream equals ours, continues ours, or is refused; `deck_import` joins stories that continued in two archives. However
large the archive is, only some thousand entries and the names of its streams are in memory at once; only a deck's story
is held whole, because its game derives the deck's state from all of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec

from companion.archive import page_texts
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, Clause, Unreadable, describe_error
from companion.archive.exchange import export_format, import_log
from companion.archive.exchange.export_format import NONSENSE, YEARS, Chain
from companion.archive.storage import lists, results
from companion.archive.storage.checksums import (
    COLUMNS,
    StoredEntry,
    decode_entries,
    decode_stream,
    is_intact,
    query_bytes,
)
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import LISTS, StreamProgress, no_progress
from companion.archive.storage.lookup import check_name, find_taken_name
from companion.archive.storage.rows import QUERY_SIZE, DeckRow, PageRow, PersonRow, PlayRow, Row, SessionRow
from companion.games.described import load
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

KIND: Final = phrase("file of a whole archive")
_ENDS: Final = b'{"streams":'
_LEVEL: Final = 6
"""The level of zlib's compression. As long as it stays, the same archive gives the same file."""
_ENTRIES: Final = 5_000
_BYTES: Final = 4_000_000
"""The entries, and the bytes of their lines, that are imported at once at most."""
_LONG: Final = 200
"""A piece of a stream with more entries than this is imported alone."""
_PAGE: Final = "page"
"""Streams that are the same in every archive, apart from when they were added."""
_IN_PIECES: Final = ("session", "person")
"""Streams whose rows can be built piece by piece; for all others the whole stream is needed."""


class ImportSummary(NamedTuple):
    """Totals of an import: new streams, streams that grew, streams already known, and entries in all."""

    new: int
    longer: int
    unchanged: int
    entries: int


class _ArchiveFileHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    companion: Literal["archive"]
    version: Literal[1]


class _Stream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stream: str
    entries: int


class _End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    streams: int
    entries: int
    hash: str


_openings = msgspec.json.Decoder(_ArchiveFileHead)
_heads = msgspec.json.Decoder(_Stream)
_ends = msgspec.json.Decoder(_End)
_GROUPED: Final = "GROUP BY stream ORDER BY stream"


class _Whole:
    """The totals at the end of a file: its number of streams and entries, and the hash of all its chains."""

    def __init__(self) -> None:
        self.streams = self.entries = 0
        self._hash = hashlib.sha256(b"companion archive")

    def add(self, entries: int, head: str) -> None:
        self.streams += 1
        self.entries += entries
        self._hash.update(head.encode())

    def end(self) -> _End:
        return _End(self.streams, self.entries, self._hash.hexdigest())


def export_archive(archive: Archive, path: Path, watch: StreamProgress = no_progress) -> int:
    """Write all that the archive holds at this moment to `path` and return the number of entries.

    The same archive gives the same file. Raises ArchiveError, also if an entry is damaged or lost.
    """
    whole = _Whole()
    with (
        archive.store.reading() as transaction,
        export_format.open_writer(path, _LEVEL) as write,
        query_bytes(transaction.connection) as ask,
    ):
        write(_ArchiveFileHead("archive", 1))
        for kind in sorted(LISTS, key=_order):
            # One query for all streams of a kind: one query each would take as long as all the rest.
            where = f"FROM entries WHERE stream >= '{kind}:' AND stream < '{kind};'"
            counted = [
                (decode_stream(stream), count) for stream, count in ask(f"SELECT stream, count(*) {where} {_GROUPED}")
            ]
            rows = ask(f"SELECT {COLUMNS}, checksum {where} ORDER BY stream, seq")
            grouped = groupby(rows, key=itemgetter(0))
            streams = watch(kind, [stream for stream, _ in counted])
            for stream, (_, count), (_, of_stream) in zip(streams, counted, grouped, strict=True):
                write(_Stream(stream, count))
                head, size = "", 0
                for line in export_format.entry_lines(_proven(stream, of_stream), Chain(stream)):
                    size += write(line)
                    head = line.hash
                if kind not in _IN_PIECES and size > export_format.MAX_STORY_BYTES:
                    raise ArchiveError(
                        phrase(
                            "A file has more than {size} MB of {stream}, the most that is allowed.",
                            size=export_format.MAX_STORY_MB,
                            stream=in_quotes(stream),
                        )
                    )
                whole.add(count, head)
        write(whole.end())
    return whole.entries


def _order(stream: str) -> tuple[bool, str]:
    """Return a key that sorts pages first, because what follows is read by them, and the rest by name."""
    return stream.partition(":")[0] != _PAGE, stream


def _proven(stream: str, rows: Iterator[StoredEntry]) -> Iterator[Entry]:
    """Yield a stream's entries as they are stored. Raises ArchiveError if one is damaged or missing."""
    expected = 0
    while some := list(islice(rows, _ENTRIES)):
        for seq, row in enumerate(some, expected):
            if row[1] != seq:
                raise ArchiveError(
                    phrase("Entries of {stream} are missing from {seq} on.", stream=stream, seq=str(seq)), "damage"
                )
            if not is_intact(row):
                raise ArchiveError(
                    phrase("Entry {seq} of {stream} is not as it was written.", seq=str(seq), stream=stream), "damage"
                )
        expected += len(some)
        yield from decode_entries(stream, some)


def import_archive(archive: Archive, path: Path, watch: Callable[[float], object] = lambda _: None) -> ImportSummary:
    """Import all that a file holds, or nothing: new streams, and entries that continue ours.

    `watch` gets the part of the file that is read, from 0 to 1. Raises Unreadable if the file is damaged, was edited or
    makes no sense, NameTaken if another deck has a name, and ArchiveError if a stream went on differently.
    `import_log.undo_import` undoes it.
    """
    with export_format.Lines.open(path, KIND) as lines, archive.store.writing() as transaction:
        return _take_all(archive, transaction, lines, path.name, watch)


class _PreviewEnd(Exception):
    """The end of a preview: all that it has written is rolled back."""

    def __init__(self, summary: ImportSummary) -> None:
        super().__init__()
        self.summary = summary


def preview_archive(archive: Archive, path: Path, watch: Callable[[float], object] = lambda _: None) -> ImportSummary:
    """Return what `import_archive` would do; nothing is imported. Raises what it would raise."""
    try:
        with export_format.Lines.open(path, KIND) as lines, archive.store.writing() as transaction:
            raise _PreviewEnd(_take_all(archive, transaction, lines, path.name, watch))
    except _PreviewEnd as end:
        return end.summary


def _take_all(
    archive: Archive,
    transaction: Transaction,
    lines: export_format.Lines,
    name: str,
    watch: Callable[[float], object],
) -> ImportSummary:
    taking = _Taking(lines, transaction, import_log.ImportRecord(transaction, archive, name))
    for some in _lots(_pieces(lines, watch)):
        taking.take(some)
    taking.record.close()
    results.relist(transaction, taking.sessions)
    return ImportSummary(taking.new, taking.longer, taking.unchanged, taking.entries)


def check_header(path: Path) -> None:
    """Raise Unreadable if the file does not begin as an export of a whole archive, and OSError if there is no file."""
    with export_format.Lines.open(path, KIND) as lines:
        _read_head(lines, iter(lines))


class _StreamPart(NamedTuple):
    """Consecutive entries of a stream in a file, the first of which is number `first`. `last`: no more of it follow."""

    stream: str
    first: int
    entries: tuple[Entry, ...]
    last: bool
    bytes: int


def _lots(pieces: Iterable[_StreamPart]) -> Iterator[list[_StreamPart]]:
    """Yield groups of pieces that are imported at once.

    A long piece is a group of its own. So beside many short ones, only a few entries of each of our streams are read,
    however long those are.
    """
    lot: list[_StreamPart] = []
    entries = size = 0
    for piece in pieces:
        full = len(lot) == QUERY_SIZE or entries + len(piece.entries) > _ENTRIES or size + piece.bytes > _BYTES
        alone = piece.first > 0 or not piece.last or len(piece.entries) > _LONG
        if lot and (full or alone):
            yield lot
            lot, entries, size = [], 0, 0
        lot.append(piece)
        entries += len(piece.entries)
        size += piece.bytes
        if alone:
            yield lot
            lot, entries, size = [], 0, 0
    if lot:
        yield lot


class _Taking:
    """The state of an import: its totals until now, and the stream that is being imported."""

    def __init__(self, lines: export_format.Lines, transaction: Transaction, record: import_log.ImportRecord) -> None:
        self.record = record
        self.new = self.longer = self.unchanged = self.entries = 0
        self._lines, self._transaction = lines, transaction
        # Of the stream that is imported piece by piece: whether it was here, whether it continues and from which entry,
        # and its row until now.
        self._was_here = self._goes_on = False
        self._kept = 0
        self._row: Row | None = None
        self.sessions: list[str] = []
        self._games = {row.name for row in transaction.rows(PageRow) if row.listed and not row.withdrawn}

    def take(self, lot: Sequence[_StreamPart]) -> None:
        """Import a group of pieces. Raises as `import_archive` does."""
        lot = [self._to_keep(piece) for piece in lot]
        ours = self._ours(lot)
        added = [(piece, self._new_entries(piece, ours.get(piece.stream, ()))) for piece in lot]
        self._transaction.write([entry for _, entries in added for entry in entries])
        new: list[Row] = []
        for piece, entries in added:
            if row := self._finish_piece(piece, entries, was_here=piece.stream in ours):
                new.append(row)
        self._put_new(new)

    def _to_keep(self, piece: _StreamPart) -> _StreamPart:
        """Return the part of a piece to store: of a page only its text if a listed game here has its name."""
        if not piece.stream.startswith(f"{_PAGE}:"):
            return piece
        row = self._new_row(piece, piece.entries)
        is_taken = isinstance(row, PageRow) and row.name in self._games
        return piece._replace(entries=piece.entries[:1]) if is_taken else piece

    def _ours(self, lot: Sequence[_StreamPart]) -> dict[str, tuple[Entry, ...]]:
        """Return our entries with the same numbers as those of a group, for the streams that are here."""
        first = lot[0].first
        if first and (self._goes_on or not self._was_here):
            return {}
        here = [lot[0].stream] if first else self._transaction.existing_streams([piece.stream for piece in lot])
        if not here:
            return {}
        end = max(first + len(piece.entries) for piece in lot)
        entries = self._transaction.read_between(here, first, end)
        return {stream: tuple(some) for stream, some in groupby(entries, key=lambda entry: entry.stream)}

    def _new_entries(self, piece: _StreamPart, ours: tuple[Entry, ...]) -> tuple[Entry, ...]:
        theirs = piece.entries
        if ours and piece.stream.startswith(f"{_PAGE}:"):
            return ()  # the digest identifies the text; whether the page is listed is decided here
        both = min(len(ours), len(theirs))
        if ours[:both] != theirs[:both]:
            is_deck = piece.stream.startswith("deck:")
            raise ArchiveError(
                phrase(
                    "{stream} continued differently here and in the file, so nothing was imported; "
                    "companion deck export and companion deck import join the histories of decks.",
                    stream=piece.stream,
                )
                if is_deck
                else phrase(
                    "{stream} continued differently here and in the file, so nothing was imported.", stream=piece.stream
                )
            )
        return theirs[both:]

    def _finish_piece(self, piece: _StreamPart, added: tuple[Entry, ...], *, was_here: bool) -> Row | None:
        """Count the entries of a piece, and list its stream if it is the last one.

        Returns a row that is still to be written if the stream is new.
        """
        if not piece.first:
            self._was_here, self._goes_on, self._row = was_here, False, None
        self.entries += len(added)
        if added:
            self._row = self._row_of(piece, added)
            if not self._goes_on:
                self._goes_on, self._kept = True, added[0].seq
        if not piece.last:
            return None
        self.new += not self._was_here
        self.longer += self._was_here and self._goes_on
        self.unchanged += not self._goes_on
        if self._goes_on:
            self.record.add(self._kept, piece.entries[-1])
            if isinstance(self._row, SessionRow):
                self.sessions.append(self._row.session)
            elif isinstance(self._row, PlayRow):
                self.sessions.append(results.key_of_play(self._row.source))
        row = self._row
        if row is not None and self._was_here:
            self._check_name(row)
            self._transaction.put(row)
            return None
        return row

    def _row_of(self, piece: _StreamPart, added: tuple[Entry, ...]) -> Row:
        kind, _, key = piece.stream.partition(":")
        before = self._row
        if before is None and self._was_here and kind in _IN_PIECES:
            before = self._transaction.row(SessionRow if kind == "session" else PersonRow, key)
        return self._new_row(piece, added if kind in _IN_PIECES else piece.entries, before)

    def _new_row(self, piece: _StreamPart, entries: Sequence[Entry], before: Row | None = None) -> Row:
        try:
            return self._row_without_page(piece) or lists.row_of(piece.stream, entries, before)
        except NONSENSE as error:
            raise Unreadable(
                phrase(
                    "{file} holds {stream}, which makes no sense here ({reason}).",
                    file=self._lines.name,
                    stream=in_quotes(piece.stream),
                    reason=Clause(describe_error(error)),
                )
            ) from error

    def _row_without_page(self, piece: _StreamPart) -> Row | None:
        """Return the row of a deck without its page, here or in the file: a missing page keeps nothing else out."""
        kind, _, key = piece.stream.partition(":")
        if kind != "deck" or not (page := lists.page_of(piece.entries)):
            return None
        is_here = load.text_of(page) or page_texts.read_text(self._transaction, page)
        return None if is_here else lists.deck_row_without_page(key, piece.entries)

    def _check_name(self, row: Row) -> None:
        if isinstance(row, DeckRow):
            check_name(self._transaction, row.game, row.name, but=row.deck)

    def _put_new(self, rows: Sequence[Row]) -> None:
        decks = [row for row in rows if isinstance(row, DeckRow)]
        if (taken := find_taken_name(self._transaction, decks)) is not None:
            self._transaction.put_new(decks[: decks.index(taken)])
            self._check_name(taken)
        self._transaction.put_new(rows)


def _read_head(lines: export_format.Lines, rows: Iterator[bytes]) -> None:
    try:
        _openings.decode(next(rows, b""))
    except msgspec.MsgspecError:
        raise Unreadable(
            phrase("{file} is not a file of a whole archive, or a newer companion wrote it.", file=lines.name)
        ) from None


def _pieces(lines: export_format.Lines, watch: Callable[[float], object]) -> Iterator[_StreamPart]:
    """Yield the streams of a file, each verified by its chain; in the end check that the file is whole."""
    rows = iter(lines)
    _read_head(lines, rows)
    whole = _Whole()
    before = ""
    for row in rows:
        if row.startswith(_ENDS):
            if _ends.decode(row) != whole.end() or next(rows, None) is not None:
                raise Unreadable(phrase("{file} was changed: its contents do not match its end.", file=lines.name))
            return
        head = _heads.decode(row)
        # Streams are written in order, so none comes twice.
        is_after = not before or _order(head.stream) > _order(before)
        if not is_after or head.stream.partition(":")[0] not in LISTS or head.entries < 1:
            raise Unreadable(phrase("{file} is not a file of a whole archive that a companion wrote.", file=lines.name))
        before = head.stream
        reading = _StreamReading(lines, rows, head)
        yield from reading.pieces()
        whole.add(head.entries, reading.hash)
        watch(lines.progress)
    raise lines.cut_off()


class _StreamReading:
    """A stream of a file that is being read; `hash` is that of the last entry until now."""

    def __init__(self, lines: export_format.Lines, rows: Iterator[bytes], head: _Stream) -> None:
        self._lines, self._rows, self._stream, self._count = lines, rows, head.stream, head.entries
        self._chain = Chain(head.stream)
        self.hash = ""

    def pieces(self) -> Iterator[_StreamPart]:
        """Yield its entries, in pieces if they are not needed all at once."""
        in_pieces = self._stream.partition(":")[0] in _IN_PIECES
        first = size = 0
        entries: list[Entry] = []
        for seq, row in enumerate(islice(self._rows, self._count)):
            if in_pieces and (len(entries) == _ENTRIES or size > _BYTES):
                yield _StreamPart(self._stream, first, tuple(entries), False, size)
                first, size, entries = seq, 0, []
            entries.append(self._entry(seq, row))
            size += len(row)
            if size > export_format.MAX_STORY_BYTES and not in_pieces:
                raise Unreadable(
                    phrase(
                        "{file} has more than {size} MB of {stream}, the most that is allowed.",
                        file=self._lines.name,
                        size=export_format.MAX_STORY_MB,
                        stream=in_quotes(self._stream),
                    )
                )
        if first + len(entries) != self._count:
            raise self._lines.cut_off()
        yield _StreamPart(self._stream, first, tuple(entries), True, size)

    def _entry(self, seq: int, row: bytes) -> Entry:
        line = export_format.decode_line(row)
        if line.at.year not in YEARS or line.at.tzinfo is None:
            raise Unreadable(
                phrase(
                    "{file} dates entry {seq} of {stream} wrongly.",
                    file=self._lines.name,
                    seq=str(line.seq),
                    stream=in_quotes(self._stream),
                )
            )
        entry = line.entry(self._stream)
        self.hash = line.hash
        if line.seq != seq or line.hash != self._chain.add(entry):
            raise Unreadable(
                phrase(
                    "{file} was changed: entry {seq} of {stream} does not follow the one before.",
                    file=self._lines.name,
                    seq=str(seq),
                    stream=in_quotes(self._stream),
                )
            )
        return entry
