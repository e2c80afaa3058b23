"""People have a language, in which labels of their decks are printed."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create a column: nobody's language is known yet."""
    op.add_column("people", sa.Column("language", sa.Text, nullable=False, server_default=""))
