"""What can be read and written while a transaction is open: entries in their streams, and rows of the lists."""

import contextlib

from companion.archive.errors import ArchiveError
from companion.archive.lists import row_of
from companion.archive.rows import Rows


class Transaction(Rows):
    """Entries and lists together."""

    def list_again(self, kind: str) -> None:
        """Makes the rows of all streams of a kind from their entries; where one cannot be read, its row stays."""
        for stream, found in self.whole_streams(kind):
            with contextlib.suppress(ArchiveError, ValueError, LookupError):
                self.put(row_of(stream, found))

    def pragma(self, name: str) -> tuple[str, ...]:
        """What an SQLite pragma answers, a line a row."""
        return tuple(str(row[0]) for row in self.connection.exec_driver_sql(f"PRAGMA {name}"))
