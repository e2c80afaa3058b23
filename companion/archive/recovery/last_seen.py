"""This computer's notes on archives: which it has opened, and how far they had grown."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import secrets
from pathlib import Path
from typing import Final

import platformdirs

from companion.archive.errors import NoArchive, Unreadable
from companion.archive.recovery import backups
from companion.archive.recovery.stored_entries import holds_entries
from companion.archive.storage import files, location, wal_guard

_MAX_NOTES: Final = 200
"""The number of archives with a note; the least recently noted are dropped."""


def growth_of(file: Path) -> int | None:
    """Return the growth of an archive's file with its log, a number that rises with every transaction.

    None if it cannot be read. Writes nothing.
    """
    with contextlib.suppress(*wal_guard.READ_ERRORS), contextlib.closing(backups.open_to_read(file)) as opened:
        return backups.growth_inside(opened)
    return None


def recall(file: Path) -> int | None:
    """Return the growth at which this computer last saw an archive's file; None if there is no note of it."""
    try:
        return int(json.loads(_note_path(file).read_bytes())["growth"])
    except (OSError, RuntimeError, ValueError, LookupError, TypeError):
        return None


def remember(file: Path, growth: int) -> None:
    """Note the growth of an archive's file. Does nothing if the note cannot be written."""
    with contextlib.suppress(OSError, RuntimeError):
        if recall(file) == growth:
            return
        note = _note_path(file)
        note.parent.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            _forget_oldest(note.parent)
        draft = note.with_name(f".{secrets.token_hex(6)}")
        draft.write_text(json.dumps({"archive": str(file.absolute()), "growth": growth}), encoding="utf-8")
        draft.replace(note)


def forget(file: Path) -> None:
    """Delete the note of an archive's file: whatever replaces it from now on is accepted."""
    with contextlib.suppress(OSError, RuntimeError):
        _note_path(file).unlink(missing_ok=True)


def accept(file: Path) -> int | None:
    """Accept an archive's file as it is, even if this computer has seen a larger growth.

    Returns its growth; None if there is none.
    """
    growth = growth_of(file) if file.exists() else None
    forget(file)
    if growth is not None:
        remember(file, growth)
    return growth


def describe_loss(file: Path) -> str:
    """Describe an archive that holds less than this computer last saw in it; "" if it does not.

    What the user can do is behind the `Look` "loss".
    """
    growth = recall(file)
    present = growth_of(file) if growth else None
    if growth is None or present is None or present >= growth:
        return ""
    newest = backups.list_backups(file)[:1]
    backup = f"its newest backup is “{newest[0].path}”" if newest else "there is no backup beside it"
    missing = "its last change is" if growth - present == 1 else f"its last {growth - present:,} changes are"
    return f"“{file}” is older than this computer last saw it: {missing} missing. Nothing is written to it; {backup}."


