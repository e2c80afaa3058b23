"""How an archive of any age becomes one of today: alembic's environment and its revisions."""
