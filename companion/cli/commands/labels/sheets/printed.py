"""`companion labels sheets printed`."""

from __future__ import annotations

import click

from companion.cli.commands.labels.sheets._shared import settle_sheets
from companion.cli.common import archive_option


@click.command("printed")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@archive_option
def command(names: tuple[str, ...], archive: str | None) -> None:
    """Confirm that waiting labels were printed well: their positions are used.

    Without NAME, this applies to all sheets with waiting labels.

    \b
    Example: companion labels sheets printed
    """
    settle_sheets(names, "printed", archive)
