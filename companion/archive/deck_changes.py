"""Changes of a deck's record since a table read it: written by another table, by hand, or by an import."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive.storage.deck_readings import reading_of
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream, record_of
from companion.archive.storage.lookup import StoryLine, no_deck, tell_story
from companion.tabletop.records import GENERAL_MARKS, Corrected, DeckReading, Record

if TYPE_CHECKING:  # it loads the database, which read-only code does not need
    from companion.archive.archive import Archive

_SILENT: Final = frozenset(str(kind.__struct_config__.tag) for kind in GENERAL_MARKS if kind is not Corrected)
"""Kinds of marks that do not change what the deck is."""
_FOUNDED: Final = 2
"""The entries that every deck has: its opening, and its first mark."""


class DeckChange(NamedTuple):
    """The changes of a deck's record. `reading` is the present one, and `lines` are the sentences written since.

    `is_rewritten`: the entries that were read then are not there any more. `holder` is the present holder if the deck
    changed hands; "" if it did not, or if the holder is unknown.
    """

    reading: DeckReading
    name: str
    lines: tuple[StoryLine, ...] = ()
    is_rewritten: bool = False
    holder: str = ""


def read_record(archive: Archive, deck: str) -> tuple[Record, DeckReading]:
    """Return a deck as it is today, and the reading of its record. Raises Unknown."""
    entries = archive.entries(deck_stream(deck))
    if not entries:
        raise no_deck(deck)
    return record_of(entries), reading_of(deck, entries)


def find_change(archive: Archive, deck: str, since: DeckReading | datetime) -> DeckChange | None:
    """Return the changes of a deck's record since it was read; for lines of older versions only the time is known.

    None if nothing was written that changes what the deck is; tags and ticks do not. Raises Unknown.
    """
    stream = deck_stream(deck)
    with archive.store.reading() as transaction:
        if isinstance(since, DeckReading) and transaction.last_entry(stream) == (since.length - 1, since.checksum):
            return None
        entries = transaction.read(stream)
    if not entries:
        raise no_deck(deck)
    before = entries[: _length_then(deck, entries, since)]
    now, reading = record_of(entries), reading_of(deck, entries)
    if not before:
        return DeckChange(reading, now.name, is_rewritten=True)
    then = record_of(before)
    if then == now:
        return None
    lines = (line for line in tell_story(entries) if line.number >= len(before) and line.kind not in _SILENT)
    is_moved = (then.holder, then.person) != (now.holder, now.person)
    return DeckChange(reading, now.name, tuple(lines), holder=now.holder if is_moved else "")


def _length_then(deck: str, entries: Sequence[Entry], since: DeckReading | datetime) -> int:
    """Return how many of the entries that a table has read are still the first ones; 0 if they were replaced."""
    if isinstance(since, DeckReading):
        read = entries[: since.length]
        return len(read) if read and reading_of(deck, read) == since else 0
    earlier = takewhile(lambda entry: entry.at.replace(microsecond=0) <= since, entries)
    return max(_FOUNDED, sum(1 for _ in earlier))
