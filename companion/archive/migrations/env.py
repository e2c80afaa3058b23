"""Run by alembic; migrates over the connection that the archive has open, inside its transaction."""

from alembic import context

from companion.archive.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
