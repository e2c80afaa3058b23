"""PostgreSQL: naming a server without its password, connecting to it, and explaining its errors.

No call waits forever for a server that disappeared, or that keeps its connections and sends nothing
(`DeadlineConnection`). This module needs psycopg, and is loaded only if a server is named.
"""

import contextlib
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlencode

import psycopg
import sqlalchemy as sa
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.archive.errors import Unreadable
from companion.archive.storage.waiting import waits
from templates.languages.messages import Text, phrase

DRIVER: Final = "postgresql+psycopg"

LOCK_SECONDS: Final = 9
"""Maximum seconds that the server makes a writer wait for another: short enough that the server itself reports why."""
SILENCE_SECONDS: Final = 10
"""Seconds of silence within a transaction after which the connection is closed."""
PING_SECONDS: Final = 3
"""The same limit before a transaction, when a broken idle connection costs nothing and is replaced."""
CONNECT_SECONDS: Final = 8
"""Maximum seconds for connecting, including the look-up of the server's name."""
_MIN_SECONDS: Final = 1
"""The minimum for an attempt that begins shortly before the wait ends."""
_LOOK_EVERY: Final = 0.1

R = TypeVar("R")

_DEFAULTS: Final = {
    # A server that disappeared is noticed within these seconds.
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "fallback_application_name": "companion",
}
_PUBLIC_SETTINGS: Final = frozenset({"host", "hostaddr", "port", "user", "dbname", "service", "target_session_attrs"})
"""Settings of a connection that appear in its name; others may be secret, or say little."""

_WRITER: Final = 0x636F6D70616E696F
"""The advisory lock that a writer holds until its transaction ends; it spells `companio`."""
_ALONE: Final = (
    "SET LOCAL lock_timeout = {milliseconds}; "
    # A writer that was cut off or suspended does not block the others forever.
    "SET LOCAL idle_in_transaction_session_timeout = '60s'; "
    # A writer whose network drops everything is noticed earlier, by the server's operating system.
    "SET LOCAL tcp_keepalives_idle = 5; SET LOCAL tcp_keepalives_interval = 2; SET LOCAL tcp_keepalives_count = 3; "
    # Committed data is on disk, whatever the server's own setting; stricter settings stay.
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'; "
    f"SELECT pg_advisory_xact_lock({_WRITER})"
)


