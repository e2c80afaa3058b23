"""Homes on a shared folder: each with an archive, and a view of the folder as a synchronising program gives it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

from companion.archive import Archive
from companion.archive.people import people
from companion.archive.sharing import sharing
from companion.archive.sharing.description import SharingDescription
from companion.archive.sharing.shared_folder import FOLDER
from companion.archive.sharing.sharing import SharingState, Synchronizer
from companion.archive.sharing.story_import import Decisions
from companion.archive.storage.checksums import COLUMNS

Content = dict[str, bytes]


class SharedHome:
    """A device: its archive, and its own view of the folder."""

    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        self.root = root / name
        self.folder = self.root / "sync"
        self.folder.mkdir(parents=True)
        self.archive = Archive.open(str(self.root / "archive.sqlite"), by=f"{name}@{name}-pc")
        self.synchronizer = Synchronizer(self.archive)

    @property
    def file(self) -> Path:
        return self.root / "archive.sqlite"

    @property
    def files(self) -> Path:
        return self.folder / FOLDER

    def share(self) -> None:
        sharing.start_sharing(self.archive, self.folder)

    def sync(self, decisions: Decisions | None = None) -> int:
        return self.synchronizer.run(decisions or Decisions())

    @property
    def state(self) -> SharingState:
        state = sharing.read_state(self.file)
        assert state is not None
        return state

    @property
    def waiting(self) -> set[tuple[str, str]]:
        return {(story.stream.partition(":")[0], str(story.reason)) for story in self.state.waiting}

    def close(self) -> None:
        self.archive.close()


def deliver(*homes: SharedHome) -> None:
    """Give every home the newest files of all others, as a program does that synchronises well."""
    for home in homes:
        for other in homes:
            if other is not home:
                for path in other.files.glob("*.shared"):
                    if any(name == path.name for name in own_names(other)):
                        shutil.copy2(path, home.files / path.name)


def own_names(home: SharedHome) -> set[str]:
    """The names of the files that a home writes itself."""
    with contextlib.closing(sqlite3.connect(home.root / "archive.sqlite.backups" / "sharing.sqlite")) as opened:
        return {name for (name,) in opened.execute("SELECT name FROM own_files")}


def settle(*homes: SharedHome, rounds: int = 4) -> None:
    """Let all homes hear of each other until nothing is new."""
    for _ in range(rounds):
        for home in homes:
            home.sync()
        deliver(*homes)


def entries(home: SharedHome) -> list[tuple[object, ...]]:
    """Every entry of a home, as SQLite itself reads it."""
    with contextlib.closing(sqlite3.connect(home.file)) as opened:
        return opened.execute(f"SELECT {COLUMNS} FROM entries ORDER BY stream, seq").fetchall()


def names(home: SharedHome) -> set[str]:
    """The names of all people of a home."""
    return {person.name for person in people.with_ids(home.archive)}


def say(home: SharedHome) -> str:
    """How the folder is, in a sentence."""
    return str(SharingDescription.of_state(home.state).folder)
