"""Files of JSON Lines, plain or packed with gzip, written and read a line at a time.

Separate from what the lines say: whoever reads them decides that. However large a file is, and whatever a hostile one
unpacks to, no more of it is held at once than the longest line.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import fstat
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from companion.archive import open_files
from companion.archive.errors import ArchiveError, Unreadable
from companion.tabletop.text import quoted

LONGEST: Final = 16_000_000
"""Bytes of a line; written ones are no longer, so that all of them can be read."""
_CHUNK: Final = 65_536
SMALLEST: Final = 9
"""How hard zlib tries to make a file small; at 6 it takes a third less time, and the file is 2 % longer."""
_GZIP: Final = b"\x1f\x8b"

Write = Callable[[msgspec.Struct], int]
"""Writes one line, and says how many bytes it has."""


@contextmanager
def writing(path: Path, level: int = SMALLEST) -> Iterator[Write]:
    """What writes lines to a packed file; the same lines at the same `level` of zlib make the same file.

    Raises ArchiveError for a line that would be too long to be read.
    """

    pack = zlib.compressobj(level=level, wbits=31)
    encode = msgspec.json.Encoder().encode
    waiting = bytearray()
    with path.open("wb") as file:

        def write(line: msgspec.Struct) -> int:
            encoded = encode(line)
            if len(encoded) > LONGEST:
                raise ArchiveError(f"An entry is longer than {LONGEST // 1_000_000} MB, which no file may hold.")
            waiting.extend(encoded)
            waiting.extend(b"\n")
            if len(waiting) > _CHUNK:
                file.write(pack.compress(waiting))
                waiting.clear()
            return len(encoded)

        yield write
        file.write(pack.compress(waiting) + pack.flush())


class Lines:
    """The lines of a file as it is read, each without its end; several files in one are read as one.

    `kind` is what the file shall be, as errors call it (`file of decks`).
    """

    def __init__(self, path: Path, file: BinaryIO, kind: str) -> None:
        self._path, self._file, self._kind = path, file, kind
        self._size = fstat(file.fileno()).st_size
        self._read = 0

    @classmethod
    @contextmanager
    def open(cls, path: Path, kind: str) -> Iterator[Lines]:
        """The lines of the file at `path`. Whatever is not what it should be leaves the block as Unreadable."""
        with open_files.open_input(path) as file:
            lines = cls(path, file, kind)
            try:
                yield lines
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, zlib.error) as error:
                raise lines.refused(f"is no {kind}, or a damaged one; export it again") from error

    @property
    def done(self) -> float:
        """How much of the file has been read, from 0 to 1; 1 where nobody knows how long it is."""
        return min(1.0, self._read / self._size) if self._size else 1.0

    def refused(self, why: str) -> Unreadable:
        """The error that says what is wrong with the file."""
        return Unreadable(f"{quoted(str(self._path))} {why}.")

    def __iter__(self) -> Iterator[bytes]:
        rest: list[bytes] = []
        length = 0
        for chunk in self._unpacked():
            first, *whole = chunk.split(b"\n")
            rest.append(first)
            length += len(first)
            if length > LONGEST:
                raise self.refused(f"is no {self._kind}: a line of it has no end")
            if whole:
                yield b"".join(rest)
                yield from whole[:-1]
                rest, length = [whole[-1]], len(whole[-1])
        if length:
            raise self.refused("was cut off; export it again")

    def _unpacked(self) -> Iterator[bytes]:
        chunk = self._next()
        if not chunk.startswith(_GZIP):
            while chunk:
                yield chunk
                chunk = self._next()
            return
        while chunk:
            # Packed files that were put one after the other are still packed files.
            unpack = zlib.decompressobj(wbits=31)
            while not unpack.eof:
                if not chunk:
                    raise self.refused("was cut off; export it again")
                yield unpack.decompress(chunk, _CHUNK)
                chunk = unpack.unconsumed_tail or unpack.unused_data or self._next()

    def _next(self) -> bytes:
        chunk = self._file.read(_CHUNK)
        self._read += len(chunk)
        return chunk
