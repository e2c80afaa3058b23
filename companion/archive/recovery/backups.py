"""Backups of an archive's file: made, ordered, read back, retained or pruned, and copied to a folder elsewhere."""

from __future__ import annotations

import contextlib
import errno
import re
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from companion.archive.errors import ArchiveError, Clause, describe_error
from companion.archive.storage import checksums, files, wal_guard
from companion.archive.storage.database_errors import describe_cause, look_for, name_cause, sqlite_code
from templates.languages.dates import date_and_time
from templates.languages.messages import ENGLISH, Message, Text, declared, listed, phrase, phrases

Why = Literal["evening", "hour", "migration", "hand", "replaced", "rescued"]
"""The reasons for a backup.

At the end of an evening; after an hour of play; before a newer companion migrated the tables; made by the user; the
file that a restored backup replaced; the contents of an archive that was removed while a window had it open.
"""

REASONS: Final[Mapping[Why, Message]] = {
    "evening": phrase("end of an evening"),
    "hour": phrase("during play"),
    "migration": phrase("before a newer companion"),
    "hand": phrase("made by hand"),
    "replaced": phrase("replaced by a backup"),
    "rescued": phrase("removed while open"),
}
"""The reasons for a backup, as lists show them."""

NEWEST_KEPT: Final = 15
"""The number of the newest evening and hour backups that all stay. Backups before migrations stay forever."""
HOUR: Final = 3600.0
"""Seconds of play after which a backup is due."""

_BUSY_SECONDS: Final = 10
_STAMP: Final = "%Y-%m-%d-%H%M%S"
_AUTOMATIC_NAME: Final = re.compile(
    r"(?:(\d{10,15})-)?(\d{4}-\d\d-\d\d-\d{6})-(evening|hour|before-\d+)(-\d+)?\.sqlite"
)
"""The name of an automatic backup: its growth, which those of older companions lack, its date, and its reason."""
_MAX_GROWTH: Final = 10**15
"""No archive grows this far; a larger number is damaged or invented."""
_MAX_USER_VERSION: Final = 2**31 - 1
"""The largest number that fits into the header of an SQLite file."""


class Backup(NamedTuple):
    """A backup of an archive.

    `created_at` is in UTC, by a clock that may have been wrong, and `growth` is the archive's growth then; 0 if it
    cannot be read.
    """

    path: Path
    created_at: datetime
    why: Why
    bytes: int
    growth: int


def folder(file: Path) -> Path:
    """Return the folder of the backups of an archive's file."""
    return file.with_name(f"{file.name}.backups")


def dated_name(now: datetime, word: str = "archive") -> str:
    """Return the file name of a copy made now: `archive-2026-03-14-203000.sqlite`."""
    return f"{word}-{now:{_STAMP}}.sqlite"


def read_growth(file: Path) -> int:
    """Return the growth of an archive, or of a backup of one: a number that rises with every transaction.

    For an archive older than this number it is the number of entries, at which the count began. Raises ArchiveError if
    the file cannot be read.
    """
    with _reading(file) as connection:
        return growth_inside(connection)


