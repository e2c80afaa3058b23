"""Files by the paths that users type, opened without losing the lock on an archive, and written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
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
from templates.languages.messages import phrase

if sys.platform == "win32":
    import _winapi
else:
    import fcntl

# The bytes on which SQLite holds its shared lock while a file is open.
_SHARED_FIRST: Final = 0x40000002
_SHARED_SIZE: Final = 510

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
"""The system's errors for a full disk, or a full quota."""

_SHARING_VIOLATION: Final = 32
"""Windows' error for a file that another program has open."""

_DESCRIPTORS: Final = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"
_MAX_DESCRIPTORS: Final = 65_536
"""The number of descriptors to try if the system lists none, as in a chroot without /proc; few are open at once."""
_READ: Final = "import shutil, sys; shutil.copyfileobj(open(sys.argv[1], 'rb'), sys.stdout.buffer)"

_FORBIDDEN_ON_WINDOWS: Final = re.compile(r'[<>:"|?*\x00-\x1f]')
_WINDOWS_DEVICES: Final = re.compile("CON|PRN|AUX|NUL|CONIN\\$|CONOUT\\$|(?:COM|LPT)[1-9¹²³]")

_Id = tuple[int, int]
_connecting = threading.RLock()
"""Held while a database is opened, and while a file is read that no database has open: the two must not overlap."""
_locked: set[int] = set()
"""Descriptors of files that `lock_exclusively` opened."""
_inputs: set[int] = set()
"""Descriptors of files that `open_input` opened: a file of decks may be searched while its stories are read."""


def expand_user(typed: str) -> Path:
    """Expand `~` to the user's home in a typed path. If there is no such user, `~user` stays as it is."""
    return Path(os.path.expanduser(typed))  # noqa: PTH111 – Path raises there


def read_path(typed: str) -> Path:
    """Return a typed path, or the one that a terminal types when a file is dropped onto it."""
    return expand_user(typed.strip().strip("'\"").replace("\\ ", " "))


def connect(database: str | Path, **options: Any) -> sqlite3.Connection:
    """Open an archive's file with `sqlite3.connect`, while no other thread reads it in another way."""
    with _connecting:
        opened: sqlite3.Connection = sqlite3.connect(database, **options)
        return opened


def database_uri(file: PurePath) -> str:
    """Return the URI of a database's file for SQLite; on Windows also of a file on a server, `\\\\server\\share`.

    The server is a part of the path for SQLite, which accepts no host but this one.
    """
    uri = file.as_uri()
    return uri if uri.startswith("file:///") else uri.replace("file://", "file:////", 1)


def is_open(file: Path) -> bool:
    """Return True if this process has a database open in the file, under any name.

    Always False on Windows, where closing a file drops no locks.
    """
    if os.name == "nt":
        return False
    try:
        status = file.stat()
    except OSError:
        return False
    return any(os.path.samestat(status, each) for each in _open_files())


def _open_files() -> Iterator[os.stat_result]:
    for descriptor in _descriptors():
        # The descriptor that listed them is closed by now.
        with contextlib.suppress(OSError):
            if descriptor not in _locked | _inputs:
                yield os.fstat(descriptor)


def _descriptors() -> Iterable[int]:
    """Return the descriptors that may be files which this process has open."""
    try:
        return [int(path.name) for path in Path(_DESCRIPTORS).iterdir()]
    except OSError:
        most = os.sysconf("SC_OPEN_MAX")  # -1 if there is no limit
        return range(most if 0 < most < _MAX_DESCRIPTORS else _MAX_DESCRIPTORS)


def read_bytes(file: Path) -> bytes:
    """Return the content of a file; if this process has it open, another process reads it. Raises OSError."""
    with _connecting:
        if not is_open(file):
            return file.read_bytes()
    # It takes longer to load than most commands take to run.
    import subprocess

    reader = subprocess.run([sys.executable, "-I", "-S", "-c", _READ, str(file)], capture_output=True, check=False)
    if reader.returncode:
        raise OSError(None, "it cannot be read", str(file))
    return reader.stdout


def begins_with(file: Path, header: bytes) -> bool:
    """Return True if a file begins with `header`. Raises OSError.

    Also returns True if this process has it open, because SQLite reads it.
    """
    with _connecting:
        if is_open(file):
            return True
        with file.open("rb") as opened:
            return opened.read(len(header)) == header


