"""What people hold in their hands, as their own phones show it; phones that wait to be let in."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """A table that begins empty, and a column: who was let in does not wait."""
    op.add_column("phones", sa.Column("waiting", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "hands",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
    )
