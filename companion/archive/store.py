"""The archive's database: opened, migrated, or opened read-only if it is not writable; and its transactions."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive.errors import ArchiveError, Conflict, Displaced, Locked, NoArchive, Unreadable, Unsure
from companion.archive.recovery import backups, last_seen, migrate, restore
from companion.archive.recovery.sqlite_pages import FilePages
from companion.archive.storage import changes, files, location, wal_guard
from companion.archive.storage.database_errors import (
    NO_LOCKS,
    describe_cause,
    is_disk_full,
    is_locked,
    look_for,
    name_cause,
    sqlite_code,
)
from companion.archive.storage.engine import BUSY_SECONDS, LOG, LONG_LOG, create_engine, is_away, take_over_log
from companion.archive.storage.entries import Entry
from companion.archive.storage.location import load_server
from companion.archive.storage.transaction import AlreadyWritten, Transaction
from companion.archive.storage.waiting import waits
from templates.languages.messages import Message, Text, phrase

_UNWRITABLE: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def may_be_read_only(error: Exception) -> bool:
    """Return True if an archive that could not be opened may be one that can only be read."""
    return isinstance(error.__cause__, OSError) or sqlite_code(error) in _UNWRITABLE


def unwritable(file: Path) -> Path | None:
    """Return the first of the file, its log and the log's index that exists and is not writable."""
    parts = (file, wal_guard.log_of(file), wal_guard.index_of(file))
    return next((part for part in parts if part.exists() and not os.access(part, os.W_OK)), None)


def describe_read_only(name: str, file: Path | None = None, refused: Exception | None = None) -> Message:
    """Return the sentence for an attempt to write; `refused` is the error of opening the archive for writing."""
    part = unwritable(file) if file is not None and os.access(file, os.W_OK) else None
    if file is not None and part is not None:
        if part == wal_guard.index_of(file):
            return phrase(
                "{archive} can only be read, and nothing can be kept: you may not write to “{file}” beside it. Close "
                "every program that has the archive open, and delete that file: it is made anew.",
                archive=name,
                file=part.name,
            )
        return phrase(
            "{archive} can only be read, and nothing can be kept: you may not write to “{file}” beside it. The last "
            "entries are in it: have its owner make it writable for you.",
            archive=name,
            file=part.name,
        )
    if refused is not None and is_disk_full(refused):
        return phrase(
            "{archive} can only be read, and nothing can be kept: its disk is full. Open a copy of it elsewhere with "
            "--archive.",
            archive=name,
        )
    return phrase(
        "{archive} can only be read, and nothing can be kept: it lies where nothing can be written. Open a copy of it "
        "elsewhere with --archive.",
        archive=name,
    )


def read_only_urls(file: Path, closing: contextlib.ExitStack) -> Iterator[sa.URL]:
    """Yield the URLs to try instead: the file beside other programs, the file alone, a copy in memory.

    A copy in memory is also used for an archive that must be migrated before it can be shown.
    """
    if not file.is_file():
        return
    yield _url(file, {"mode": "ro", "uri": "true"})
    if not wal_guard.holds_pages(wal_guard.log_of(file)):
        yield _url(file, {"mode": "ro", "immutable": "1", "uri": "true"})
    with contextlib.suppress(OSError, *wal_guard.READ_ERRORS):
        yield _in_memory(file, closing)


def _url(file: Path, how: dict[str, str]) -> sa.URL:
    return sa.URL.create("sqlite", database=files.database_uri(file.resolve()), query=how)


def _in_memory(file: Path, closing: contextlib.ExitStack) -> sa.URL:
    """Load the file with its log into memory, until the archive is closed."""
    name = f"file:/companion-{secrets.token_hex(8)}"
    memory = closing.enter_context(contextlib.closing(sqlite3.connect(f"{name}?vfs=memdb", uri=True)))
    with contextlib.closing(sqlite3.connect(":memory:")) as read:
        read.deserialize(FilePages(file).join())
        read.backup(memory)
    return sa.URL.create("sqlite", database=name, query={"vfs": "memdb", "uri": "true"})


_PAUSE = 0.2
_CLOSING_SECONDS = 5.0
"""Maximum seconds that closing waits for transactions of other threads."""


SETTLE_SECONDS: Final = 60.0
"""Seconds after which the log is checkpointed; until then, a copy of the file made by hand is incomplete."""


