"""This computer's notes on the sharing of an archive: the folder, what was written there, and what was read.

They lie beside the archive in a file of their own, which is not shared. Nothing is lost with them: without them, all is
written and read once more. A pass over the folder is one transaction of this file, so that of several programs only
one is at it.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from companion.archive.recovery import backups
from templates.languages.alphabets import alphabetical_key

_NAME: Final = "sharing.sqlite"
_OFF: Final = "sharing-off.sqlite"
"""The notes after the sharing was ended; whoever begins it again in the same folder goes on with them."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS written (stream TEXT PRIMARY KEY, length INTEGER NOT NULL, row INTEGER NOT NULL,
    hash TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS own_files (name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS old_files (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS read_files (name TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    whole INTEGER NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waiting (writer TEXT NOT NULL, stream TEXT NOT NULL, reason TEXT NOT NULL,
    title TEXT NOT NULL, PRIMARY KEY (writer, stream)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS devices (writer TEXT PRIMARY KEY, device TEXT NOT NULL, name TEXT NOT NULL,
    export INTEGER NOT NULL, heard REAL NOT NULL) WITHOUT ROWID;
"""
UNREAD: Final = -1
_SECONDS: Final = 2.0
"""Seconds to wait while another program writes these notes."""


class InUse(Exception):
    """The notes are being written by another program at this moment."""


class WrittenStory(NamedTuple):
    """A story as it was written last: its length, the checksum of its row in lists, and its hash."""

    length: int
    row: int
    hash: str


class OwnFile(NamedTuple):
    """A file of this device in the folder, as this program left it."""

    size: int
    modified: int
    digest: str


class ReadFile(NamedTuple):
    """A file of another device as it was read last: how much of it was whole, and the checksum of that part.

    `modified` is `UNREAD` if it could not be read.
    """

    size: int
    modified: int
    whole: int
    checksum: int


class Device(NamedTuple):
    """Another device, by an export of it, and when this computer last read something new there, in seconds since 1970.

    `export` is the number of the export.
    """

    writer: str
    device: str
    name: str
    export: int
    heard: float


def state_file(file: Path) -> Path:
    """Return the file of the notes on an archive."""
    return backups.folder(file) / _NAME


def put_state_away(file: Path) -> None:
    """Put the notes away: the archive is no longer shared by this computer. Raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        state_file(file).replace(state_file(file).with_name(_OFF))


def computer_id() -> str:
    """Return a random name of this computer, so that notes copied to another one are recognized; "" if none is kept."""
    path = platformdirs.user_state_path("table-companion", appauthor=False) / "computer"
    with contextlib.suppress(OSError, RuntimeError, UnicodeDecodeError):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(secrets.token_hex(8), encoding="utf-8")
        return path.read_text(encoding="utf-8").strip()
    return ""


def _is_busy(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class LocalState:
    """The open notes. What is set is kept when `hold` ends without an error."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextlib.contextmanager
    def open(cls, file: Path) -> Iterator[LocalState | None]:
        """Open the notes on an archive to read them; None if there are none, or they are damaged. Raises InUse."""
        path = state_file(file)
        if not path.is_file():
            yield None
            return
        try:
            connection = sqlite3.connect(path, timeout=_SECONDS, isolation_level=None)
        except sqlite3.Error:
            yield None
            return
        with contextlib.closing(connection):
            try:
                state = cls(connection)
                is_whole = bool(state.get("folder"))
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if _is_busy(error):
                    raise InUse from error
                is_whole = False
            yield state if is_whole else None

    @classmethod
    def create(cls, file: Path, folder: Path) -> None:
        """Begin the notes on an archive that is shared through a folder, or name another folder.

        Raises OSError, and InUse.
        """
        path = state_file(file)
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            with contextlib.suppress(FileNotFoundError):
                path.with_name(_OFF).replace(path)
        with cls.open(file) as state:
            is_damaged = state is None or not state.is_sound
        if is_damaged:
            path.unlink(missing_ok=True)
        try:
            with contextlib.closing(sqlite3.connect(path, timeout=_SECONDS, isolation_level=None)) as connection:
                connection.executescript(_TABLES)
                state = cls(connection)
                with state.hold() as is_held:
                    if not is_held:
                        raise InUse
                    if state.get("folder") != str(folder):
                        state.begin_anew()
                        state.forget_others()
                        state.set("folder", str(folder))
                        state.set("device", secrets.token_hex(8))
                        state.set("computer", computer_id())
        except sqlite3.Error as error:
            if _is_busy(error):
                raise InUse from error
            raise OSError(str(error)) from error

    @contextlib.contextmanager
    def hold(self) -> Iterator[bool]:
        """Hold the notes alone; yield False if another program does. Changes are kept at the end of the block."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            yield False
            return
        try:
            yield True
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @property
    def is_sound(self) -> bool:
        """True if no part of the notes is damaged."""
        try:
            return bool(self._connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return False

    def get(self, name: str, default: str = "") -> str:
        """Return a setting."""
        row = self._connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def set(self, name: str, value: str) -> None:
        """Store a setting."""
        if self.get(name) != value:
            self._connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    @property
    def folder(self) -> Path:
        """The folder inside the one that the user chose."""
        return Path(self.get("folder"))

    @property
    def writer(self) -> str:
        """The name of the export that this computer writes."""
        return self.get("writer")

    @property
    def export(self) -> int:
        """The number of the export that this computer writes."""
        return int(self.get("export", "0"))

    @property
    def number(self) -> int:
        """The number of the last batch that this computer wrote."""
        return int(self.get("number", "0"))

    def raise_number(self, number: int) -> None:
        """Note the number of a batch that this computer wrote, unless a later one is noted."""
        if number > self.number:
            self.set("number", str(number))

    # What is written

    def become_another_device(self) -> None:
        """Take another name as a device, as the notes were copied, and somebody goes on with the other copy."""
        self.set("device", secrets.token_hex(8))

    def begin_anew(self) -> None:
        """Begin a new export, with nothing written yet, under a name of its own; the files until now become old."""
        self.set("export", str(self.export + 1))
        self.set("writer", secrets.token_hex(8))
        self.set("number", "0")
        self.set("growth", "")
        self._connection.execute("DELETE FROM written")
        self._connection.execute("INSERT OR IGNORE INTO old_files SELECT name FROM own_files")
        self._connection.execute("DELETE FROM own_files")

    def read_stories(self) -> dict[str, WrittenStory]:
        """Return all stories as they were written last, by stream."""
        rows = self._connection.execute("SELECT stream, length, row, hash FROM written")
        return {stream: WrittenStory(*rest) for stream, *rest in rows}

    def put_written(self, stream: str, story: WrittenStory) -> None:
        """Note a story that was written."""
        self._connection.execute("INSERT OR REPLACE INTO written VALUES (?, ?, ?, ?)", (stream, *story))

    def forget_written(self, streams: Iterable[str]) -> None:
        """Forget that some streams were written, so that they are written again if they come back."""
        self._connection.executemany("DELETE FROM written WHERE stream = ?", [(stream,) for stream in streams])

    def own_files(self) -> Mapping[str, OwnFile]:
        """Return the files of this device, oldest first."""
        rows = self._connection.execute("SELECT name, size, modified, digest FROM own_files ORDER BY name")
        return {name: OwnFile(*rest) for name, *rest in rows}

    def put_own_file(self, name: str, file: OwnFile) -> None:
        """Note a file of this device as it is now."""
        self._connection.execute("INSERT OR REPLACE INTO own_files VALUES (?, ?, ?, ?)", (name, *file))

    def old_files(self) -> Sequence[str]:
        """Return the files of older exports of this device, which may be deleted when the new one is written."""
        return [name for (name,) in self._connection.execute("SELECT name FROM old_files ORDER BY name")]

    def remove_old_file(self, name: str) -> None:
        """Forget a file of an older export that was deleted."""
        self._connection.execute("DELETE FROM old_files WHERE name = ?", (name,))

    def disown_files(self) -> None:
        """Forget the files of older exports: they are another device's."""
        self._connection.execute("DELETE FROM old_files")

    # What is read

    def forget_others(self) -> None:
        """Forget the other devices."""
        self.forget_read()
        for table in ("waiting", "devices"):
            self._connection.execute(f"DELETE FROM {table}")

    def forget_read(self) -> None:
        """Forget what was read, so that all of it is read once more."""
        self._connection.execute("DELETE FROM read_files")

    def read_files(self) -> Mapping[str, ReadFile]:
        """Return the files of other devices as they were read last."""
        rows = self._connection.execute("SELECT name, size, modified, whole, checksum FROM read_files")
        return {name: ReadFile(*rest) for name, *rest in rows}

    def put_read_file(self, name: str, file: ReadFile) -> None:
        """Note a file of another device."""
        self._connection.execute("INSERT OR REPLACE INTO read_files VALUES (?, ?, ?, ?, ?)", (name, *file))

    def remove_read_file(self, name: str) -> None:
        """Forget a file that has gone."""
        self._connection.execute("DELETE FROM read_files WHERE name = ?", (name,))

    def newer_files(self) -> frozenset[str]:
        """Return the files of which a newer program wrote what is not read yet."""
        return frozenset(json.loads(self.get("newer", "[]")))

    def put_newer_files(self, files: Collection[str]) -> None:
        """Note the files of which a newer program wrote what is not read yet."""
        self.set("newer", json.dumps(sorted(files)))

    def waiting(self) -> Mapping[tuple[str, str], tuple[str, str]]:
        """Return the reasons and titles of all stories that wait, by their writers and streams."""
        rows = self._connection.execute("SELECT writer, stream, reason, title FROM waiting ORDER BY writer, stream")
        return {(writer, stream): (reason, title) for writer, stream, reason, title in rows}

    def put_waiting(self, writer: str, stream: str, reason: str, title: str = "") -> None:
        """Note what a story waits for, unless a newer export of its device is here."""
        self.end_waiting(writer, stream)
        if writer not in self._replaced_exports():
            self._connection.execute("INSERT INTO waiting VALUES (?, ?, ?, ?)", (writer, stream, reason, title))

    def end_waiting(self, writer: str, stream: str) -> None:
        """Note that a story waits no longer."""
        self._connection.execute("DELETE FROM waiting WHERE writer = ? AND stream = ?", (writer, stream))

    def devices(self) -> tuple[Device, ...]:
        """Return the other devices by name, each with its newest export."""
        rows = self._connection.execute("SELECT writer, device, name, export, heard FROM devices ORDER BY export")
        newest = {device.device: device for device in (Device(*row) for row in rows)}
        return tuple(sorted(newest.values(), key=lambda device: alphabetical_key(device.name)))

    def put_device(self, device: Device) -> None:
        """Note that something new was read from a device; what waited in an older export of it waits no longer."""
        self._connection.execute("INSERT OR REPLACE INTO devices VALUES (?, ?, ?, ?, ?)", device)
        for writer in self._replaced_exports():
            self._connection.execute("DELETE FROM waiting WHERE writer = ?", (writer,))

    def _replaced_exports(self) -> frozenset[str]:
        """Return the exports before the newest of their device; two may have its number if a program was killed."""
        rows = self._connection.execute("SELECT writer, device, export FROM devices").fetchall()
        newest = {self.get("device"): self.export}
        for _, device, export in rows:
            newest[device] = max(newest.get(device, 0), export)
        return frozenset(writer for writer, device, export in rows if export < newest[device])
