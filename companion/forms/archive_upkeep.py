"""The upkeep of an archive as screens and pages offer it: its check, its copies, and the way back to a backup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.archive import Archive, maintenance
from companion.archive.errors import list_some
from companion.archive.exchange.import_log import describe_stream
from companion.archive.maintenance import Fault
from companion.archive.recovery import backups, last_seen
from companion.archive.recovery.backups import Backup
from companion.archive.recovery.restore import read_lengths
from companion.archive.storage import files
from companion.archive.storage.checksums import decode_stream, query_bytes
from companion.archive.storage.lists import StreamProgress
from templates.languages.messages import Message, Text, decimal, joined, phrase, phrases

MENDS: Final = phrase("making its lists again mends this")
"""The note beside a fault that `repair_lists` mends."""
ACCEPTANCE: Final = phrase("Take it as it is")
"""The button that accepts an archive that is older than this computer last saw it."""
ABOUT_ACCEPTANCE: Final = phrase(
    "Continues with this older archive; missing entries stay lost, unless you go back to a backup that has them."
)
_STREAMS: Final = "SELECT stream, count(*) FROM entries GROUP BY stream"
_REPORTS: Final = 20
"""The number of reports while the streams of a kind are read: one for each would take longer than reading them."""


def check(archive: Archive, watch: StreamProgress) -> tuple[tuple[Fault, ...], Text]:
    """Check an archive; return its faults, and a sentence about them with the ways out."""
    faults = maintenance.check_archive(archive, watch, thorough=False)
    file = archive.store.file
    return faults, _describe_check(faults, has_backups=file is not None and bool(backups.list_backups(file)))


def _describe_check(faults: Sequence[Fault], *, has_backups: bool) -> Text:
    if not faults:
        return phrase("The archive is whole, and its lists say what its entries add up to.")
    count = len(faults)
    sentences = [
        phrases("{problems} problem was found.", "{problems} problems were found.", n=count, problems=str(count))
    ]
    if any(fault.mendable for fault in faults):
        sentences.append(phrase("Rebuilding its lists repairs some of it."))
    if not all(fault.mendable for fault in faults):
        sentences.append(phrase("In a shell, companion archive check --repair saves what can be read."))
        sentences += [phrase("Or go back to a backup.")] if has_backups else []
    return joined(" ", sentences)


def repair_lists(archive: Archive, watch: StreamProgress) -> Message:
    """Rebuild the lists of an archive, and return a sentence about that."""
    maintenance.repair(archive, watch)
    return phrase("Its lists are rebuilt; check the archive to see that all is well.")


def copy_beside(archive: Archive) -> Message:
    """Write a whole copy of an archive beside it, and return a sentence about that. Raises ArchiveError, OSError."""
    beside = Path(archive.name).parent
    target = files.unused_path(beside / backups.dated_name(datetime.now()))
    with files.write_atomically(target) as draft:
        maintenance.backup(archive, draft)
    return phrase("{file}: a whole copy.", file=str(target))


def accept(file: Path) -> Message:
    """Accept an archive's file, which must not be open, as it is, though this computer last saw more in it.

    Return a sentence about it. Raises ArchiveError.
    """
    last_seen.accept(file)
    return phrase("Your archive is accepted as it is; everything from now on is stored in it.")


def name_backup(backup: Backup) -> Message:
    """Name a backup as the way back to it."""
    # Translators: {time} is when a backup was made, {reason} why, such as “at the end of an evening”.
    return phrase("Back to {time}, {reason}", time=backups.local_time(backup), reason=backups.REASONS[backup.why])


def format_megabytes(size: int) -> Message:
    """Format a size in bytes as megabytes."""
    # Translators: Megabytes.
    return phrase("{size} MB", size=decimal(size / 1_000_000, 1))


def describe_way_back(archive: Archive, backup: Path) -> Iterator[Message]:
    """Yield what an archive has and a backup lacks, and what only the backup has, a sentence each.

    Raises Unreadable if the backup cannot be read, and ArchiveError.
    """
    then = read_lengths(backup)
    with archive.store.reading() as transaction:
        with query_bytes(transaction.connection) as ask:
            now = {decode_stream(stream): int(count) for stream, count in ask(_STREAMS)}

        def name_streams(streams: Iterable[str]) -> Message:
            return list_some(describe_stream(transaction, stream) for stream in streams)

        lost = sum(max(0, count - then.get(stream, 0)) for stream, count in now.items())
        if not lost:
            yield phrase("The backup has everything that is here now.")
        else:
            yield phrases(
                "{n} entry that is here now is not in the backup.",
                "{n} entries that are here now are not in the backup.",
                n=lost,
            )
        if missing := [stream for stream in now if stream not in then]:
            yield phrase("It lacks altogether: {streams}.", streams=name_streams(missing))
        if shorter := [stream for stream, count in now.items() if 0 < then.get(stream, 0) < count]:
            yield phrase("It has an earlier state of: {streams}.", streams=name_streams(shorter))
        if more := [stream for stream, count in then.items() if count > now.get(stream, 0)]:
            yield phrase("It has more than there is now of: {streams}.", streams=name_streams(more))


def watch_streams(report: Callable[[Text], object]) -> StreamProgress:
    """Return a `StreamProgress` that reports from time to time how far the streams of a kind are read."""

    def watch(kind: str, streams: Sequence[str]) -> Iterator[str]:
        step = max(1, len(streams) // _REPORTS)
        for number, stream in enumerate(streams):
            if number % step == 0:
                report(describe_progress(kind, number, len(streams)))
            yield stream

    return watch


def describe_progress(kind: str, at: int, count: int) -> Text:
    """Return how far the reading of all decks, tables or the like has come."""
    match kind:
        case "deck":
            return phrase("Reading: {at} of {count} decks …", at=at, count=count)
        case "session":
            return phrase("Reading: {at} of {count} sessions …", at=at, count=count)
        case "person":
            return phrase("Reading: {at} of {count} persons …", at=at, count=count)
        case "page":
            return phrase("Reading: {at} of {count} pages …", at=at, count=count)
        case "sheet":
            return phrase("Reading: {at} of {count} sheets …", at=at, count=count)
        case "printer":
            return phrase("Reading: {at} of {count} printers …", at=at, count=count)
        case "league":
            return phrase("Reading: {at} of {count} leagues …", at=at, count=count)
        case "rehearsal":
            return phrase("Reading: {at} of {count} rehearsals …", at=at, count=count)
    return phrase("Reading: {at} of {count} stories …", at=at, count=count)


def find_backups(archive: Archive) -> Mapping[str, Backup]:
    """Return the backups of an archive by the names of their files, newest first; none for one on a server."""
    file = archive.store.file
    return {each.path.name: each for each in (backups.list_backups(file) if file is not None else ())}
