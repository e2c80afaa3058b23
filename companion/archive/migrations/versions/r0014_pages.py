"""Games described on a page: the pages have a list, and sessions and decks name the page that they follow."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create an empty table and two empty columns: everything stored so far is of games that are programs."""
    op.create_table(
        "pages",
        sa.Column("page", _KEY, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("edition", sa.Integer, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("checksum", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.add_column("sessions", sa.Column("page", sa.Text, nullable=False, server_default=""))
    op.add_column("decks", sa.Column("page", sa.Text, nullable=False, server_default=""))
