"""How an archive of any age becomes one of today: alembic's environment and its revisions."""

REVISION = "0018"
"""The newest of them; an archive at this revision is opened without asking alembic."""
