"""Lists say what is still to be done to a deck, who ever held it and how it is tagged; people are found by any name.

What decks' rows say of that follows from their entries, and is made of them after the last revision (`migrate`).
"""

import json
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """More columns for decks; the names of people, which their rows say already, have a table to be looked for in."""
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
