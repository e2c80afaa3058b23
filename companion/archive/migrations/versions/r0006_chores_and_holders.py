"""Lists have a deck's chores, all its holders and its tags; people are found by any of their names.

These columns of decks' rows follow from their entries, and are filled after the last revision (`migrate`).
"""

import json
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add columns for decks, and a search table of the people's names that their rows contain already."""
    for facts, looked_for in (("holders", "held"), ("tags", "tagged")):
        op.add_column("decks", sa.Column(facts, sa.Text, nullable=False, server_default="[]"))
        op.add_column("decks", sa.Column(looked_for, sa.Text, nullable=False, server_default=""))
    op.add_column("decks", sa.Column("due", sa.Text, nullable=False, server_default="[]"))
    op.create_index("ix_people_merged", "people", ["merged"])
    names = op.create_table(
        "names",
        sa.Column("folded", _KEY, primary_key=True),
        sa.Column("person", _KEY, primary_key=True),
    )
    rows = op.get_bind().execute(sa.text("SELECT person, called FROM people")).all()
    op.bulk_insert(
        names,
        [
            {"folded": folded, "person": person}
            for person, called in rows
            for folded in dict.fromkeys(map(_folded, json.loads(called)))
        ],
    )


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
