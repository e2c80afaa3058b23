"""What lasts: sessions, deck records and wizards, in SQLite or PostgreSQL. Importing this loads no database."""

from companion.archive.archive import Archive, StoryLine
from companion.archive.entries import Coppers, Entry, LogLine, NewEntry, StoredLine, draft
from companion.archive.errors import ArchiveError, Conflict, NameTaken, Unknown, Unreadable
from companion.archive.lists import DeckRow, SessionRow, WizardRow

__all__ = [
    "Archive",
    "ArchiveError",
    "Conflict",
    "Coppers",
    "DeckRow",
    "Entry",
    "LogLine",
    "NameTaken",
    "NewEntry",
    "SessionRow",
    "StoredLine",
    "StoryLine",
    "Unknown",
    "Unreadable",
    "WizardRow",
    "draft",
]
