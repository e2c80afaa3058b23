"""`companion phones back`."""

from __future__ import annotations

from functools import partial

import click

from companion.archive import web_access
from companion.cli.commands.phones._shared import change_phone
from companion.cli.common import archive_option


@click.command("back")
@click.argument("phone")
@archive_option
def command(phone: str, archive: str | None) -> None:
    """Let a phone in that asks for it, or was sent away.

    A phone that asks has three digits on it, which stand behind its name in the list; PHONE can be these, too.

    \b
    Example: companion phones back Ben
    """
    name = change_phone(phone, archive, partial(web_access.block_phone, away=False))
    click.echo(f"{name} may come back.")
