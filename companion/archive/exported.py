"""An entry in an exported file: a line with its hash in the chain of its stream.

Separate, as two kinds of files hold such lines: the stories of some decks, and a whole archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

import msgspec

from companion.archive.chain import Chain
from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError

YEARS: Final = range(1970, 3000)
"""In which an entry can have been written down."""

NONSENSE: Final = (ArchiveError, LookupError, ValueError, TypeError, AttributeError, RecursionError)
"""What the entries of a hostile file can provoke while they are added up; each means that they make no sense."""


class EntryLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of an entry."""

    seq: int
    at: datetime
    by: str
    session: str
    kind: str
    body: msgspec.Raw
    hash: str

    def entry(self, stream: str) -> Entry:
        """The entry of `stream` that this line says. A time without a zone is in UTC."""
        at = self.at.astimezone(UTC) if self.at.tzinfo else self.at.replace(tzinfo=UTC)
        return Entry(stream, self.seq, at, self.by, self.kind, bytes(self.body).decode(), self.session)


read = msgspec.json.Decoder(EntryLine).decode
"""Reads one line. Raises MsgspecError for what is none."""


def lines(entries: Iterable[Entry], chain: Chain) -> Iterator[EntryLine]:
    """The lines of a stream's entries, from its first on; `chain` is its chain before that."""
    for entry in entries:
        body = msgspec.Raw(entry.body.encode())
        yield EntryLine(entry.seq, entry.at, entry.by, entry.session, entry.kind, body, chain.add(entry))
