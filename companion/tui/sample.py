"""The sample campaign: in its own archive file beside the user's, so that the user's archive is never touched."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import platformdirs

from companion.archive import Archive, ArchiveError
from companion.archive.recovery import backups, last_seen
from companion.archive.storage import files
from companion.games import registry
from companion.printing import wording
from companion.session.core import replay
from companion.tabletop.game import Game
from templates.languages.messages import declared, phrase

_WRITER: Final = "the sample campaign"
"""The writer of a sample's first entries; a file of the same name with another writer is no sample."""
_CONTENTS: Final = "sample.toml"
_DECKS: Final = "decks.toml"


class _Calendar:
    """The sample's clock: a number of days ago, advanced with each entry."""

    def __init__(self) -> None:
        self._now = datetime.now(UTC)

    def days_ago(self, days: int) -> None:
        """Set the clock to the evening `days` days ago."""
        self._now = datetime.now(UTC) - timedelta(days=days, hours=2 if days else 0, minutes=10)

    def __call__(self) -> datetime:
        """Return the time and advance it, but never past the real time."""
        self._now = min(self._now + timedelta(seconds=10), datetime.now(UTC))
        return self._now


def place(own: Archive) -> Path:
    """Return the path of the sample beside an archive: in its folder, or in the platform's data folder if it is on a
    server.
    """
    file = own.store.file
    if file is None:
        return (
            platformdirs.user_data_path("table-companion", appauthor=False, ensure_exists=True)
            / "archive.sample.sqlite"
        )
    return file.with_name(f"{file.stem}.sample.sqlite")


def visit(own: Archive) -> Archive:
    """Open the sample, making it if there is none. Raises ArchiveError if the file at its path is no sample."""
    target = place(own)
    if not target.exists():
        _make_sample(target)
    sample = Archive.open(str(target))
    if not _is_one(sample):
        sample.close()
        raise ArchiveError(
            phrase("“{file}” is there already and is no sample campaign; move it, and try again.", file=str(target))
        )
    return sample


def discard(sample: Archive) -> None:
    """Close the sample and delete its file.

    Raises:
        ArchiveError: It is no sample, or another window has it open.
    """
    file = sample.store.file
    if file is None or not _is_one(sample):
        raise ArchiveError(phrase("{archive} is no sample campaign, and is kept.", archive=sample.name))
    sample.close()
    last_seen.forget(file)
    with files.lock_exclusively(file):
        for part in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
            part.unlink(missing_ok=True)
    # After a long visit there are backups, too; left behind, they would report a lost archive.
    shutil.rmtree(backups.folder(file), ignore_errors=True)


def _is_one(archive: Archive) -> bool:
    """Return True if the oldest table was written by this program as a sample."""
    oldest = archive.sessions()[-1:]
    return any(entry.by == _WRITER for row in oldest for entry in archive.entries(f"session:{row.session}")[:1])


def _make_sample(target: Path) -> None:
    """Make the sample whole or not at all: an unfinished one has another name."""
    draft = target.with_name(f"{target.name}.part")
    draft.unlink(missing_ok=True)
    last_seen.forget(draft)
    calendar = _Calendar()
    with Archive.open(str(draft), by=_WRITER, clock=calendar) as archive:
        _fill_sample(archive, calendar)
    last_seen.forget(draft)
    last_seen.forget(target)
    draft.replace(target)


def _fill_sample(archive: Archive, calendar: _Calendar) -> None:
    """Found decks and play evenings with the same code as for any archive."""
    imprint = wording.choose_game(
        None, lambda each: bool(wording.read_example(each, _CONTENTS)), wording.MISSING_SAMPLE
    )
    game = registry.game(imprint.name)
    decks: tuple[str, ...] = ()
    for number, (title, text, days) in enumerate(_read_evenings(game)):
        calendar.days_ago(days)
        if number == 0:
            decks = replay.found_decks(archive, game, tomllib.loads(wording.read_example(game, _DECKS) or "")["deck"])
        elif days:
            replay.put_away(archive, decks)
        replay.play(archive, text, title)


def _read_evenings(game: Game) -> Iterator[tuple[str, str, int]]:
    """Yield the title, the lines and the age in days of each table."""
    for each in tomllib.loads(wording.read_example(game, _CONTENTS) or "")["table"]:
        # Names of tables are stored as text: in the language of whoever opens the sample first.
        yield str(declared(each["title"], "sample")), wording.read_example(game, each["file"]) or "", each["days"]
