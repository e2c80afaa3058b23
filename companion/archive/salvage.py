"""Salvage of a damaged file into a new one, with a report of the entries that were lost, mended or found in a backup.

It reads the file without the database: page by page, entry by entry, each verified by its checksum.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError, Clause, describe_error
from companion.archive.recovery import backups
from companion.archive.recovery.sqlite_pages import FilePages, Record
from companion.archive.recovery.stored_entries import read_entries, read_entry
from companion.archive.storage import checksums, files, lists, wal_guard
from companion.archive.storage.checksums import COLUMNS, StoredEntry, decode_entries, format_ranges, is_intact
from companion.archive.storage.lists import LISTS, session_stream
from companion.archive.storage.results import relist
from companion.archive.storage.transaction import TABLES
from templates.languages.messages import Message, Text, listed, phrase, phrases

if TYPE_CHECKING:
    import sqlalchemy as sa

IN_FILE: Final[Mapping[str, Sequence[str]]] = {
    "decks": (
        *("deck", "game", "name", "folded", "holder", "retired", "updated", "length", "figures", "person"),
        *("holders", "held", "tags", "tagged", "due", "checksum", "held_by", "page"),
    )
}
"""The columns of tables whose order in a file differs from `schema`, because it was migrated step by step."""
_MAX_LOST: Final = 100_000
"""Maximum entries lost at the end of a stream: a list that states more is wrong itself."""
_MAX_MENDED_BYTES: Final = 20_000
_NAMES: Final = {"session": "title"}


class Loss(NamedTuple):
    """The fate of some entries of a stream, as a sentence and as their numbers."""

    text: Text
    stream: str
    seqs: tuple[int, ...]


class SalvageResult(NamedTuple):
    """The result of a salvage: the number of saved entries, and reports on the others.

    `mended` were corrected by their checksums, `fetched` came from a backup, `lost` are gone; `unlisted` are streams
    that no list can show any more, `unsure` are those that may have lost more, and `unreadable` are damaged backups.
    """

    entries: int
    mended: tuple[Loss, ...]
    fetched: tuple[Loss, ...]
    lost: tuple[Loss, ...]
    unlisted: tuple[Loss, ...]
    unsure: tuple[Loss, ...]
    unreadable: tuple[Loss, ...]


Fate = Callable[[int, str, str], Message]
"""A function that returns what became of so many entries; further arguments are their numbers and their stream."""


class _ListedStream(NamedTuple):
    length: int
    name: str


_Story = dict[int, StoredEntry]


class _Salvage:
    """All entries on a file's pages, by stream and number."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.stories: dict[str, _Story] = {}
        self.mended: dict[str, list[int]] = {}
        self.fetched: dict[str, list[int]] = {}
        self.unreadable: list[Loss] = []
        pages = FilePages(file)
        damaged = [stored for stored in read_entries(pages) if not self._take(stored)]
        self.listed_streams = dict(_read_lists_in_pages(pages)) | _read_lists(file)
        for mended in filter(None, map(_mend_entry, damaged)):
            if self._take(mended):
                self.mended.setdefault(mended[0].decode(), []).append(mended[1])
        self.lengths = {stream: row.length for stream, row in self.listed_streams.items()}

    def _take(self, stored: StoredEntry) -> bool:
        stream = stored[0].decode(errors="replace") if isinstance(stored[0], bytes) else ""
        whole = is_intact(stored) and stream.partition(":")[0] in LISTS
        if whole:
            self.stories.setdefault(stream, {})[stored[1]] = stored
        return whole

    def missing(self) -> dict[str, list[int]]:
        """Return the missing entries of each stream that is known from its entries, its list or a backup."""
        missing = {stream: self._missing_of(stream) for stream in sorted({*self.stories, *self.lengths})}
        return {stream: lost for stream, lost in missing.items() if lost}

    def _missing_of(self, stream: str) -> list[int]:
        there = self.stories.get(stream, {})
        last = max(there, default=-1) + 1
        expected = self.lengths.get(stream, 0)
        length = expected if last < expected <= last + _MAX_LOST else last
        return [seq for seq in range(length) if seq not in there]

    def uncertain(self) -> tuple[Loss, ...]:
        """Return what may be lost: the ends of unlisted streams, and sessions that only marks mention."""
        ends = (
            Loss(phrase("The length of {stream} is not known: it is no longer in any list.", stream=stream), stream, ())
            for stream in sorted(self.stories)
            if stream not in self.listed_streams
        )
        session = session_stream("")
        mentioned = {f"{session}{entry[6].decode()}" for story in self.stories.values() for entry in story.values()}
        elsewhere = sorted(mentioned - {session} - self.stories.keys() - self.lengths.keys())
        sessions = listed(stream.removeprefix(session) for stream in elsewhere)
        sentence = phrase(
            "Records mention sessions that are not here; they are lost, or were played in another home: {sessions}.",
            sessions=sessions,
        )
        return (*ends, *([Loss(sentence, "", ())] if elsewhere else ()))

    def fetch(self) -> None:
        """Take missing entries from the backups, the newest first: an entry is the same in every copy."""
        for backup in backups.list_backups(self.file):
            try:
                self._fetch_from(backup.path)
            except (*wal_guard.READ_ERRORS, ArchiveError) as error:
                count = self._fetch_from_pages(backup.path)
                why = Clause(" ".join(str(error).split()))
                self.unreadable.append(Loss(_damaged_backup(backup.path, why, count), "", ()))

    def _fetch_from(self, backup: Path) -> None:
        with contextlib.closing(wal_guard.connect_alone(backup)) as opened:
            opened.text_factory = bytes
            there = {name.decode() for _, name, *_ in opened.execute("PRAGMA table_info(entries)")}
            columns = COLUMNS if "session" in there else COLUMNS.replace("session", "'' AS session")
            columns += ", checksum" if "checksum" in there else ""
            lengths = {
                stream.decode(): length
                for stream, length in opened.execute("SELECT stream, max(seq) + 1 FROM entries GROUP BY stream")
            }
            missing = self.missing()
            for stream, length in lengths.items():
                if stream in missing or length > len(self.stories.get(stream, ())):
                    rows = opened.execute(f"SELECT {columns} FROM entries WHERE stream = ?", (stream,))
                    self._join(stream, {row[1]: row for each in rows if (row := read_entry(each)) and is_intact(row)})

    def _fetch_from_pages(self, backup: Path) -> int:
        """Take missing entries from a damaged backup; return how many of its entries are readable."""
        stories: dict[str, _Story] = {}
        with contextlib.suppress(OSError, ValueError):
            for stored in filter(is_intact, read_entries(FilePages(backup))):
                stories.setdefault(stored[0].decode(errors="replace"), {})[stored[1]] = stored
        for stream, story in stories.items():
            self._join(stream, story)
        return sum(map(len, stories.values()))

    def _join(self, stream: str, story: _Story) -> None:
        """Take a stream's missing entries from a backup, unless its story differs: then it is another one."""
        there = self.stories.get(stream, {})
        if stream.partition(":")[0] in LISTS and all(
            story[seq][7] == there[seq][7] for seq in story.keys() & there.keys()
        ):
            self.lengths[stream] = max(self.lengths.get(stream, 0), *(seq + 1 for seq in story), 0)
            fetched = [seq for seq in self._missing_of(stream) if seq in story]
            if fetched:
                self.stories.setdefault(stream, {}).update((seq, story[seq]) for seq in fetched)
                self.fetched.setdefault(stream, []).extend(fetched)

    def describe(self, which: Mapping[str, Sequence[int]], fate: Fate) -> tuple[Loss, ...]:
        return tuple(self._loss(stream, seqs, fate) for stream, seqs in which.items() if seqs)

    def _loss(self, stream: str, seqs: Sequence[int], fate: Fate) -> Loss:
        name = self.listed_streams[stream].name if stream in self.listed_streams else ""
        subject = f"{stream} ({name})" if name else stream
        return Loss(fate(len(seqs), format_ranges(seqs), subject), stream, tuple(sorted(seqs)))


