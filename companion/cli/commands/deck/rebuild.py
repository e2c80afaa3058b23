"""`companion deck rebuild`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import click

from companion.archive import deck_records
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    json_option,
    open_archive,
    print_warnings,
    sanitize,
)
from companion.cli.deck_lists import ask_wishes, parse_wishes, read_list_text, section_options
from companion.cli.decks import print_changed
from companion.tabletop.decks.form import refuse_errors
from templates.languages.messages import phrase


@click.command("rebuild")
@click.argument("deck")
@click.argument("decklist", type=click.File("rb"), required=False)
@click.option(
    "--swap",
    "swaps",
    metavar="CARDS",
    multiple=True,
    help="Cards to add or remove, such as “+2 Ember”; can be repeated.",
)
@click.option("--reason", default="", help="Why the list was changed, for later readers of the history.")
@click.option("--by", default="", help="Who changed the list.")
@section_options
@archive_option
@json_option
def command(
    deck: str,
    decklist: BinaryIO | None,
    swaps: Sequence[str],
    sections: Sequence[str],
    skip: bool,
    reason: str,
    by: str,
    archive: str | None,
    as_json: bool,
) -> None:
    """Give a deck a new list, its next version, from a file of any usual format or with - from standard input.

    With --swap, change single cards of the current list or, if a file is given, of the new one.

    Earlier versions stay in the deck's history. The chores list the cards to put into the box and to take out.

    \b
    Examples: companion deck rebuild "Ash Pack" ash-pack.txt --reason "too slow"
              companion deck rebuild "Ash Pack" --swap "-2 Flare" --swap "+2 Ember"
    """
    if decklist is None and not swaps:
        raise Misused(phrase("Name the file of the new list, or say what is swapped, as --swap “+2 Ember”."))
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        text = read_list_text(decklist) if decklist else ""
        wishes = parse_wishes(sections, skips=skip)
        draft = deck_records.draft_list(opened, row.deck, text, swaps, wishes)
        if draft.summary and not as_json:
            click.echo(sanitize(draft.summary))
        if any(finding.unreadable for finding in draft.findings):
            wishes = ask_wishes(wishes, draft.open_sections, draft.unread, draft.parts)
            draft = deck_records.draft_list(opened, row.deck, text, swaps, wishes)
        warnings = refuse_errors(draft.findings)
        deck_records.rebuild(opened, row.deck, draft.text, reason, by)
        if as_json:
            print_changed(opened, row.deck, tuple(map(str, warnings)))
            return
        click.echo(sanitize(opened.story(row.deck)[-1].text))
    print_warnings(warnings)
