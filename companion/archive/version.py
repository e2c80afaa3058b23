"""Which companion an archive needs: the program that made its tables writes its own version beside them.

A file has a number for that in its header, which each copy of it bears; on a server it is a comment on a table. So an
older program that does not know the tables can still say which one to get. (A backup of before growth was counted, put
in an archive's place, has in that number how far it must go on from, until its tables are brought up to date.)
"""

from __future__ import annotations

import re
from importlib import metadata
from typing import Final

import sqlalchemy as sa

from companion.archive.migrations import REVISION

_PARTS: Final = 1000
"""Of each part of a version there are fewer."""
_PREFIX: Final = "table-companion "


def own_version() -> str:
    """The version of this program, as `1.2.0`."""
    return metadata.version("table-companion")


def write_version(connection: sa.Connection) -> None:
    """Writes this program's version into the archive whose tables it has made or changed."""
    version = own_version()
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {_as_number(version)}")
    else:
        text = sa.literal(f"{_PREFIX}{version}").compile(
            dialect=connection.dialect, compile_kwargs={"literal_binds": True}
        )
        connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS {text}")


def read_version(connection: sa.Connection) -> str:
    """The version of the program that made the archive's tables; "" where none is written there."""
    if connection.dialect.name == "sqlite":
        return as_version(int(connection.exec_driver_sql("PRAGMA user_version").scalar_one()))
    comment = connection.scalar(sa.text("SELECT obj_description('alembic_version'::regclass)")) or ""
    return comment.removeprefix(_PREFIX) if comment.startswith(_PREFIX) else ""


def as_version(number: int) -> str:
    """The version that a number in a file's header stands for; "" where there is none."""
    if number <= 0:
        return ""
    rest, patch = divmod(number, _PARTS)
    major, minor = divmod(rest, _PARTS)
    return f"{major}.{minor}.{patch}"


def _as_number(version: str) -> int:
    parts = [min(int(part), _PARTS - 1) for part in re.findall(r"\d+", version)[:3]]
    major, minor, patch = (*parts, 0, 0, 0)[:3]
    return (major * _PARTS + minor) * _PARTS + patch


def describe_newer(name: str, revision: str, version: str) -> str:
    """The sentence for an archive whose tables this program does not know; `version` made them, "" where unknown."""
    needed = f"it needs companion {version} or newer, and this is {own_version()}" if version else "update this one"
    return f"{name} was written by a newer companion (schema {revision}, known here up to {REVISION}); {needed}."
