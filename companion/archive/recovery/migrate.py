"""Migration of an archive of any age to the current schema, and the version of the companion that an archive needs."""

from __future__ import annotations

import importlib
import importlib.resources
import re
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

import sqlalchemy as sa

from companion.archive.errors import ArchiveError, NoArchive, Unreadable, describe_error
from companion.archive.migrations import REVISION
from companion.archive.recovery import backups
from companion.archive.storage.database_errors import is_locked
from companion.archive.storage.engine import is_away
from companion.archive.storage.results import relist
from companion.archive.storage.schema import LISTS
from companion.archive.storage.transaction import Transaction
from companion.archive.storage.waiting import waits
from templates.languages.messages import Message, phrase

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

_PARTS: Final = 1000
"""Each part of a version number is smaller than this."""
_PREFIX: Final = "table-companion "


def own_version() -> str:
    """Return the version of this program, as `1.2.0`."""
    return metadata.version("table-companion")


def write_version(connection: sa.Connection) -> None:
    """Write this program's version into the archive whose tables it has created or migrated."""
    version = own_version()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {_as_number(version)}")
    else:
        text = sa.literal(f"{_PREFIX}{version}").compile(
            dialect=connection.dialect, compile_kwargs={"literal_binds": True}
        )
        connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS {text}")


def read_version(connection: sa.Connection) -> str:
    """Return the version of the program that created or last migrated the archive's tables; "" if none is stored."""
    if connection.dialect.name == "sqlite":
        return as_version(int(connection.exec_driver_sql("PRAGMA user_version").scalar_one()))
    comment = connection.scalar(sa.text("SELECT obj_description('alembic_version'::regclass)")) or ""
    return comment.removeprefix(_PREFIX) if comment.startswith(_PREFIX) else ""


def as_version(number: int) -> str:
    """Return the version that a number in a file's header stands for; "" if there is none."""
    if number <= 0:
        return ""
    rest, patch = divmod(number, _PARTS)
    major, minor = divmod(rest, _PARTS)
    return f"{major}.{minor}.{patch}"


def _as_number(version: str) -> int:
    parts = [min(int(part), _PARTS - 1) for part in re.findall(r"\d+", version)[:3]]
    major, minor, patch = (*parts, 0, 0, 0)[:3]
    return (major * _PARTS + minor) * _PARTS + patch


def describe_newer(name: str, revision: str, version: str) -> Message:
    """Return the sentence for an archive of a newer schema; `version` wrote it, "" if unknown."""
    if version:
        return phrase(
            "{archive} was written by a newer companion (schema {schema}, known here up to {known}); it needs "
            "companion {version} or newer, and this is {own}.",
            archive=name,
            schema=revision,
            known=REVISION,
            version=version,
            own=own_version(),
        )
    return phrase(
        "{archive} was written by a newer companion (schema {schema}, known here up to {known}); update this one.",
        archive=name,
        schema=revision,
        known=REVISION,
    )


_VERSION = sa.text("SELECT version_num FROM alembic_version")

_DECKS_SAY_MORE = "0012"
"""The last revision after which decks' rows have more columns from their entries, so that they are rebuilt."""
_RESULTS_LISTED = "0015"
"""The revision since which results have a list of their own."""


def bring_up_to_date(engine: sa.Engine, name: str, file: Path | None = None, *, create: bool = True) -> None:
    """Create the tables, or migrate them, in one transaction; do nothing if they are current.

    Missing tables are created only if `create` is True. An archive in a `file` is backed up before. Raises Unreadable
    if the database is another program's, was written by a newer companion, or cannot be backed up, and NoArchive if it
    has no tables and gets none.
    """
    if _is_of_today(engine):
        return
    with waits.working(phrase("bringing the archive up to date")):
        _bring(engine, name, file, create=create)


def _bring(engine: sa.Engine, name: str, file: Path | None, *, create: bool) -> None:
    with engine.connect() as connection:
        present = revision(connection)
        if present is None and not create and not sa.inspect(connection).get_table_names():
            raise NoArchive(phrase("There is no archive in {name}.", name=name))
        # Reported at once: loading the migrations takes seconds on a slow machine.
        if present is not None and present > REVISION:
            raise Unreadable(describe_newer(name, present, read_version(connection)))
    if file is not None and present is not None and present < REVISION:
        _back_up(file)
    # Loaded before other programs have to wait for the lock: loading takes longer than the migration.
    importlib.import_module("alembic.operations")
    _load_scripts()
    with engine.connect() as connection:
        connection.execution_options(writes=True, works_long=True)
        with connection.begin():
            _migrate(connection, name)


def _back_up(file: Path) -> None:
    try:
        backups.before_migration(file, REVISION, datetime.now(UTC))
    except (ArchiveError, OSError) as error:
        raise Unreadable(
            phrase(
                "“{file}” was written by an older companion, and no backup can be made before it is "
                "brought up to date: {reason}",
                file=str(file),
                reason=describe_error(error),
            )
        ) from error


def _is_of_today(engine: sa.Engine) -> bool:
    """Query the revision without checking first that its table exists, which would take longer than most commands."""
    try:
        with engine.connect() as connection:
            return bool(connection.scalar(_VERSION) == REVISION)
    except sa.exc.DBAPIError as error:
        if is_away(error) or is_locked(error):  # another query would wait as long again
            raise
    except UnicodeDecodeError:
        pass
    return False


def revision(connection: sa.Connection) -> str | None:
    """Return the schema's revision in the database; None if it has none yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    value: str | None = connection.scalar(_VERSION)
    return value


@cache
def _load_scripts() -> ScriptDirectory:
    """Load the revisions once.

    `alembic.command` loads them twice for every archive, which takes longer than everything that they do to an empty
    one.
    """
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(importlib.resources.files("companion.archive") / "migrations"))


def _migrate(connection: sa.Connection, name: str) -> None:
    present = revision(connection)
    if present == REVISION:
        return
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    if present is None and sa.inspect(connection).get_table_names():
        raise Unreadable(phrase("{name} is the database of another program; name another file.", name=name))
    scripts = _load_scripts()
    if present is not None and present not in {script.revision for script in scripts.walk_revisions()}:
        raise Unreadable(describe_newer(name, present, read_version(connection)))
    context = MigrationContext.configure(connection)
    if present is None:
        # Its table comes first in the file, as in every archive that alembic's own command has created.
        context.stamp(scripts, "base")
    with Operations.context(context):
        for script in reversed(list(scripts.iterate_revisions("head", present or "base"))):
            script.module.upgrade()
    context.stamp(scripts, "head")
    write_version(connection)
    # Rows that a revision changed have no checksums until they are written again.
    for table in LISTS:
        connection.execute(sa.update(table).values(checksum=0))
    if present is not None and present < _DECKS_SAY_MORE:
        Transaction(connection).rebuild_list("deck")
    if present is not None and present < _RESULTS_LISTED:
        relist(Transaction(connection))
