"""`companion people merge`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import print_person
from companion.cli.common import archive_option, json_option, open_archive


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
        print_person(people.merge_people(opened, person, into), "is both of them now", as_json)