@contextlib.contextmanager
def open_input(file: Path) -> Iterator[BinaryIO]:
    """Open a file that the user named for reading. Raises Unreadable if it is an archive that is open here."""
    with _connecting:
        if is_open(file):
            raise Unreadable(phrase("“{file}” is the archive itself, which is open; name another file.", file=file))
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
    """Hold a file exclusively, so that no other program has it open or can open it.

    Yields the open file, which must not be opened a second time. Yields None if there is no file, and on Windows. There
    an open file cannot be replaced or deleted: if a program opens it meanwhile, the block fails with PermissionError,
    which becomes the same ArchiveError. Raises ArchiveError if this or another process has it open.
    """
    if not file.exists():
        yield None
        return
    in_use = phrase(
        "Another window or program has “{file}” open; close it, and try again. Nothing was changed.", file=file
    )
    if sys.platform == "win32":
        if any(map(_is_open_anywhere, (file, *(file.with_name(f"{file.name}{part}") for part in ("-wal", "-shm"))))):
            raise ArchiveError(in_use)
        try:
            yield None
        except PermissionError as error:
            raise ArchiveError(in_use) from error
        return
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
    """Return True if any program on this machine has the file open, as Windows reports; False on other systems."""
    if sys.platform == "win32":
        try:
            # Sharing nothing: Windows grants that only while no other program has the file open.
            handle = _winapi.CreateFile(str(file), _winapi.GENERIC_READ, 0, 0, _winapi.OPEN_EXISTING, 0, 0)
        except OSError as error:
            return error.winerror == _SHARING_VIOLATION
        _winapi.CloseHandle(handle)
    return False


