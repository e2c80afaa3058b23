"""The format of exported files: lines of JSON, plain or packed with gzip, with hashes that chain the entries."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from os import fstat
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from companion.archive.errors import ArchiveError, Unreadable
from companion.archive.storage import files
from companion.archive.storage.entries import Entry
from companion.games.described import load
from companion.tabletop.text import LONGEST_LINE, LONGEST_NAME, in_quotes
from templates.languages.messages import Message, Text, phrase

MAX_LINE_BYTES: Final = 16_000_000
"""Maximum bytes of a line; written lines are no longer, so that all of them can be read."""
_CHUNK: Final = 65_536
SMALLEST_LEVEL: Final = 9
"""The level of zlib's compression; level 6 takes a third less time, and the file is 2 % longer."""
_GZIP: Final = b"\x1f\x8b"
_SYSTEM_AT: Final = 9
_SYSTEM: Final = b"\x03"
"""The system in gzip's header (RFC 1952): always Unix, as in every export so far."""

Write = Callable[[msgspec.Struct], int]
"""A function that writes one line and returns its length in bytes."""


@contextmanager
def open_writer(path: Path, level: int = SMALLEST_LEVEL) -> Iterator[Write]:
    """Yield a function that writes lines to a packed file.

    The same lines at the same `level` of zlib make the same file on any system. Raises ArchiveError for a line that
    would be too long to be read.
    """

    pack = zlib.compressobj(level=level, wbits=31)
    encode = msgspec.json.Encoder().encode
    waiting = bytearray()
    with path.open("wb") as file:

        def write(line: msgspec.Struct) -> int:
            encoded = encode(line)
            if len(encoded) > MAX_LINE_BYTES:
                raise ArchiveError(
                    phrase(
                        "An entry is longer than {size} MB, which no file may hold.",
                        size=MAX_LINE_BYTES // 1_000_000,
                    )
                )
            waiting.extend(encoded)
            waiting.extend(b"\n")
            if len(waiting) > _CHUNK:
                file.write(pack.compress(waiting))
                waiting.clear()
            return len(encoded)

        yield write
        file.write(pack.compress(waiting) + pack.flush())
        file.seek(_SYSTEM_AT)
        file.write(_SYSTEM)


class Lines:
    """The lines of a file, each without its line end; concatenated files are read as one.

    `kind` is the expected kind of file, as errors name it (`file of decks`).
    """

    def __init__(self, path: Path, file: BinaryIO, kind: Text) -> None:
        self._path, self._file, self._kind = path, file, kind
        self._size = fstat(file.fileno()).st_size
        self._read = 0

    @classmethod
    @contextmanager
    def open(cls, path: Path, kind: Text) -> Iterator[Lines]:
        """Open the lines of the file at `path`. Errors of the format leave the block as Unreadable."""
        with files.open_input(path) as file:
            lines = cls(path, file, kind)
            try:
                yield lines
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, zlib.error) as error:
                raise Unreadable(
                    phrase("{file} is not a {kind}, or it is damaged; export it again.", file=lines.name, kind=kind)
                ) from error

    @property
    def progress(self) -> float:
        """The part of the file that was read, from 0 to 1; 1 if its size is unknown."""
        return min(1.0, self._read / self._size) if self._size else 1.0

    @property
    def name(self) -> Message:
        """The file's name in quotation marks, for a sentence."""
        return in_quotes(str(self._path))

    def cut_off(self) -> Unreadable:
        """Return the error for a file that ends too early."""
        return Unreadable(phrase("{file} was cut off; export it again.", file=self.name))

    def __iter__(self) -> Iterator[bytes]:
        rest: list[bytes] = []
        length = 0
        for chunk in self._decompress():
            first, *whole = chunk.split(b"\n")
            rest.append(first)
            length += len(first)
            if length > MAX_LINE_BYTES:
                raise Unreadable(
                    phrase("{file} is not a {kind}: one of its lines has no end.", file=self.name, kind=self._kind)
                )
            if whole:
                yield b"".join(rest)
                yield from whole[:-1]
                rest, length = [whole[-1]], len(whole[-1])
        if length:
            raise self.cut_off()

    def _decompress(self) -> Iterator[bytes]:
        chunk = self._next()
        if not chunk.startswith(_GZIP):
            while chunk:
                yield chunk
                chunk = self._next()
            return
        while chunk:
            # Concatenated packed files are a valid packed file.
            unpack = zlib.decompressobj(wbits=31)
            while not unpack.eof:
                if not chunk:
                    raise self.cut_off()
                yield unpack.decompress(chunk, _CHUNK)
                chunk = unpack.unconsumed_tail or unpack.unused_data or self._next()

    def _next(self) -> bytes:
        chunk = self._file.read(_CHUNK)
        self._read += len(chunk)
        return chunk


_encode = msgspec.json.Encoder().encode


