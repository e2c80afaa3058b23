"""Sessions are searched by their titles, games and people, in any case."""

import json
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the searched form of what the rows contain already."""
    op.add_column("sessions", sa.Column("folded", sa.Text, nullable=False, server_default=""))
    connection = op.get_bind()
    rows = connection.execute(sa.text("SELECT session, title, game, standing FROM sessions")).all()
    searched = [{"session": key, "folded": _searched(*said)} for key, *said in rows]
    if searched:
        connection.execute(sa.text("UPDATE sessions SET folded = :folded WHERE session = :session"), searched)


def _searched(title: str, game: str, standing: str) -> str:
    told = json.loads(standing)
    people = told if isinstance(told, str) else " ".join(told.get("seats", ()))
    return " ".join(unicodedata.normalize("NFKC", f"{title} {game} {people}").casefold().split())