class Store:
    """An open database. Safe to use from several threads; each transaction belongs to one thread.

    `file` is the archive's file, None for a server, and `schedule` that of its backups. `read_only_reason` says why
    nothing can be written, "" if it can; a standby may become writable later. `loss_reason` says that a file is older
    than this computer last saw it, "" if it is not.
    """

    def __init__(self, url: sa.URL, *, create: bool = True) -> None:
        """Open, and if needed migrate, the database. Raises Unreadable.

        A missing archive is created, or raises NoArchive if `create` is False.
        """
        self.name = location.archive_name(url)
        self.file = Path(url.database or "") if url.drivername == "sqlite" else None
        self.schedule = backups.Schedule(self.file) if self.file is not None else None
        self.read_only_reason: Text = ""
        self.loss_reason: Text = ""
        self._create = create
        self._has_grown = True
        self._closing = contextlib.ExitStack()
        self._lock = threading.Lock()
        self._database: files.DatabaseFile | None = None
        self._log_proof = wal_guard.LogProof(self.file) if self.file is not None else None
        self._last_seen: wal_guard.LineageState | None = None
        self._rescued: restore.RescuedCopy | None = None
        self._is_closed = False
        self._has_written = False
        self._taken_over = 0
        self._transactions = 0
        self._transaction_ended = threading.Condition()
        self._soon: threading.Timer | None = None
        if self.file is not None:
            self._create = create and last_seen.may_be_new(self.file)
            last_seen.check_file(self.file, create=create)
            wal_guard.check_log(self.file)
            self.read_only_reason = self.loss_reason = last_seen.describe_loss(self.file)
        self._away_since: float | None = None
        self._unsure: tuple[Entry, ...] = ()
        with contextlib.ExitStack() as failing:
            failing.callback(self._closing.close)
            self.engine = self._open_or_begin(url, create=create)
            failing.pop_all()
        self._remember_growth()

    @property
    def is_file(self) -> bool:
        """True for a file, False for a server."""
        return self.file is not None

    @property
    def refusal(self) -> ArchiveError:
        """The error for an attempt to write if there is a `read_only_reason`, with what the user can look at."""
        return ArchiveError(self.read_only_reason, "loss" if self.loss_reason else None)

    def _open_or_begin(self, url: sa.URL, *, create: bool) -> sa.Engine:
        try:
            return self._open(url)
        except NoArchive:
            if self.file is not None:
                # It was there a moment ago: its fate is reported, and no new archive is created in its place.
                last_seen.check_file(self.file, create=create)
            if self.file is None or self._create == create:
                raise
        raise Unreadable(
            phrase(
                "Somebody emptied “{name}” while it was being opened: an archive was in it a moment "
                "ago. No new archive was begun in its place. Look for a copy of it, and put that "
                "back with companion archive restore.",
                name=self.name,
            )
        )

    def _open(self, url: sa.URL) -> sa.Engine:
        if self.read_only_reason and self.file is not None:
            return self._open_read_only(self.file)
        try:
            database = self._open_database(url)
            if self.file is None:
                why = load_server().standby(database)
                self.read_only_reason = name_cause(why, self.name) if why else ""
            elif unwritable(self.file):
                self.read_only_reason = describe_read_only(self.name, self.file)
            return database
        except Unreadable as error:
            if self.file is None or not may_be_read_only(error):
                raise
            refused = error
        database = self._open_read_only(self.file, refused)
        self.read_only_reason = describe_read_only(self.name, self.file, refused)
        return database

    def _open_read_only(self, file: Path, refused: Unreadable | None = None) -> sa.Engine:
        """Open the file so that nothing is written to it. Raises Unreadable; `refused` if that is given."""
        for way in read_only_urls(file, self._closing):
            try:
                return self._open_database(way)
            except Unreadable as error:
                refused = refused or error
        raise refused or Unreadable(phrase("“{file}” cannot be read.", file=file))

    def _open_database(self, url: sa.URL) -> sa.Engine:
        """Open a database and migrate it, after a backup, if it is older."""
        file = self.file if self.file is not None and url.database == str(self.file) else None
        database = files.DatabaseFile(file) if file is not None else None
        created = create_engine(url, database)
        with contextlib.ExitStack() as failing:
            failing.callback(created.dispose)
            with self._translate_errors(Unreadable), waits.at_most(BUSY_SECONDS):
                migrate.bring_up_to_date(created, self.name, file, create=self._create)
            failing.pop_all()
        self._closing.callback(created.dispose)
        self._database = database
        return created

    def close(self) -> None:
        """Close the database after the open transactions have ended, and checkpoint its log.

        It cannot be used any more.
        """
        self._remember_growth()
        with self._lock:
            soon, self._soon = self._soon, None
        if soon is not None:
            soon.cancel()
        with self._transaction_ended:
            self._is_closed = True
            self._transaction_ended.wait_for(lambda: not self._transactions, _CLOSING_SECONDS)
        with contextlib.suppress(ArchiveError, DBAPIError, OSError):
            self._check_place()
        self._closing.close()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Open a transaction that reads one consistent snapshot of the archive."""
        with self._translate_errors(ArchiveError), self._open_connection(writes=False) as connection:
            yield Transaction(connection)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Open a durable transaction: all of it is on disk when the block succeeds, and nothing otherwise.

        The block also succeeds if its entries turn out to have been written before a connection broke. Raises Unsure if
        that cannot be known yet.
        """
        if self.read_only_reason and self.is_file:  # a standby may have become the primary
            raise self.refusal
        with (
            self._translate_errors(ArchiveError),
            contextlib.suppress(AlreadyWritten),
            self._open_connection(writes=True) as connection,
        ):
            transaction = Transaction(connection, self._unsure)
            yield transaction
            written = wal_guard.write_next_word(connection) if self.is_file else None
            if written is None:
                changes.announce(connection)
            self._commit(connection, transaction.new_entries)
            self._has_written = True
            self._last_seen = written
            self._ensure_in_place(connection)
        if self.is_file:
            self._has_grown = True
            self._settle_soon()
            self._settle_long_log()
        else:
            self.read_only_reason = ""

    @contextlib.contextmanager
    def _open_connection(self, *, writes: bool) -> Iterator[sa.Connection]:
        with self._in_use(), self._begin_patiently(writes=writes) as connection:
            yield connection

    @contextlib.contextmanager
    def _in_use(self) -> Iterator[None]:
        with self._transaction_ended:
            if self._is_closed:
                raise ArchiveError(phrase("{name} was closed here; open it again.", name=self.name))
            self._transactions += 1
        try:
            yield
        finally:
            with self._transaction_ended:
                self._transactions -= 1
                self._transaction_ended.notify_all()

    def _ensure_in_place(self, connection: sa.Connection) -> None:
        """Raise Displaced if writes do not go into the file at its path.

        What the connection holds is saved as a copy first: the open file may have no name any more.
        """
        if self._database is None or self._is_in_place(self._database, connection):
            return
        connection.rollback()
        if self._rescued is None:
            last = self._last_seen or wal_guard.LineageState(wal_guard.BEGINS, 0)
            self._rescued = restore.save_open_archive(
                connection, self._database.path, datetime.now(UTC), last if self._database.is_torn else None
            )
        raise Displaced(restore.describe_rescue(self._database.path, self._rescued))

    def _is_in_place(self, database: files.DatabaseFile, connection: sa.Connection) -> bool:
        log: tuple[int, int] | None = connection.info.get(LOG)
        if not database.is_in_place(log):
            return False
        try:
            # Writes go into the log; the file itself changes only by a checkpoint.
            if log is not None and database.has_changed() and not wal_guard.owns_log(database.path, self._taken_over):
                database.mark_overwritten()
            if log is not None and not self._has_kept_last():
                database.mark_overwritten()
        except FileNotFoundError:
            return False
        return database.is_in_place(log)

    def _has_kept_last(self) -> bool:
        """Return True if the next program will find the last transaction seen here.

        If not, another program wrote into the log.
        """
        proof, last = self._log_proof, self._last_seen
        return proof is None or last is None or proof.has_kept(last)

    def _check_place(self) -> None:
        """Raise Displaced as `_ensure_in_place` does; without writes there is nothing to save.

        The last connection to close the file checkpoints its log, and must know that the log is intact.
        """
        if self._database is not None and self._rescued is None:
            with self.engine.connect() as connection:
                if self._has_written:
                    self._ensure_in_place(connection)
                elif wal_guard.holds_pages(wal_guard.log_of(self._database.path)):
                    self._is_in_place(self._database, connection)

    def _begin_patiently(self, *, writes: bool) -> sa.Connection:
        """Begin a transaction, an exclusive one for writing. A server that is away gets some time to come back."""
        began = time.monotonic()
        with waits.at_most(BUSY_SECONDS), waits.waiting(self._away_since):
            while True:
                try:
                    connection = self._begin(writes=writes)
                except DBAPIError as error:
                    # A connection from before the file was moved still reads it, so that what it held can be saved.
                    # Where another thread has it, it comes back in a moment.
                    is_read_elsewhere = isinstance(error.orig, files.Moved) and self._transactions > 1
                    if not (is_away(error) or is_read_elsewhere) or waits.seconds_left < 0:
                        raise
                    if not is_read_elsewhere:
                        self._away_since = self._away_since or began
                    time.sleep(_PAUSE)
                else:
                    self._away_since = None
                    return connection

    def _begin(self, *, writes: bool) -> sa.Connection:
        connection = self.engine.connect()
        try:
            if writes:
                self._ensure_in_place(connection)
            connection.execution_options(writes=writes).begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def _commit(self, connection: sa.Connection, written: Sequence[Entry]) -> None:
        with waits.waiting(), waits.at_most(BUSY_SECONDS):
            try:
                # Half of the time, so that some is left to ask over another connection if this one is dead.
                with waits.at_most(BUSY_SECONDS / 2):
                    connection.commit()
            except DBAPIError as error:
                # The server may have gone before the commit, or after.
                if not is_away(error):
                    raise
                self._unsure = tuple(written)
                self._verify_commit(error)

    def _verify_commit(self, error: DBAPIError) -> None:
        """Check whether a transaction with a lost answer was committed: no other writer begins before it is over."""
        try:
            with self._open_connection(writes=True) as connection:
                is_kept = Transaction(connection).contains(self._unsure)
        except DBAPIError:
            is_kept = None
        if is_kept is None or not self._unsure:
            raise Unsure(
                phrase(
                    "The server went away while it was writing, so it is not known whether it did: "
                    "{name}. Try again once it is back; nothing is written twice.",
                    name=self.name,
                )
            ) from error
        self._unsure = ()
        if not is_kept:
            raise error

    def _settle_long_log(self) -> None:
        if self._database is not None and self._database.log_size > LONG_LOG:
            with contextlib.suppress(ArchiveError):  # the data is written already; the next write tries again
                self.settle()

    def _settle_soon(self) -> None:
        with self._lock:
            if self._soon is not None:
                return
            self._soon = threading.Timer(SETTLE_SECONDS, self._settle_on_timer)
            self._soon.daemon = True
            self._soon.start()

    def _settle_on_timer(self) -> None:
        """Do what is due every minute of play, and each hour. If it fails, it is tried again later.

        A backup is copied offsite here, too, because the disk may be plugged in by now.
        """
        with self._lock:
            if self._soon is None:
                return
            self._soon = None
        with contextlib.suppress(ArchiveError, OSError):
            self.settle()
            self._remember_growth()
            if self.schedule is not None:
                self.schedule.pass_hour(datetime.now(UTC))
                backups.update_offsite(self.schedule.file)

    def settle(self) -> None:
        """Checkpoint the log into the file, so that a copy made by hand is complete; wait only a moment for writers."""
        if self.is_file and not self.read_only_reason:
            with self._translate_errors(ArchiveError), self._in_use(), self.engine.connect() as connection:
                self._ensure_in_place(connection)
                with self.engine.connect() as holder:
                    own, other = (each.connection.dbapi_connection for each in (connection, holder))
                    grown = take_over_log(other, own, lambda: self._ensure_in_place(connection))
                    self._taken_over = max(self._taken_over, grown)

    def _remember_growth(self) -> None:
        """Note on this computer the growth of the file that was opened or written to."""
        if self.file is None or self.read_only_reason or not self._has_grown:
            return
        with contextlib.suppress(ArchiveError), self.reading() as transaction:
            self._last_seen = wal_guard.current_state(transaction.connection)
            last_seen.remember(self.file, self._last_seen.growth)
            self._has_grown = False

    @contextlib.contextmanager
    def _translate_errors(self, kind: type[ArchiveError]) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise Conflict(
                phrase("Somebody else wrote to {name} first; look again, then try again.", name=self.name)
            ) from error
        except (DBAPIError, *wal_guard.READ_ERRORS) as error:
            if is_locked(error) and self.file is not None:
                why = describe_cause(error) if files.can_lock(self.file.parent) else NO_LOCKS
                raise (Locked if kind is Unreadable else kind)(name_cause(why, self.name)) from error
            raise kind(name_cause(describe_cause(error), self.name), look_for(error)) from error
