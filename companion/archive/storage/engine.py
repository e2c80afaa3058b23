"""Connections to the archive's database: what SQLite needs, and its errors in words; see `postgresql` for servers."""

import logging
import random
import sqlite3
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from companion.archive.storage import files
from companion.archive.storage.database_errors import is_locked
from companion.archive.storage.location import load_server
from companion.archive.storage.waiting import waits

OPENING_SECONDS = 6
"""Seconds to wait for opening a file that another program has locked."""
BUSY_SECONDS = 10
ALONE_SECONDS = 30
"""Seconds to wait for writing: behind many other writers, each of which writes for a moment."""
LONG_LOG = 4_000_000
"""Size in bytes from which on a log is checkpointed into its file at once."""
_LOG_LIMIT = f"journal_size_limit = {LONG_LOG}"
_MOMENT = 0.2
_PAUSES = (0.005, 0.02)
_AT_ONCE, _PATIENT = (f"PRAGMA busy_timeout = {seconds * 1000}" for seconds in (0, BUSY_SECONDS))

# A connection that fails or is interrupted while it is closed has done its work; SQLAlchemy's log of it must not reach
# a screen.
logging.getLogger("sqlalchemy.pool").addHandler(logging.NullHandler())

LOG: Final = "log"
"""The key in a connection's `info` of what `DatabaseFile.is_in_place` needs."""


def create_engine(url: sa.URL, file: files.DatabaseFile | None = None) -> sa.Engine:
    """Create the engine for the database at `url`; `file` is given if it is a file that is written to.

    Raises Unreadable if a library for it is missing.
    """
    if url.drivername != "sqlite":
        created: sa.Engine = load_server().create_server_engine(url)
        return created
    created = sa.create_engine(url, connect_args={"timeout": OPENING_SECONDS})
    event.listen(created, "connect", _prepare_reading if url.query.get("mode") == "ro" else _prepare_connection)
    event.listen(created, "begin", _begin)
    event.listen(created, "do_connect", lambda *connecting: _connect(file, *connecting))
    if file is not None:
        event.listen(created, "connect", lambda connection, record: _note_connection(connection, record, file))
        event.listen(created, "close", lambda connection, record: _spare_log(connection, record, file))
    return created


def _connect(
    file: files.DatabaseFile | None, _dialect: Any, _record: object, arguments: list[Any], options: dict[str, Any]
) -> Any:
    # Write-ahead mode is stored in the file, so opening another file would change it.
    if file is not None and file.is_lost():
        raise files.Moved(str(file.path))
    return files.connect(*arguments, **options)


def _note_connection(connection: sqlite3.Connection, record: Any, file: files.DatabaseFile) -> None:
    try:
        # The log exists from the first access to the file on.
        connection.execute("PRAGMA schema_version").fetchone()
        record.info[LOG] = file.note_connection()
    except FileNotFoundError as error:
        connection.close()
        raise files.Moved(str(file.path)) from error


def _spare_log(connection: sqlite3.Connection, record: Any, file: files.DatabaseFile) -> None:
    """Interrupt a connection before it is closed, if its file was replaced.

    SQLite would write its log into a file that others have changed since, and delete their log. An interrupted
    connection does neither.
    """
    if record is not None and LOG in record.info and not file.is_in_place(record.info[LOG]):
        connection.interrupt()


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Sequence[Any]]) -> None:
    """Write many rows as the driver of either database returned them; SQLAlchemy would take three times as long."""
    if connection.dialect.name != "sqlite":
        load_server().copy_rows(connection, table, rows)
        return
    dated = [number for number, value in enumerate(rows[0]) if isinstance(value, datetime)] if rows else []
    if rows:
        connection.exec_driver_sql(_insert_statement(table), [_as_file_row(row, dated) for row in rows])


@cache
def _insert_statement(table: sa.Table) -> str:
    return str(sa.insert(table).compile(dialect=sqlite.dialect()))


def _as_file_row(row: Sequence[Any], dated: Sequence[int]) -> tuple[Any, ...]:
    """Convert a row of a server to the form that SQLAlchemy writes to a file; `dated` are the columns with times."""
    if not dated:
        return tuple(row)
    values = list(row)
    for number in dated:
        values[number] = values[number].isoformat(" ", "microseconds")
    return tuple(values)


def _prepare_connection(connection: Any, _: object) -> None:
    # Python's own idea of when a transaction begins excludes DDL and reads; `_begin` begins it instead.
    connection.isolation_level = None
    # While another process creates the file, SQLite refuses the write-ahead log without waiting.
    with waits.waiting():
        _until_free(connection, "PRAGMA journal_mode = WAL", OPENING_SECONDS)
    connection.execute(_PATIENT)
    for pragma in ("synchronous = FULL", "foreign_keys = ON", "wal_autocheckpoint = 0", _LOG_LIMIT):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_reading(connection: Any, _: object) -> None:
    connection.isolation_level = None


def _until_free(connection: Any, statement: str, seconds: float) -> None:
    """Run a statement as soon as the file is free. Raises OperationalError after `seconds`."""
    began = time.monotonic()
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if not is_locked(error) or time.monotonic() > began + seconds or waits.are_over(began):
                raise
            # Random, so that each of many waiting writers gets a turn.
            time.sleep(random.uniform(*_PAUSES))
        else:
            return


def _begin(connection: sa.Connection) -> None:
    with waits.waiting():
        if connection.get_execution_options().get("writes", False):
            _begin_alone(connection.connection.dbapi_connection)
        else:
            connection.exec_driver_sql("BEGIN")


def _begin_alone(connection: Any) -> None:
    """Begin a write transaction. A reader that requests the lock later could be refused without waiting.

    SQLite's own waiting is unfair: a long-waiting writer polls rarely, and later ones overtake it.
    """
    connection.execute(_AT_ONCE)
    try:
        _until_free(connection, "BEGIN IMMEDIATE", ALONE_SECONDS)
    finally:
        connection.execute(_PATIENT)


def take_over_log(holder: Any, connection: Any, check: Callable[[], object]) -> int:
    """Checkpoint the log into the file while `holder` keeps others from writing; skip it if a writer is active.

    `check` runs just before that and may refuse it. Returns the growth of the file alone by then; 0 if not all of the
    log was checkpointed.

    SQLite before 3.51.3 could lose committed data while two connections checkpoint (sqlite.org/wal.html#walresetbug).
    """
    holder.execute(_AT_ONCE)
    try:
        _until_free(holder, "BEGIN IMMEDIATE", _MOMENT)
    except sqlite3.OperationalError as error:
        if is_locked(error):
            return 0
        raise
    finally:
        holder.execute(_PATIENT)
    try:
        check()
        (growth,) = connection.execute("SELECT growth FROM lineage").fetchone()
        _, waiting, done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(growth) if waiting == done else 0
    finally:
        holder.execute("ROLLBACK")


def is_away(error: DBAPIError) -> bool:
    """Return True if the database may be back in a moment, as a server may; a file's errors are final."""
    return hasattr(error.orig, "sqlstate") and bool(load_server().is_server_away(error))