def parse_server_url(text: str) -> sa.URL:
    """Return the URL of a server, parsed by its own library: several hosts, a service, a password file and so on.

    Raises Unreadable, which never quotes the URL: it may contain a password.
    """
    try:
        parameters = conninfo_to_dict(f"postgresql://{text.partition('://')[2]}")
    except psycopg.Error:
        raise _bad_url() from None
    if not str(parameters.get("port", "")).strip(","):
        parameters.pop("port", None)
    hosts, ports, database = (str(parameters.get(key) or "") for key in ("host", "port", "dbname"))
    # An unquoted @ or / in a password has become part of other fields.
    if "@" in hosts + database or not all(port.isdigit() for port in ports.split(",") if port):
        raise _bad_url()
    return sa.URL.create(
        DRIVER,
        username=_text(parameters.pop("user", None)),
        password=_text(parameters.pop("password", None)),
        database=_text(parameters.pop("dbname", None)),
        query={key: str(value) for key, value in parameters.items()},
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _bad_url() -> Unreadable:
    return Unreadable(
        phrase(
            "That is not the URL of a server: write postgresql://USER@HOST/DATABASE, with %40 "
            "for an @ and %2F for a / within a name or password; a password is better kept in a "
            "password file (docs/server.md)."
        )
    )


def server_name(url: sa.URL) -> str:
    """Return the name of a server for a sentence: its URL without secrets."""
    query = {key: str(value) for key, value in url.query.items() if key in _PUBLIC_SETTINGS}
    host, port = query.pop("host", ""), query.pop("port", "")
    if host.startswith("/") or "," in host:
        query |= {"host": host, **({"port": port} if port else {})}
        host = port = ""
    who = f"{quote(url.username)}@" if url.username else ""
    where = f"{host}:{port}" if port else host
    rest = f"?{urlencode(query, safe=',/-')}" if query else ""
    return f"postgresql://{who}{where}{'/' if url.database or where else ''}{quote(url.database or '')}{rest}"


def create_server_engine(url: sa.URL) -> sa.Engine:
    """Create the engine for the server. A connection that broke is replaced."""
    parameters: dict[str, Any] = {
        **_DEFAULTS,
        **url.query,
        **({"user": url.username} if url.username else {}),
        **({"password": url.password} if url.password else {}),
        **({"dbname": url.database} if url.database else {}),
        "client_encoding": "utf8",
    }

    engine = sa.create_engine(
        f"{DRIVER}://", creator=lambda: _connect(parameters), pool_pre_ping=True, hide_parameters=True
    )
    event.listen(engine, "connect", _check_encoding)
    event.listen(engine, "begin", _begin)
    event.listen(engine, "checkin", _reset_patience)
    return engine


class DeadlineConnection(psycopg.Connection[Any]):
    """A connection that is closed if its server sends nothing for `patience` seconds; None waits without limit.

    It is closed whatever it was doing, with an OperationalError. The operating system cannot detect that: a device in
    between may accept everything that is sent, and return nothing.
    """

    patience: float | None = PING_SECONDS

    def wait(self, gen: PQGen[R], *how: Any, **more: Any) -> R:
        """See `psycopg.Connection.wait`."""
        # A listener may wait without limit, and no screen should report that as waiting.
        with waits.waiting() if self.patience is not None else contextlib.nullcontext():
            return super().wait(self._until_silent(gen), *how, **more)

    def _until_silent(self, gen: PQGen[R]) -> PQGen[R]:
        began = heard = time.monotonic()
        try:
            waits_for = next(gen)
            while True:
                ready = yield waits_for
                now = time.monotonic()
                if ready:
                    heard = now
                elif waits.are_over(began) or self._is_too_long(now - heard):
                    self.pgconn.finish()
                    raise psycopg.OperationalError("timed out: the server says nothing")
                waits_for = gen.send(ready)
        except StopIteration as end:
            value: R = end.value
            return value

    def _is_too_long(self, silent: float) -> bool:
        return self.patience is not None and silent > min(self.patience, max(waits.seconds_left + silent, _MIN_SECONDS))


def _connect(parameters: dict[str, Any]) -> psycopg.Connection[Any]:
    """Connect in a thread: the look-up of a server's name cannot be interrupted, and may take a minute."""
    result: Future[psycopg.Connection[Any]] = Future()

    def connect() -> None:
        try:
            connection = DeadlineConnection.connect(**parameters)
        except BaseException as error:
            with contextlib.suppress(InvalidStateError):
                result.set_exception(error)
            return
        try:
            result.set_result(connection)
        except InvalidStateError:  # no thread waits for it any more
            connection.close()

    threading.Thread(target=connect, name="connect", daemon=True).start()
    began = time.monotonic()
    deadline = began + max(_MIN_SECONDS, min(CONNECT_SECONDS, waits.seconds_left))
    with waits.waiting():
        while True:
            try:
                return result.result(_LOOK_EVERY)
            except TimeoutError:
                if (waits.are_over(began) or time.monotonic() > deadline) and result.cancel():
                    raise psycopg.OperationalError("timed out: the server cannot be reached") from None


def _check_encoding(connection: Any, _: object) -> None:
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise Unreadable(
            phrase(
                "The database “{dbname}” keeps text as {encoding}, which cannot hold every name; make one with "
                "createdb --encoding=UTF8 --template=template0 and name that.",
                dbname=connection.info.dbname,
                encoding=encoding,
            )
        )


def _begin(connection: sa.Connection) -> None:
    """Begin a transaction: readers get one snapshot, however long it takes; writers are exclusive, as in a file."""
    writes = connection.get_execution_options().get("writes", False)
    driver: Any = connection.connection.dbapi_connection
    driver.isolation_level = psycopg.IsolationLevel.READ_COMMITTED if writes else psycopg.IsolationLevel.REPEATABLE_READ
    driver.read_only = not writes
    driver.patience = None if connection.get_execution_options().get("works_long", False) else SILENCE_SECONDS
    if writes:
        # A little before the wait ends, so that the server can report the reason.
        seconds = min(LOCK_SECONDS, max(waits.seconds_left - _MIN_SECONDS, _MIN_SECONDS / 2))
        connection.exec_driver_sql(_ALONE.format(milliseconds=int(seconds * 1000)))


def _reset_patience(connection: Any, _: object) -> None:
    """Reset the limit of a connection that returns to the pool, for the ping before its next use."""
    if connection is not None:
        connection.patience = PING_SECONDS


def copy_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[Sequence[Any]]) -> None:
    """Write many rows at once. Raises DBAPIError; IntegrityError if a row's key exists already."""
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    driver: Any = connection.connection.dbapi_connection
    try:
        with driver.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN') as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.Error as error:
        kind = IntegrityError if isinstance(error, psycopg.IntegrityError) else DBAPIError
        raise kind(None, None, error) from error


