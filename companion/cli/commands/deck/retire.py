"""`companion deck retire`."""

from __future__ import annotations

import click

from companion.archive import deck_id, deck_records
from companion.cli.common import archive_option, find_deck, json_option, open_archive, sanitize
from companion.cli.decks import print_changed, print_due
from templates.languages.messages import phrase


@click.command("retire")
@click.argument("deck")
@click.option("--heirloom", default="", metavar="WHAT", help="The heirloom it leaves: one from its history.")
@click.option("--by", default="", help="Who inherits the heirloom.")
@archive_option
@json_option
def command(deck: str, heirloom: str, by: str, archive: str | None, as_json: bool) -> None:
    """Retire a deck: its history stays readable, and its name is never used again.

    \b
    Example: companion deck retire "Salt and Iron" --heirloom sharp --by Cy
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        deck_records.retire(opened, row.deck, heirloom, by)
        if as_json:
            print_changed(opened, row.deck)
            return
        click.echo(
            sanitize(
                phrase(
                    "{deck} has retired. Its history stays: {command}",
                    deck=row.name,
                    command=f"companion deck history {deck_id.show(row.deck)}",
                )
            )
        )
        print_due(opened, row)
