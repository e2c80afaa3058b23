"""Migrations of an archive of any age to the current schema: alembic's environment and its revisions."""

REVISION = "0021"
"""The newest revision; an archive at this revision is opened without alembic."""
