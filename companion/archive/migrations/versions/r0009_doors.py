"""Pages for phones: the PIN and the key of the cookies, the admitted phones, and wrong attempts at the PIN."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create three empty tables; they are filled when the pages are first served."""
    op.create_table(
        "doors",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("pin", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("hands", sa.Text, nullable=False),
    )
    op.create_table(
        "phones",
        sa.Column("phone", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("hands", sa.Text, nullable=False),
        sa.Column("away", sa.Boolean, nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.Column("seen", sa.DateTime, nullable=False),
    )
    op.create_table(
        "knocks",
        sa.Column("address", sa.Text, primary_key=True),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("waits", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.Column("until", sa.DateTime, nullable=False),
    )
