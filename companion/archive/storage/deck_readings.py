"""Readings of decks' records, which keep a table from writing to a record that has changed since it was read."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from companion.archive.errors import Conflict
from companion.archive.storage import checksums
from companion.archive.storage.entries import Entry
from companion.archive.storage.lists import deck_stream
from companion.tabletop.records import DeckReading
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

if TYPE_CHECKING:  # it loads the database, which read-only code does not need
    from companion.archive.storage.transaction import Transaction


class DeckMoved(Conflict):
    """The record of a deck has changed since the table that would write to it read it."""


def reading_of(deck: str, entries: Sequence[Entry]) -> DeckReading:
    """Return the reading of a deck's record, from all of its entries."""
    return DeckReading(deck, len(entries), checksums.entry_checksum(entries[-1]))


def check_readings(transaction: Transaction, readings: Collection[DeckReading]) -> None:
    """Raise DeckMoved if the record of one of these decks has grown, or was rewritten, since it was read."""
    for reading in readings:
        if transaction.last_entry(deck_stream(reading.deck)) != (reading.length - 1, reading.checksum):
            raise DeckMoved(
                phrase(
                    "Somebody else wrote into the record of deck {deck} first; nothing was written now. Look at what "
                    "changed there, then seal again.",
                    deck=in_quotes(reading.deck),
                )
            )