def growth_inside(connection: sqlite3.Connection) -> int:
    """Return the growth of an open file."""
    if any(column[1] == "growth" for column in connection.execute("PRAGMA table_info(lineage)")):
        (growth,) = connection.execute("SELECT growth FROM lineage").fetchone() or (0,)
    else:
        (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
        # One that was put in an archive's place must exceed the one it replaced.
        growth = max(entries, *connection.execute("PRAGMA user_version").fetchone())
    return growth if isinstance(growth, int) and 0 <= growth < _MAX_GROWTH else 0


def next_growth(file: Path, backup: Path) -> int:
    """Return a growth above those of the archive `file`, of all its backups, and of `backup`, which replaces it.

    So everything made after the restore is newer than everything made before.
    """
    growths = [each.growth for each in list_backups(file)]
    for path in (file, backup):
        with contextlib.suppress(ArchiveError):
            growths.append(read_growth(path))
    return max(growths, default=0) + 1


def list_backups(file: Path) -> tuple[Backup, ...]:
    """Return all backups of an archive's file, newest first: those in their folder, and dated copies beside it."""
    all_of = [
        *list_automatic(folder(file)),
        *_list_beside(file, "archive", "hand"),
        *_list_beside(file, f"{file.stem}-replaced", "replaced"),
        *_list_beside(file, f"{file.stem}-rescued", "rescued"),
    ]
    return tuple(sorted(all_of, key=lambda backup: (backup.growth, backup.path.name), reverse=True))


def list_automatic(where: Path) -> Iterator[Backup]:
    """Yield the automatic backups in a folder, in no order; none if there is no such folder."""
    for path in _files(where):
        match = _AUTOMATIC_NAME.fullmatch(path.name)
        created_at = _parse_stamp(match[2]) if match else None
        if match and created_at:
            why: Why = "migration" if match[3].startswith("before") else "hour" if match[3] == "hour" else "evening"
            # Another program may be removing it at this moment.
            with contextlib.suppress(OSError):
                yield _read_backup(path, created_at.replace(tzinfo=UTC), why, match[1])


def _list_beside(file: Path, word: str, why: Why) -> Iterator[Backup]:
    name = re.compile(rf"{re.escape(word)}-(\d{{4}}-\d\d-\d\d-\d{{6}})(-\d+)?\.sqlite")
    for path in _files(file.resolve().parent):
        match = name.fullmatch(path.name)
        created_at = _parse_stamp(match[1]) if match else None
        if created_at:
            with contextlib.suppress(OSError):
                # A copy made by hand is named in local time.
                yield _read_backup(path, created_at.astimezone(UTC), why)


def _files(where: Path) -> tuple[Path, ...]:
    try:
        return tuple(where.iterdir())
    except OSError:
        return ()


def _parse_stamp(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, _STAMP)
    except ValueError:
        return None


def _read_backup(path: Path, created_at: datetime, why: Why, growth: str | None = None) -> Backup:
    status = path.stat()
    reached = int(growth) if growth else _growth_inside(path, status.st_mtime_ns, status.st_size)
    return Backup(path, created_at, why, status.st_size, reached)


@lru_cache(maxsize=256)
def _growth_inside(path: Path, _changed: int, _size: int) -> int:
    """Return the growth of a backup whose name does not contain it, opened once; 0 if it cannot be read."""
    try:
        with contextlib.closing(wal_guard.connect_alone(path)) as opened:
            return growth_inside(opened)
    except wal_guard.READ_ERRORS:
        return 0


def replaced_path(file: Path, now: datetime) -> Path:
    """Return an unused path beside the file for the archive that a backup replaces."""
    return files.unused_path(file.with_name(dated_name(now.astimezone(), f"{file.stem}-replaced")))


def rescued_path(file: Path, now: datetime) -> Path:
    """Return an unused path beside the file for a copy of an archive that was removed while it was open."""
    return files.unused_path(file.with_name(dated_name(now.astimezone(), f"{file.stem}-rescued")))


def describe_newest(file: Path, most: int = 3) -> Text:
    """List the newest backups in a sentence; "" if there are none."""
    newest = list_backups(file)
    beside = file.resolve().parent
    names = listed(
        f"{path.relative_to(beside) if (path := backup.path).is_relative_to(beside) else path} ({local_time(backup)})"
        for backup in newest[:most]
    )
    if len(newest) <= most:
        return names
    return phrases("{names} and {n} more", "{names} and {n} more", n=len(newest) - most, names=names)


def local_time(backup: Backup) -> Message:
    """Return when a backup was made, in local time."""
    return date_and_time(backup.created_at)


def make_backup(file: Path, why: Literal["evening", "hour"], now: datetime) -> Path | None:
    """Make a backup; return None if nothing is new since the last. Prune older ones, see `select_retained`.

    Raises ArchiveError or OSError if none can be made; existing backups stay.
    """
    before = list_backups(file)
    growth, word = _state(file)
    ours = [backup for backup in before if backup.why in ("evening", "hour")]
    if not word or (ours and wal_guard.word_before(ours[0].path) == word):
        return None
    newest = [backup for backup in before if backup.growth == before[0].growth]
    if newest and growth <= newest[0].growth and all(wal_guard.word_before(each.path) != word for each in newest):
        # The file there now is not the one the newest backup was made of, but has replaced it.
        growth = _outgrow(file, newest[0].growth + 1)
    path = _write_backup(file, f"{growth:010}-{now:{_STAMP}}-{why}.sqlite")
    prune(folder(file))
    return path


def _state(file: Path) -> tuple[int, str]:
    """Return the archive's growth and the word of its last transaction, which is "" if there is nothing to back up."""
    with _reading(file) as connection:
        row = connection.execute("SELECT now FROM lineage WHERE EXISTS (SELECT 1 FROM entries)").fetchone()
        return growth_inside(connection), str(row[0]) if row else ""


def _outgrow(file: Path, least: int) -> int:
    """Raise the growth of an archive to at least `least`, and return it; an older copy replaced the archive by hand."""
    try:
        with contextlib.closing(files.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)) as opened:
            opened.execute("BEGIN IMMEDIATE")
            growth = max(growth_inside(opened) + 1, least)
            opened.execute("UPDATE lineage SET before = now, now = ?, growth = ?", (wal_guard.new_word(), growth))
            opened.execute("COMMIT")
    except wal_guard.READ_ERRORS as error:
        raise ArchiveError(name_cause(describe_cause(error), file), look_for(error)) from error
    return growth


