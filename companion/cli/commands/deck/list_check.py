"""`companion deck list-check`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import click

from companion.cli.common import (
    MISUSED,
    archive_option,
    json_option,
    pages_at_hand,
    print_json,
    print_table,
    print_warnings,
    sanitize,
)
from companion.cli.deck_lists import game_of_list, parse_wishes, read_list_text, section_options
from companion.tabletop.deck_lists.reading import ReadDeckList, read_deck_list
from companion.tabletop.decks.card_texts import join_remarks
from templates.languages.messages import phrase, phrase_in


@click.command("list-check")
@click.argument("file", metavar="DECKLIST", type=click.File("rb"))
@click.option("--game", metavar="GAME", help="Game of the deck; by default, the one that the list names.")
@section_options
@archive_option
@json_option
def command(
    file: BinaryIO, game: str | None, sections: Sequence[str], skip: bool, archive: str | None, as_json: bool
) -> int:
    """Show what is read from a deck list of any usual format, and what is not understood; nothing is stored.

    Reads text as people, Arena, MTGO, Moxfield and Limitless write it, .cod and .dck files, and tables as CSV or TSV;
    with - from standard input. Exits with status 2 if anything is not understood. companion deck check judges the deck
    by the rules of its game.

    \b
    Examples: companion deck list-check burn.cod
              companion deck list-check burn.txt --game our-duel --section Sideboard=none
    """
    text = read_list_text(file)
    wishes = parse_wishes(sections, skips=skip)
    with pages_at_hand(archive):
        rules = game_of_list(text, game)
        parts = rules.decks.list_parts if rules is not None else ()
        read = read_deck_list(text, (rules.name,) if rules is not None else (), parts, wishes)
    unclear = any(finding.unreadable for finding in read.deck_list.findings)
    if as_json:
        print_json(_list_fields(read))
    else:
        _print_list(read)
    return MISUSED if unclear else 0


def _list_fields(read: ReadDeckList) -> dict[str, object]:
    """Return a list for JSON."""
    cards = [
        {
            "line": card.line,
            "part": section.name,
            "copies": card.count,
            "name": card.name,
            "remarks": card.remarks,
            "printing": card.printing,
        }
        for section in read.deck_list.sections
        for card in section.cards
    ]
    unclear = [str(each.text) for each in read.deck_list.findings if each.unreadable]
    warnings = [str(each.text) for each in read.deck_list.findings if each.warning]
    return {
        "name": read.name,
        "game": read.deck_list.game,
        "summary": str(read.summary),
        "cards": cards,
        "unclear": unclear,
        "warnings": warnings,
    }


def _print_list(read: ReadDeckList) -> None:
    """Print the cards of a list with the summary; what is not understood goes to stderr."""
    titles = (phrase("Part"), phrase("Copies"), phrase("Card"), phrase_in("card", "Says"))
    rows = [
        [section.name, str(card.count), card.name, " · ".join(join_remarks(card.remarks, card.printing))]
        for section in read.deck_list.sections
        for card in section.cards
    ]
    if rows:
        print_table(titles, rows)
    click.echo(sanitize(read.summary))
    print_warnings([each.text for each in read.deck_list.findings if each.warning])
    for finding in read.deck_list.findings:
        if finding.unreadable:
            click.echo(sanitize(finding.text), err=True)
