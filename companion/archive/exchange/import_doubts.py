"""Doubts about a file from another archive, to be confirmed by the user before the import.

A hash proves that a file is as its author wrote it, not who wrote it, nor that any of it happened. So before an import
the file is searched for figures that no rule produces, for dates in the future, and for stories of this archive that
went on elsewhere. None of these is refused here: the user decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.exchange import export_format
from companion.archive.storage.lists import deck_stream, fold
from companion.archive.storage.rows import DeckRow
from companion.archive.storage.transaction import Transaction
from companion.tabletop.notation.arguments import MAX_VALUE
from companion.tabletop.text import in_quotes, quote_text, visible_form
from templates.languages.dates import numeric_date
from templates.languages.messages import Message, listed, phrase, phrases

_MAX_CLOCK_ERROR: Final = timedelta(days=1)
"""Tolerance for another computer's clock."""
_MAX_SENTENCES: Final = 5
_LARGE: Final = re.compile(rb"[0-9]{10}|[0-9][eE]")
"""A body without these has no figure that is too large."""
_LINE: Final = b'{"seq":'
_NO_FIGURES: Final = frozenset({"seed", "read"})
"""The names of numbers that count nothing: random seeds, and how far a deck's record was read, with its checksum."""


class _Head(msgspec.Struct, frozen=True):
    """The line before a stream's entries: a deck's in a file of decks, any stream's in a file of a whole archive."""

    entries: int = 0
    deck: str = ""
    game: str = ""
    name: str = ""
    stream: str = ""

    @property
    def key(self) -> str:
        return self.stream or deck_stream(self.deck)

    @property
    def title(self) -> Message:
        return in_quotes(self.name or self.stream)