def _note_path(file: Path) -> Path:
    """Return the path of the note on a file."""
    name = hashlib.sha256(str(file.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return platformdirs.user_state_path("table-companion", appauthor=False) / "archives" / f"{name}.json"


def _forget_oldest(folder: Path) -> None:
    notes = sorted(folder.glob("*.json"), key=lambda note: note.stat().st_mtime, reverse=True)
    for note in notes[_MAX_NOTES - 1 :]:
        note.unlink(missing_ok=True)


_PAGE = 4096
"""Bytes of the first page, which a file has as soon as a program begins to create an archive in it."""


def check_file(path: Path, *, create: bool = True) -> None:
    """Raise Unreadable if the file of an archive is no database, was lost, or can never exist.

    Raises NoArchive if there is none and `create` is False.
    """
    _check_folder(path)
    if not path.exists() or path.stat().st_size == 0:
        _check_new(path)
        if not create:
            why = "is empty, 0 bytes" if path.exists() else "does not exist"
            raise NoArchive(f"There is no archive in “{path}”, which {why}.")
    elif not files.begins_with(path, wal_guard.MAGIC):
        raise _no_database(path)
    elif _is_hollow(path):
        _check_new(path)
    elif path.stat().st_nlink > 1:
        _check_only_name(path)


def _check_folder(path: Path) -> None:
    """Raise Unreadable if no file can be there, or it may not be read."""
    try:
        path.stat()
    except PermissionError:
        raise Unreadable(f"“{path}” may not be read by you; name another place with --archive FILE.") from None
    except OSError as error:  # the file need not exist
        if error.errno == errno.ENAMETOOLONG:
            raise Unreadable(f"“{path}” is too long for the name of a file; name another place.") from None
    if path.is_dir():
        raise Unreadable(f"“{path}” is a directory; an archive is a file, such as {path / 'archive.sqlite'}.")
    if not path.parent.is_dir() and path == location.default_file():
        raise Unreadable(
            f"The folder for the archive, “{path.parent}”, cannot be made; see that you may write there, or name "
            "another place with --archive FILE."
        )
    if not path.parent.is_dir():
        raise Unreadable(
            f"There is no directory “{path.parent}” to keep the archive “{path.name}” in; look at its name, plug in "
            "the disk or stick that it is on, or name another place with --archive."
        )


def _no_database(path: Path) -> Unreadable:
    """Return the error for a file that is no database: a damaged archive, if this computer knows that one was there."""
    if not (recall(path) or wal_guard.holds_pages(wal_guard.log_of(path)) or backups.list_backups(path)):
        return Unreadable(
            f"“{path}” is not an archive: it is not an SQLite database. If it was one, companion archive check tells "
            "what can be saved."
        )
    newest = backups.list_backups(path)[:1]
    backup = f"; its newest backup is “{newest[0].path}”" if newest else ""
    return Unreadable(f"The archive “{path}” is damaged: its beginning is that of no database{backup}.", "damage")


def _is_hollow(path: Path) -> bool:
    """Return True if a file in which an archive was seen has only the page with which one begins."""
    return bool(recall(path)) and may_be_new(path) and growth_of(path) is None


def may_be_new(path: Path) -> bool:
    """Return True if no archive was ever created in a file: even an empty archive's tables take more than one page."""
    try:
        return path.stat().st_size <= _PAGE
    except OSError:
        return True


def _check_only_name(path: Path) -> None:
    """Raise Unreadable if the last entries of a file are in the log of another name that it has in its folder."""
    for other in path.parent.iterdir():
        log = wal_guard.log_of(other)
        if other.name != path.name and wal_guard.holds_pages(log) and other.is_file() and other.samefile(path):
            raise Unreadable(
                f"“{path}” is also called “{other.name}”, and its last entries are in “{log.name}”: close what has it "
                "open under that name, or open it by that name."
            )


def _check_new(path: Path) -> None:
    """Raise Unreadable if there are traces of an earlier archive: no new one is created in its place."""
    waiting = wal_guard.holds_pages(wal_guard.log_of(path))
    growth = recall(path) or 0
    names = backups.describe_newest(path) if waiting or growth or backups.folder(path).is_dir() or path.exists() else ""
    if not (names or waiting or growth):
        return
    gone = ("is empty" if path.stat().st_size else "is empty, 0 bytes") if path.exists() else "is gone"
    rest = _describe_log(path) if waiting else ""
    newest = backups.list_backups(path)[:1]
    way = (
        f"Backups, newest first: {names}. companion archive restore {newest[0].path} puts one in its place"
        if newest
        else "There is no backup beside it"
    )
    only_seen = growth and not (names or waiting)
    seen = ", as this computer remembers" if only_seen else ""
    first = ", or say companion archive accept first" if only_seen else ""
    raise Unreadable(
        f"The archive “{path}” {gone}, and there was one{seen}.{rest} {way}; to begin a new one, name another "
        f"file{first}."
    )


def _describe_log(path: Path) -> str:
    """Describe the state of the log of a file that is gone or empty."""
    log = wal_guard.log_of(path).name
    if holds_entries(path):
        return f" Its last entries are in “{log}”: keep that; companion archive check --repair saves them."
    return f" Its last entries may be in “{log}”: keep that."
