"""The offsite copy: after each backup the newest one is also written into a folder elsewhere, as on a stick.

Which folder that is stands beside the backups of an archive, and so does which backup was copied last. In the folder
that somebody names, each archive has one of its own: names never collide, and where that one is missing the stick is
not there, even if an empty folder of its name is.
"""

from __future__ import annotations

import contextlib
import errno
import re
import secrets
import shutil
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from companion.archive import backups, files, stored
from companion.archive.backups import Backup
from companion.archive.errors import ArchiveError

_SETTING: Final = "offsite.json"
_REASONS: Final = {
    errno.ENOSPC: "the disk there is full",
    errno.EDQUOT: "the disk there is full",
    errno.EFBIG: "the disk there cannot keep so large a file",
    errno.EACCES: "nothing may be written there",
    errno.EPERM: "nothing may be written there",
    errno.EROFS: "nothing may be written there",
}
_NO_NAME: Final = re.compile(r"[^\w-]+")


class Offsite(msgspec.Struct, frozen=True):
    """Where copies go, the growth of the newest one there and when that backup was made, and why the last copy failed.

    `folder` is the archive's own one, inside the one that was named. `growth` is 0 where nothing was copied yet.
    """

    folder: str
    growth: int = 0
    made: datetime | None = None
    problem: str = ""

    @property
    def named(self) -> Path:
        """The folder that somebody named."""
        return Path(self.folder).parent


class State(NamedTuple):
    """How the offsite copy is, as a sentence; and how many evenings it lacks."""

    text: str
    evenings: int


def read(file: Path) -> Offsite | None:
    """Where copies of an archive's backups go; None where nobody has named a folder, or what says so is damaged."""
    try:
        return msgspec.json.decode(_setting(file).read_bytes(), type=Offsite)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def follow(file: Path, named: Path) -> Offsite:
    """Has copies of an archive's backups go into a folder in `named`, from now on; `catch_up` writes the first.

    Raises ArchiveError where there is no such folder, or nothing can be written there.
    """
    where = named.resolve()
    if not where.is_dir():
        raise ArchiveError(f"There is no folder “{named}”; make it, or put the stick in, and repeat.")
    own = backups.folder(file).resolve()
    if where == own or own in where.parents:
        raise ArchiveError(f"“{named}” is where the backups are; name a folder elsewhere, as on another disk.")
    now = read(file)
    if now is not None and now.named == where and Path(now.folder).is_dir():
        return now
    word = _NO_NAME.sub("-", file.stem).strip("-") or "archive"
    target = where / f"{word}-{secrets.token_hex(3)}"
    try:
        target.mkdir()
    except OSError as error:
        raise ArchiveError(f"“{named}” cannot be used: {_reason(error)}.") from error
    made = Offsite(str(target))
    own.mkdir(exist_ok=True)
    _write(file, made)
    return made


def stop(file: Path) -> None:
    """Has no more copies made; those that there are stay."""
    _setting(file).unlink(missing_ok=True)


def catch_up(file: Path) -> None:
    """Copies the newest backup of an archive, where it is not there yet; older copies thin out as backups do.

    Where the folder is not there nothing is done. Why a copy fails is remembered for `state`; nothing is raised.
    """
    target, newest = read(file), _newest(file)
    if target is None or newest is None or not Path(target.folder).is_dir():
        return
    try:
        _copy(newest, Path(target.folder))
        now = Offsite(target.folder, newest.growth, newest.made)
    except (ArchiveError, OSError) as error:
        if not newest.path.exists():
            # Another program has let go of it meanwhile, and made a newer one.
            return
        now = msgspec.structs.replace(target, problem=_reason(error))
    if now != target:
        with contextlib.suppress(OSError):
            _write(file, now)


def state(file: Path) -> State | None:
    """How the offsite copy of an archive is; None where none is wanted."""
    target, newest = read(file), _newest(file)
    if target is None:
        return None
    if newest is None:
        return State("Copy elsewhere: none yet; it is made with the first backup.", 0)
    if newest.growth <= target.growth and not target.problem:
        return State("Copy elsewhere: up to date.", 0)
    lacking = [each for each in _automatic(file) if each.growth > target.growth and each.why == "evening"]
    why = target.problem if Path(target.folder).is_dir() else f"{target.named} is not there"
    return State(
        f"Copy elsewhere: {_last(target, len(lacking))}; {why or 'it goes on with the next backup'}.", len(lacking)
    )


def _last(target: Offsite, evenings: int) -> str:
    if target.made is None:
        return "none yet"
    ago = f"{evenings} evening{'s' if evenings > 1 else ''} ago" if evenings else "an hour of play ago"
    return f"last {ago} ({target.made.astimezone():%Y-%m-%d %H:%M})"


def _automatic(file: Path) -> list[Backup]:
    return [each for each in backups.automatic(backups.folder(file)) if each.why != "migration"]


def _newest(file: Path) -> Backup | None:
    return max(_automatic(file), key=lambda each: (each.growth, each.path.name), default=None)


def _copy(backup: Backup, where: Path) -> None:
    copy = where / backup.path.name
    if not copy.exists() or copy.stat().st_size != backup.bytes:
        backups.remove_abandoned(where)
        with files.fresh(copy, force=True) as draft:
            shutil.copyfile(backup.path, draft)
            wrong = stored.first_fault(draft)
            if wrong:
                raise ArchiveError(f"the copy is not whole ({wrong.rstrip('.')})")
    backups.thin(where)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return _REASONS.get(error.errno or 0, (error.strerror or str(error)).rstrip("."))
    return str(error).rstrip(".")


def _setting(file: Path) -> Path:
    return backups.folder(file) / _SETTING


def _write(file: Path, target: Offsite) -> None:
    with files.fresh(_setting(file), force=True) as draft:
        draft.write_bytes(msgspec.json.encode(target))
