"""People are listed in pages, by name, and searched by all names that they have or had and by their ids."""

import json
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the searched form of what the rows contain already: people, and holders of decks known by name alone."""
    op.add_column("people", sa.Column("folded", _KEY, nullable=False, server_default=""))
    op.add_column("decks", sa.Column("held_by", _KEY, nullable=False, server_default=""))
    op.create_index("ix_people_folded", "people", ["folded"])
    op.create_index("ix_decks_held_by", "decks", ["held_by"])
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT person, name, called FROM people")).all()
    people = [
        {"which": person, "folded": _folded(" ".join(dict.fromkeys((name, *json.loads(called), person))))}
        for person, name, called in rows
    ]
    if people:
        connection.execute(sa.text("UPDATE people SET folded = :folded WHERE person = :which"), people)
    decks = connection.execute(sa.text("SELECT deck, holder FROM decks WHERE person = '' AND holder <> ''")).all()
    held = [{"which": deck, "held_by": _folded(holder)} for deck, holder in decks]
    if held:
        connection.execute(sa.text("UPDATE decks SET held_by = :held_by WHERE deck = :which"), held)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
