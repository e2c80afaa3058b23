"""What lasts: sessions, deck records and people, in SQLite or PostgreSQL. Importing this loads no database.

Each of these names is loaded when it is first asked for: who only writes a file, or shows an id, needs no archive.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.archive.archive import Archive
    from companion.archive.entries import Entry, LogLine, NewEntry, Standing, StoredLine, draft
    from companion.archive.errors import Ambiguous, ArchiveError, Conflict, NameTaken, NoArchive, Unknown, Unreadable
    from companion.archive.lists import DeckRow, Page, SessionRow
    from companion.archive.lookup import StoryLine
else:
    _MODULES = {
        "archive": ("Archive",),
        "lookup": ("StoryLine",),
        "entries": ("Entry", "LogLine", "NewEntry", "Standing", "StoredLine", "draft"),
        "errors": ("Ambiguous", "ArchiveError", "Conflict", "NameTaken", "NoArchive", "Unknown", "Unreadable"),
        "lists": ("DeckRow", "Page", "SessionRow"),
    }

    def __getattr__(name: str) -> object:
        for module, names in _MODULES.items():
            if name in names:
                return getattr(import_module(f"{__name__}.{module}"), name)
        raise AttributeError(name)


__all__ = [
    "Ambiguous",
    "Archive",
    "ArchiveError",
    "Conflict",
    "DeckRow",
    "Entry",
    "LogLine",
    "NameTaken",
    "NewEntry",
    "NoArchive",
    "Page",
    "SessionRow",
    "Standing",
    "StoredLine",
    "StoryLine",
    "Unknown",
    "Unreadable",
    "draft",
]
