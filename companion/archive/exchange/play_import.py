"""Storage of finished games that another program, or a list of scores, has recorded.

Each is a stream whose key is a digest of all that is known of the play, and whose first entry has the author and date
of the other program. So the same file makes the same streams in every archive: importing it again changes nothing, and
archives that have both imported it can be joined.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive.archive import Archive
from companion.archive.exchange.import_log import ImportRecord
from companion.archive.storage.entries import Entry, PlayKept, draft
from companion.archive.storage.lists import play_stream, row_of
from companion.archive.storage.plays import removed_sources
from companion.archive.storage.results import key_of_play, relist
from companion.archive.storage.rows import PlayRow

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

_KEY_BYTES: Final = 8


class SortedPlays(NamedTuple):
    """Plays that an import stores for the first time, or again because they were changed, and the numbers of others:
    those that are stored already, and those that the user has removed, which stay removed.
    """

    new: tuple[PlayKept, ...]
    changed: tuple[PlayKept, ...]
    stored: int
    removed: int = 0


def source_of(program: str, key: str) -> str:
    """Return what identifies a play of a program, by its key there."""
    return f"{program}:{_digest(key.encode())}"


def sort_plays(archive: Archive, plays: Iterable[PlayKept]) -> SortedPlays:
    """Compare plays with those that are stored. Of several with the same source, the one changed last counts."""
    with archive.store.reading() as transaction:
        return _sort(transaction, plays)


def import_plays(archive: Archive, plays: Iterable[PlayKept], program: str, file: str) -> SortedPlays:
    """Store plays that are new or were changed, all in one transaction, and return what was stored.

    `program` is their author. `companion.archive.exchange.import_log.undo_import` undoes it.
    """
    with archive.store.writing() as transaction:
        sorted_plays = _sort(transaction, plays)
        stored = (*sorted_plays.new, *sorted_plays.changed)
        if not stored:
            return sorted_plays
        record = ImportRecord(transaction, archive, file)
        entries = [_entry_of(play, program) for play in stored]
        transaction.write(entries)
        for entry in entries:
            record.add(0, entry)
        record.close()
        transaction.put_new(row_of(entry.stream, [entry]) for entry in entries)
        relist(transaction, [key_of_play(play.source) for play in stored])
        return sorted_plays


def _sort(transaction: Transaction, plays: Iterable[PlayKept]) -> SortedPlays:
    newest: dict[str, PlayKept] = {}
    for play in sorted(plays, key=lambda play: play.changed):
        newest[play.source] = play
    by_source: dict[str, list[PlayRow]] = {}
    for row in transaction.rows(PlayRow):
        by_source.setdefault(row.source, []).append(row)
    new, changed, removed = [], [], removed_sources(transaction)
    for play in newest.values():
        rows = by_source.get(play.source, [])
        if play.source in removed:
            continue
        if not rows:
            new.append(play)
        elif not _is_known(play, rows):
            changed.append(play)
    gone = len(removed & newest.keys())
    return SortedPlays(tuple(new), tuple(changed), len(newest) - len(new) - len(changed) - gone, gone)


def _is_known(play: PlayKept, rows: Sequence[PlayRow]) -> bool:
    """Return True if a play is stored as it is, or as it was changed later."""
    key = _key_of(play)
    return any(row.play == key or row.changed > play.changed for row in rows)


def _key_of(play: PlayKept) -> str:
    return _digest(draft(play).body.encode())


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=_KEY_BYTES).hexdigest()


def _entry_of(play: PlayKept, program: str) -> Entry:
    new = draft(play)
    return Entry(play_stream(_key_of(play)), 0, play.changed, program, new.kind, new.body)
