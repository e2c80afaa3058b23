"""`companion labels sheets spoiled`."""

from __future__ import annotations

import click

from companion.cli.commands.labels.sheets._shared import settle_sheets
from companion.cli.common import archive_option


@click.command("spoiled")
@click.argument("names", nargs=-1, metavar="[NAME]…")
@archive_option
def command(names: tuple[str, ...], archive: str | None) -> None:
    """Report that waiting labels were spoiled: their positions are used, and the labels must be printed again.

    Without NAME, this applies to all sheets with waiting labels.

    \b
    Example: companion labels sheets spoiled
    """
    settle_sheets(names, "spoiled", archive)
