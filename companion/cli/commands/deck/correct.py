"""`companion deck correct`."""

from __future__ import annotations

import click

from companion.archive import deck_records
from companion.cli.commands.deck._shared import print_changed, print_due
from companion.cli.common import archive_option, find_deck, json_option, open_archive, sanitize


@click.command("correct")
@click.argument("deck")
@click.argument("number", type=click.IntRange(1))
@click.option("--reason", required=True, help="Why it is wrong, for those who read the story later.")
@click.option("--by", default="", help="Who says so.")
@archive_option
@json_option
def command(deck: str, number: int, reason: str, by: str, archive: str | None, as_json: bool) -> None:
    """Take back the mark with this NUMBER of the deck's history.

    Nothing is deleted: the story shows the mark and the correction, and what was done by hand already is asked to be
    undone. A correction can be taken back like any other mark.

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
