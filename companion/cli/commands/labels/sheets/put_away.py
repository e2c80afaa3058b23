"""`companion labels sheets put-away`."""

from __future__ import annotations

import click

from companion.archive import stationery
from companion.cli.common import archive_option, open_archive, sanitize
from templates.languages.messages import phrase


@click.command("put-away")
@click.argument("name")
@archive_option
def command(name: str, archive: str | None) -> None:
    """Remove a sheet; its name is free for another one.

    \b
    Example: companion labels sheets put-away "blue folder"
    """
    with open_archive(archive) as opened:
        stationery.put_away(opened, name)
    click.echo(phrase("“{name}” is put away.", name=sanitize(name)))
