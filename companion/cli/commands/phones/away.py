"""`companion phones away`."""

from __future__ import annotations

import click

from companion.archive import web_access
from companion.cli.commands.phones._shared import change_phone
from companion.cli.common import archive_option
from templates.languages.messages import phrase


@click.command("away")
@click.argument("phone")
@archive_option
def command(phone: str, archive: str | None) -> None:
    """Remove a phone: from now on it sees nothing.

    \b
    Example: companion phones away Ben
    """
    name = change_phone(phone, archive, web_access.block_phone)
    click.echo(phrase("{name} is sent away; another PIN (companion serve --pin) keeps everybody out.", name=name))