def prune(where: Path) -> None:
    """Remove the evening and hour backups in a folder that `select_retained` does not name."""
    prunable = [backup for backup in list_automatic(where) if backup.why in ("evening", "hour") and backup.growth]
    retained = select_retained(backup.growth for backup in prunable)
    for backup in prunable:
        if backup.growth not in retained:
            files.remove_unless_open(backup.path)


def select_retained(growths: Iterable[int], newest: int = NEWEST_KEPT) -> frozenset[int]:
    """Select which backups stay, by their growths: the `newest` all, and fewer of the others the older they are.

    Backups that are 2ᵏ to 2ᵏ⁺¹ behind the newest share ranges that are 2ᵏ wide and begin at multiples of 2ᵏ; in each
    range the oldest stays. A range of twice the width contains two of the smaller ones whole, so the oldest of a wide
    range was never removed from a narrow one.
    """
    ordered = sorted(set(growths), reverse=True)
    oldest: dict[tuple[int, int], int] = {}
    for growth in ordered[newest:]:
        width = (ordered[0] - growth).bit_length() - 1
        oldest[width, growth >> width] = growth
    return frozenset((*ordered[:newest], *oldest.values()))


class Schedule:
    """A schedule of the backups of one archive's file while this program runs.

    `uptime` returns seconds that setting the clock does not change; `now` of both methods only names the backup.
    """

    def __init__(self, file: Path, uptime: Callable[[], float] = time.monotonic) -> None:
        self.file = file
        self._uptime = uptime
        self._since = uptime()
        # Read on first use: opening an archive does not wait for that.
        self._newest: int | None = None
        self._evening: tuple[Path, float] | None = None

    def end_evening(self, now: datetime) -> Path | None:
        """Make the backup that is due when a table is left or the program ends.

        Returns and raises as `make_backup` does. An evening that ends several times within an hour has one backup, the
        last.
        """
        backup = make_backup(self.file, "evening", now)
        if backup:
            if self._evening and self._uptime() - self._evening[1] < HOUR:
                files.remove_unless_open(self._evening[0])
            self._evening = backup, self._uptime()
        return backup

    def pass_hour(self, now: datetime) -> Path | None:
        """Make the backup that is due after an hour of play, or if there is none yet.

        Returns and raises as `make_backup` does. The hour restarts with each backup, also with one that another program
        makes of the same file.
        """
        self._look_for_newer()
        if self._newest and self._uptime() - self._since < HOUR:
            return None
        backup = make_backup(self.file, "hour", now)
        self._look_for_newer()
        return backup

    def _look_for_newer(self) -> None:
        growths = (each.growth for each in list_automatic(folder(self.file)) if each.why != "migration")
        newest = max(growths, default=0)
        if self._newest not in (None, newest):
            self._since = self._uptime()
        self._newest = newest


def before_migration(file: Path, revision: str, now: datetime) -> Path:
    """Make the backup of an archive whose tables are about to be migrated. Raises ArchiveError or OSError."""
    return _write_backup(file, f"{read_growth(file):010}-{now:{_STAMP}}-before-{revision}.sqlite")


def _write_backup(file: Path, name: str) -> Path:
    into = folder(file)
    into.mkdir(exist_ok=True)
    remove_abandoned(into)
    target = files.unused_path(into / name)
    with files.write_atomically(target) as draft:
        copy_file(file, draft)
    return target


def remove_abandoned(where: Path) -> None:
    """Remove files that killed processes left in a folder: a running process has written to its own within the hour."""
    for left in (*where.glob(".*.sqlite"), *where.glob(".*.sqlite-journal")):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > HOUR:
                files.remove_unless_open(left)


def copy_file(file: Path, target: Path, growth: int = 0) -> None:
    """Write a copy of an archive's file to `target`, including its log, and read it back.

    Other programs may go on writing meanwhile. `growth` is that of the copy, if it differs from that of the file.
    Raises ArchiveError if the copy would not be whole.
    """
    with (
        _reading(file) as source,
        _name_copy(file, target),
        contextlib.closing(files.connect(target, isolation_level=None)) as into,
    ):
        source.backup(into)
        # One file, which can be read anywhere; and a word of its own, because it is not part of the other's history.
        into.execute("PRAGMA journal_mode = DELETE")
        columns = [column[1] for column in into.execute("PRAGMA table_info(lineage)")]
        if columns:
            into.execute("UPDATE lineage SET before = now, now = ?", (wal_guard.new_word(),))
        if growth and "growth" in columns:
            into.execute("UPDATE lineage SET growth = ?", (growth,))
        elif growth:
            into.execute(f"PRAGMA user_version = {min(growth, _MAX_USER_VERSION):d}")
    wrong = checksums.first_fault(target)
    if wrong:
        raise ArchiveError(phrase("The copy would be incomplete ({reason}).", reason=Clause(wrong)), "damage")


