"""`companion people rename`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import name_person, print_person
from companion.cli.common import archive_option, json_option, open_archive
from templates.languages.messages import phrase


@click.command("rename")
@click.argument("person")
@click.argument("name")
@archive_option
@json_option
def command(person: str, name: str, archive: str | None, as_json: bool) -> None:
    """Rename a person; existing entries keep the old name, and it still finds the person.

    A name of somebody else is refused: two entries of one person are merged (companion people merge).

    \b
    Example: companion people rename Ana "Ana B"
    """
    with open_archive(archive) as opened:
        row = people.rename_person(opened, person, name)
        print_person(row, phrase("{person} is called so now", person=name_person(row)), as_json)
