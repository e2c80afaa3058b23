"""`companion deck passport`."""

from __future__ import annotations

import click

from companion.archive.exchange import passport as passports
from companion.cli.common import archive_option, find_deck, json_option, open_archive, print_json


@click.command("passport")
@click.argument("deck")
@archive_option
@json_option
def command(deck: str, archive: str | None, as_json: bool) -> None:
    """Print the text of a deck's passport, which its record sheet has as a QR code.

    \b
    Example: companion deck passport "Grave Choir"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        text = passports.write(opened, row.deck)
    if as_json:
        print_json({"deck": row.deck, "name": row.name, "passport": text})
        return
    click.echo(text)
