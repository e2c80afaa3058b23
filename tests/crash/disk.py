"""A disk that fails when a test wants it to: the calls of SQLite to the system, counted, and struck at one of them.

SQLite reaches files through a table of functions; those that read, write and flush are put in front of the real ones.
What they do otherwise is the real thing, on real files. Only for a process that a test makes for the purpose.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple

Kind = Literal["kill", "torn", "power", "full", "write", "flush", "read", "deed", "overwriting"]
"""kill: the process ends there. torn: half of a write is done, then it ends. power: of all that was not flushed some is
lost, then it ends. full: there is no room. write, flush, read: the call fails. deed: somebody else does something, and
the call goes on as ever. overwriting: the same, but never while a log is taken over into its file, nor while an empty
file is begun: who writes into a file at that moment destroys it with whoever writes its pages, and nobody can see that
before.
"""
KINDS: Final[tuple[Kind, ...]] = ("kill", "torn", "power", "full", "write", "flush", "read")

_OK, _FULL = 0, 13
_FAILS: Final = {"full": _FULL, "read": 266, "write": 778, "flush": 1034}
"""What SQLite calls each failure: SQLITE_FULL, SQLITE_IOERR_READ, _WRITE, _FSYNC."""


class Fault(NamedTuple):
    """What goes wrong, at which of the calls that it can strike (from 1), and for how many of them.

    `act` has somebody else do their deed, in another process: whoever closes a file here drops its locks.
    """

    kind: Kind
    at: int
    calls: int = 1
    act: Callable[[], object] | None = None


class _Waiting(NamedTuple):
    """A write that is not flushed yet: where, what it wrote, what was there before, and how long the file was."""

    path: str
    offset: int
    new: bytes
    old: bytes
    length: int


_File = ctypes.c_void_p
_Call = ctypes.CFUNCTYPE
_READ = _Call(ctypes.c_int, _File, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64)
_TRUNCATE = _Call(ctypes.c_int, _File, ctypes.c_int64)
_SYNC = _Call(ctypes.c_int, _File, ctypes.c_int)
# The name is handed on as the pointer that it is: SQLite keeps it, and reads on behind its end.
_OPEN = _Call(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, _File, ctypes.c_int, ctypes.POINTER(ctypes.c_int))


class _Methods(ctypes.Structure):
    """sqlite3_io_methods; what is not put in front of stays a bare pointer."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("close", ctypes.c_void_p),
        ("read", ctypes.c_void_p),
        ("write", ctypes.c_void_p),
        ("truncate", ctypes.c_void_p),
        ("sync", ctypes.c_void_p),
        ("rest", ctypes.c_void_p * 13),
    )


class _Opened(ctypes.Structure):
    """sqlite3_file."""

    _fields_ = (("methods", ctypes.POINTER(_Methods)),)


