"""Sharing an archive with other devices through a folder that some program synchronises.

Each device writes what its archive holds into files of its own, and reads the files of the others. `synchronize` does
both; it may be called at any time, from any program that has the archive open.
"""

from __future__ import annotations

import errno
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

from companion.archive.archive import Archive
from companion.archive.errors import ArchiveError
from companion.archive.sharing import story_export
from companion.archive.sharing.batches import Batch, BrokenBatch, NewerBatch, StoryPart, part_of, read_batches
from companion.archive.sharing.local_state import (
    UNREAD,
    Device,
    InUse,
    LocalState,
    OwnFile,
    ReadFile,
    computer_id,
    put_state_away,
    state_file,
)
from companion.archive.sharing.shared_folder import FOLDER, FileStatus, SharedFolder
from companion.archive.sharing.story_import import (
    UNDECIDED,
    Decisions,
    HeldStory,
    StoryImport,
    UnwritableStory,
    Waiting,
)
from companion.archive.storage import wal_guard
from companion.archive.storage.entries import Entry
from companion.archive.storage.rows import QUERY_SIZE
from companion.tabletop.text import LONGEST_NAME, sanitize
from templates.languages.alphabets import alphabetical_key
from templates.languages.messages import phrase

Progress = Callable[[float], object]
"""A callback that gets the part of the files that is read, from 0 to 1."""

Problem = str
"""The reason why the folder could not be used: away, full, read-only, failing, or that the notes on it are damaged, or
being written.
"""
AWAY: Final = "away"
FULL: Final = "full"
READ_ONLY: Final = "read-only"
FAILING: Final = "failing"
DAMAGED: Final = "damaged"
BUSY: Final = "busy"
_PROBLEMS: Final = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.EROFS: READ_ONLY,
    errno.ENOENT: AWAY,
    errno.ENOTDIR: AWAY,
}


class WaitingStory(NamedTuple):
    """A story of another device that is not here yet: the device's name, the stream, the reason, and its own name."""

    device: str
    stream: str
    reason: Waiting
    title: str


class SharingState(NamedTuple):
    """The state of the sharing: the folder that the user chose, the other devices, and what is not as it should be.

    `broken` are the names of files that are not whole, or not yet; `unreadable` are those that could not be read, and
    `newer` those that go on in a format that only a newer program reads.
    """

    folder: Path
    devices: tuple[Device, ...]
    waiting: tuple[WaitingStory, ...]
    broken: tuple[str, ...]
    problem: Problem
    unreadable: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()


def start_sharing(archive: Archive, parent: Path) -> None:
    """Share an archive through a folder inside `parent` from now on; `synchronize` writes and reads the first files.

    Raises ArchiveError if the archive is on a server, or the folder cannot be used.
    """
    file = archive.store.file
    if file is None:
        raise ArchiveError(phrase("This archive is on a server, where several devices can use it; see docs/server.md."))
    if archive.store.read_only_reason:
        raise archive.store.refusal
    chosen = parent.resolve()
    if not chosen.is_dir():
        raise ArchiveError(phrase("There is no folder “{folder}”; create it, and try again.", folder=parent))
    where = chosen if chosen.name == FOLDER else chosen / FOLDER
    try:
        where.mkdir(exist_ok=True)
        LocalState.create(file, where)
    except InUse:
        raise _in_use() from None
    except OSError as error:
        raise ArchiveError(
            phrase("“{folder}” cannot be used: {reason}.", folder=parent, reason=error.strerror or str(error))
        ) from error


def _in_use() -> ArchiveError:
    return ArchiveError(phrase("Another window is sharing the archive at this moment; try again."))


def find_devices(parent: Path) -> tuple[str, ...]:
    """Return the names of the devices that share an archive through a folder already. Raises OSError."""
    folder = SharedFolder(parent if parent.name == FOLDER else parent / FOLDER)
    if not folder.is_there:
        return ()
    names = (batch.head.name for name in folder.files() for batch in folder.whole_batches(name))
    return tuple(sorted(set(names), key=alphabetical_key))


def stop_sharing(file: Path) -> None:
    """Share an archive no longer; what is in the folder stays there. Raises OSError."""
    put_state_away(file)


def is_shared(file: Path | None) -> bool:
    """Return True if this computer shares the archive."""
    return file is not None and state_file(file).is_file()


def read_state(file: Path | None) -> SharingState | None:
    """Return the state after the last synchronization; None if the archive is not shared."""
    if not is_shared(file):
        return None
    assert file is not None
    try:
        return _read_state(file)
    except InUse:
        return SharingState(Path(), (), (), (), BUSY)
    except (sqlite3.Error, UnicodeDecodeError):
        return SharingState(Path(), (), (), (), DAMAGED)


