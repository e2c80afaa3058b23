"""Looking after an archive: what is in it, copies of it, whether it is whole, and lists made again from the entries.

Separate because nobody needs it while playing.
"""

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from companion.archive import backups, lineage, lists, migrate, offsite, purses
from companion.archive.archive import Archive
from companion.archive.check import Fault, check, rows, rows_as_written
from companion.archive.copies import copy
from companion.archive.errors import ArchiveError
from companion.archive.kinds import LISTS, Watch, unwatched
from companion.archive.lists import DeckRow, Row, SessionRow
from companion.archive.transaction import Transaction

__all__ = ["Fault", "Info", "backup", "check", "copy", "end_evening", "info", "repair"]


class Info(msgspec.Struct, frozen=True):
    """What an archive is and has. `bytes` is the size of its file with what waits to go into it; None for a server."""

    archive: str
    schema: str
    entries: int
    sessions: int
    decks: int
    people: int
    bytes: int | None

    @property
    def held(self) -> str:
        """How much it holds, for people: `1 session, 2 decks, …`"""
        counts = (
            (self.sessions, "session", "sessions"),
            (self.decks, "deck", "decks"),
            (self.people, "person", "people"),
            (self.entries, "entry", "entries"),
        )
        return ", ".join(f"{count:,} {one if count == 1 else several}" for count, one, several in counts)


def info(archive: Archive) -> Info:
    """What the archive is and how much it holds."""
    file = archive.store.file
    with archive.store.reading() as transaction:
        return Info(
            archive=archive.name,
            schema=migrate.revision(transaction.connection) or "",
            entries=transaction.count_entries(),
            sessions=transaction.count(SessionRow),
            decks=transaction.count(DeckRow),
            people=len(purses.people(transaction)),
            bytes=_size(file) if file else None,
        )


def _size(file: Path) -> int:
    return sum(part.stat().st_size for part in (file, lineage.log_of(file)) if part.exists())


def backup(archive: Archive, path: Path) -> None:
    """Writes a copy of the archive as it is at this moment to `path`, which must not exist, and checks the copy.

    Others may go on writing meanwhile. Raises ArchiveError if the archive is a server's, or the copy is not whole.
    """
    file = archive.store.file
    if file is None:
        raise ArchiveError("This archive is on a server; copy it with the server's own tool, pg_dump.")
    backups.copy(file, path)


def end_evening(archive: Archive) -> Path | None:
    """What is due when a table is left and when the program ends: all of it in the one file, a backup of that, and the
    offsite copy.

    Gives the backup; None where nothing is new since the last, or nothing can be kept. Raises ArchiveError, OSError.
    """
    schedule = archive.store.schedule
    if schedule is None or archive.store.only_read:
        return None
    archive.store.settle()
    made = schedule.end_evening(datetime.now(UTC))
    # What lay at the path then may have been another file, which somebody put there meanwhile.
    archive.store.settle()
    offsite.catch_up(schedule.file)
    return made


def repair(archive: Archive, watch: Watch = unwatched) -> None:
    """Makes all lists again from the entries, at once; rows of entries that cannot be read stay as they are, and so do
    rows as they were written that tell of entries which are lost: what they tell is known from nowhere else.
    """
    with archive.store.reading() as transaction:
        kept = rows_as_written(transaction)
    with archive.store.writing() as transaction:
        for kind, listed in LISTS.items():
            before = _readable(transaction, kind, listed)
            transaction.clear(listed)
            for stream in watch(kind, transaction.streams(kind)):
                row = _made_again(transaction, stream)
                was = kept.pop(stream, None)
                if row is None or (was is not None and was.length > row.length):
                    row = was or before.get(stream)
                if row is not None:
                    transaction.put(row)
            for row in [row for row in kept.values() if isinstance(row, listed)]:
                transaction.put(row)


def _readable(transaction: Transaction, kind: str, listed: type[Row]) -> dict[str, Row]:
    try:
        return rows(transaction, kind, listed)
    except (ValueError, TypeError, AttributeError):
        return {}


def _made_again(transaction: Transaction, stream: str) -> Row | None:
    try:
        return lists.row_of(stream, transaction.read(stream))
    except (ArchiveError, ValueError, LookupError):
        return None
