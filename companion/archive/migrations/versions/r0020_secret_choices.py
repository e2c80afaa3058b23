"""Secret choices of players on their phones, and whether phones choose face down."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create an empty table, and a column: phones choose face down unless the host says otherwise."""
    op.create_table(
        "secret_choices",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("phone", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
    )
    op.add_column("doors", sa.Column("face_down", sa.Boolean, nullable=False, server_default=sa.true()))
