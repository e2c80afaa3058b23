"""`companion people rename`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import print_person
from companion.cli.common import archive_option, json_option, open_archive


@click.command("rename")
@click.argument("person")
@click.argument("name")
@archive_option
@json_option
def command(person: str, name: str, archive: str | None, as_json: bool) -> None:
    """Give somebody another NAME; what is written keeps the old one, and still finds them.

    \b
    Example: companion people rename Ana "Ana B"
    """
    with open_archive(archive) as opened:
        print_person(people.rename_person(opened, person, name), "is called so now", as_json)
