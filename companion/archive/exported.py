"""An entry in an exported file: a line with its hash in the chain of its stream.

Separate, as two kinds of files hold such lines: the stories of some decks, and a whole archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from companion.archive.chain import Chain
from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError, Unreadable
from companion.tabletop.text import LONGEST_LINE, LONGEST_NAME, quoted

YEARS: Final = range(1970, 3000)
"""In which an entry can have been written down."""

MOST_BYTES: Final = 60_000_000
"""Of one deck's story, which is held whole while it is read: a quarter of a million entries."""
TOO_LONG: Final = f"tells more than {MOST_BYTES // 1_000_000} MB of"
"""What is said of a file before the name of a deck whose story is longer."""
_NAMES: Final = frozenset({"name", "wizard", "builder", "holder", "by", "title", "player", "person", "tags", "off"})
"""The keys in a body under which a name stands."""
_LONGEST_KEY: Final = 2 * LONGEST_NAME
"""Of a stream, which may have a name in it, folded."""

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
        """The entry of `stream` that this line says. A time without a zone is in UTC.

        Raises Unreadable where a name or a text is longer than anybody can type.
        """
        self._check_lengths(stream)
        at = self.at.astimezone(UTC) if self.at.tzinfo else self.at.replace(tzinfo=UTC)
        return Entry(stream, self.seq, at, self.by, self.kind, bytes(self.body).decode(), self.session)

    def _check_lengths(self, stream: str) -> None:
        long = [text for text in (stream, self.by, self.session, self.kind) if len(text) > _LONGEST_KEY]
        if len(self.body) > LONGEST_NAME:
            long += _long_texts(msgspec.json.decode(self.body))
        for text in long:
            raise Unreadable(
                f"The file holds a text of {len(text):,} symbols in entry {self.seq} of {quoted(stream)}: "
                f"{quoted(text)}. A name has at most {LONGEST_NAME:,}, a line {LONGEST_LINE:,}."
            )


def _long_texts(body: Any, key: str = "") -> Iterator[str]:
    """The texts in a body that are longer than they could be typed; `key` is what the body stands under."""
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


read = msgspec.json.Decoder(EntryLine).decode
"""Reads one line. Raises MsgspecError for what is none."""


def lines(entries: Iterable[Entry], chain: Chain) -> Iterator[EntryLine]:
    """The lines of a stream's entries, from its first on; `chain` is its chain before that."""
    for entry in entries:
        body = msgspec.Raw(entry.body.encode())
        yield EntryLine(entry.seq, entry.at, entry.by, entry.session, entry.kind, body, chain.add(entry))
