"""`companion archive backups`."""

from __future__ import annotations

import click

from companion.archive.recovery import backups
from companion.cli.commands.archive._shared import archive_file
from companion.cli.common import archive_option, json_option, print_list
from templates.languages.messages import phrase


@click.command("backups")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List the backups of the archive, newest first: automatic backups and other copies beside it.

    A backup is made when an evening ends and after each hour of play, and is checked by reading it back. The newest 15
    are kept, and older ones thinned out; those made before an upgrade changed the tables are kept permanently. The
    order follows the number of entries, not the dates, which are only shown. This works even if the archive cannot be
    opened.

    \b
    Example: companion archive backups
    """
    print_list(
        backups.list_backups(archive_file(archive)),
        (phrase("Made"), phrase("Why"), phrase("Bytes"), phrase("File")),
        lambda row: (str(backups.local_time(row)), str(backups.REASONS[row.why]), f"{row.bytes:,}", str(row.path)),
        phrase("No backup yet. One is made when an evening ends; companion archive backup makes one now."),
        as_json=as_json,
        plain=lambda row: row._asdict() | {"path": str(row.path)},
    )
