"""Label sheets that are partly used, and printers with their calibration."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add two lists; existing tables do not change."""
    op.create_table(
        "sheets",
        sa.Column("sheet", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("stock", sa.Text, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("free", sa.Text, nullable=False),
        sa.Column("waiting", sa.Text, nullable=False),
        sa.Column("away", sa.Boolean, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
    )
    op.create_table(
        "printers",
        sa.Column("printer", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("dx", sa.Double, nullable=False),
        sa.Column("dy", sa.Double, nullable=False),
        sa.Column("sx", sa.Double, nullable=False),
        sa.Column("sy", sa.Double, nullable=False),
        sa.Column("away", sa.Boolean, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
    )
