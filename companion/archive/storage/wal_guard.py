"""Recognition of a file's own write-ahead log, by a word that changes with every transaction.

Each transaction stores the previous word and its own. So a log that belongs to a file contains the file's word: as the
one before its first transaction, or as that of one already checkpointed into the file. SQLite itself would replay any
log into any file.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sqlite3
import struct
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from companion.archive.errors import Unreadable
from companion.archive.storage import files
from templates.languages.messages import phrase

if TYPE_CHECKING:
    import sqlalchemy as sa

BEGINS: Final = "lineage:begins"
"""The word before the first transaction; older files have none at all."""

READ_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""Errors of reading a file: if a name in it is damaged, even the driver's own message cannot be decoded."""

MAGIC: Final = b"SQLite format 3\x00"
"""The first bytes of every SQLite file."""

_MARK = b"lineage:"
_WORD = rb"lineage:(?:begins|[0-9a-f]{32})"
_HEADER = 32
_FRAME = 24
_Link = tuple[int, int]
"""The running checksum of a log up to some frame."""
_NO_LINK: Final = (0, 0)
_PAGE_COUNT: Final = slice(28, 32)
"""The bytes of the first page that hold the number of pages."""
_MAGICS = (0x377F0682, 0x377F0683)
_LOOKS = 3
_LOOKS_WHILE_OPEN, _PAUSE = 20, 0.05
_MAX_LOG_BYTES: Final = 64_000_000
"""Maximum bytes of a log that are read while the user waits."""


def new_word() -> str:
    """Return a word that no other transaction has."""
    return f"lineage:{os.urandom(16).hex()}"


class LineageState(NamedTuple):
    """The word of a transaction, and the archive's growth after it."""

    word: str
    growth: int


def write_next_word(connection: sa.Connection) -> LineageState:
    """Store the word of the open transaction, and raise the archive's growth by one."""
    word = new_word()
    update = "UPDATE lineage SET before = now, now = ?, growth = growth + 1 RETURNING growth"
    return LineageState(word, int(connection.exec_driver_sql(update, (word,)).scalar_one()))


def current_state(connection: sa.Connection) -> LineageState:
    """Return the last transaction that an open connection to a file sees."""
    word, growth = connection.exec_driver_sql("SELECT now, growth FROM lineage").one()
    return LineageState(str(word), int(growth))


def log_of(file: Path) -> Path:
    """Return the path of the write-ahead log of a file."""
    return file.with_name(f"{file.name}-wal")


def index_of(file: Path) -> Path:
    """Return the path of the index of a file's write-ahead log, which exists while the file is open."""
    return file.with_name(f"{file.name}-shm")


def holds_pages(log: Path) -> bool:
    """Return True if there is a log with content."""
    try:
        return log.stat().st_size > _HEADER and log.is_file()
    except OSError:
        return False


def check_log(file: Path) -> None:
    """Raise Unreadable if the log beside a file belongs to another."""
    # Another program may be checkpointing the log at this moment, so a mismatch is checked again.
    if all(_is_foreign(file) for _ in range(_LOOKS)):
        raise Unreadable(
            phrase(
                "“{log}” does not belong to “{file}”: the file was replaced, perhaps by a backup, "
                "while the last entries of the previous one were still waiting beside it. Nothing "
                "was changed. To put a backup in place, move both files away and run companion "
                "archive restore BACKUP; to go on with the file as it is, move “{log}” away.",
                log=log_of(file).name,
                file=file,
            )
        )


def owns_log(file: Path, growth: int = 0) -> bool:
    """Return True if a file that is open here still belongs to the log beside it, and was not overwritten in place.

    `growth` is the least growth that the file alone must have: an older copy would belong to the log, too.
    """
    if not file.stat().st_size:
        return False  # SQLite writes the first page before the log exists, and would delete the log on closing
    if log_of(file).stat().st_size > _MAX_LOG_BYTES:
        return True
    for look in range(_LOOKS_WHILE_OPEN):
        # During a checkpoint by another program, a file may be half old and half new.
        if look:
            time.sleep(_PAUSE)
        if word_of(file) is None:
            if look == 1 and _is_half_taken_over(file):
                return True
        elif not _is_foreign(file):
            row = query_alone(file, "SELECT growth FROM lineage")
            if (int(row[0]) if row else 0) >= growth:
                return True
    return False


