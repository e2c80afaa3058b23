"""Results of games have a list of their own, from which statistics are computed."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create an empty table; it is filled from the stored entries after the last revision (`migrate`)."""
    op.create_table(
        "results",
        sa.Column("session", _KEY, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("ix_results_at", "results", ["at"])
