"""A whole archive written into another, of the same engine or the other: the rows of all tables as they are stored.

Separate from other care for an archive because nothing is read as what it means, which would take three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from companion.archive import schema
from companion.archive.engine import fill
from companion.archive.errors import ArchiveError
from companion.archive.kinds import LISTS, Watch, unwatched

if TYPE_CHECKING:
    from companion.archive.archive import Archive

_AT_ONCE: Final = 100
"""How many streams are copied at once."""
_SOME: Final = " WHERE stream >= :first AND stream < :end ORDER BY stream, seq"

_Take = Callable[[sa.Table, str, Mapping[str, str]], None]
"""Takes over a table's rows, or those of some streams."""


def copy(archive: Archive, other: Archive, watch: Watch = unwatched) -> int:
    """Writes all entries and lists into another archive that is still empty, as they are and at once; gives how many
    entries.

    It need not be of the same engine. What is damaged stays so, and its checksum tells. Raises ArchiveError where the
    other archive holds anything.
    """
    with archive.store.reading() as source, other.store.writing() as target:
        if target.count_entries():
            raise ArchiveError(f"{other.name} holds entries already; name an archive that is new.")
        # A file that can only be read may not be where it is named, but in memory.
        file = None if archive.store.only_read or not other.store.is_file else archive.store.file
        take = _from_file(file, target.connection) if file else _through(source.connection, target.connection)
        for kind in LISTS:
            streams = source.streams(kind)
            # Watched are the first of as many streams as are written at once.
            ends = (*streams[_AT_ONCE::_AT_ONCE], f"{kind};")
            for first, end in zip(watch(kind, streams[::_AT_ONCE]), ends, strict=False):
                take(schema.entries, _SOME, {"first": first, "end": end})
        for table in (*schema.LISTS, schema.names):
            take(table, "", {})
        return target.count_entries()


def _from_file(file: Path, target: sa.Connection) -> _Take:
    """From file to file: SQLite itself reads and writes, and no row comes by here."""
    # What is attached is gone with this connection, which nobody gets after us.
    target.detach()
    target.exec_driver_sql("ATTACH ? AS source", (str(file.resolve()),))

    def take(table: sa.Table, part: str, places: Mapping[str, str]) -> None:
        columns = _columns(table)
        rows = f"SELECT {columns} FROM source.{table.name}{part}"
        target.execute(sa.text(f"INSERT INTO {table.name} ({columns}) {rows}"), places)

    return take


def _through(source: sa.Connection, target: sa.Connection) -> _Take:
    """From or to a server: rows as one driver gives them, and the other takes them."""

    def take(table: sa.Table, part: str, places: Mapping[str, str]) -> None:
        rows = source.execute(sa.text(f"SELECT {_columns(table)} FROM {table.name}{part}"), places)
        fill(target, table, rows.all())

    return take


def _columns(table: sa.Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.columns)
