"""Export of what changed in an archive since the last export, in batches for the shared folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import sqlalchemy as sa

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.people import people
from companion.archive.sharing import batches
from companion.archive.sharing.batches import BatchHead, StoryPart
from companion.archive.sharing.local_state import LocalState, WrittenStory
from companion.archive.sharing.shared_folder import SharedFolder
from companion.archive.storage import wal_guard
from companion.archive.storage.lists import LISTS, person_stream
from companion.archive.storage.rows import PersonRow
from companion.archive.storage.transaction import TABLES

if TYPE_CHECKING:
    from companion.archive.storage.transaction import Transaction

_OVERHEAD: Final = 200
"""The bytes of a line beside its body, about."""


class _Changed(NamedTuple):
    """A part that is to be written, and its stream as it is then; `part` is None if only its row changed."""

    stream: str
    part: StoryPart | None
    written: WrittenStory


def write_as_another_device(archive: Archive, state: LocalState, folder: SharedFolder) -> None:
    """Write everything under another name as a device. Raises OSError, ArchiveError."""
    state.begin_anew()
    state.become_another_device()
    _write(archive, state, folder)


def write_changes(archive: Archive, state: LocalState, folder: SharedFolder) -> None:
    """Write what changed since the last export. Raises OSError, ArchiveError."""
    if not folder.are_ours_whole(state):
        state.begin_anew()
    _write(archive, state, folder)


def _write(archive: Archive, state: LocalState, folder: SharedFolder) -> None:
    """Write what changed, and delete the files of an older export when all of it is in the new one."""
    with archive.store.reading() as transaction:
        if _has_forgotten(transaction, state.read_stories()):
            # The name stands in the files until now, which are replaced.
            state.begin_anew()
        # Not its growth alone, which may be the same after a backup was put back.
        growth = " ".join(map(str, wal_guard.current_state(transaction.connection)))
        if growth == state.get("growth"):
            folder.remove_old_files(state)
            return
        before = state.read_stories()
        lost = dict.fromkeys(before, True)
        for lot in _lots(_changes(transaction, before, lost)):
            parts = [change.part for change in lot if change.part is not None]
            if parts:
                number = state.number + 1
                head = BatchHead("shared", 1, state.writer, state.get("device"), archive.by, state.export, number)
                folder.append(state, batches.pack_batch(head, parts), archive.by)
                state.raise_number(number)
            for change in lot:
                state.put_written(change.stream, change.written)
        state.set("growth", growth)
    folder.remove_old_files(state)
    if any(lost.values()):
        # The archive went back to a backup, or an import was undone: what the others have is read once more.
        state.forget_written(stream for stream, is_lost in lost.items() if is_lost)
        state.forget_read()


def _has_forgotten(transaction: Transaction, before: Mapping[str, WrittenStory]) -> bool:
    """Return True if anybody was forgotten whose name was written."""
    for row in transaction.rows(PersonRow):
        stream = person_stream(row.person)
        written = before.get(stream)
        if written is not None and row.name == people.nameless(row.person):
            entries = transaction.read(stream)[: written.length]
            if batches.part_of(stream, entries).hashes[-1] != written.hash:
                return True
    return False


def _changes(transaction: Transaction, before: Mapping[str, WrittenStory], lost: dict[str, bool]) -> Iterator[_Changed]:
    """Yield the parts that are new, stream by stream; pages come first, because what follows is read by them.

    In `lost` only those streams stay True of which the archive has less than was written.
    """
    for kind, row_type in LISTS.items():
        table = TABLES[row_type]
        key = next(iter(table.primary_key))
        for name, length, row in transaction.connection.execute(
            sa.select(key, table.c.length, table.c.checksum).order_by(key)
        ).all():
            stream = f"{kind}:{name}"
            written = before.get(stream)
            lost[stream] = written is not None and length < written.length
            if written is None or (written.length, written.row) != (length, row):
                yield from _parts(transaction, stream, row, written)


def _parts(transaction: Transaction, stream: str, row: int, written: WrittenStory | None) -> Iterator[_Changed]:
    """Yield a stream's new part, in pieces if it is long; all of it if what was written is not its beginning."""
    try:
        entries = transaction.read_whole(stream)
    except ArchiveError:
        return  # a damaged story is repaired here first, and never given away
    if not entries:
        return
    whole = batches.part_of(stream, entries)
    first = 0
    if written is not None and 0 < written.length <= len(entries) and whole.hashes[written.length - 1] == written.hash:
        first = written.length
    if first == len(entries):
        yield _Changed(stream, None, WrittenStory(first, row, whole.hashes[-1]))
    for start in range(first, len(entries), batches.MAX_ENTRIES):
        end = min(start + batches.MAX_ENTRIES, len(entries))
        before = whole.hashes[start - 1] if start else ""
        part = StoryPart(stream, start, before, whole.entries[start:end], whole.hashes[start:end])
        # A row that does not match marks a stream that is not written to its end.
        its_row = row if end == len(entries) else 0
        yield _Changed(stream, part, WrittenStory(end, its_row, part.hashes[-1]))


def _lots(changes: Iterator[_Changed]) -> Iterator[list[_Changed]]:
    """Yield groups of changes, each for one batch."""
    lot: list[_Changed] = []
    entries = size = 0
    for change in changes:
        its = change.part.entries if change.part else ()
        if lot and (entries + len(its) > batches.MAX_ENTRIES or size > batches.MAX_BYTES):
            yield lot
            lot, entries, size = [], 0, 0
        lot.append(change)
        entries += len(its)
        size += sum(len(entry.body) + _OVERHEAD for entry in its)
    if lot:
        yield lot