def _is_half_taken_over(file: Path) -> bool:
    """Return True if a file that cannot be read alone has a word of its log.

    During reads, SQLite checkpoints only pages that have not changed since, and the file is complete only with its log.
    It begins as a database even then, and pages missing at its end are in the log.
    """
    frames, content = list(read_frames(log_of(file))), files.read_bytes(file)
    if not content.startswith(MAGIC) or not frames:
        return False
    later, size = dict(frames), len(frames[0][1])
    first_page = later.get(1, content[:size])
    missing = range(len(content) // size + 1, int.from_bytes(first_page[_PAGE_COUNT]) + 1)
    if not later.keys() >= set(missing):
        return False
    # An older word may also be that of a checkpointed transaction.
    pages = b"".join(page for _, page in frames)
    return any(word in pages for word in re.findall(_WORD, content))


def _is_foreign(file: Path) -> bool:
    if not holds_pages(log_of(file)):
        return False
    word = word_of(file)
    pages = b"".join(page for _, page in read_frames(log_of(file)))
    if _MARK not in pages or word is None or word != word_of(file):
        return False
    return word.encode() not in pages


def word_of(file: Path) -> str | None:
    """Return the word of the last transaction in the file itself; None if the file cannot be read."""
    row = query_alone(file, "SELECT now FROM lineage")
    if row is None:
        return None if query_alone(file, "SELECT count(*) FROM sqlite_master") is None else BEGINS
    return str(row[0]) if row else BEGINS


def word_before(file: Path) -> str:
    """Return the word of the transaction before the last in the file; "" if there is none."""
    row = query_alone(file, "SELECT before FROM lineage")
    return str(row[0]) if row else ""


def query_alone(file: Path, question: str) -> tuple[Any, ...] | None:
    """Return the first row of a query of the file alone, without its log and without a lock; None if that fails."""
    try:
        with contextlib.closing(connect_alone(file)) as opened:
            return opened.execute(question).fetchone() or ()
    except READ_ERRORS:
        return None


def connect_alone(file: Path) -> sqlite3.Connection:
    """Open the file alone, without its log and without a lock: correct only while no process writes to it."""
    return files.connect(f"{files.database_uri(file.resolve())}?mode=ro&immutable=1", uri=True)


def read_frames(log: Path, *, proven: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield the pages in a log up to its last transaction, with their numbers, oldest first.

    `proven` leaves out frames with a wrong checksum, as SQLite does; that takes a tenth of a second for 4 MB.
    """
    # The last program to close the file checkpoints its log and deletes it, at any moment.
    with contextlib.suppress(FileNotFoundError), log.open("rb") as file:
        header = _Header.parse(file.read(_HEADER))
        if header is None:
            return
        waiting: list[tuple[int, bytes]] = []
        for frame in _walk(file, header, header.link, proven=proven):
            waiting.append((frame.number, frame.page))
            if frame.ends_transaction:
                yield from waiting
                waiting.clear()


class LogProof:
    """The verified end of a log, remembered so that only what is new must be verified the next time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._log = log_of(file)
        self._lock = threading.Lock()
        self._header = b""
        self._end = _HEADER
        self._link = _NO_LINK
        self._checksum = 0
        self._kept: tuple[LineageState, int, int] | None = None

    def has_kept(self, last: LineageState) -> bool:
        """Return True if the next program will find a transaction.

        It must be in the log, with everything before it intact, or in the file alone.
        """
        try:
            status = self._log.stat()
            now = last, status.st_size, status.st_mtime_ns
        except OSError:
            now = None
        if now is not None and now == self._kept:
            return True
        is_found = self._is_found(last)
        self._kept = now if is_found else None
        return is_found

    def _is_found(self, last: LineageState) -> bool:
        for look in range(_LOOKS_WHILE_OPEN):
            if look:
                # During a checkpoint by another program, a file may be half old and half new.
                time.sleep(_PAUSE)
            if self.is_in_log(last.word):
                return True
            row = query_alone(self._file, "SELECT growth FROM lineage")
            if row and int(row[0]) >= last.growth:
                return True
            if look == 1 and row is None and _is_half_taken_over(self._file):
                return True
        return False

    def is_in_log(self, word: str) -> bool:
        """Return True if a transaction's word is in the log, with everything before it intact."""
        with self._lock, contextlib.suppress(FileNotFoundError):
            if self._log.stat().st_size > _MAX_LOG_BYTES:
                return True
            # Read at once: each system call lets another thread take the interpreter for milliseconds.
            return any(word.encode() in part for part in self._find_proven(self._log.read_bytes()))
        return False

    def _find_proven(self, content: bytes) -> tuple[bytes, bytes]:
        """Return the intact part of a log: the newly verified one, and the one verified before.

        If the one verified before has changed, everything is verified again.
        """
        header = _Header.parse(content[:_HEADER])
        if header is None:
            return b"", b""
        before = content[: self._end]
        if content[:_HEADER] != self._header or zlib.crc32(before) != self._checksum:
            before = content[:_HEADER]
            self._header, self._link, self._checksum = before, header.link, zlib.crc32(before)
        self._end = len(before)
        log = io.BytesIO(content)
        log.seek(self._end)
        for frame in _walk(log, header, self._link, proven=True):
            if frame.ends_transaction:
                self._end, self._link = log.tell(), frame.link
        new = content[len(before) : self._end]
        self._checksum = zlib.crc32(new, self._checksum)
        return new, before


class _Header(NamedTuple):
    """The header of a log.

    `order` is the byte order of its checksums, `size` its page size, `salts` are those of its frames, and `link` is the
    checksum with which theirs continue.
    """

    order: str
    size: int
    salts: bytes
    link: _Link

    @classmethod
    def parse(cls, header: bytes) -> _Header | None:
        if len(header) < _HEADER or int.from_bytes(header[:4]) not in _MAGICS:
            return None
        order = ">" if header[3] & 1 else "<"
        link = _running_checksum(order, header[:24], _NO_LINK)
        if link != struct.unpack(">2I", header[24:]):
            return None
        return cls(order, int.from_bytes(header[8:12]), header[16:24], link)


class _WalFrame(NamedTuple):
    number: int
    page: bytes
    ends_transaction: bool
    link: _Link


def _walk(file: BinaryIO, header: _Header, link: _Link, *, proven: bool) -> Iterator[_WalFrame]:
    """Yield the frames of a log from the position of `file`, up to which the checksum is `link`."""
    while len(head := file.read(_FRAME)) == _FRAME and head[8:16] == header.salts:
        page = file.read(header.size)
        if len(page) < header.size:
            return
        if proven:
            link = _running_checksum(header.order, head[:8] + page, link)
            if link != struct.unpack(">2I", head[16:]):
                return
        yield _WalFrame(int.from_bytes(head[:4]), page, any(head[4:8]), link)


def _running_checksum(order: str, data: bytes, before: _Link) -> _Link:
    """Compute SQLite's own running checksum of a log."""
    first, second = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 8 * 8])
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return first, second
