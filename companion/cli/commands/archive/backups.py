"""`companion archive backups`."""

from __future__ import annotations

import click

from companion.archive.recovery import backups
from companion.cli.commands.archive._shared import archive_file
from companion.cli.common import archive_option, json_option, print_list


@click.command("backups")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List the backups of the archive, newest first: those made by themselves, and copies that lie beside it.

    One is made when an evening ends and after each hour of play. The newest 15 stay, and older ones thin out; those
    from before a newer companion changed the tables stay for ever. Newer is what the archive had grown to; dates are
    only shown. Each was read back. Works also where the archive cannot be opened.

    \b
    Example: companion archive backups
    """
    print_list(
        backups.list_backups(archive_file(archive)),
        ("Made", "Why", "Bytes", "File"),
        lambda row: (backups.local_time(row), backups.REASONS[row.why], f"{row.bytes:,}", str(row.path)),
        "No backup yet. One is made when an evening ends; companion archive backup makes one now.",
        as_json=as_json,
        plain=lambda row: row._asdict() | {"path": str(row.path)},
    )
