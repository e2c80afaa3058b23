"""The hands of players, as their own phones show them; phones that wait to be admitted."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create an empty table, and a column: phones that are admitted already do not wait."""
    op.add_column("phones", sa.Column("waiting", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "hands",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
    )
