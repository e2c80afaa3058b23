"""`companion people add`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import print_person
from companion.cli.common import archive_option, json_option, open_archive


@click.command("add")
@click.argument("name")
@archive_option
@json_option
def command(name: str, archive: str | None, as_json: bool) -> None:
    """Make somebody new known, also where another is called so, and print their id.

    Nobody needs this whose name is the only one of its kind: they are known once they have a purse or a deck.

    \b
    Example: companion people add Ana
    """
    with open_archive(archive) as opened:
        print_person(people.add_person(opened, name), "is known", as_json)
