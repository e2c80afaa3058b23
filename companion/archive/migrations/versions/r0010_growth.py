"""The growth of an archive: a number that rises with every transaction and orders backups."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Start the growth at the count of entries, by which earlier backups are ordered.

    An earlier backup that was put in an archive's place has in `user_version` the growth that it must exceed.
    """
    op.add_column("lineage", sa.Column("growth", sa.BigInteger, nullable=False, server_default="0"))
    connection = op.get_bind()
    growth = connection.scalar(sa.text("SELECT count(*) FROM entries")) or 0
    if connection.dialect.name == "sqlite":
        growth = max(growth, connection.scalar(sa.text("PRAGMA user_version")) or 0)
    connection.execute(sa.text("UPDATE lineage SET growth = :growth"), {"growth": growth})
