"""Files by the names that people type, opened without losing the lock on an archive, written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import fsync
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Final

from companion.archive.errors import ArchiveError, Unreadable

# Where SQLite keeps the lock that whoever has a file open holds.
_SHARED_FIRST: Final = 0x40000002
_SHARED_SIZE: Final = 510

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
"""The system's errors for a disk, or a user's part of one, that is full."""

_SHARING_VIOLATION: Final = 32
"""Windows' error for a file that somebody else has open."""

_DESCRIPTORS: Final = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"
_MAX_DESCRIPTORS: Final = 65_536
"""So many are looked at where the system lists none, as in a chroot without /proc; this program has few at once."""
_READ: Final = "import shutil, sys; shutil.copyfileobj(open(sys.argv[1], 'rb'), sys.stdout.buffer)"

_FORBIDDEN_ON_WINDOWS: Final = re.compile(r'[<>:"|?*\x00-\x1f]')
_WINDOWS_DEVICES: Final = re.compile("CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|(?:COM|LPT)[1-9¹²³]")

_Id = tuple[int, int]
_connecting = threading.RLock()
"""Held while a database is opened, and while a file is read that none has open: neither may happen within the other."""
_locked: set[int] = set()
"""Descriptors of files that `locked_alone` gave."""
_inputs: set[int] = set()
"""Descriptors of files that `open_input` gave: a file of decks may be looked through while its stories are read."""


def expand_user(typed: str) -> Path:
    """A path as somebody types it: `~` is their home. Where there is no such user, `~user` stays as it is."""
    return Path(os.path.expanduser(typed))  # noqa: PTH111 – Path raises there


def connect(database: str | Path, **options: Any) -> sqlite3.Connection:
    """`sqlite3.connect` for the file of an archive, which nobody reads in another way at that moment."""
    with _connecting:
        opened: sqlite3.Connection = sqlite3.connect(database, **options)
        return opened


def database_uri(file: PurePath) -> str:
    """The file of a database as SQLite's URIs have it; on Windows also one of another machine, `\\\\server\\share`.

    That machine is a part of the path for SQLite, which knows no host but this one.
    """
    uri = file.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)


def is_open(file: Path) -> bool:
    """Whether this process has a database open in the file, by whatever name; False where closing drops no locks."""
    if os.name == "nt":
        return False
    try:
        status = file.stat()
    except OSError:
        return False
    return any(os.path.samestat(status, each) for each in _open_files())


def _open_files() -> Iterator[os.stat_result]:
    for descriptor in _descriptors():
        # The one that listed them is closed by now.
        with contextlib.suppress(OSError):
            if descriptor not in _locked | _inputs:
                yield os.fstat(descriptor)


def _descriptors() -> Iterable[int]:
    """What may be a file that this process has open."""
    try:
        return [int(path.name) for path in Path(_DESCRIPTORS).iterdir()]
    except OSError:
        most = os.sysconf("SC_OPEN_MAX")  # -1 where there is no limit
        return range(most if 0 < most < _MAX_DESCRIPTORS else _MAX_DESCRIPTORS)


def read_bytes(file: Path) -> bytes:
    """The content of a file; of one that this process has open, another process reads it. Raises OSError."""
    with _connecting:
        if not is_open(file):
            return file.read_bytes()
    # It takes longer to load than most commands need.
    import subprocess

    reader = subprocess.run([sys.executable, "-I", "-S", "-c", _READ, str(file)], capture_output=True, check=False)
    if reader.returncode:
        raise OSError(None, "it cannot be read", str(file))
    return reader.stdout


def begins_with(file: Path, header: bytes) -> bool:
    """Whether a file begins so; one that this process has open is believed to, for SQLite reads it. Raises OSError."""
    with _connecting:
        if is_open(file):
            return True
        with file.open("rb") as opened:
            return opened.read(len(header)) == header


@contextlib.contextmanager
def open_input(file: Path) -> Iterator[BinaryIO]:
    """A file that somebody named, opened to be read. Raises Unreadable where it is an archive that is open here."""
    with _connecting:
        if is_open(file):
            raise Unreadable(f"“{file}” is the archive itself, which is open; name another file.")
        opened = file.open("rb")
        _inputs.add(opened.fileno())
    try:
        yield opened
    finally:
        with _connecting:
            _inputs.discard(opened.fileno())
            opened.close()


