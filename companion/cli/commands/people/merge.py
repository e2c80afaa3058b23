"""`companion people merge`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import name_person, print_person
from companion.cli.common import archive_option, json_option, open_archive
from templates.languages.messages import phrase


@click.command("merge")
@click.argument("person")
@click.argument("into")
@archive_option
@json_option
def command(person: str, into: str, archive: str | None, as_json: bool) -> None:
    """Merge PERSON into INTO, who are the same person: INTO gets the purse and the decks of PERSON.

    \b
    Example: companion people merge "Anna" Ana
    """
    with open_archive(archive) as opened:
        row = people.merge_people(opened, person, into)
        print_person(row, phrase("{person} is both of them now", person=name_person(row)), as_json)