def _describe_lost(count: int, seqs: str, stream: str) -> Message:
    return phrases(
        "Entry {seqs} of {stream} is lost.", "Entries {seqs} of {stream} are lost.", n=count, seqs=seqs, stream=stream
    )


def _describe_whole_in_backup(count: int, seqs: str, stream: str) -> Message:
    return phrases(
        "Entry {seqs} of {stream} is damaged here, but intact in a backup.",
        "Entries {seqs} of {stream} are damaged here, but intact in a backup.",
        n=count,
        seqs=seqs,
        stream=stream,
    )


def _describe_mendable(count: int, seqs: str, stream: str) -> Message:
    return phrases(
        "Entry {seqs} of {stream} is damaged, but can be repaired.",
        "Entries {seqs} of {stream} are damaged, but can be repaired.",
        n=count,
        seqs=seqs,
        stream=stream,
    )


def _describe_mended(count: int, seqs: str, stream: str) -> Message:
    return phrases(
        "Entry {seqs} of {stream} is repaired by the checksum.",
        "Entries {seqs} of {stream} are repaired by the checksum.",
        n=count,
        seqs=seqs,
        stream=stream,
    )


def _describe_fetched(count: int, seqs: str, stream: str) -> Message:
    return phrases(
        "Entry {seqs} of {stream} is taken from a backup.",
        "Entries {seqs} of {stream} are taken from a backup.",
        n=count,
        seqs=seqs,
        stream=stream,
    )