class _Continuation:
    """The continuation of one of our stories in a file: its number of entries, their authors, and the first date."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.count = 0
        self.by: dict[str, None] = {}
        self.since: datetime | None = None

    def add(self, line: export_format.EntryLine) -> None:
        """Count an entry that is not here."""
        self.count += 1
        if line.by and len(self.by) < _MAX_SENTENCES:
            self.by[quote_text(line.by)[1:-1]] = None
        at = line.at if line.at.tzinfo else line.at.replace(tzinfo=UTC)
        self.since = min(self.since or at, at)


_heads = msgspec.json.Decoder(_Head)


class Doubt(NamedTuple):
    """A sentence to confirm before an import.

    `odd` if no honest file contains such a thing; `name_taken` if a deck's name is in use here (V1.15), so that the
    deck is refused whatever the user answers.
    """

    text: Message
    odd: bool
    name_taken: bool = False


def find_doubts(archive: Archive, path: Path) -> tuple[Doubt, ...]:
    """Return one sentence for each doubt about a file of decks or of a whole archive.

    Unreadable files have none: the import itself reports what is wrong. Raises OSError.
    """
    with archive.store.reading() as transaction:
        search = _DoubtSearch(transaction)
        try:
            with export_format.Lines.open(path, phrase("file")) as lines:
                search.read(iter(lines))
        except ArchiveError:
            return ()
        return tuple(search.doubts())


class _DoubtSearch:
    """A search for doubts in a file, line by line."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._latest = datetime.now(UTC) + _MAX_CLOCK_ERROR
        self._veiled: dict[str, list[DeckRow]] = {}
        for row in transaction.decks_with_invisible():
            self._veiled.setdefault(visible_form(row.name), []).append(row)
        self._odd: list[Doubt] = []
        self._more = 0
        self._more_taken = False
        self._continued: list[tuple[Message, _Continuation]] = []

    def read(self, rows: Iterator[bytes]) -> None:
        """Search the lines of a file, as far as they have the format."""
        head, continuation, before = _Head(), None, b""
        for row in rows:
            if not row.startswith(_LINE):
                head, before = _heads.decode(row), b""
                length = self._transaction.length(head.key) if head.entries else 0
                continuation = _Continuation(length) if 0 < length < head.entries else None
                if head.deck and not length and (games := self._games_of_alike(head.name)):
                    sentence = phrase(
                        "{deck} looks like a deck that is here; their names differ only in what nobody can see.",
                        deck=head.title,
                    )
                    self._note(sentence, name_taken=head.game in games)
                continue
            line = export_format.decode_line(row)
            self._look(head, line)
            if continuation is not None and line.seq >= continuation.length:
                if not continuation.count and not self._follows(head, before):
                    # Both sides went on, or our story began with a passport: that is reported when they are joined.
                    continuation = None
                else:
                    self._add(head, continuation, line)
            before = row

    def _games_of_alike(self, name: str) -> set[str]:
        """Return the games of decks here whose names look the same; the exact same name is refused by the import."""
        form = visible_form(name)
        plain = self._transaction.decks_named([form]) if form != fold(name) else ()
        return {row.game for row in (*plain, *self._veiled.get(form, ()))}

    def _follows(self, head: _Head, before: bytes) -> bool:
        """Return True if our last entry equals that of a line in the file."""
        ours = self._transaction.read(head.key, self._transaction.length(head.key) - 1)
        return bool(before) and ours[-1] == export_format.decode_line(before).entry(head.key)

    def _add(self, head: _Head, continuation: _Continuation, line: export_format.EntryLine) -> None:
        if not continuation.count:
            self._continued.append((head.title, continuation))
        continuation.add(line)

    def _look(self, head: _Head, line: export_format.EntryLine) -> None:
        if (line.at if line.at.tzinfo else line.at.replace(tzinfo=UTC)) > self._latest:
            self._note(
                phrase(
                    "Entry {seq} of {story} is dated {date}, which is in the future.",
                    seq=str(line.seq),
                    story=head.title,
                    date=numeric_date(line.at),
                )
            )
        if _LARGE.search(bytes(line.body)):
            for what, figure in _large_figures(msgspec.json.decode(line.body)):
                self._note(
                    phrase(
                        "Entry {seq} of {story} says that {what} is {figure}, which no rule allows.",
                        seq=str(line.seq),
                        story=head.title,
                        what=in_quotes(what),
                        figure=f"{figure:.3g}",
                    )
                )

    def _note(self, sentence: Message, *, name_taken: bool = False) -> None:
        if len(self._odd) < _MAX_SENTENCES:
            self._odd.append(Doubt(sentence, odd=True, name_taken=name_taken))
        else:
            self._more += 1
            self._more_taken |= name_taken

    def doubts(self) -> Iterator[Doubt]:
        """Yield a sentence for each doubt, the odd ones first."""
        yield from self._odd
        if self._more:
            yield Doubt(
                phrases("And {n} more of that kind.", "And {n} more of that kind.", n=self._more),
                odd=True,
                name_taken=self._more_taken,
            )
        for title, continuation in self._continued[:_MAX_SENTENCES]:
            yield Doubt(_describe_continuation(title, continuation), odd=False)
        if rest := self._continued[_MAX_SENTENCES:]:
            count = sum(continuation.count for _, continuation in rest)
            sentence = phrases(
                "{n} more continued in another home: {count} entries.",
                "{n} more continued in another home: {count} entries.",
                n=len(rest),
                count=count,
            )
            yield Doubt(sentence, odd=False)


def _describe_continuation(story: Message, continuation: _Continuation) -> Message:
    assert continuation.since is not None
    since = numeric_date(continuation.since)
    if not continuation.by:
        return phrases(
            "{story} continued in another home: {n} entry since {date}.",
            "{story} continued in another home: {n} entries since {date}.",
            n=continuation.count,
            story=story,
            date=since,
        )
    return phrases(
        "{story} continued in another home: {n} entry by {people} since {date}.",
        "{story} continued in another home: {n} entries by {people} since {date}.",
        n=continuation.count,
        story=story,
        people=listed(continuation.by),
        date=since,
    )


def _large_figures(body: Any, what: str = "") -> Iterator[tuple[str, float]]:
    """Yield the figures in an entry that are larger than any that can be entered, each with its name there."""
    parts: Iterable[tuple[str, Any]] = ()
    if isinstance(body, dict):
        parts = ((key, part) for key, part in body.items() if key not in _NO_FIGURES)
    elif isinstance(body, list):
        parts = ((what, part) for part in body)
    for key, part in parts:
        if isinstance(part, int | float) and abs(part) > MAX_VALUE:
            yield key, part
        else:
            yield from _large_figures(part, key)
