"""What lasts: sessions, deck records and people, in SQLite or PostgreSQL. Importing this loads no database."""

from companion.archive.archive import Archive
from companion.archive.decks import StoryLine
from companion.archive.entries import Entry, LogLine, NewEntry, Standing, StoredLine, draft
from companion.archive.errors import Ambiguous, ArchiveError, Conflict, NameTaken, Unknown, Unreadable
from companion.archive.lists import DeckRow, Page, SessionRow

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
    "Page",
    "SessionRow",
    "Standing",
    "StoredLine",
    "StoryLine",
    "Unknown",
    "Unreadable",
    "draft",
]
