"""`companion people list`."""

from __future__ import annotations

import click

from companion.archive.people import people
from companion.cli.commands.people._shared import person_fields
from companion.cli.common import archive_option, json_option, open_archive, print_list
from templates.languages.messages import phrase


@click.command("list")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """List all people who have a purse or hold a deck.

    \b
    Example: companion people list
    """
    with open_archive(archive) as opened:
        rows = people.all_people(opened)
    print_list(
        rows,
        (phrase("Name"), "ID", phrase("Purse")),
        lambda row: (row.name, row.person, str(row.purse)),
        phrase("Nobody has a purse or a deck yet. companion deck new --help tells how to build one."),
        as_json=as_json,
        plain=person_fields,
    )