def _damaged_backup(backup: Path, why: Text, count: int) -> Message:
    """Return the sentence for a damaged backup, of which `count` entries could be read."""
    if not count:
        return phrase(
            "The backup “{backup}” is damaged ({why}); nothing of it could be read.", backup=str(backup), why=why
        )
    return phrases(
        "The backup “{backup}” is damaged ({why}); {n} entry of it could be read.",
        "The backup “{backup}” is damaged ({why}); {n} entries of it could be read.",
        n=count,
        backup=str(backup),
        why=why,
    )


def survey(file: Path) -> tuple[Loss, ...]:
    """Report what a damaged file has lost, and what a backup has of it; nothing is written."""
    saved = _Salvage(file)
    before = saved.missing()
    saved.fetch()
    lost = saved.missing()
    fetched = {stream: [seq for seq in saved.fetched.get(stream, ()) if seq in seqs] for stream, seqs in before.items()}
    return (
        *saved.describe(lost, _describe_lost),
        *saved.describe({stream: [*seqs] for stream, seqs in fetched.items()}, _describe_whole_in_backup),
        *saved.describe(saved.mended, _describe_mendable),
        *saved.uncertain(),
        *saved.unreadable,
    )


def salvage_archive(file: Path, target: Path) -> SalvageResult:
    """Write all entries that can be recovered to a new archive at `target`, with lists made from them.

    The damaged file stays as it is. Raises ArchiveError if nothing of it can be read.
    """
    saved = _Salvage(file)
    saved.fetch()
    if not saved.stories:
        newest = backups.list_backups(file)[:1]
        if not newest:
            raise ArchiveError(phrase("Nothing of “{file}” can be read; there is no backup.", file=str(file)))
        raise ArchiveError(
            phrase(
                "Nothing of “{file}” can be read; companion archive restore {backup} puts the newest backup in its "
                "place.",
                file=str(file),
                backup=str(newest[0].path),
            )
        )
    unlisted: list[Loss] = []
    with Archive.open(str(target)) as new, new.store.writing() as transaction:
        # Pages first: decks are read by them.
        for stream, story in sorted(saved.stories.items(), key=lambda each: (not each[0].startswith("page:"), each[0])):
            entries = decode_entries(stream, [story[seq] for seq in sorted(story)])
            transaction.write(entries)
            try:
                transaction.put(lists.row_of(stream, entries))
            except Exception as error:  # any game's rules read a story that may lack its beginning
                reason = describe_error(error) or type(error).__name__
                sentence = phrase("{stream} is saved, but is in no list: {reason}", stream=stream, reason=reason)
                unlisted.append(Loss(sentence, stream, ()))
        relist(transaction)
        count = transaction.count_entries()
    lost = saved.describe(saved.missing(), _describe_lost)
    mended = saved.describe(saved.mended, _describe_mended)
    fetched = saved.describe(saved.fetched, _describe_fetched)
    return SalvageResult(count, mended, fetched, lost, tuple(unlisted), saved.uncertain(), tuple(saved.unreadable))


