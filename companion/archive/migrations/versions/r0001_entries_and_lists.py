"""The first schema: entries, and the lists of sessions, decks and wizards."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "entries",
        sa.Column("stream", _KEY, primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    _create_lists()


def _create_lists() -> None:
    op.create_table(
        "sessions",
        sa.Column("session", _KEY, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False, index=True),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("lines", sa.Integer, nullable=False),
        sa.Column("standing", sa.Text, nullable=False),
        sa.Column("sealed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "decks",
        sa.Column("deck", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("folded", _KEY, nullable=False),
        sa.Column("glory", sa.Integer, nullable=False),
        sa.Column("dungeons", sa.Integer, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("retired", sa.Boolean, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.UniqueConstraint("game", "folded", name="uq_decks_game_folded"),
    )
    op.create_index("ix_decks_folded", "decks", ["folded"])
    op.create_table(
        "wizards",
        sa.Column("wizard", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("purse", sa.BigInteger, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
    )