class Chain:
    """A hash chain that grows; it begins with its subject `of`, so that no story can be passed off as another's.

    With `before`, the hash of an entry, it goes on after that entry.
    """

    def __init__(self, of: str, before: str = "") -> None:
        self._link = bytes.fromhex(before) if before else hashlib.sha256(f"companion {of}".encode()).digest()

    def add(self, entry: Entry) -> str:
        """Return the hash of the next entry as hexadecimal text; it is equal only if all entries up to it are equal."""
        facts = _encode((entry.seq, entry.at, entry.by, entry.session, entry.kind, entry.body))
        self._link = hashlib.sha256(self._link + facts).digest()
        return self._link.hex()


def deck_chain(deck: str) -> Chain:
    """Return the chain of a deck's story, before its first entry."""
    return Chain(f"deck {deck}")


def story_hashes(deck: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the hash of each entry of a deck."""
    chain = deck_chain(deck)
    return tuple(chain.add(entry) for entry in entries)


def story_hash(deck: str, entries: Sequence[Entry]) -> str:
    """Return the hash of a deck's whole story."""
    return story_hashes(deck, entries)[-1]


YEARS: Final = range(1970, 3000)
"""The years in which an entry can have been written."""

MAX_STORY_BYTES: Final = 60_000_000
"""Maximum bytes of one deck's story, which is held whole while it is read: a quarter of a million entries."""
MAX_STORY_MB: Final = MAX_STORY_BYTES // 1_000_000
_NAMES: Final = frozenset({"name", "wizard", "builder", "holder", "by", "title", "player", "person", "tags", "off"})
"""The keys in a body whose values are names."""
_PAGE: Final = "page"
"""The kind of the entry that holds the text of a game's page, which is one text of many lines."""
_LONGEST_PAGE: Final = 6 * load.MAX_BYTES + LONGEST_LINE
"""Maximum bytes of such an entry: each symbol may be escaped as a number."""
_MAX_KEY_LENGTH: Final = 2 * LONGEST_NAME
"""Maximum length of a stream's name, which may contain a folded name."""

NONSENSE: Final = (ArchiveError, LookupError, ValueError, TypeError, AttributeError, RecursionError)
"""Errors that the entries of a hostile file can cause while they are replayed; each means that they make no sense."""


class EntryLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as a line of a file; `hash` follows from all entries up to it."""

    seq: int
    at: datetime
    by: str
    session: str
    kind: str
    body: msgspec.Raw
    hash: str

    def entry(self, stream: str) -> Entry:
        """Return the entry of `stream` on this line. A time without a zone is in UTC.

        Raises Unreadable if a name or a text is longer than can be typed.
        """
        self._check_lengths(stream)
        at = self.at.astimezone(UTC) if self.at.tzinfo else self.at.replace(tzinfo=UTC)
        return Entry(stream, self.seq, at, self.by, self.kind, bytes(self.body).decode(), self.session)

    def _check_lengths(self, stream: str) -> None:
        long = [text for text in (stream, self.by, self.session, self.kind) if len(text) > _MAX_KEY_LENGTH]
        is_page = self.kind == _PAGE and stream.startswith(f"{_PAGE}:") and len(self.body) <= _LONGEST_PAGE
        if len(self.body) > LONGEST_NAME and not is_page:
            long += _long_texts(msgspec.json.decode(self.body))
        for text in long:
            raise Unreadable(
                phrase(
                    "The file holds a text of {symbols} symbols in entry {seq} of {stream}: {text}. A name has at most "
                    "{name_symbols}, a line {line_symbols}.",
                    symbols=len(text),
                    seq=str(self.seq),
                    stream=in_quotes(stream),
                    text=in_quotes(text),
                    name_symbols=LONGEST_NAME,
                    line_symbols=LONGEST_LINE,
                )
            )


def _long_texts(body: Any, key: str = "") -> Iterator[str]:
    """Yield the texts in a body that are longer than can be typed; `key` is the body's own key."""
    if isinstance(body, str):
        if len(body) > (LONGEST_NAME if key in _NAMES else LONGEST_LINE):
            yield body
    elif isinstance(body, dict):
        for name, part in body.items():
            yield from _long_texts(name)
            yield from _long_texts(part, name)
    elif isinstance(body, list):
        for part in body:
            yield from _long_texts(part, key)


decode_line = msgspec.json.Decoder(EntryLine).decode
"""Decode one line. Raises MsgspecError for anything else."""


def entry_lines(entries: Iterable[Entry], chain: Chain) -> Iterator[EntryLine]:
    """Yield the lines of a stream's entries, from its first on; `chain` is its chain before that."""
    for entry in entries:
        body = msgspec.Raw(entry.body.encode())
        yield EntryLine(entry.seq, entry.at, entry.by, entry.session, entry.kind, body, chain.add(entry))
