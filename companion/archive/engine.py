"""Connecting to the archive's database: what SQLite and PostgreSQL each need, and their errors in words.

Separate from the store, which speaks to either in the same way.
"""

import sqlite3
import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import NoSuchModuleError

from companion.archive.errors import Unreadable

BUSY_SECONDS = 10
_PAUSE = 0.02


def engine(url: sa.URL) -> sa.Engine:
    """What connects to the database at `url`. Raises Unreadable where a library for it is missing."""
    if url.drivername != "sqlite":
        return _server_engine(url)
    made = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    event.listen(made, "connect", _look_only if url.query.get("mode") == "ro" else _prepare_connection)
    event.listen(made, "begin", _begin)
    return made


def _server_engine(url: sa.URL) -> sa.Engine:
    try:
        return sa.create_engine(url)
    except (ImportError, NoSuchModuleError):
        raise Unreadable("PostgreSQL needs one more library: pip install 'table-companion[postgres]'.") from None


def _prepare_connection(connection: Any, _: object) -> None:
    # Python's own idea of when a transaction begins leaves DDL and reads outside; `_begin` says it instead.
    connection.isolation_level = None
    _write_ahead(connection)
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _look_only(connection: Any, _: object) -> None:
    connection.isolation_level = None


def _write_ahead(connection: Any) -> None:
    """Asks for the write-ahead log. While another first opener makes the file, SQLite refuses that without waiting."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _begin(connection: sa.Connection) -> None:
    # A writer asks for the lock at once: one that reads first and asks later can be refused without waiting.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def cause(error: Exception) -> str:
    """What an error of the database means, as a sentence without its full stop."""
    said = str(getattr(error, "orig", None) or error)
    for symptom, cause in _CAUSES.items():
        if symptom in said:
            return cause
    return f"The database refuses ({' '.join(said.split())})"


_CAUSES = {
    "is locked": "Another program is writing to the archive and does not stop; close it and repeat",
    "is full": "The disk is full; nothing was written to the archive",
    "readonly database": "The archive may only be read here; move it, or open another with --archive",
    "unable to open": "The archive cannot be opened or made here",
    "not a database": "This is no archive",
    "malformed": "The archive is damaged; go back to a backup",
}
