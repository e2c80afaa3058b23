"""The files in the shared folder, as this device sees them: its own, which only it writes, and those of the others."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.archive.sharing.batches import Batch, BrokenBatch, StoryPart, join_parts, read_batches
from companion.archive.sharing.local_state import LocalState, OwnFile

if TYPE_CHECKING:
    from companion.archive.storage.entries import Entry
    from companion.archive.storage.transaction import Transaction

FOLDER: Final = "companion-shared"
"""The folder for the files inside the one that the user chose. If it is gone, the disk is not here."""
ENDING: Final = ".shared"
_FULL: Final = 2_000_000
"""The bytes after which the next file is begun; programs that synchronise send changed files as a whole."""
_LARGEST: Final = 64_000_000
"""The bytes above which a file is none of ours."""
_NO_NAME: Final = re.compile(r"[^a-z0-9]+")
"""Characters that are left out of file names: the names have to be the same on every file system."""


class FileStatus(NamedTuple):
    """A file's size in bytes, and the time of its last change in nanoseconds, which is only compared."""

    size: int
    modified: int


class SharedFolder:
    """The folder of a shared archive. All methods but `is_there` may raise OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unreadable: set[str] = set()
        """The names of files that could not be read in this pass, as another program had them open, or for ever."""
        self._parts: dict[str, tuple[object, Sequence[tuple[int, StoryPart]]]] = {}

    @property
    def is_there(self) -> bool:
        """True if the folder is here."""
        try:
            return self.path.is_dir()
        except OSError:
            return False

    def files(self) -> Mapping[str, FileStatus]:
        """Return the files with batches, also copies under other names, as made after a conflict."""
        files = {}
        for path in sorted(self.path.iterdir()):
            # A program that synchronises may be moving it at this moment, or lock it; and a name may be no text.
            with contextlib.suppress(OSError, UnicodeEncodeError):
                path.name.encode()
                if path.name.endswith(ENDING) and not path.name.startswith(".") and path.is_file():
                    status = path.stat()
                    if status.st_size <= _LARGEST:
                        files[path.name] = FileStatus(status.st_size, status.st_mtime_ns)
        return files

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        return (self.path / name).read_bytes()

    # Our own files

    def are_ours_whole(self, state: LocalState) -> bool:
        """Return True if all files of this device are as it left them, but that the last may have a longer end."""
        here = self.files()
        ours = state.own_files()
        for name, file in ours.items():
            now = here.get(name)
            if now is None and self._is_offloaded(name):
                continue
            now = now or self._find_status(name)
            if now is None or now.size < file.size:
                return False
            if now == (file.size, file.modified):
                continue
            content = self.read(name)
            if digest(content[: file.size]) != file.digest or (len(content) > file.size and name != max(ours)):
                return False
            if len(content) == file.size:
                state.put_own_file(name, file._replace(modified=now.modified))
        return True

    def _find_status(self, name: str) -> FileStatus | None:
        """Return the status of a file of this device; None if it has gone. Raises OSError if that is not known."""
        try:
            status = (self.path / name).stat()
        except FileNotFoundError:
            return None
        return FileStatus(status.st_size, status.st_mtime_ns)

    def _is_offloaded(self, name: str) -> bool:
        """Return True if iCloud has a file that it removed here to save room, and left another in its place."""
        return (self.path / f".{name}.icloud").exists()

    def append(self, state: LocalState, data: bytes, word: str) -> None:
        """Write a batch at the end of this device's newest file, or into a new one; it is on the disk afterwards."""
        ours = state.own_files()
        name = max(ours, default="")
        if not name or ours[name].size >= _FULL or self._is_offloaded(name):
            name = self._next_name(name, f"{_plain(word)}-{state.writer[:8]}")
        before = ours[name].size if name in ours else 0
        path = self.path / name
        with path.open("r+b" if name in ours else "xb") as file:
            # What a program left that was killed is cut off: it is written once more, and half a batch is never whole.
            file.truncate(before)
            file.seek(before)
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                # A full disk may have taken a part.
                with contextlib.suppress(OSError):
                    file.truncate(before)
                raise
        status = path.stat()
        state.put_own_file(name, OwnFile(before + len(data), status.st_mtime_ns, digest(path.read_bytes())))

    def _next_name(self, last: str, beginning: str) -> str:
        """Return the name of a new file after the last one, or of the first file."""
        number = 0
        if last:
            beginning, _, digits = last.removesuffix(ENDING).rpartition("-")
            number = int(digits)
        while True:
            number += 1
            name = f"{beginning}-{number:05}{ENDING}"
            # A program that was killed may have left one that it had not noted.
            if not (self.path / name).exists():
                return name

    def remove_old_files(self, state: LocalState) -> None:
        """Delete the files of older exports of this device, all of which is in a newer one."""
        for name in state.old_files():
            # Another program may have it open; it is tried again.
            with contextlib.suppress(OSError):
                (self.path / name).unlink(missing_ok=True)
                state.remove_old_file(name)

    # The stories of another device

    def read_stories(
        self, writer: str, streams: Collection[str], transaction: Transaction
    ) -> Mapping[str, tuple[Entry, ...]]:
        """Return some stories of an export, from whatever files they are in; those with a gap are left out.

        What is in the archive as well fills a gap. The parts in the files are kept until a file changes.
        """
        wanted = frozenset(streams)
        key = self.files(), wanted
        kept = self._parts.get(writer)
        if kept is None or kept[0] != key:
            batches = (batch for name in key[0] for batch in self.whole_batches(name) if batch.head.writer == writer)
            parts = [(batch.head.number, part) for batch in batches for part in batch.parts if part.stream in wanted]
            kept = key, parts
            if not self.unreadable:
                self._parts[writer] = kept
        return join_parts(kept[1], {stream: transaction.read(stream) for stream in wanted})

    def has_batches_of(self, writer: str) -> bool:
        """Return True if any batch of an export is here."""
        return any(batch.head.writer == writer for name in self.files() for batch in self.whole_batches(name))

    def whole_batches(self, name: str) -> Iterator[Batch]:
        """Yield the whole batches of a file from its beginning on; none if it has gone, or cannot be read."""
        try:
            content = self.read(name)
        except FileNotFoundError:
            return
        except OSError:
            self.unreadable.add(name)
            return
        with contextlib.suppress(BrokenBatch):
            yield from read_batches(content)


def digest(content: bytes) -> str:
    """Return the hash of a file's content."""
    return hashlib.sha256(content).hexdigest()


def _plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode().lower()
    return _NO_NAME.sub("-", letters)[:40].strip("-") or "device"
