"""Games that were imported, each as it was changed last, and whether the user has removed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import sqlalchemy as sa

from companion.archive.storage.entries import Entry, PlayRemoved
from companion.archive.storage.lists import play_stream
from companion.archive.storage.rows import PlayRow
from companion.archive.storage.schema import plays

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction


_REMOVED: Final = str(PlayRemoved.__struct_config__.tag)


class ImportedPlay(NamedTuple):
    """An imported game: its row as it was changed last, the streams of all its rows, and whether it is removed."""

    row: PlayRow
    streams: tuple[str, ...]
    is_removed: bool

    @property
    def id(self) -> str:
        """The id of the game for people; it stays the same if the other program changes the game."""
        return self.row.source.rpartition(":")[2]


def imported_plays(transaction: Transaction, where: sa.ColumnElement[bool] | None = None) -> Iterator[ImportedPlay]:
    """Yield the imported games. A game is removed if any of its streams ends with a removal."""
    rows_of: dict[str, list[PlayRow]] = {}
    for row in sorted(transaction.rows(PlayRow, where), key=lambda row: (row.changed, bool(row.game), row.play)):
        rows_of.setdefault(row.source, []).append(row)
    for rows in rows_of.values():
        streams = tuple(play_stream(row.play) for row in rows)
        yield ImportedPlay(rows[-1], streams, any(_is_removed(transaction, row) for row in rows))


def removed_sources(transaction: Transaction) -> frozenset[str]:
    """Return the sources of the games that the user has removed."""
    changed = transaction.rows(PlayRow, plays.c.length > 1)
    return frozenset(row.source for row in changed if _is_removed(transaction, row))


def ends_with_removal(entries: Sequence[Entry]) -> bool:
    """Return True if the last of an imported game's entries is a removal."""
    return entries[-1].kind == _REMOVED


def _is_removed(transaction: Transaction, row: PlayRow) -> bool:
    # Only streams of removed games, and of restored ones, are longer than one entry.
    return row.length > 1 and ends_with_removal(transaction.read(play_stream(row.play)))
