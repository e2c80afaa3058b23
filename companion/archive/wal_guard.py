"""By what a file and the write-ahead log beside it know each other: a word that changes with every transaction.

Each transaction writes down the word before and its own. So a log that belongs to a file holds the file's word: as the
one before its first transaction, or as that of one that was taken over into the file already. SQLite itself would play
any log into any file.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.archive import files
from companion.archive.errors import Unreadable

if TYPE_CHECKING:
    import sqlalchemy as sa

BEGINS: Final = "lineage:begins"
"""The word before the first; older files have none at all."""

READ_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading a file can raise: where a name in it is damaged, even the driver's own words cannot be read."""

_MARK = b"lineage:"
_WORD = rb"lineage:(?:begins|[0-9a-f]{32})"
_HEADER = 32
_FRAME = 24
_MAGICS = (0x377F0682, 0x377F0683)
_LOOKS = 3
_LOOKS_WHILE_OPEN, _PAUSE = 20, 0.05
_MAX_LOG_BYTES: Final = 64_000_000
"""Bytes of a log that are read while somebody waits."""


def new_word() -> str:
    """A word that no other transaction has."""
    # It loads ssl, which who only reads need not wait for.
    import secrets

    return f"lineage:{secrets.token_hex(16)}"


def write_next_word(connection: sa.Connection) -> None:
    """Writes down the word of the transaction that is open, and that the archive has grown by one."""
    connection.exec_driver_sql("UPDATE lineage SET before = now, now = ?, growth = growth + 1", (new_word(),))


def log_of(file: Path) -> Path:
    """Where the write-ahead log of a file is."""
    return file.with_name(f"{file.name}-wal")


def index_of(file: Path) -> Path:
    """Where the index of a file's write-ahead log is, while somebody has the file open."""
    return file.with_name(f"{file.name}-shm")


def holds_pages(log: Path) -> bool:
    """Whether there is a log with anything in it."""
    try:
        return log.stat().st_size > _HEADER and log.is_file()
    except OSError:
        return False


def check_log(file: Path) -> None:
    """Raises Unreadable if the log beside a file is that of another."""
    # Others may be taking the log over into the file at this moment, so a suspicion is looked at again.
    if all(_is_foreign(file) for _ in range(_LOOKS)):
        raise Unreadable(
            f"“{log_of(file).name}” does not belong to “{file}”: the file was replaced, by a backup perhaps, while the "
            "last entries of the one before still waited beside it. Nothing was changed. To put a backup in place, "
            "move both files away and say companion archive restore BACKUP; to go on with the file as it is, move "
            f"“{log_of(file).name}” away."
        )


def owns_log(file: Path, growth: int = 0) -> bool:
    """Whether a file that is open here still belongs to the log beside it, and was not overwritten in its place.

    `growth` is how far the file alone had grown before: an older copy belongs to the log, too.
    """
    if not file.stat().st_size:
        return False  # SQLite writes the first page before there is a log, and at the end it would delete the log
    if log_of(file).stat().st_size > _MAX_LOG_BYTES:
        return True
    for look in range(_LOOKS_WHILE_OPEN):
        # While another program takes its log over, a file may be half of before and half of now.
        time.sleep(_PAUSE if look else 0)
        if word_of(file) is None:
            if look == 1 and _is_half_taken_over(file):
                return True
        elif not _is_foreign(file):
            row = query_alone(file, "SELECT growth FROM lineage")
            if (int(row[0]) if row else 0) >= growth:
                return True
    return False


def _is_half_taken_over(file: Path) -> bool:
    """Whether a file that cannot be read alone has a word of its log: where somebody reads, SQLite takes over only
    those pages that were not changed since, and the file is whole only with its log.
    """
    pages = b"".join(page for _, page in read_frames(log_of(file)))
    return any(word in pages for word in re.findall(_WORD, files.read_bytes(file)))


def _is_foreign(file: Path) -> bool:
    if not holds_pages(log_of(file)):
        return False
    word = word_of(file)
    pages = b"".join(page for _, page in read_frames(log_of(file)))
    if _MARK not in pages or word is None or word != word_of(file):
        return False
    return word.encode() not in pages


def word_of(file: Path) -> str | None:
    """The word of the last transaction that is in the file itself; None where the file cannot be read."""
    row = query_alone(file, "SELECT now FROM lineage")
    if row is None:
        return None if query_alone(file, "SELECT count(*) FROM sqlite_master") is None else BEGINS
    return str(row[0]) if row else BEGINS


def word_before(file: Path) -> str:
    """The word of the transaction before the last in the file; "" where there is none."""
    row = query_alone(file, "SELECT before FROM lineage")
    return str(row[0]) if row else ""


def query_alone(file: Path, question: str) -> tuple[Any, ...] | None:
    """The first row of an answer from the file alone, without its log and without a lock; None if it cannot tell."""
    try:
        with contextlib.closing(connect_alone(file)) as opened:
            return opened.execute(question).fetchone() or ()
    except READ_ERRORS:
        return None


def connect_alone(file: Path) -> sqlite3.Connection:
    """Reads the file alone, without its log and without a lock: as it is where nobody writes to it."""
    return files.connect(f"{files.database_uri(file.resolve())}?mode=ro&immutable=1", uri=True)


def read_frames(log: Path, *, proven: bool = False) -> Iterator[tuple[int, bytes]]:
    """The pages in a log up to its last transaction, with their numbers, oldest first.

    `proven` leaves out what was not written to its end, as SQLite does; that takes a tenth of a second for 4 MB.
    """
    # Whoever closes the file last takes its log over and deletes it, at any moment.
    with contextlib.suppress(FileNotFoundError), log.open("rb") as file:
        header = file.read(_HEADER)
        if len(header) < _HEADER or int.from_bytes(header[:4]) not in _MAGICS:
            return
        order = ">" if header[3] & 1 else "<"
        size, salts, link = int.from_bytes(header[8:12]), header[16:24], _running_checksum(order, header[:24], (0, 0))
        waiting: list[tuple[int, bytes]] = []
        while len(head := file.read(_FRAME)) == _FRAME and head[8:16] == salts:
            page = file.read(size)
            if proven:
                link = _running_checksum(order, head[:8] + page, link)
            if len(page) < size or (proven and link != struct.unpack(">2I", head[16:])):
                return
            waiting.append((int.from_bytes(head[:4]), page))
            if int.from_bytes(head[4:8]):
                yield from waiting
                waiting.clear()


def _running_checksum(order: str, data: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """SQLite's own running checksum of a log."""
    first, second = before
    words = struct.unpack(f"{order}{len(data) // 4}I", data[: len(data) // 8 * 8])
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = first + one + second & 0xFFFFFFFF
        second = second + other + first & 0xFFFFFFFF
    return first, second
