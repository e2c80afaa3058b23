"""`companion game withdraw`."""

from __future__ import annotations

import click

from companion.archive.exchange import pages
from companion.cli.common import Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.cli.pages import plain_page
from companion.games import registry
from companion.tabletop.text import quantity


@click.command("withdraw")
@click.argument("name")
@archive_option
@json_option
def command(name: str, archive: str | None, as_json: bool) -> None:
    """Remove an added game from the list of games to choose from. Its sessions and decks are kept.

    \b
    Example: companion game withdraw crown
    """
    if registry.is_program(name):
        raise Refused(f"{registry.title(name)} is a program that comes along; it cannot be withdrawn.")
    with open_archive(archive) as opened:
        rows = pages.withdraw(opened, name)
    if as_json:
        print_json([plain_page(row) for row in rows])
        return
    is_ready = ", and the ready page of that name is played again" if name.lower() in registry.ready_names() else ""
    editions = quantity(len(rows), "edition")
    click.echo(sanitize(f"{rows[0].title} is withdrawn ({editions}){is_ready}; what was played by it stays."))
