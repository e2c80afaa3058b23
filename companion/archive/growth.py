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
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.archive import backups, lineage

if TYPE_CHECKING:
    import sqlalchemy as sa

_MOST_REMEMBERED: Final = 200
"""Archives; of more, those that were not opened for longest are forgotten."""

_COUNT: Final = "SELECT count(*) FROM entries"


def read_growth(connection: sa.Connection) -> int:
    """How many entries the archive of an open connection holds."""
    return int(connection.exec_driver_sql(_COUNT).scalar_one())


def growth_of(file: Path) -> int | None:
    """The same of an archive's file, with what waits beside it; None where it cannot be read. Writes nothing."""
    with contextlib.suppress(*lineage.REFUSALS), contextlib.closing(open_to_read(file)) as opened:
        return int(opened.execute(_COUNT).fetchone()[0])
    return None


def open_to_read(file: Path) -> sqlite3.Connection:
    """Opens an archive's file with what waits beside it, so that nothing is written; raises what SQLite does.

    Where nothing waits and nobody has it open, nothing is made beside it either.
    """
    is_open = lineage.holds_pages(lineage.log_of(file)) or file.with_name(f"{file.name}-shm").exists()
    how = "mode=ro" if is_open else "mode=ro&immutable=1"
    return sqlite3.connect(f"{file.resolve().as_uri()}?{how}", uri=True)


def recall(file: Path) -> int | None:
    """How many entries this computer last saw in an archive's file; None where it knows nothing of it."""
    try:
        return int(json.loads(_note(file).read_bytes())["entries"])
    except (OSError, RuntimeError, ValueError, LookupError, TypeError):
        return None


def remember(file: Path, entries: int) -> None:
    """Notes how many entries an archive's file holds. Where that cannot be written, nothing is noted."""
    with contextlib.suppress(OSError, RuntimeError):
        if (recall(file) or 0) == entries:
            return
        note = _note(file)
        note.parent.mkdir(parents=True, exist_ok=True)
        if not note.exists():
            _forget_oldest(note.parent)
        draft = note.with_name(f".{secrets.token_hex(6)}")
        draft.write_text(json.dumps({"archive": str(file.absolute()), "entries": entries}), encoding="utf-8")
        draft.replace(note)


def forget(file: Path) -> None:
    """Forgets an archive's file: whatever stands in its place from now on is taken as it is."""
    with contextlib.suppress(OSError, RuntimeError):
        _note(file).unlink(missing_ok=True)


def describe_loss(file: Path) -> str:
    """The sentence for an archive that holds less than this computer last saw in it; "" where it does not."""
    known = recall(file)
    present = growth_of(file) if known else None
    if known is None or present is None or present >= known:
        return ""
    newest = backups.listed(file)[:1]
    back = f"companion archive restore {newest[0].path} puts the newest backup in its place" if newest else ""
    way = back or "there is no backup beside it"
    return (
        f"“{file}” is older than this computer last saw it: it holds {count_entries(present)}, and there were "
        f"{known:,}. Nothing is written to it; {way}, and companion archive accept goes on with it as it is."
    )


def count_entries(count: int) -> str:
    """How many entries, in words."""
    return f"{count:,} entr{'y' if count == 1 else 'ies'}"


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
