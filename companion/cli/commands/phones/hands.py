"""`companion phones hands`."""

from __future__ import annotations

from functools import partial

import click

from companion.archive import web_access
from companion.archive.web_access import PERMISSIONS, Permissions
from companion.cli.commands.phones._shared import change_phone
from companion.cli.common import archive_option


@click.command("hands")
@click.argument("phone")
@click.argument("permissions", type=click.Choice(PERMISSIONS))
@archive_option
def command(phone: str, permissions: Permissions, archive: str | None) -> None:
    """Set what a phone may do: look on, answer for its own seat, or everything.

    \b
    Example: companion phones hands Ana own
    """
    name = change_phone(phone, archive, partial(web_access.set_permission, permissions=permissions))
    click.echo(f"{name}: {permissions}.")
