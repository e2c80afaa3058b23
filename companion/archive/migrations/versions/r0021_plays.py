"""Plays from other programs are stored."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create an empty table."""
    op.create_table(
        "plays",
        sa.Column("play", _KEY, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("source", _KEY, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("ix_plays_source", "plays", ["source"])
