"""The archive: sessions, deck records and people, in SQLite or PostgreSQL. Importing this package loads no database.

Each class is imported on first use, so that code that only writes a file or displays an id loads no archive.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.archive.archive import Archive as Archive
    from companion.archive.errors import Ambiguous as Ambiguous
    from companion.archive.errors import ArchiveError as ArchiveError
    from companion.archive.errors import Conflict as Conflict
    from companion.archive.errors import NameTaken as NameTaken
    from companion.archive.errors import NoArchive as NoArchive
    from companion.archive.errors import PersonExists as PersonExists
    from companion.archive.errors import Unknown as Unknown
    from companion.archive.errors import Unreadable as Unreadable
    from companion.archive.sharing.description import SharingDescription as SharingDescription
    from companion.archive.sharing.schedule import SharingSchedule as SharingSchedule
    from companion.archive.sharing.sharing import Synchronizer as Synchronizer
    from companion.archive.storage.entries import Entry as Entry
    from companion.archive.storage.entries import LogLine as LogLine
    from companion.archive.storage.entries import NewEntry as NewEntry
    from companion.archive.storage.entries import StoredLine as StoredLine
    from companion.archive.storage.lookup import StoryLine as StoryLine
    from companion.archive.storage.rows import DeckRow as DeckRow
    from companion.archive.storage.rows import ListPage as ListPage
    from companion.archive.storage.rows import SessionRow as SessionRow
    from companion.archive.storage.rows import SessionStanding as SessionStanding
else:
    _MODULES = ("errors", "storage.rows", "storage.entries", "storage.lookup", "archive")

    def __getattr__(name: str) -> object:
        if name[0].isupper():
            # In the order of their dependencies, so that no more is loaded than is needed.
            for module in (*_MODULES, *(f"sharing.{name}" for name in ("schedule", "sharing", "description"))):
                value = vars(import_module(f"{__name__}.{module}")).get(name)
                if value is not None:
                    return value
        raise AttributeError(name)