_UNWRITTEN: Final[Mapping[int, Message]] = {
    sqlite3.SQLITE_FULL: phrase("the disk there is full; make room on it, and try again"),
    sqlite3.SQLITE_READONLY: phrase("nothing may be written there"),
    sqlite3.SQLITE_CANTOPEN: phrase("nothing may be written there"),
    sqlite3.SQLITE_IOERR: phrase("the disk there failed"),
}
_UNREAD: Final = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)


@contextlib.contextmanager
def _name_copy(file: Path, target: Path) -> Iterator[None]:
    """Name the target folder in errors of writing a copy: SQLite does not report which of the two files failed.

    Raises ArchiveError for those; errors of reading `file` stay as they are.
    """
    try:
        yield
    except sqlite3.Error as error:
        reason = _UNWRITTEN.get(sqlite_code(error))
        if reason is None or getattr(error, "sqlite_errorcode", 0) in _UNREAD:
            raise
        raise ArchiveError(
            phrase(
                "No copy of “{file}” can be written into “{folder}”: {reason}.",
                file=file,
                folder=target.parent,
                reason=reason,
            )
        ) from error


def open_to_read(file: Path) -> sqlite3.Connection:
    """Open an archive's file with its log so that nothing is written; raises what SQLite does.

    If the log is empty and no process has the file open, nothing is created beside it either.
    """
    # SQLite would delete the log of an empty file, even in read-only mode.
    is_empty = not file.exists() or not file.stat().st_size
    in_use = wal_guard.holds_pages(wal_guard.log_of(file)) or wal_guard.index_of(file).exists()
    mode = "mode=ro" if in_use and not is_empty else "mode=ro&immutable=1"
    return files.connect(f"{files.database_uri(file.resolve())}?{mode}", uri=True, timeout=_BUSY_SECONDS)


@contextlib.contextmanager
def _reading(file: Path) -> Iterator[sqlite3.Connection]:
    """Open the file as it is now, with its log; translate errors to ArchiveError."""
    wal_guard.check_log(file)
    try:
        with contextlib.closing(open_to_read(file)) as opened:
            yield opened
    except wal_guard.READ_ERRORS as error:
        raise ArchiveError(name_cause(describe_cause(error), file), look_for(error)) from error


_SETTING: Final = "offsite.json"
_REASONS: Final[Mapping[int, Message]] = {
    errno.ENOSPC: phrase("the disk there is full"),
    errno.EDQUOT: phrase("the disk there is full"),
    errno.EFBIG: phrase("the disk there cannot keep so large a file"),
    errno.EACCES: phrase("nothing may be written there"),
    errno.EPERM: phrase("nothing may be written there"),
    errno.EROFS: phrase("nothing may be written there"),
}
_NO_NAME: Final = re.compile(r"[^\w-]+")


class Offsite(msgspec.Struct, frozen=True):
    """The folder of offsite copies, the growth and date of the newest copy there, and why the last copy failed.

    `folder` is the archive's own folder inside the one that the user chose. `growth` is 0 if nothing was copied yet.
    """

    folder: str
    growth: int = 0
    created_at: datetime | None = msgspec.field(default=None, name="made")
    problem: str = ""

    @property
    def parent(self) -> Path:
        """The folder that the user chose."""
        return Path(self.folder).parent


class OffsiteState(NamedTuple):
    """The state of the offsite copy, for a place whose heading says so, and the evenings that are missing from it."""

    state: Message
    evenings: int

    @property
    def text(self) -> Message:
        """The state as a sentence of its own."""
        return phrase("Copy elsewhere: {state}", state=self.state)


