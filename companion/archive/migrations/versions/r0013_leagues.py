"""Leagues have a list of their own, and people have a name for use outside the house."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create an empty table, and two columns whose defaults keep the real name."""
    op.create_table(
        "leagues",
        sa.Column("league", _KEY, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("form", sa.Text, nullable=False),
        sa.Column("people", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.add_column("people", sa.Column("nickname", sa.Text, nullable=False, server_default=""))
    op.add_column("people", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))
