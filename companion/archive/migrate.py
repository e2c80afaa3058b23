"""From an archive of any age to one of today. Alembic is loaded only where there is something to do."""

import importlib
import importlib.resources

import sqlalchemy as sa

from companion.archive.errors import Unreadable
from companion.archive.migrations import REVISION

_VERSION = sa.text("SELECT version_num FROM alembic_version")

_DECKS_SAY_MORE = "0006"
"""The last revision after which decks' rows say more of their entries, so that they are made again."""


def bring_up_to_date(engine: sa.Engine, name: str) -> None:
    """Makes the tables, or migrates them, in one transaction; does nothing where they are those of today.

    Raises Unreadable if the database is another program's or was written by a newer companion.
    """
    if _is_of_today(engine):
        return
    # Loaded before others have to wait for us: that takes longer than the migration.
    importlib.import_module("alembic.command")
    with engine.connect() as connection:
        connection.execution_options(writes=True)
        with connection.begin():
            _migrate(connection, name)


def _is_of_today(engine: sa.Engine) -> bool:
    """Asks without looking first whether there is a table to ask, which would take longer than what commands do."""
    try:
        with engine.connect() as connection:
            return bool(connection.scalar(_VERSION) == REVISION)
    except sa.exc.DBAPIError:
        return False


def revision(connection: sa.Connection) -> str | None:
    """The schema's revision as the database says it; None where it has none yet."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(_VERSION)
    return found


def _migrate(connection: sa.Connection, name: str) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    present = revision(connection)
    if present == REVISION:
        return
    if present is None and sa.inspect(connection).get_table_names():
        raise Unreadable(f"{name} is a database, but another program's; name another file.")
    config = Config()
    scripts = str(importlib.resources.files("companion.archive") / "migrations")
    config.set_main_option("script_location", scripts.replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if present is not None and present not in known:
        raise Unreadable(
            f"{name} was written by a newer companion (schema {present}, known here up to {REVISION}); update this one."
        )
    command.upgrade(config, "head")
    if present is not None and present < _DECKS_SAY_MORE:
        from companion.archive.store import Transaction

        Transaction(connection).list_again("deck")
