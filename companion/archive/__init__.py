"""What lasts: sessions, deck records and wizards, in SQLite or PostgreSQL. Importing this loads no database."""

from companion.archive.archive import Archive, Told
from companion.archive.entries import Coppers, Draft, Entry, Line, LogLine, draft
from companion.archive.errors import ArchiveError, Conflict, NameTaken, Unknown, Unreadable
from companion.archive.lists import DeckRow, SessionRow, WizardRow

__all__ = [
    "Archive",
    "ArchiveError",
    "Conflict",
    "Coppers",
    "DeckRow",
    "Draft",
    "Entry",
    "Line",
    "LogLine",
    "NameTaken",
    "SessionRow",
    "Told",
    "Unknown",
    "Unreadable",
    "WizardRow",
    "draft",
]
