"""`companion labels sheets use`."""

from __future__ import annotations

import click

from companion.archive import stationery
from companion.cli.commands.labels.sheets._shared import parse_positions, print_sheet
from companion.cli.common import archive_option, open_archive


@click.command("use")
@click.argument("name")
@click.argument("positions", metavar="LIST")
@archive_option
def command(name: str, positions: str, archive: str | None) -> None:
    """Mark positions of a sheet as used: peeled off, torn, or printed without the companion.

    \b
    Example: companion labels sheets use "blue folder" 1-5
    """
    with open_archive(archive) as opened:
        row = stationery.find_sheet(opened, name)
        print_sheet(stationery.use_up(opened, name, parse_positions(positions, row)))