def read_offsite(file: Path) -> Offsite | None:
    """Return the setting of the offsite copies; None if no folder was chosen, or the setting is damaged."""
    try:
        return msgspec.json.decode(_setting(file).read_bytes(), type=Offsite)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def start_offsite(file: Path, parent: Path) -> Offsite:
    """Copy an archive's backups to a folder inside `parent` from now on; `update_offsite` writes the first copy.

    Raises ArchiveError if there is no such folder, or nothing can be written there.
    """
    where = parent.resolve()
    if not where.is_dir():
        raise ArchiveError(
            phrase("There is no folder “{folder}”; create it, or plug in the stick, and try again.", folder=parent)
        )
    own = folder(file).resolve()
    if where == own or own in where.parents:
        raise ArchiveError(
            phrase("“{folder}” is where the backups are; name a folder elsewhere, as on another disk.", folder=parent)
        )
    now = read_offsite(file)
    if now is not None and now.parent == where and Path(now.folder).is_dir():
        return now
    word = _NO_NAME.sub("-", file.stem).strip("-") or "archive"
    target = where / f"{word}-{secrets.token_hex(3)}"
    try:
        target.mkdir()
    except OSError as error:
        raise ArchiveError(
            phrase("“{folder}” cannot be used: {reason}.", folder=parent, reason=_reason(error))
        ) from error
    offsite = Offsite(str(target))
    own.mkdir(exist_ok=True)
    _write_offsite(file, offsite)
    return offsite


def stop_offsite(file: Path) -> None:
    """Make no more copies; existing ones stay."""
    _setting(file).unlink(missing_ok=True)


def update_offsite(file: Path) -> None:
    """Copy the newest backup of an archive if it is not copied yet; prune older copies as backups are.

    Does nothing if the folder is not there. A failure is stored for `offsite_state`; nothing is raised.
    """
    target, newest = read_offsite(file), _newest_automatic(file)
    if target is None or newest is None or not Path(target.folder).is_dir():
        return
    try:
        _copy_offsite(newest, Path(target.folder))
        now = Offsite(target.folder, newest.growth, newest.created_at)
    except (ArchiveError, OSError) as error:
        if not newest.path.exists():
            # Another program has removed it meanwhile, and made a newer one.
            return
        now = msgspec.structs.replace(target, problem=_reason(error).render(ENGLISH))
    if now != target:
        with contextlib.suppress(OSError):
            _write_offsite(file, now)


def offsite_state(file: Path) -> OffsiteState | None:
    """Return the state of the offsite copy of an archive; None if no folder was chosen."""
    target, newest = read_offsite(file), _newest_automatic(file)
    if target is None:
        return None
    if newest is None:
        return OffsiteState(phrase("none yet; it is made with the first backup."), 0)
    if newest.growth <= target.growth and not target.problem:
        return OffsiteState(phrase("up to date."), 0)
    lacking = [each for each in _list_current(file) if each.growth > target.growth and each.why == "evening"]
    # Translators: {last} is “none yet”, or when a copy was made; {next} is what keeps the next one from being made.
    state = phrase("{last}; {next}.", last=_describe_last_copy(target, len(lacking)), next=_describe_next_copy(target))
    return OffsiteState(state, len(lacking))


def _describe_last_copy(target: Offsite, evenings: int) -> Message:
    if target.created_at is None:
        return phrase("none yet")
    date = date_and_time(target.created_at)
    if not evenings:
        return phrase("last an hour of play ago ({date})", date=date)
    return phrases("last {n} evening ago ({date})", "last {n} evenings ago ({date})", n=evenings, date=date)


def _describe_next_copy(target: Offsite) -> Message:
    if not Path(target.folder).is_dir():
        return phrase("{folder} is not there", folder=target.parent)
    # A problem is stored in English.
    return declared(target.problem) or phrase("it goes on with the next backup")


def _list_current(file: Path) -> list[Backup]:
    return [each for each in list_automatic(folder(file)) if each.why != "migration"]


def _newest_automatic(file: Path) -> Backup | None:
    return max(_list_current(file), key=lambda each: (each.growth, each.path.name), default=None)


def _copy_offsite(backup: Backup, where: Path) -> None:
    copy = where / backup.path.name
    if not copy.exists() or copy.stat().st_size != backup.bytes:
        remove_abandoned(where)
        with files.write_atomically(copy, force=True) as draft:
            shutil.copyfile(backup.path, draft)
            wrong = checksums.first_fault(draft)
            if wrong:
                raise ArchiveError(phrase("the copy is incomplete ({reason})", reason=Clause(wrong)))
    prune(where)


def _reason(error: Exception) -> Message:
    if isinstance(error, OSError):
        return _REASONS.get(error.errno or 0) or Clause(error.strerror or str(error))
    return Clause(describe_error(error))


def _setting(file: Path) -> Path:
    return folder(file) / _SETTING


def _write_offsite(file: Path, target: Offsite) -> None:
    with files.write_atomically(_setting(file), force=True) as draft:
        draft.write_bytes(msgspec.json.encode(target))
