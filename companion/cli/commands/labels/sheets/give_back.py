"""`companion labels sheets give-back`."""

from __future__ import annotations

import click

from companion.archive import stationery
from companion.cli.commands.labels.sheets._shared import parse_positions, print_sheet
from companion.cli.common import archive_option, open_archive


@click.command("give-back")
@click.argument("name")
@click.argument("positions", metavar="LIST")
@archive_option
def command(name: str, positions: str, archive: str | None) -> None:
    """Mark positions of a sheet as free again.

    \b
    Example: companion labels sheets give-back "blue folder" 3,7,20-22
    """
    with open_archive(archive) as opened:
        row = stationery.find_sheet(opened, name)
        print_sheet(stationery.give_back(opened, name, parse_positions(positions, row)))
