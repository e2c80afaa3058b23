"""Entries that a sealed game wrote say which session that was."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """What was written before stays as it is: its session is not known."""
    op.add_column("entries", sa.Column("session", sa.Text, nullable=False, server_default=""))
