"""Looking after an archive: what is in it, copies of it, whether it is whole, and lists made again from the entries.

Separate because nobody needs it while playing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.archive import lists, migrate, purses, store
from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.lists import DeckRow, NamedPurseRow, PersonRow, Row, SessionRow
from companion.archive.sheets import PrinterRow, SheetRow
from companion.archive.store import Transaction


class Info(msgspec.Struct, frozen=True):
    """What an archive is and has. `bytes` is the size of its file with what waits to go into it; None for a server."""

    archive: str
    schema: str
    entries: int
    sessions: int
    decks: int
    people: int
    bytes: int | None


class Fault(NamedTuple):
    """Something that is not as it must be; `mendable` if making the lists again mends it."""

    text: str
    mendable: bool


_AT_ONCE: Final = 100
"""How many streams are copied at once."""

_LISTS: dict[str, type[Row]] = {
    "session": SessionRow,
    "deck": DeckRow,
    "person": PersonRow,
    lists.NAMED_PURSE: NamedPurseRow,
    "sheet": SheetRow,
    "printer": PrinterRow,
}


def info(archive: Archive) -> Info:
    """What the archive is and how much it holds."""
    file = store.file_of(archive.store)
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
    waiting = file.with_name(f"{file.name}-wal")
    return sum(part.stat().st_size for part in (file, waiting) if part.exists())


def dated(now: datetime) -> str:
    """What a copy of this moment is called: `archive-2026-03-14-203000.sqlite`."""
    return f"archive-{now:%Y-%m-%d-%H%M%S}.sqlite"


def backups(archive: Archive) -> tuple[Path, ...]:
    """The dated copies that lie beside the archive, newest first; none of an archive on a server."""
    file = store.file_of(archive.store)
    return () if file is None else tuple(sorted(file.parent.glob("archive-[0-9]*-[0-9]*.sqlite"), reverse=True))


def backup(archive: Archive, path: Path) -> None:
    """Writes a copy of the archive as it is at this moment to `path`, which must not exist, and checks the copy.

    Others may go on writing meanwhile. Raises ArchiveError if the archive is a server's, or the copy is not whole.
    """
    if store.file_of(archive.store) is None:
        raise ArchiveError("This archive is on a server; copy it with the server's own tool, pg_dump.")
    archive.store.copy_file(path)
    with Archive.open(str(path)) as copy, copy.store.reading() as transaction:
        broken = [said for said in transaction.pragma("integrity_check") if said != "ok"]
    if broken:
        raise ArchiveError(f"The copy would not be whole ({broken[0]}); look with companion archive check.")


Watch = Callable[[str, Sequence[str]], Iterable[str]]
"""Hands on the streams of a kind one by one, so that somebody can see how far it is."""


def unwatched(_: str, streams: Sequence[str]) -> Iterable[str]:
    """Nobody looks on."""
    return streams


def copy(archive: Archive, other: Archive, watch: Watch = unwatched) -> int:
    """Writes all entries and lists into another archive that is still empty, as they are and at once; gives how many
    entries.

    It need not be of the same engine. Raises ArchiveError where it holds anything.
    """
    with archive.store.reading() as source, other.store.writing() as target:
        if target.count_entries():
            raise ArchiveError(f"{other.name} holds entries already; name an archive that is new.")
        for kind, listed in _LISTS.items():
            streams = source.streams(kind)
            # Watched are the first of as many streams as are written at once.
            ends = (*streams[_AT_ONCE::_AT_ONCE], f"{kind};")
            for first, end in zip(watch(kind, streams[::_AT_ONCE]), ends, strict=False):
                target.take_over(source, first, end)
            target.put_new(source.rows(listed))
        return target.count_entries()


def check(archive: Archive, watch: Watch = unwatched) -> tuple[Fault, ...]:
    """Everything in the archive that is not as it must be; nothing if all is well."""
    with archive.store.reading() as transaction:
        return tuple(_findings(transaction, watch, in_file=store.file_of(archive.store) is not None))


def repair(archive: Archive, watch: Watch = unwatched) -> None:
    """Makes all lists again from the entries, at once; rows of entries that cannot be read stay as they are."""
    with archive.store.writing() as transaction:
        for kind, listed in _LISTS.items():
            rows = _rows(transaction, kind, listed)
            transaction.clear(listed)
            for stream in watch(kind, transaction.streams(kind)):
                row = _made_again(transaction, stream) or rows.get(stream)
                if row is not None:
                    transaction.put(row)


def _made_again(transaction: Transaction, stream: str) -> Row | None:
    try:
        return lists.row_of(stream, transaction.read(stream))
    except (ArchiveError, ValueError, LookupError):
        return None


def _findings(transaction: Transaction, watch: Watch, *, in_file: bool) -> Iterator[Fault]:
    if in_file:
        for said in transaction.pragma("integrity_check"):
            if said != "ok":
                yield Fault(f"The database is damaged: {said}.", mendable=False)
    for stream in transaction.gaps():
        yield Fault(f"Entries of {stream} are missing: go back to a backup.", mendable=False)
    for kind, listed in _LISTS.items():
        yield from _listed_wrongly(transaction, watch, kind, listed)


def _listed_wrongly(transaction: Transaction, watch: Watch, kind: str, listed: type[Row]) -> Iterator[Fault]:
    rows = _rows(transaction, kind, listed)
    for stream in watch(kind, transaction.streams(kind)):
        row = rows.pop(stream, None)
        try:
            wrong = row != lists.row_of(stream, transaction.read(stream))
        except (ArchiveError, ValueError, LookupError) as error:
            yield Fault(str(error), mendable=False)
        else:
            if wrong:
                yield Fault(f"The list of {kind}s does not say what the entries of {stream} add up to.", mendable=True)
    for stream in rows:
        yield Fault(f"The list of {kind}s has {stream}, of which there are no entries.", mendable=True)


def _rows(transaction: Transaction, kind: str, listed: type[Row]) -> dict[str, Row]:
    """A list's rows by the stream that each stands for; a row's first field is the key of its stream."""
    key = listed.__struct_fields__[0]
    return {f"{kind}:{getattr(row, key)}": row for row in transaction.rows(listed)}
