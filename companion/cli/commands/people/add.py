"""`companion people add`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import name_person, print_person
from companion.cli.common import archive_option, json_option, open_archive
from templates.languages.messages import phrase


@click.command("add")
@click.argument("name")
@archive_option
@json_option
def command(name: str, archive: str | None, as_json: bool) -> None:
    """Add a new person, even if another person has the same name, and print their id.

    This is only needed for people who share a name: all others are added as soon as they have a purse or a deck.

    \b
    Example: companion people add Ana
    """
    with open_archive(archive) as opened:
        row = people.add_person(opened, name)
        print_person(row, phrase("{person} is known", person=name_person(row)), as_json)
