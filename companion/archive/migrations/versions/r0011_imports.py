"""Imports: what each added, so that it can be undone until something was played on it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create two empty tables; earlier imports cannot be undone."""
    op.create_table(
        "imports",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("entries", sa.Integer, nullable=False),
    )
    op.create_table(
        "imported",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("stream", _KEY, primary_key=True),
        sa.Column("kept", sa.Integer, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False),
        sa.Column("replaced", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
