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
from templates.languages.messages import Message, Text, joined, phrase, phrases

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


def describe_loss(file: Path) -> Text:
    """Describe an archive that holds less than this computer last saw in it; "" if it does not.

    What the user can do is behind the `Look` "loss".
    """
    growth = recall(file)
    present = growth_of(file) if growth else None
    if growth is None or present is None or present >= growth:
        return ""
    newest = backups.list_backups(file)[:1]
    if not newest:
        return phrases(
            "“{file}” is older than this computer last saw it: its last change is missing. Nothing is written to it; "
            "there is no backup beside it.",
            "“{file}” is older than this computer last saw it: its last {n} changes are missing. Nothing is written to "
            "it; there is no backup beside it.",
            n=growth - present,
            file=str(file),
        )
    return phrases(
        "“{file}” is older than this computer last saw it: its last change is missing. Nothing is written to it; its "
        "newest backup is “{backup}”.",
        "“{file}” is older than this computer last saw it: its last {n} changes are missing. Nothing is written to it; "
        "its newest backup is “{backup}”.",
        n=growth - present,
        file=str(file),
        backup=str(newest[0].path),
    )


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
            raise NoArchive(
                phrase("There is no archive in “{path}”, which is empty, 0 bytes.", path=path)
                if path.exists()
                else phrase("There is no archive in “{path}”, which does not exist.", path=path)
            )
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
        raise Unreadable(
            phrase("You may not read “{path}”; name another place with --archive FILE.", path=path)
        ) from None
    except OSError as error:  # the file need not exist
        if error.errno == errno.ENAMETOOLONG:
            raise Unreadable(
                phrase("“{path}” is too long for the name of a file; name another place.", path=path)
            ) from None
    if path.is_dir():
        raise Unreadable(
            phrase(
                "“{path}” is a directory; an archive is a file, such as {example}.",
                path=path,
                example=path / "archive.sqlite",
            )
        )
    if not path.parent.is_dir() and path == location.default_file():
        raise Unreadable(
            phrase(
                "The folder for the archive, “{folder}”, cannot be created; make sure that you may "
                "write there, or name another place with --archive FILE.",
                folder=path.parent,
            )
        )
    if not path.parent.is_dir():
        raise Unreadable(
            phrase(
                "There is no directory “{folder}” to keep the archive “{path}” in; look at its name, plug in the "
                "disk or stick that it is on, or name another place with --archive.",
                folder=path.parent,
                path=path.name,
            )
        )


def _no_database(path: Path) -> Unreadable:
    """Return the error for a file that is no database: a damaged archive, if this computer knows that one was there."""
    if not (recall(path) or wal_guard.holds_pages(wal_guard.log_of(path)) or backups.list_backups(path)):
        return Unreadable(
            phrase(
                "“{path}” is not an archive: it is not an SQLite database. If it was one, companion archive check "
                "tells what can be saved.",
                path=path,
            )
        )
    newest = backups.list_backups(path)[:1]
    if not newest:
        return Unreadable(
            phrase("The archive “{path}” is damaged: it does not begin as a database does.", path=path), "damage"
        )
    return Unreadable(
        phrase(
            "The archive “{path}” is damaged: it does not begin as a database does; its newest backup is “{backup}”.",
            path=path,
            backup=newest[0].path,
        ),
        "damage",
    )


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
                phrase(
                    "“{path}” is also called “{other}”, and its last entries are in “{log}”: close what has it open "
                    "under that name, or open it by that name.",
                    path=path,
                    other=other.name,
                    log=log.name,
                )
            )


def _check_new(path: Path) -> None:
    """Raise Unreadable if there are traces of an earlier archive: no new one is created in its place."""
    waiting = wal_guard.holds_pages(wal_guard.log_of(path))
    growth = recall(path) or 0
    names = backups.describe_newest(path) if waiting or growth or backups.folder(path).is_dir() or path.exists() else ""
    if not (names or waiting or growth):
        return
    only_seen = bool(growth and not (names or waiting))
    sentences = (
        _describe_absence(path, only_seen=only_seen),
        *([_describe_log(path)] if waiting else ()),
        _describe_way_back(path, names, only_seen=only_seen),
    )
    raise Unreadable(joined(" ", sentences))


def _describe_absence(path: Path, *, only_seen: bool) -> Message:
    """Describe a file in which an archive was; with `only_seen`, nothing but this computer's memory says so."""
    if not path.exists():
        if only_seen:
            return phrase("The archive “{path}” is gone; this computer remembers that there was one.", path=path)
        return phrase("The archive “{path}” is gone; there was one.", path=path)
    if path.stat().st_size:
        if only_seen:
            return phrase("The archive “{path}” is empty; this computer remembers that there was one.", path=path)
        return phrase("The archive “{path}” is empty; there was one.", path=path)
    if only_seen:
        return phrase("The archive “{path}” is empty, 0 bytes; this computer remembers that there was one.", path=path)
    return phrase("The archive “{path}” is empty, 0 bytes; there was one.", path=path)


def _describe_way_back(path: Path, names: Text, *, only_seen: bool) -> Message:
    """Describe what to do about an archive that is gone; `names` are its newest backups."""
    newest = backups.list_backups(path)[:1]
    if newest:
        return phrase(
            "Backups, newest first: {backups}. companion archive restore {backup} puts one in "
            "its place; to begin a new archive, name another file.",
            backups=names,
            backup=newest[0].path,
        )
    if only_seen:
        return phrase(
            "There is no backup beside it; to begin a new archive, name another file, or run "
            "companion archive accept first."
        )
    return phrase("There is no backup beside it; to begin a new archive, name another file.")


def _describe_log(path: Path) -> Message:
    """Describe the state of the log of a file that is gone or empty."""
    log = wal_guard.log_of(path).name
    if holds_entries(path):
        return phrase(
            "Its last entries are in “{log}”: keep that; companion archive check --repair saves them.", log=log
        )
    return phrase("Its last entries may be in “{log}”: keep that.", log=log)