class _System(ctypes.Structure):
    """sqlite3_vfs, as far as it is needed."""

    _fields_ = (
        ("version", ctypes.c_int),
        ("size", ctypes.c_int),
        ("longest", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
    )


_DISKS: Final[list[Disk]] = []
"""All disks of this process: SQLite calls their functions to its end, whoever else still knows them."""


class Disk:
    """Stands in front of the disk of this process, from when it is made to the end of the process."""

    def __init__(self, fault: Fault | None, chance: Random) -> None:
        self.fault = fault
        self.calls = 0
        """How many calls there were that the fault can strike; with no fault, those that change files."""
        self.has_struck = False
        """Whether somebody else has done their deed."""
        self._chance = chance
        self._waiting: list[_Waiting] = []
        self._paths: dict[int, str] = {}
        self._kept: list[Any] = []
        self._tables: dict[int, _Methods] = {}
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = ctypes.POINTER(_System)
        system = library.sqlite3_vfs_find(None).contents
        self._open = _OPEN(system.open)
        opened = _OPEN(self._opened)
        self._kept.append(opened)
        system.open = ctypes.cast(opened, ctypes.c_void_p)
        _DISKS.append(self)

    def _opened(self, system: int, name: int | None, file: int, flags: int, out: Any) -> int:
        done = self._open(system, name, file, flags, out)
        if done == _OK:
            opened = ctypes.cast(file, ctypes.POINTER(_Opened)).contents
            self._paths[file] = os.fsdecode(ctypes.string_at(name)) if name else ""
            opened.methods = ctypes.pointer(self._in_front(opened.methods.contents))
        return int(done)

    def _in_front(self, real: _Methods) -> _Methods:
        """The table of functions with ours in it, made once of each real one: journals have another than databases."""
        key = ctypes.addressof(real)
        if key not in self._tables:
            ours = _Methods.from_buffer_copy(real)
            for name, replacement in (
                ("read", _READ(self._reading(_READ(real.read)))),
                ("write", _READ(self._writing(_READ(real.write)))),
                ("truncate", _TRUNCATE(self._truncating(_TRUNCATE(real.truncate)))),
                ("sync", _SYNC(self._flushing(_SYNC(real.sync)))),
            ):
                self._kept.append(replacement)
                setattr(ours, name, ctypes.cast(replacement, ctypes.c_void_p))
            self._tables[key] = ours
        return self._tables[key]

    def _reading(self, real: Callable[..., int]) -> Callable[..., int]:
        def read(file: int, into: int, count: int, offset: int) -> int:
            path = self._paths[file]
            if not path.endswith("-wal") and path and Path(path).exists() and Path(path).stat().st_size:
                self._do_if_due("overwriting")
            return self._struck("read") or real(file, into, count, offset)

        return read

    def _writing(self, real: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, count: int, offset: int) -> int:
            if self._is_due("torn"):
                real(file, data, count // 2, offset)
                _end()
            if self._paths[file].endswith("-wal"):
                self._do_if_due("overwriting")
            failed = self._struck("write", "full")
            if failed:
                return failed
            self._remember(self._paths[file], offset, ctypes.string_at(data, count))
            return real(file, data, count, offset)

        return write

    def _truncating(self, real: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, size: int) -> int:
            return self._struck("write") or real(file, size)

        return truncate

    def _flushing(self, real: Callable[..., int]) -> Callable[..., int]:
        def flush(file: int, flags: int) -> int:
            failed = self._struck("flush")
            if failed:
                return failed
            path = self._paths[file]
            self._waiting = [write for write in self._waiting if write.path != path]
            return real(file, flags)

        return flush

    def _remember(self, path: str, offset: int, new: bytes) -> None:
        if self.fault is not None and self.fault.kind == "power" and path:
            changed = Path(path)
            with changed.open("rb") as file:
                file.seek(offset)
                old = file.read(len(new))
            self._waiting.append(_Waiting(path, offset, new, old, changed.stat().st_size))

    def _struck(self, *kinds: Kind) -> int:
        """What SQLite is told of this call: that it failed, or 0. Where the process is to end here, it does."""
        if self.fault is None:
            self.calls += kinds != ("read",)
            return _OK
        if self.fault.kind in ("kill", "power") and kinds != ("read",) and self._is_due(self.fault.kind):
            self._lose()
            _end()
        self._do_if_due("deed")
        return next((_FAILS[kind] for kind in kinds if self._is_due(kind)), _OK)

    def _do_if_due(self, kind: Kind) -> None:
        if self._is_due(kind) and self.fault is not None and self.fault.act is not None:
            self.fault.act()
            self.has_struck = True

    def _is_due(self, kind: Kind) -> bool:
        if self.fault is None or self.fault.kind != kind:
            return False
        self.calls += 1
        return self.fault.at <= self.calls < self.fault.at + self.fault.calls

    def _lose(self) -> None:
        """Of what was not flushed, any part may have reached the disk: each write is kept or lost by chance."""
        for write in reversed(self._waiting):
            _put(write.path, write.offset, write.old, write.length)
        for write in self._waiting:
            if self._chance.random() < 0.5:
                _put(write.path, write.offset, write.new, None)


def _put(path: str, offset: int, data: bytes, length: int | None) -> None:
    with Path(path).open("r+b") as file:
        file.seek(offset)
        file.write(data)
        if length is not None:
            file.truncate(length)


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
