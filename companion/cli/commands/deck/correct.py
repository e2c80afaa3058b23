"""`companion deck correct`."""

from __future__ import annotations

import click

from companion.archive import deck_records
from companion.cli.common import archive_option, find_deck, json_option, open_archive, sanitize
from companion.cli.decks import print_changed, print_due


@click.command("correct")
@click.argument("deck")
@click.argument("number", type=click.IntRange(1))
@click.option("--reason", required=True, help="Why the entry is wrong, for later readers of the history.")
@click.option("--by", default="", help="Who makes the correction.")
@archive_option
@json_option
def command(deck: str, number: int, reason: str, by: str, archive: str | None, as_json: bool) -> None:
    """Revert the entry with this NUMBER in the deck's history.

    Nothing is deleted: the history shows the entry and its correction, and the chores list what must be undone by hand.
    A correction can be reverted like any other entry.

    \b
    Example: companion deck correct "Grave Choir" 14 --reason "bought for the other deck"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        deck_records.correct(opened, row.deck, number, reason, by)
        if as_json:
            print_changed(opened, row.deck)
            return
        click.echo(sanitize(opened.story(row.deck)[-1].text))
        print_due(opened, row)
