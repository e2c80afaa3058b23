"""`companion deck tag`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion.archive import deck_records
from companion.cli.common import archive_option, find_deck, json_option, open_archive, print_json, sanitize
from templates.languages.messages import listed, phrase


@click.command("tag")
@click.argument("deck")
@click.argument("words", metavar="[TAG]...", nargs=-1)
@click.option("--off", metavar="TAG", multiple=True, help="Remove this tag; can be repeated.")
@archive_option
@json_option
def command(deck: str, words: Sequence[str], off: Sequence[str], archive: str | None, as_json: bool) -> None:
    """Add tags to a deck or remove them; without a tag, list the deck's tags.

    A tag is one word or a few; upper and lower case are the same. Tags are part of the deck's history and are exported
    with it.

    \b
    Examples: companion deck tag "Grave Choir" league "to be repaired"
              companion deck tag "Grave Choir" --off league
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        tags = deck_records.change_tags(opened, row.deck, words, off)
    if as_json:
        print_json({"deck": row.deck, "name": row.name, "tags": tags})
    else:
        click.echo(
            sanitize(
                phrase("{deck}: {tags}.", deck=row.name, tags=listed(tags))
                if tags
                else phrase("{deck}: no tags.", deck=row.name)
            )
        )