def _mend_entry(stored: StoredEntry) -> StoredEntry | None:
    """Return the entry as it was written, if a single flipped bit in it, or in its checksum, explains the damage."""
    if not isinstance(stored[7], int):
        return None
    try:
        checksum = checksums.of_parts(*stored[:7])
        length = sum(len(cast("bytes", stored[part])) for part in (0, 2, 3, 4, 5, 6))
    except TypeError:
        return None
    if (checksum ^ stored[7]).bit_count() == 1:
        return (*stored[:7], checksum)
    if length > _MAX_MENDED_BYTES:
        return None
    changed = (
        cast("StoredEntry", (*stored[:part], other, *stored[part + 1 :]))
        for part, value in enumerate(stored[:7])
        for other in _one_bit_off(cast("bytes | int", value))
    )
    return next(filter(is_intact, changed), None)


def _one_bit_off(value: bytes | int) -> Iterator[bytes | int]:
    if isinstance(value, int):
        yield from (value ^ 1 << bit for bit in range(32))
        return
    for at, byte in enumerate(value):
        for bit in range(8):
            yield value[:at] + bytes((byte ^ 1 << bit,)) + value[at + 1 :]


def _read_lists(file: Path) -> dict[str, _ListedStream]:
    """Read the length and name of each stream from the lists of a damaged file."""
    streams: dict[str, _ListedStream] = {}
    with tempfile.TemporaryDirectory(prefix="companion-") as elsewhere:
        copy = Path(elsewhere, file.name)
        for part in (file, wal_guard.log_of(file)):
            if part.is_file():
                copy.with_name(part.name).write_bytes(files.read_bytes(part))
        for kind in LISTS:
            streams |= {f"{kind}:{key}": _ListedStream(length, name) for key, length, name in _read_list(copy, kind)}
    return streams


def _read_list(file: Path, kind: str) -> Iterator[tuple[str, int, str]]:
    """Read a list from both ends, each as far as possible."""
    row_type = LISTS[kind]
    key, table = row_type.__struct_fields__[0], TABLES[row_type].name
    for way in ("ASC", "DESC"):
        question = f"SELECT {key}, length, {_NAMES.get(kind, 'name')} FROM {table} ORDER BY rowid {way}"
        with contextlib.suppress(*wal_guard.READ_ERRORS), contextlib.closing(files.connect(file)) as opened:
            yield from _sound_rows(opened.execute(question))


def _sound_rows(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, int, str]]:
    for key, length, name in rows:
        if isinstance(key, str) and isinstance(length, int) and isinstance(name, str):
            yield key, length, name


def _read_lists_in_pages(pages: FilePages) -> Iterator[tuple[str, _ListedStream]]:
    """Read rows of lists from intact pages that the database cannot reach any more."""
    for record in pages.rows({len(TABLES[row_type].columns) for row_type in LISTS.values()}):
        for kind, row_type in LISTS.items():
            row = _read_row(TABLES[row_type], record)
            if row is not None:
                key, name = row[row_type.__struct_fields__[0]], row[_NAMES.get(kind, "name")]
                with contextlib.suppress(UnicodeDecodeError):
                    yield f"{kind}:{key.decode()}", _ListedStream(row["length"], name.decode())


def _read_row(table: sa.Table, record: Record) -> dict[str, Any] | None:
    """Return a record as a row of this table, verified if it has a checksum; None if it is none."""
    ordered = [column.name for column in table.columns]
    names = IN_FILE.get(table.name, ordered)
    row: dict[str, Any] = dict(zip(names, record, strict=False))
    if len(names) != len(record) or not all(_fits(table.columns[name], value) for name, value in row.items()):
        return None
    # Integral values of float columns are stored as integers.
    values = [
        float(row[name]) if _is_float(table.columns[name]) else row[name] for name in ordered if name != "checksum"
    ]
    return row if not row["checksum"] or checksums.row_checksum(values) == row["checksum"] else None


def _fits(column: sa.Column[Any], value: object) -> bool:
    if _is_float(column):
        return isinstance(value, int | float)
    return isinstance(value, int if column.type.python_type in (int, bool) else bytes)


def _is_float(column: sa.Column[Any]) -> bool:
    return column.type.python_type is float
