"""What can be read and written while a transaction is open: entries in their streams, and rows of the lists."""

import contextlib
from collections.abc import Sequence

from companion.archive.entries import Entry
from companion.archive.errors import ArchiveError
from companion.archive.lists import PersonRow, SessionRow, row_of
from companion.archive.rows import Rows


class Transaction(Rows):
    """Entries and lists together."""

    def enlist(self, stream: str, added: Sequence[Entry]) -> None:
        """Brings a stream's row up to date. A deck is read whole: only its game knows what its marks add up to."""
        kind, _, key = stream.partition(":")
        if kind == "session":
            self.put(row_of(stream, added, self.row(SessionRow, key)))
        elif kind == "person":
            self.put(row_of(stream, added, self.row(PersonRow, key)))
        else:
            self.put(row_of(stream, self.read(stream)))

    def list_again(self, kind: str) -> None:
        """Makes the rows of all streams of a kind from their entries; where one cannot be read, its row stays."""
        for stream, found in self.whole_streams(kind):
            with contextlib.suppress(ArchiveError, ValueError, LookupError):
                self.put(row_of(stream, found))

    def pragma(self, name: str) -> tuple[str, ...]:
        """What an SQLite pragma answers, a line a row."""
        return tuple(str(row[0]) for row in self.connection.exec_driver_sql(f"PRAGMA {name}"))