def _read_state(file: Path) -> SharingState:
    with LocalState.open(file) as state:
        if state is None:
            return SharingState(Path(), (), (), (), DAMAGED)
        own = state.get("device")
        folder, devices = SharedFolder(state.folder), tuple(each for each in state.devices() if each.device != own)
        names = {device.writer: device.name for device in devices}
        waiting = (
            WaitingStory(names.get(writer, ""), stream, Waiting(reason), title)
            for (writer, stream), (reason, title) in state.waiting().items()
        )
        files = state.read_files()
        unreadable = tuple(name for name, file in files.items() if file.modified == UNREAD)
        halves = [name for name, file in files.items() if file.whole < file.size and file.modified != UNREAD]
        newer = state.newer_files()
        problem = state.get("problem") if folder.is_there else AWAY
        return SharingState(
            folder.path.parent,
            devices,
            tuple(waiting),
            tuple(name for name in halves if name not in newer),
            problem,
            unreadable,
            tuple(name for name in halves if name in newer),
        )


class Synchronizer:
    """Synchronizes one archive with its folder, again and again."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._folder: SharedFolder | None = None
        self._seen: object = None

    def run(self, decisions: Decisions = UNDECIDED, watch: Progress = lambda _: None) -> int:
        """Read what the others wrote, write what is new here, and return the number of entries that came in.

        Does nothing if the archive is not shared, or while another program does the same. What the folder refuses is
        noted for `read_state`; nothing is raised for it. Raises ArchiveError, also if something is to be decided while
        another program is at it.
        """
        file = self._archive.store.file
        if not is_shared(file) or self._archive.store.read_only_reason:
            return 0
        assert file is not None
        try:
            with LocalState.open(file) as state:
                if state is None:
                    return 0
                with state.hold() as is_held:
                    if is_held:
                        return self._run(state, decisions, watch)
                if decisions != UNDECIDED:
                    raise _in_use()
                return 0
        except InUse:
            if decisions != UNDECIDED:
                raise _in_use() from None
            return 0
        except sqlite3.Error:
            return 0  # the notes beside the archive cannot be written: nothing is lost, and all is read again

    def is_due(self) -> bool:
        """Return True if anything may have changed here or in the folder since the last run. It takes a millisecond."""
        return self._seen is None or self._signature() != self._seen

    def _signature(self) -> object:
        if self._folder is None:
            return None
        try:
            with self._archive.store.reading() as transaction:
                last = wal_guard.current_state(transaction.connection)
            return last, self._folder.files() if self._folder.is_there else None
        except (ArchiveError, OSError):
            return None

    def _run(self, state: LocalState, decisions: Decisions, watch: Progress) -> int:
        computer = computer_id()
        if computer and state.get("computer") != computer:
            # The notes were copied from another computer, which goes on writing its own files.
            state.begin_anew()
            state.disown_files()
            state.become_another_device()
            state.forget_others()
            state.set("computer", computer)
        if self._folder is None or self._folder.path != state.folder:
            self._folder = SharedFolder(state.folder)
        # As it is before: what changes meanwhile is looked at again.
        self._seen = self._signature()
        folder, problem, entries = self._folder, "", 0
        folder.unreadable.clear()
        if not folder.is_there:
            state.set("problem", AWAY)
            return 0
        reading = _Reading(self._archive, state, folder, decisions)
        try:
            reading.read_files(watch)
            reading.retry_waiting()
            entries = reading.entries
            if reading.has_twin:
                story_export.write_as_another_device(self._archive, state, folder)
            else:
                story_export.write_changes(self._archive, state, folder)
        except OSError as error:
            problem = _PROBLEMS.get(error.errno or 0, FAILING) if folder.is_there else AWAY
        if problem or folder.unreadable or reading.has_new_half:
            # It is tried again, also if nothing else changes.
            self._seen = None
        state.set("problem", problem)
        return entries


class _Reading:
    """The reading of what other devices wrote, in one pass over the folder."""

    def __init__(self, archive: Archive, state: LocalState, folder: SharedFolder, decisions: Decisions) -> None:
        self._archive, self._state, self._folder, self._decisions = archive, state, folder, decisions
        self._written = {stream: story.hash for stream, story in state.read_stories().items()}
        self._newer: set[str] = set()
        self.entries = 0
        self.has_new_half = False
        """True if a file is not whole that was another before: its other half may come without changing its time."""
        self.has_twin = False
        """True if somebody else writes as this device: a copy of the notes on it, whichever of the two is the copy."""

    def read_files(self, watch: Progress) -> None:
        """Read all batches that are new. Raises OSError, ArchiveError."""
        here, earlier, own = self._folder.files(), self._state.read_files(), self._state.own_files()
        for name in earlier.keys() - here.keys():
            self._state.remove_read_file(name)
        others = [(name, status) for name, status in here.items() if not _is_own(own, name, status)]
        self._newer = set(self._state.newer_files() & here.keys())
        for number, (name, status) in enumerate(others, 1):
            before = earlier.get(name)
            is_new = before is None or (before.size, before.modified) != status
            if is_new or (before is not None and before.whole < before.size):
                is_whole = self._read_file(name, status, before)
                self.has_new_half |= is_new and not is_whole
            watch(number / len(others))
        self._state.put_newer_files(self._newer)

    def _read_file(self, name: str, status: FileStatus, before: ReadFile | None) -> bool:
        """Read what is new in a file, and return True if all of it is whole."""
        try:
            content = self._folder.read(name)
        except FileNotFoundError:
            return True
        except OSError:
            # Another program has it open, or the file is not on this disk and cannot be fetched now.
            self._folder.unreadable.add(name)
            whole, checksum = (before.whole, before.checksum) if before is not None else (0, 0)
            self._state.put_read_file(name, ReadFile(status.size, UNREAD, whole, checksum))
            return False
        start = before.whole if before is not None and crc32(content[: before.whole]) == before.checksum else 0
        whole = start
        self._newer.discard(name)
        try:
            for batch in read_batches(content, start):
                self._take_batch(batch)
                whole = batch.end
        except NewerBatch:
            self._newer.add(name)
        except BrokenBatch:
            pass  # the rest may arrive later
        self._state.put_read_file(name, ReadFile(len(content), status.modified, whole, crc32(content[:whole])))
        return whole == len(content)

    def _take_batch(self, batch: Batch) -> None:
        """Import a batch in one transaction; nothing is written if all of it is here already."""
        writer = batch.head.writer
        if writer != self._state.writer:
            head = batch.head
            name = sanitize(head.name)[:LONGEST_NAME]
            self._state.put_device(Device(writer, head.device, name, head.export, time.time()))
            self.has_twin |= head.device == self._state.get("device") and head.export >= self._state.export
        else:
            # A program was killed before it noted that it wrote this; the number must not be given again.
            self._state.raise_number(batch.head.number)
        waiting = self._state.waiting()
        stories: list[tuple[Entry, ...]] = []
        gaps: list[str] = []
        with self._archive.store.reading() as transaction:
            for part in batch.parts:
                if self._written.get(part.stream) == part.hashes[-1]:
                    continue
                if not part.entries:
                    self._note(writer, part.stream, HeldStory(Waiting.NONSENSE))
                    continue
                here = transaction.read(part.stream)
                story = _attach(part, here)
                if story is None or (writer, part.stream) in waiting:
                    gaps.append(part.stream)
                if story is not None and here[: len(story)] != story:
                    stories.append(story)
            whole = self._folder.read_stories(writer, gaps, transaction) if gaps else {}
        self._import(writer, [*(story for story in stories if story[0].stream not in whole), *whole.values()])
        for stream in gaps:
            if stream not in whole:
                self._note(writer, stream, HeldStory(Waiting.PARTS))

    def _import(self, writer: str, stories: Sequence[tuple[Entry, ...]]) -> None:
        for start in range(0, len(stories), QUERY_SIZE):
            lot = stories[start : start + QUERY_SIZE]
            try:
                self._import_lot(writer, lot)
            except UnwritableStory:
                for story in lot:
                    try:
                        self._import_lot(writer, [story])
                    except UnwritableStory:
                        self._note(writer, story[0].stream, HeldStory(Waiting.NONSENSE))

    def _import_lot(self, writer: str, stories: Sequence[tuple[Entry, ...]]) -> None:
        with self._archive.store.writing() as transaction:
            taking = StoryImport(transaction, self._archive, self._decisions.of_writer(writer))
            for story in stories:
                self._note(writer, story[0].stream, taking.take(story))
            taking.finish()
        self.entries += taking.entries

    def retry_waiting(self) -> None:
        """Try again what waits, as what it waits for may have come or been decided. Raises OSError, ArchiveError."""
        waiting = self._state.waiting()
        for writer in dict.fromkeys(writer for writer, _ in waiting):
            streams = [stream for other, stream in waiting if other == writer]
            with self._archive.store.reading() as transaction:
                stories = self._folder.read_stories(writer, streams, transaction)
            is_gone = not stories and not self._folder.has_batches_of(writer) and not self._folder.unreadable
            for stream in set(streams) - stories.keys():
                reason = Waiting(waiting[writer, stream][0])
                late = HeldStory(reason if reason is Waiting.NONSENSE else Waiting.PARTS)
                self._note(writer, stream, None if is_gone else late)
            ready = [story for story in stories.values() if self._can_import(writer, story)]
            self._import(writer, ready)

    def _can_import(self, writer: str, story: tuple[Entry, ...]) -> bool:
        """Return True if a story would change anything here now."""
        with self._archive.store.reading() as transaction:
            trial = StoryImport(transaction, self._archive, self._decisions.of_writer(writer), is_trial=True)
            self._note(writer, story[0].stream, trial.take(story))
        return trial.entries > 0

    def _note(self, writer: str, stream: str, held: HeldStory | None) -> None:
        if held is None:
            self._state.end_waiting(writer, stream)
        else:
            self._state.put_waiting(writer, stream, held.reason, held.title)


def _is_own(own: Mapping[str, OwnFile], name: str, status: FileStatus) -> bool:
    return name in own and (own[name].size, own[name].modified) == status


def _attach(part: StoryPart, here: tuple[Entry, ...]) -> tuple[Entry, ...] | None:
    """Return the whole story of a part, if our story is that before it; else None."""
    if not part.first:
        return part.entries
    if len(here) >= part.first and part_of(part.stream, here[: part.first]).hashes[-1] == part.before:
        return (*here[: part.first], *part.entries)
    return None
