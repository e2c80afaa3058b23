"""`companion deck chores`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion.archive import Archive, DeckRow, Unknown, deck_records
from companion.archive.deck_records import OpenChores
from companion.cli import common
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    json_option,
    open_archive,
    plain_chores,
    print_json,
    print_table,
    sanitize,
)
from templates.languages.messages import phrase, phrases


@click.command("chores")
@click.argument("deck", required=False)
@click.option("--evening", metavar="SESSION", help="Only the work that this session requires, for all its decks.")
@click.option(
    "--done", "ticks", metavar="N|all", multiple=True, help="Check off a chore by its number, or all that are listed."
)
@click.option("--by", default="", help="Who did the work.")
@common.page_options
@archive_option
@json_option
def command(
    deck: str | None,
    evening: str | None,
    ticks: Sequence[str],
    by: str,
    page: common.PageOptions,
    archive: str | None,
    as_json: bool,
) -> None:
    """List what is still to be done by hand, or check it off.

    Without DECK, the list covers all decks: page by page on a terminal, otherwise complete.

    \b
    Examples: companion deck chores
              companion deck chores "Grave Choir" --done 12.1 --done 12.2
              companion deck chores --evening K3QX --done all
    """
    if ticks and deck is None and tuple(ticks) != ("all",):
        raise Misused(phrase("A chore's number is of one deck: name the DECK, or say --done all."))
    with open_archive(archive) as opened:
        session = opened.find_session(evening).session if evening else ""
        if deck is None and not session:
            # Ticked chores are not listed, so all of them are read.
            at, count = (0, None) if ticks else (page.at, page.limit)
            decks, entries = deck_records.all_chores(opened, at, count, due=not as_json)
            total = decks.total
        else:
            entries = _find_entries(opened, deck, session)
            total = len(entries)
        results = [
            OpenChores(each.row, deck_records.tick(opened, each.row.deck, ticks, by, session))
            for each in (entries if ticks else ())
            if each.chores or deck
        ]
    if as_json:
        some = results if ticks else entries
        print_json(
            [{"deck": each.row.deck, "name": each.row.name, "chores": plain_chores(each.chores)} for each in some]
        )
    elif ticks:
        _print_ticks(results)
    else:
        _print_chores(entries)
        common.print_page_position(page, entries, total, phrase("decks with chores"))


def _find_entries(archive: Archive, deck: str | None, session: str) -> tuple[OpenChores, ...]:
    """Return the chores of one deck, or of those of a session."""
    rows: Sequence[DeckRow] = deck_records.decks_of_session(archive, session) if session else ()
    if deck is not None:
        only = find_deck(archive, deck)
        if session and only.deck not in [row.deck for row in rows]:
            raise Unknown(
                phrase("That deck was not played in this session; companion deck history tells where it was.")
            )
        rows = [only]
    return tuple(OpenChores(row, deck_records.chores(archive, row.deck, session)) for row in rows)


def _print_chores(entries: Sequence[OpenChores]) -> None:
    some = [each for each in entries if each.chores]
    for place, each in enumerate(some):
        if place:
            click.echo()
        click.echo(sanitize(each.row.name))
        print_table(("", ""), [(f"  {chore.id}", str(chore.text)) for chore in each.chores])
    if not some:
        click.echo(phrase("Nothing is left to do by hand."))


def _print_ticks(results: Sequence[OpenChores]) -> None:
    for each in results:
        count = len(each.chores)
        done = phrases("{deck}: {n} thing is done.", "{deck}: {n} things are done.", n=count, deck=each.row.name)
        click.echo(sanitize(done))
    if not results:
        click.echo(phrase("Nothing was left to do by hand."))