def standby(engine: sa.Engine) -> Text:
    """Return why nothing can be written if the server is a standby, as a sentence without its full stop; else ""."""
    with engine.connect() as connection:
        driver: Any = connection.connection.dbapi_connection
        return _STANDBY if driver.info.parameter_status("in_hot_standby") == "on" else ""


def is_server_away(error: DBAPIError) -> bool:
    """Return True if the server could not be reached, or the connection broke: it may be back in a moment."""
    if error.connection_invalidated:
        return True
    state = getattr(error.orig, "sqlstate", "")
    return state is None or state[:2] == "08" or state in ("57P01", "57P02", "57P03")


def describe_server_error(error: Any) -> Text:
    """Describe an error of psycopg as a sentence without its full stop."""
    message = " ".join(str(error).split())
    for state, meaning in _STATES.items():
        if (error.sqlstate or "").startswith(state):
            return meaning
    return next(
        (meaning for symptom, meaning in _SYMPTOMS.items() if symptom in message),
        phrase("The server refuses ({reason})", reason=message),
    )


_AWAY: Final = phrase("The server does not answer; try again once it is back")
_LOCKED_OUT: Final = phrase(
    "The server does not let this user in; check the user and the password file (docs/server.md)"
)
_FULL: Final = phrase(
    "The server has no room for another connection; close another companion, or have max_connections raised"
)
_NUL: Final = phrase("An archive can neither store nor find a NUL (U+0000); leave it out")
_NO_SERVICE: Final = phrase("There is no service of that name in the file ~/.pg_service.conf (docs/server.md)")
_STANDBY: Final = phrase(
    "This server is a standby: it can only be read; name the first server, or both with "
    "target_session_attrs=read-write (docs/server.md)"
)
_STATES: Final = {
    "08": _AWAY,
    "57P0": _AWAY,
    "55P03": phrase("Another program is writing to the archive and does not stop; close it and try again"),
    "53100": phrase("The server's disk is full; nothing was written to the archive"),
    "53300": _FULL,
    "22021": _NUL,
    "22": phrase("Something in the archive is damaged: no column can hold it"),
    "42501": phrase("The server lets this user only read; allow the user to create tables and write (docs/server.md)"),
    "25006": phrase("This server can only be read, like a standby; name the one that is written to"),
}
_GONE: Final = (
    *("onnection refused", "connection reset", "closed the connection", "connection is", "imeout", "timed out"),
    *("No such file", "No route", "unreachable", "starting up", "shutting down", "in recovery"),
)
# While connecting there is no error code, only the messages of the library and the server.
_SYMPTOMS: Final = {
    "does not exist": phrase("There is no such user or database on the server; make it first (docs/server.md)"),
    "authentication failed": _LOCKED_OUT,
    "no pg_hba.conf entry": _LOCKED_OUT,
    "no password supplied": phrase("The server wants a password; write it into a password file (docs/server.md)"),
    "too many clients": _FULL,
    "remaining connection slots": _FULL,
    "during recovery": _STANDBY,
    "service file": _NO_SERVICE,
    "definition of service": _NO_SERVICE,
    "session is read-only": phrase("None of the servers named may be written to"),
    "translate host name": phrase("There is no server of that name"),
    "resolve host": phrase("There is no server of that name"),
    "NUL (0x00)": _NUL,
    **dict.fromkeys(_GONE, _AWAY),
}
