"""Entries written by a seal name their session."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; for earlier entries the session is unknown."""
    op.add_column("entries", sa.Column("session", sa.Text, nullable=False, server_default=""))
