"""Backups of an archive, their restoring, migration to the current schema, and reading of damaged files."""
