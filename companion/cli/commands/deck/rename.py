"""`companion deck rename`."""

from __future__ import annotations

import click

from companion.archive import deck_records
from companion.cli.common import archive_option, find_deck, json_option, open_archive, print_warnings, sanitize
from companion.cli.decks import print_changed, print_due
from companion.cli.printing import options
from companion.tabletop.records import Reason
from templates.languages.messages import phrase


@click.command("rename")
@click.argument("deck")
@click.argument("name")
@click.option("--reason", help="Reason for later readers of the history; default: a new name.")
@click.option("--by", default="", help="Who renamed it.")
@archive_option
@json_option
def command(deck: str, name: str, reason: str | None, by: str, archive: str | None, as_json: bool) -> None:
    """Rename a deck, for instance because two homes chose the same name.

    \b
    Example: companion deck rename 7K3M-9QPX-2B4T-C "Grave Choir of the North"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        deck_records.rename_deck(opened, row.deck, name, reason or Reason("renamed"), by)
        renamed = opened.find_deck(row.deck).name
        warnings = options.box_label_warnings(renamed)
        if as_json:
            print_changed(opened, row.deck, warnings)
            return
        click.echo(sanitize(phrase("{name} is called {renamed} now.", name=row.name, renamed=renamed)))
        print_warnings(warnings)
        print_due(opened, row)
