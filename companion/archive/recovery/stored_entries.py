"""Entries as they are stored, read from the pages of a file without the database."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from companion.archive.recovery.sqlite_pages import FilePages, Record
from companion.archive.storage import checksums
from companion.archive.storage.checksums import StoredEntry, is_intact

_COLUMNS_EVER: Final = (6, 8)
"""The numbers of an entry's columns: in the first schema, and with its session and its checksum."""


def read_entries(pages: FilePages) -> Iterator[StoredEntry]:
    """Yield everything on the pages of a file that may be an entry."""
    for record in pages.records(*_COLUMNS_EVER):
        stored = read_entry(record)
        if stored is not None:
            yield stored


def read_entry(record: Record) -> StoredEntry | None:
    """Return a row as an entry of today, or None. An entry older than checksums is intact if its body is JSON."""
    stream, seq, *texts = record
    if len(record) == _COLUMNS_EVER[1]:
        return cast("StoredEntry", record)
    whole = (stream, seq, *texts, *([b""] if len(texts) == 4 else []))
    try:
        msgspec.json.decode(cast("bytes", texts[3]))
        return cast("StoredEntry", (*whole, checksums.of_parts(*cast("Any", whole))))
    except (msgspec.MsgspecError, TypeError, ValueError):
        return None


def holds_entries(file: Path) -> bool:
    """Return True if any page of a file, or of its log, has an entry: it is an archive, or was one."""
    with contextlib.suppress(OSError):
        return any(map(is_intact, read_entries(FilePages(file))))
    return False