@contextlib.contextmanager
def lock_exclusively(file: Path) -> Iterator[BinaryIO | None]:
    """Nobody has the file open, and nobody can open it meanwhile; gives it opened, by which alone it may be read.

    None where there is no file, and on Windows, where nobody can replace or delete a file that is open: whoever opens
    it meanwhile makes the block fail with PermissionError, which becomes the same ArchiveError. Raises ArchiveError
    where this or another process has it open.
    """
    if not file.exists():
        yield None
        return
    in_use = f"Another window or program has “{file}” open; close it, and repeat. Nothing was changed."
    if sys.platform == "win32":
        if any(map(_is_open_anywhere, (file, *(file.with_name(f"{file.name}{part}") for part in ("-wal", "-shm"))))):
            raise ArchiveError(in_use)
        try:
            yield None
        except PermissionError as error:
            raise ArchiveError(in_use) from error
        return
    import fcntl

    with _connecting:
        if is_open(file):
            raise ArchiveError(in_use)
        with file.open("r+b") as locked:
            try:
                fcntl.lockf(locked, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
            except OSError as error:
                raise ArchiveError(in_use) from error
            _locked.add(locked.fileno())
            try:
                yield locked
            finally:
                _locked.remove(locked.fileno())


def _is_open_anywhere(file: Path) -> bool:
    """Return whether any program of this machine has the file open, as Windows tells; False on other systems."""
    if sys.platform != "win32":
        return False
    import _winapi

    try:
        # Sharing nothing: Windows grants that only while nobody else has the file open.
        handle = _winapi.CreateFile(str(file), _winapi.GENERIC_READ, 0, 0, _winapi.OPEN_EXISTING, 0, 0)
    except OSError as error:
        return error.winerror == _SHARING_VIOLATION
    _winapi.CloseHandle(handle)
    return False


def can_lock(folder: Path) -> bool:
    """Whether files in a folder can be locked, which some network file systems refuse; True where nobody can tell."""
    if os.name == "nt":
        return True
    import fcntl

    with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=folder) as probe:
        try:
            fcntl.lockf(probe, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def copy_locked(source: BinaryIO, target: Path) -> None:
    """Copies the file that `locked_alone` gave: to open it a second time would end its lock."""
    import shutil

    source.seek(0)
    with target.open("xb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())


class DatabaseFile:
    """The file of a database that is open here: whether it, and a connection's log, are still found at their paths."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._log = self.path.with_name(f"{self.path.name}-wal")
        self._id: _Id | None = None
        self._state: tuple[int, int] | None = None
        self._is_another = False

    def note_connection(self) -> _Id | None:
        """Takes note of a new connection; gives what `is_in_place` needs to know of its log.

        Raises FileNotFoundError where another file is at the path by now than that of the first connection.
        """
        now = _file_id(self.path)
        if self._id is None and os.name != "nt" and not is_open(self.path):
            # Between the opening of the first connection and this look another file took its place.
            raise FileNotFoundError(str(self.path))
        self._id = self._id or now
        if now is None or now != self._id:
            raise FileNotFoundError(str(self.path))
        if self._state is None:
            self.has_changed()
        return _file_id(self._log)

    def is_lost(self) -> bool:
        """Whether a file that was open here already has gone from its path, was emptied, or another is there."""
        if self._id is None:
            return False
        try:
            status = self.path.stat()
        except OSError:
            return True
        return (status.st_dev, status.st_ino) != self._id or not status.st_size

    def is_in_place(self, log: _Id | None) -> bool:
        """Whether what a connection writes goes into the file at the path, and into the log beside it."""
        return not self._is_another and _file_id(self.path) == self._id and (log is None or _file_id(self._log) == log)

    @property
    def log_size(self) -> int:
        """How many bytes its log has; 0 where there is none."""
        try:
            return self._log.stat().st_size
        except OSError:
            return 0

    def has_changed(self) -> bool:
        """Whether the content of the file is another since this was asked last, as when its log was taken over."""
        before, now = self._state, self.path.stat()
        self._state = now.st_size, now.st_mtime_ns
        return before != self._state

    @property
    def is_torn(self) -> bool:
        """Whether somebody else may have written into the file that is open here, which still has its name."""
        return self._is_another or (_file_id(self.path) == self._id and self.has_changed())

    def mark_overwritten(self) -> None:
        """From now on it is not in its place: under its name stands what another program has written over it."""
        self._is_another = True


def _file_id(path: Path) -> _Id | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Moved(sqlite3.OperationalError):
    """The file of a database that is open here is no longer at its path; raised where SQLite opens one."""


class FileExists(ArchiveError):
    """A file of that name is there already."""


class NotWritable(ArchiveError):
    """Nothing can be written there: it is a directory, there is no directory, or it is no ordinary file."""


@contextmanager
def write_atomically(path: Path, *, force: bool = False) -> Iterator[Path]:
    """A path to write to; what is written there becomes `path` when the block ends well, and nothing is left else.

    Raises FileExists if `path` exists and is not to be overwritten by `force`, NotWritable if no file can be there.
    """
    # It loads ssl, which who only reads need not wait for.
    import secrets

    check_writable(path, force=force)
    target = path.resolve()
    draft = target.with_name(f".{secrets.token_hex(6)}{target.suffix}")
    try:
        yield draft
        # Windows has only what may be written flushed to the disk.
        with draft.open("r+b") as written:
            fsync(written.fileno())
        _rename(draft, target, path, force=force)
    except OSError as error:
        if error.filename == str(draft) or (error.filename is None and error.errno in NO_ROOM):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        # Where a database was written and failed, SQLite leaves its logs.
        for ending in ("", "-journal", "-wal", "-shm"):
            draft.with_name(f"{draft.name}{ending}").unlink(missing_ok=True)


@contextmanager
def name_full_disk(path: Path) -> Iterator[None]:
    """Have errors of a full disk name the file that is written: Python names none, or the one that is read."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _rename(draft: Path, target: Path, path: Path, *, force: bool) -> None:
    """Gives a draft its name. Raises FileExists where it is not to be overwritten and another program was quicker."""
    if force:
        draft.replace(target)
        return
    try:
        # An empty file can be begun by one of several programs only.
        target.open("xb").close()
    except FileExistsError as error:
        raise FileExists(f"“{path}” was written by another program meanwhile; name another file.") from error
    try:
        draft.replace(target)
    except OSError:
        target.unlink()
        raise


def check_writable(path: Path, *, force: bool = False) -> None:
    """Raises FileExists or NotWritable where `write_atomically` would."""
    if os.name == "nt":
        refuse_windows_name(path)
    target = path.resolve()
    if target.is_dir():
        raise NotWritable(f"“{path}” is a directory; name a file.")
    if not target.parent.is_dir():
        raise NotWritable(f"There is no directory “{target.parent}” to write “{target.name}” into.")
    if target.exists() and not target.is_file():
        raise NotWritable(f"“{path}” is not an ordinary file; name another.")
    if is_open(target):
        raise NotWritable(f"“{path}” is an archive that is open; name another file.")
    if target.exists() and not force:
        raise FileExists(f"“{path}” exists; name another file.")


def refuse_windows_name(path: PurePath) -> None:
    """Refuse a file whose name Windows changes, or keeps for itself: what was written would be found nowhere.

    Raises:
        NotWritable: With the reason.
    """
    for name in path.parts[1:] if path.anchor else path.parts:
        if name != name.rstrip(". ") and name != "..":
            raise NotWritable(f"Windows drops the end of “{name}”, a dot or a space; name another file.")
        if forbidden := _FORBIDDEN_ON_WINDOWS.search(name):
            raise NotWritable(
                f"Windows allows no {forbidden[0]!r} in the name of a file, as in “{name}”; name another."
            )
        device = name.partition(".")[0].rstrip().upper()
        if _WINDOWS_DEVICES.fullmatch(device):
            raise NotWritable(f"Windows keeps the name {device} for a device, also in “{name}”; name another file.")


def remove_unless_open(path: Path) -> None:
    """Delete a file if it is there. On Windows one that another program has open stays, until it is tried again."""
    with contextlib.suppress(PermissionError) if os.name == "nt" else contextlib.nullcontext():
        path.unlink(missing_ok=True)


def unused_path(path: Path) -> Path:
    """This path, or where something is there the first of `FILE-2`, `FILE-3` … where nothing is."""
    number, candidate = 1, path
    while candidate.exists():
        number += 1
        candidate = path.with_stem(f"{path.stem}-{number}")
    return candidate
