"""People have ids, and lists hold facts: a deck's figures, the standing of a session, the edition of its rules.

Entries stay as they are. A name with a purse becomes a person: an entry that introduces them is appended.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from companion.archive import deck_id

revision = "0004"
down_revision = "0003"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
PERSON_SYMBOLS = 6


def upgrade() -> None:
    """Convert the texts of lists to facts, and each name with a purse to a person."""
    connection = op.get_bind()
    op.create_table(
        "people",
        sa.Column("person", _KEY, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("called", sa.Text, nullable=False),
        sa.Column("purse", sa.BigInteger, nullable=False),
        sa.Column("kept_as", sa.Text, nullable=False),
        sa.Column("merged", sa.Text, nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("kept", sa.Text, nullable=False, server_default="{}"),
    )
    op.add_column("sessions", sa.Column("edition", sa.Integer, nullable=False, server_default="1"))
    op.add_column("decks", sa.Column("figures", sa.Text, nullable=False, server_default="[]"))
    op.add_column("decks", sa.Column("person", sa.Text, nullable=False, server_default=""))
    _state_facts(connection)
    _introduce(connection)
    op.rename_table("wizards", "named_purses")
    op.alter_column("named_purses", "wizard", new_column_name="kept_as")
    op.drop_column("decks", "glory")
    op.drop_column("decks", "dungeons")


def _state_facts(connection: sa.Connection) -> None:
    for session, standing in connection.execute(sa.text("SELECT session, standing FROM sessions")).all():
        _set(connection, "sessions", "session", session, "standing", _json(standing))
    # All older decks belong to the one game that had decks then, and these were its figures.
    for deck, glory, played in connection.execute(sa.text("SELECT deck, glory, dungeons FROM decks")).all():
        figures = [["glory", "Glory", glory], ["dungeons", "Dungeons", played]]
        _set(connection, "decks", "deck", deck, "figures", _json(figures))


def _introduce(connection: sa.Connection) -> None:
    ids: set[str] = set()
    for wizard, name in connection.execute(sa.text("SELECT wizard, name FROM wizards ORDER BY wizard")).all():
        person = _fresh(ids)
        # The date and author of the first entry under that name: they have been known since then.
        connection.execute(
            sa.text(
                'INSERT INTO entries (stream, seq, at, "by", kind, body, session) '
                "SELECT :stream, 0, at, \"by\", 'introduced', :body, '' FROM entries WHERE stream = :old AND seq = 0"
            ),
            {
                "stream": f"person:{person}",
                "body": _json({"name": name, "kept_as": wizard}),
                "old": f"wizard:{wizard}",
            },
        )
        connection.execute(
            sa.text(
                "INSERT INTO people (person, name, called, purse, kept_as, merged, since, length) "
                "SELECT :person, :name, :called, 0, :wizard, '', at, 1 FROM entries WHERE stream = :stream AND seq = 0"
            ),
            {
                "person": person,
                "name": name,
                "called": _json([name]),
                "wizard": wizard,
                "stream": f"person:{person}",
            },
        )


def _fresh(ids: set[str]) -> str:
    person = deck_id.draw(PERSON_SYMBOLS)
    while person in ids:
        person = deck_id.draw(PERSON_SYMBOLS)
    ids.add(person)
    return person


def _set(connection: sa.Connection, table: str, key: str, which: str, column: str, value: str) -> None:
    connection.execute(
        sa.text(f"UPDATE {table} SET {column} = :value WHERE {key} = :which"), {"value": value, "which": which}
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
