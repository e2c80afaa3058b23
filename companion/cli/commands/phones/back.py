"""`companion phones back`."""

from __future__ import annotations

from functools import partial

import click

from companion.archive import web_access
from companion.cli.commands.phones._shared import change_phone
from companion.cli.common import archive_option
from templates.languages.messages import phrase


@click.command("back")
@click.argument("phone")
@archive_option
def command(phone: str, archive: str | None) -> None:
    """Admit a phone that is waiting or was removed.

    A waiting phone shows three digits, which the list shows behind its name; PHONE can be these digits, too.

    \b
    Example: companion phones back Ben
    """
    name = change_phone(phone, archive, partial(web_access.block_phone, away=False))
    click.echo(phrase("{name} may come back.", name=name))
