"""Rehearsals are stored: their designs, and the sums of all games until now."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create an empty table."""
    op.create_table(
        "rehearsals",
        sa.Column("rehearsal", _KEY, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("design", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("edition", sa.Integer, nullable=False),
        sa.Column("program", sa.Text, nullable=False),
        sa.Column("units", sa.BigInteger, nullable=False),
        sa.Column("games", sa.BigInteger, nullable=False),
        sa.Column("begun", sa.DateTime, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False, server_default="0"),
    )
