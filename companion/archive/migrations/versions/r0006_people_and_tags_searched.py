"""People are listed a page at a time and found by every name they had; decks are found by their tags, too."""

import json
import unicodedata
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Rows say once more what is searched; tags come out of the marks that gave and took them."""
    op.add_column("people", sa.Column("folded", _KEY, nullable=False, server_default=""))
    op.add_column("decks", sa.Column("tags", sa.Text, nullable=False, server_default="[]"))
    op.add_column("decks", sa.Column("searched", sa.Text, nullable=False, server_default=""))
    op.add_column("decks", sa.Column("held", _KEY, nullable=False, server_default=""))
    op.create_table("names", sa.Column("folded", _KEY, primary_key=True), sa.Column("person", _KEY, primary_key=True))
    op.create_index("ix_people_folded", "people", ["folded"])
    op.create_index("ix_decks_held", "decks", ["person", "held"])
    _people(op.get_bind())
    _decks(op.get_bind())


def _people(connection: sa.Connection) -> None:
    rows = connection.execute(sa.text("SELECT person, name, called FROM people")).all()
    called = {person: (name, *json.loads(said)) for person, name, said in rows}
    searched = [{"which": key, "folded": _fold(" ".join((*_once(names), key)))} for key, names in called.items()]
    names = [{"person": key, "folded": name} for key, names in called.items() for name in _once(map(_fold, names))]
    _run(connection, "UPDATE people SET folded = :folded WHERE person = :which", searched)
    _run(connection, "INSERT INTO names (folded, person) VALUES (:folded, :person)", names)


def _decks(connection: sa.Connection) -> None:
    tags = _tags(connection)
    rows = connection.execute(sa.text("SELECT deck, name, holder FROM decks")).all()
    told = [
        {
            "which": deck,
            "tags": json.dumps(tags.get(deck, ()), ensure_ascii=False, separators=(",", ":")),
            "searched": _fold(" ".join((name, *(f"tag:{tag}" for tag in tags.get(deck, ()))))),
            "held": _fold(holder),
        }
        for deck, name, holder in rows
    ]
    _run(connection, "UPDATE decks SET tags = :tags, searched = :searched, held = :held WHERE deck = :which", told)


def _tags(connection: sa.Connection) -> dict[str, list[str]]:
    """The tags of each deck that has any, by its id: what corrections left standing, in the alphabet's order."""
    marks = connection.execute(
        sa.text(
            "SELECT stream, seq, kind, body FROM entries WHERE kind IN ('tagged', 'corrected') AND stream IN "
            "(SELECT stream FROM entries WHERE kind = 'tagged') ORDER BY stream, seq"
        )
    ).all()
    read = [(stream.partition(":")[2], seq, kind, json.loads(body)) for stream, seq, kind, body in marks]
    mended: set[tuple[str, int]] = set()
    for deck, seq, kind, said in reversed(read):
        if kind == "corrected" and (deck, seq) not in mended:
            mended.add((deck, said["of"]))
    tags: dict[str, dict[str, str]] = {}
    for deck, seq, kind, said in read:
        if kind == "tagged" and (deck, seq) not in mended:
            has = tags.setdefault(deck, {})
            has |= {_fold(tag): tag for tag in said.get("tags", ())}
            for tag in said.get("off", ()):
                has.pop(_fold(tag), None)
    return {deck: [has[key] for key in sorted(has)] for deck, has in tags.items()}


def _run(connection: sa.Connection, statement: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(sa.text(statement), rows)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
