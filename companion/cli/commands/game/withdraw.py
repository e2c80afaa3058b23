"""`companion game withdraw`."""

from __future__ import annotations

import click

from companion.archive.exchange import pages
from companion.cli.common import Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.cli.pages import plain_page
from companion.games import registry
from templates.languages.messages import phrase, phrases


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
        raise Refused(
            phrase("{name} is a program that comes along; it cannot be withdrawn.", name=registry.title(name))
        )
    with open_archive(archive) as opened:
        rows = pages.withdraw(opened, name)
    if as_json:
        print_json([plain_page(row) for row in rows])
        return
    editions = phrases("{n} edition", "{n} editions", n=len(rows))
    click.echo(
        sanitize(
            phrase(
                "{game} is withdrawn ({editions}), and the ready page of that name is played again; what was played "
                "by it stays.",
                game=rows[0].title,
                editions=editions,
            )
            if name.lower() in registry.ready_names()
            else phrase(
                "{game} is withdrawn ({editions}); what was played by it stays.", game=rows[0].title, editions=editions
            )
        )
    )
