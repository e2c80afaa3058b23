"""Errors of an archive's database, as codes and in words. Importing this module loads no database library."""

import sqlite3
from collections.abc import Mapping
from typing import Final

from companion.archive.errors import Look
from companion.archive.storage import files
from companion.archive.storage.location import load_server
from templates.languages.messages import Message, Text, phrase


def sqlite_code(error: BaseException | None) -> int:
    """Return the result code of the SQLite error that this one is, wraps or was raised from; 0 if none is.

    It is the primary code. Extended codes differ between systems, except for one: if there is no room for the index of
    a log, the disk is full, and no primary code says so.
    """
    while error is not None:
        original = getattr(error, "orig", None) or error
        if code := int(getattr(original, "sqlite_errorcode", 0)):
            return sqlite3.SQLITE_FULL if code == sqlite3.SQLITE_IOERR_SHMSIZE else code & _KIND
        error = error.__cause__
    return 0


def is_locked(error: Exception) -> bool:
    """Return True if a file is locked by another program, or cannot be locked at all."""
    return sqlite_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_disk_full(error: BaseException) -> bool:
    """Return True if an error is a full disk, or was raised from one."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno in files.NO_ROOM:
            return True
        cause = cause.__cause__
    return sqlite_code(error) == sqlite3.SQLITE_FULL


def describe_cause(error: Exception) -> Text:
    """Describe an error of the database as a sentence without its full stop."""
    original = getattr(error, "orig", None) or error
    if hasattr(original, "sqlstate"):
        cause: Text = load_server().describe_server_error(original)
        return cause
    if isinstance(original, files.Moved):
        return phrase("The archive was deleted, renamed or replaced while it was open here; open it again")
    if isinstance(original, UnicodeDecodeError):
        return _DAMAGED
    return _CAUSES.get(sqlite_code(error)) or phrase(
        "The database refuses ({reason})", reason=" ".join(str(original).split())
    )


def name_cause(cause: Text, archive: object) -> Message:
    """Return the sentence of a cause with the archive, or the file, that it is about."""
    return phrase("{cause}: {archive}.", cause=cause, archive=archive)


def look_for(error: Exception) -> Look | None:
    """Return what to look at to resolve such an error."""
    is_damaged = isinstance(getattr(error, "orig", None) or error, UnicodeDecodeError) or sqlite_code(error) in _DAMAGE
    return "damage" if is_damaged else None


_KIND: Final = 0xFF
"""The bits of a result code that hold the primary code."""
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_DAMAGED: Final = phrase("The archive is damaged")
NO_LOCKS: Final = phrase(
    "The archive cannot be locked where it lies, as in some network folders, and two programs at once would destroy "
    "it; move it to a disk of this computer"
)
_LOCKED: Final = phrase("Another program is writing to the archive and does not stop; close it and try again")
_CAUSES: Final[Mapping[int, Message]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_IOERR: phrase("The disk failed; check whether it is still there and has room, and try again"),
    sqlite3.SQLITE_FULL: phrase("The disk is full; nothing was written to the archive"),
    sqlite3.SQLITE_READONLY: phrase("The archive may only be read here; move it, or open another with --archive"),
    sqlite3.SQLITE_CANTOPEN: phrase("The archive cannot be opened or made here"),
    sqlite3.SQLITE_NOTADB: phrase("This is not an archive, or it is damaged"),
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
}
