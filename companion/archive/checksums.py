"""The checksum that stands beside each entry, by which damage to what was written is noticed.

Separate because the store writes it, the check and the repair ask for it, and a migration gave one to what was there.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from companion.archive.entries import Entry

_BETWEEN = b"\x1f"


def of(entry: Entry) -> int:
    """The checksum of an entry."""
    stream, at, by, kind = entry.stream.encode(), moment(entry.at), entry.by.encode(), entry.kind.encode()
    return of_parts(stream, entry.seq, at, by, kind, entry.body.encode(), entry.session.encode())


def of_parts(stream: bytes, seq: int, at: bytes, by: bytes, kind: bytes, body: bytes, session: bytes) -> int:
    """The checksum of an entry as it is stored: texts in UTF-8, the moment as `moment` writes it."""
    return crc32(_BETWEEN.join((stream, b"%d" % seq, at, by, kind, session, body)))


def of_row(values: Iterable[Any]) -> int:
    """The checksum of a list's row: of what its columns hold, in their order. It is never 0, which stands for none."""
    return crc32(_BETWEEN.join(map(_as_bytes, values))) or 1


def _as_bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, datetime):
        return moment(value)
    return (repr(int(value)) if isinstance(value, bool) else value if isinstance(value, str) else repr(value)).encode()


def moment(at: datetime) -> bytes:
    """A moment as a file stores it: in UTC, to the microsecond."""
    # Without the zone, which is +00:00.
    return (at if at.tzinfo is UTC else at.astimezone(UTC)).isoformat(" ", "microseconds")[:26].encode()
