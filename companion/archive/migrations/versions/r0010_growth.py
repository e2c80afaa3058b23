"""How far an archive has grown: a number that rises with every transaction, by which backups are told apart."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """It begins at the count of entries, which is what backups from before are ordered by.

    A backup from before that was put in an archive's place says in `user_version` what it must exceed.
    """
    op.add_column("lineage", sa.Column("growth", sa.BigInteger, nullable=False, server_default="0"))
    connection = op.get_bind()
    growth = connection.scalar(sa.text("SELECT count(*) FROM entries")) or 0
    if connection.dialect.name == "sqlite":
        growth = max(growth, connection.scalar(sa.text("PRAGMA user_version")) or 0)
    connection.execute(sa.text("UPDATE lineage SET growth = :growth"), {"growth": growth})
