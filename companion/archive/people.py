"""What the archive knows of a wizard: the purse with every Copper's reason, and the decks held.

Separate because it reads across streams, which nothing else that the archive answers does.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import msgspec

from companion.archive import lists
from companion.archive.archive import Archive
from companion.archive.entries import Coppers
from companion.archive.errors import Unknown, quoted
from companion.archive.lists import WizardRow, deck_stream, fold, wizard_stream


class Copper(NamedTuple):
    """One change of a purse: by how many Coppers, to how many, why, and in which sitting ("" for none)."""

    at: datetime
    change: int
    purse: int
    why: str
    session: str


class Held(NamedTuple):
    """A deck that somebody held: whether they hold it now, and whether it retired with them."""

    deck: str
    game: str
    name: str
    now: bool
    retired: bool


class Purse(msgspec.Struct, frozen=True):
    """A wizard's record. The ledger is oldest first."""

    name: str
    purse: int
    ledger: tuple[Copper, ...]
    held: tuple[Held, ...]


def wizard(archive: Archive, name: str) -> Purse:
    """The record of whoever is called so, in any case. Raises Unknown where nobody ever had a purse or a deck."""
    entries = archive.entries(wizard_stream(name))
    held = tuple(_held(archive, name))
    if not entries and not held:
        raise Unknown(f"Nobody is called {quoted(name)} here; companion wizard list shows all.")
    ledger: list[Copper] = []
    purse = 0
    for entry in entries:
        coppers = entry.read(Coppers)
        purse += coppers.change
        ledger.append(Copper(entry.at, coppers.change, purse, coppers.why, entry.session))
    called = entries[0].read(Coppers).wizard if entries else name
    return Purse(called, purse, tuple(ledger), held)


def wizards(archive: Archive) -> tuple[WizardRow, ...]:
    """Everybody who has a purse or holds a deck, by name."""
    rows = {row.wizard: row for row in archive.wizards()}
    for deck in archive.decks():
        if deck.holder:
            key = fold(deck.holder)
            rows.setdefault(key, WizardRow(key, deck.holder, 0, 0))
    return tuple(rows[key] for key in sorted(rows))


def _held(archive: Archive, name: str) -> list[Held]:
    """The decks that somebody held, by name. Only decks whose entries name them are read."""
    with archive.store.reading() as transaction:
        named = set(transaction.streams_naming("deck", name))
        rows = [row for row in archive.decks() if deck_stream(row.deck) in named]
        records = [(row, lists.record_of(transaction.read(deck_stream(row.deck)))) for row in rows]
    return [
        Held(row.deck, row.game, row.name, fold(record.holder) == fold(name), record.retired)
        for row, record in records
        if fold(name) in map(fold, (*record.holders, record.holder))
    ]
