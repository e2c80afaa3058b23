"""How far an archive has grown, and how far this computer last saw it: what is older than that is not written to.

An archive only ever grows. So a file that holds less than this computer has seen in it is an older copy in its place:
a disk brought back from a backup, a synchronised folder gone wrong, another stick. What was seen stands in a small file
for each archive, in the platform's folder for such things; where nothing can be written there, nothing is remembered.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.archive import backups, lineage

if TYPE_CHECKING:
    import sqlalchemy as sa

_MOST_REMEMBERED: Final = 200
"""Archives; of more, those that were not opened for longest are forgotten."""


def read_growth(connection: sa.Connection) -> int:
    """How far the archive of an open connection to a file has grown: a number that rises with every transaction."""
    return int(connection.exec_driver_sql("SELECT growth FROM lineage").scalar_one())


def growth_of(file: Path) -> int | None:
    """The same of an archive's file, with what waits beside it; None where it cannot be read. Writes nothing."""
    with contextlib.suppress(*lineage.REFUSALS), contextlib.closing(backups.open_to_read(file)) as opened:
        return backups.growth_inside(opened)
    return None


def recall(file: Path) -> int | None:
    """How far this computer last saw an archive's file grown; None where it knows nothing of it."""
    try:
        return int(json.loads(_note(file).read_bytes())["growth"])
    except (OSError, RuntimeError, ValueError, LookupError, TypeError):
        return None


def remember(file: Path, growth: int) -> None:
    """Notes how far an archive's file has grown. Where that cannot be written, nothing is noted."""
    with contextlib.suppress(OSError, RuntimeError):
        if recall(file) == growth:
            return
        note = _note(file)
        note.parent.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            _forget_oldest(note.parent)
        draft = note.with_name(f".{secrets.token_hex(6)}")
        draft.write_text(json.dumps({"archive": str(file.absolute()), "growth": growth}), encoding="utf-8")
        draft.replace(note)


def forget(file: Path) -> None:
    """Forgets an archive's file: whatever stands in its place from now on is taken as it is."""
    with contextlib.suppress(OSError, RuntimeError):
        _note(file).unlink(missing_ok=True)


def accept(file: Path) -> int | None:
    """Takes an archive's file as it is, though this computer last saw more in it.

    Gives how far it has grown; None where there is none.
    """
    growth = growth_of(file) if file.exists() else None
    forget(file)
    if growth is not None:
        remember(file, growth)
    return growth


def describe_loss(file: Path) -> str:
    """What is wrong with an archive that holds less than this computer last saw in it; "" where it does not.

    The ways out are what there is to look at for "loss".
    """
    known = recall(file)
    present = growth_of(file) if known else None
    if known is None or present is None or present >= known:
        return ""
    newest = backups.list_backups(file)[:1]
    backup = f"its newest backup is “{newest[0].path}”" if newest else "there is no backup beside it"
    missing = "its last change is" if known - present == 1 else f"its last {known - present:,} changes are"
    return f"“{file}” is older than this computer last saw it: {missing} missing. Nothing is written to it; {backup}."


def _note(file: Path) -> Path:
    """Where it is noted what was seen of a file."""
    # Who names no archive that was ever opened needs no platform's folders.
    from platformdirs import user_state_path

    name = hashlib.sha256(str(file.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return user_state_path("table-companion", appauthor=False) / "archives" / f"{name}.json"


def _forget_oldest(folder: Path) -> None:
    notes = sorted(folder.glob("*.json"), key=lambda note: note.stat().st_mtime, reverse=True)
    for note in notes[_MOST_REMEMBERED - 1 :]:
        note.unlink(missing_ok=True)
