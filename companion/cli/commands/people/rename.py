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
    """Rename a person; existing entries keep the old name, and it still finds the person.

    \b
    Example: companion people rename Ana "Ana B"
    """
    with open_archive(archive) as opened:
        print_person(people.rename_person(opened, person, name), "is called so now", as_json)