def can_lock(folder: Path) -> bool:
    """Return False if files in a folder cannot be locked, as in some network file systems.

    Returns True if that cannot be tested.
    """
    if os.name == "nt":
        return True
    with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=folder) as probe:
        try:
            fcntl.lockf(probe, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def copy_locked(source: BinaryIO, target: Path) -> None:
    """Copy the file that `lock_exclusively` opened: opening it a second time would end its lock."""
    source.seek(0)
    with target.open("xb") as copy:
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(copy.fileno())


class DatabaseFile:
    """The file of a database that is open here, compared with what is at its path and at the path of its log now."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self._log = self.path.with_name(f"{self.path.name}-wal")
        self._id: _Id | None = None
        self._state: tuple[int, int] | None = None
        self._is_another = False

    def note_connection(self) -> _Id | None:
        """Register a new connection; return the id of its log for `is_in_place`.

        Raises FileNotFoundError if the file at the path is no longer that of the first connection.
        """
        now = _file_id(self.path)
        if self._id is None and os.name != "nt" and not is_open(self.path):
            # Another file took its place between the opening of the first connection and this check.
            raise FileNotFoundError(str(self.path))
        self._id = self._id or now
        if now is None or now != self._id:
            raise FileNotFoundError(str(self.path))
        if self._state is None:
            self.has_changed()
        return _file_id(self._log)

    def is_lost(self) -> bool:
        """Return True if a file that was open here has gone from its path, was emptied, or was replaced."""
        if self._id is None:
            return False
        try:
            status = self.path.stat()
        except OSError:
            return True
        return (status.st_dev, status.st_ino) != self._id or not status.st_size

    def is_in_place(self, log: _Id | None) -> bool:
        """Return True if a connection writes to the file at the path, and to the log beside it."""
        return not self._is_another and _file_id(self.path) == self._id and (log is None or _file_id(self._log) == log)

    @property
    def log_size(self) -> int:
        """Size of its log in bytes; 0 if there is none."""
        try:
            return self._log.stat().st_size
        except OSError:
            return 0

    def has_changed(self) -> bool:
        """Return True if the file has changed since the last call, as after a checkpoint of its log."""
        before, now = self._state, self.path.stat()
        self._state = now.st_size, now.st_mtime_ns
        return before != self._state

    @property
    def is_torn(self) -> bool:
        """True if another program may have written to the file that is open here, which still has its name."""
        return self._is_another or (_file_id(self.path) == self._id and self.has_changed())

    def mark_overwritten(self) -> None:
        """Treat the file as replaced from now on: another program has written over it."""
        self._is_another = True


def _file_id(path: Path) -> _Id | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Moved(sqlite3.OperationalError):
    """The file of a database that is open here is no longer at its path; raised when SQLite would open one."""


class FileExists(ArchiveError):
    """A file of that name already exists; `was_written` if another program wrote it meanwhile."""

    def __init__(self, path: Path, *, was_written: bool = False) -> None:
        super().__init__(
            phrase("“{path}” was written by another program meanwhile; name another file.", path=path)
            if was_written
            else phrase("“{path}” exists; name another file.", path=path)
        )
        self.path = path
        self.was_written = was_written


class NotWritable(ArchiveError):
    """Nothing can be written there: it is a directory, there is no directory, or it is no ordinary file."""


@contextmanager
def write_atomically(path: Path, *, force: bool = False) -> Iterator[Path]:
    """Yield a path to write to; the file there becomes `path` when the block succeeds, and is removed otherwise.

    Raises FileExists if `path` exists and `force` is False, NotWritable if no file can be there.
    """
    check_writable(path, force=force)
    target = path.resolve()
    draft = target.with_name(f".{os.urandom(6).hex()}{target.suffix}")
    try:
        yield draft
        # Windows flushes only files opened for writing.
        with draft.open("r+b") as written:
            fsync(written.fileno())
        _rename(draft, target, path, force=force)
    except OSError as error:
        if error.filename == str(draft) or (error.filename is None and error.errno in NO_ROOM):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        # If writing a database failed, SQLite leaves its logs.
        for ending in ("", "-journal", "-wal", "-shm"):
            draft.with_name(f"{draft.name}{ending}").unlink(missing_ok=True)


@contextmanager
def name_full_disk(path: Path) -> Iterator[None]:
    """Name the written file in errors of a full disk: Python names none, or the file that is read."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def _rename(draft: Path, target: Path, path: Path, *, force: bool) -> None:
    """Rename a draft to its target. Raises FileExists if `force` is False and another program has written there."""
    if force:
        draft.replace(target)
        return
    try:
        # Only one of several programs can create an empty file.
        target.open("xb").close()
    except FileExistsError as error:
        raise FileExists(path, was_written=True) from error
    try:
        draft.replace(target)
    except OSError:
        target.unlink()
        raise


def check_writable(path: Path, *, force: bool = False) -> None:
    """Raise FileExists or NotWritable if `write_atomically` would."""
    if os.name == "nt":
        refuse_windows_name(path)
    target = path.resolve()
    if target.is_dir():
        raise NotWritable(phrase("“{path}” is a directory; name a file.", path=path))
    if not target.parent.is_dir():
        raise NotWritable(
            phrase(
                "There is no directory “{folder}” to write “{target}” into.", folder=target.parent, target=target.name
            )
        )
    if target.exists() and not target.is_file():
        raise NotWritable(phrase("“{path}” is not an ordinary file; name another.", path=path))
    if is_open(target):
        raise NotWritable(phrase("“{path}” is an archive that is open; name another file.", path=path))
    if target.exists() and not force:
        raise FileExists(path)


def refuse_windows_name(path: PurePath) -> None:
    """Refuse a file whose name Windows changes or reserves: the file would not be found under it.

    Raises:
        NotWritable: With the reason.
    """
    for name in path.parts[1:] if path.anchor else path.parts:
        if name != name.rstrip(". ") and name != "..":
            raise NotWritable(
                phrase("Windows drops the end of “{name}”, a dot or a space; name another file.", name=name)
            )
        if forbidden := _FORBIDDEN_ON_WINDOWS.search(name):
            raise NotWritable(
                phrase(
                    "Windows allows no {character} in the name of a file, as in “{name}”; name another.",
                    character=repr(forbidden[0]),
                    name=name,
                )
            )
        device = name.partition(".")[0].rstrip().upper()
        if _WINDOWS_DEVICES.fullmatch(device):
            raise NotWritable(
                phrase(
                    "Windows keeps the name {device} for a device, also in “{name}”; name another file.",
                    device=device,
                    name=name,
                )
            )


def remove_unless_open(path: Path) -> None:
    """Delete a file if it exists. On Windows a file that another program has open stays until the next attempt."""
    with contextlib.suppress(PermissionError) if os.name == "nt" else contextlib.nullcontext():
        path.unlink(missing_ok=True)


def unused_path(path: Path) -> Path:
    """Return this path, or the first of `FILE-2`, `FILE-3` … that does not exist."""
    number, candidate = 1, path
    while candidate.exists():
        number += 1
        candidate = path.with_stem(f"{path.stem}-{number}")
    return candidate
