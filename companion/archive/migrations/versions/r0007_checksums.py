"""A checksum for each entry, and a word by which a file and its write-ahead log recognize each other."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from companion.archive.storage import checksums, wal_guard

revision = "0007"
down_revision = "0006"

_AT_ONCE = 10_000
_LISTS = ("sessions", "decks", "people", "named_purses", "sheets", "printers")


def upgrade() -> None:
    """Add a checksum of each entry as it is stored today; entries stay as they are.

    A row of a list gets its checksum when it is next written.
    """
    for table in ("entries", *_LISTS):
        op.add_column(table, sa.Column("checksum", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "lineage",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("now", sa.Text, nullable=False),
    )
    connection = op.get_bind()
    connection.execute(
        sa.text("INSERT INTO lineage (id, before, now) VALUES (1, :before, :now)"),
        {"before": wal_guard.BEGINS, "now": wal_guard.new_word()},
    )
    for rows in _parts(connection):
        connection.execute(
            sa.text("UPDATE entries SET checksum = :checksum WHERE stream = :stream AND seq = :seq"),
            [{"stream": row[0], "seq": row[1], "checksum": _checksum(row)} for row in rows],
        )


def _parts(connection: sa.Connection) -> Iterator[Sequence[Any]]:
    columns = 'stream, seq, at, "by", kind, body, session'
    stream, seq = "", -1
    while True:
        rows = connection.execute(
            sa.text(
                f"SELECT {columns} FROM entries WHERE (stream, seq) > (:stream, :seq) ORDER BY stream, seq LIMIT :most"
            ),
            {"stream": stream, "seq": seq, "most": _AT_ONCE},
        ).all()
        if not rows:
            return
        yield rows
        stream, seq = rows[-1][:2]


def _checksum(row: Sequence[Any]) -> int:
    stream, seq, at, by, kind, body, session = row
    # A server returns a datetime, a file the text that it stores.
    written = at.isoformat(" ", "microseconds") if isinstance(at, datetime) else at
    texts = (text.encode() for text in (stream, written, by, kind, body, session))
    first, *rest = texts
    return checksums.of_parts(first, seq, *rest)
