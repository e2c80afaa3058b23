"""`companion deck chores`: what is to be stuck, written and crossed out, and ticking it off."""

from collections.abc import Sequence

import click

from companion.archive import Archive, DeckRow, Unknown, shelf
from companion.archive.shelf import OpenChores
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    harmless,
    json_option,
    open_archive,
    print_json,
    print_table,
)
from companion.cli.decks import paging


@click.command("chores")
@click.argument("deck", required=False)
@click.option("--evening", metavar="SESSION", help="Only what this session called for, of all its decks.")
@click.option("--done", metavar="N|all", multiple=True, help="Tick off a chore by its number, or all that are listed.")
@click.option("--by", default="", help="Who did it by hand.")
@paging.options
@archive_option
@json_option
def command(
    deck: str | None,
    evening: str | None,
    done: Sequence[str],
    by: str,
    asked: paging.PageOptions,
    archive: str | None,
    as_json: bool,
) -> None:
    """List what is still to be done by hand, or tick it off.

    Without DECK that of all decks: on a terminal a page of decks at a time, elsewhere of all at once.

    \b
    Examples: companion deck chores
              companion deck chores "Grave Choir" --done 12.1 --done 12.2
              companion deck chores --evening K3QX --done all
    """
    if done and deck is None and tuple(done) != ("all",):
        raise Misused("A chore's number is of one deck: name the DECK, or say --done all.")
    with open_archive(archive) as opened:
        session = opened.find_session(evening).session if evening else ""
        if deck is None and not session:
            # What is ticked off is not listed, so all of it is.
            at, count = (0, None) if done else (asked.at, asked.limit)
            page, listed = shelf.all_chores(opened, at, count, due=not as_json)
            total = page.total
        else:
            listed = _of_some(opened, deck, session)
            total = len(listed)
        ticked = [
            OpenChores(each.row, shelf.tick(opened, each.row.deck, done, by, session))
            for each in (listed if done else ())
            if each.chores or deck
        ]
    if as_json:
        print_json([_plain(each) for each in (ticked if done else listed)])
    elif done:
        _tell_ticked(ticked)
    else:
        _tell(listed)
        paging.tell_the_rest(asked, listed, total, "decks with chores")


def _of_some(archive: Archive, deck: str | None, session: str) -> tuple[OpenChores, ...]:
    """What is to be done to one deck, or to those of a session."""
    rows: Sequence[DeckRow] = shelf.decks_of(archive, session) if session else ()
    if deck is not None:
        only = find_deck(archive, deck)
        if session and only.deck not in [row.deck for row in rows]:
            raise Unknown("That deck was not played in this session; companion deck history tells where it was.")
        rows = [only]
    return tuple(OpenChores(row, shelf.chores(archive, row.deck, session)) for row in rows)


def _plain(due: OpenChores) -> dict[str, object]:
    chores = [{"chore": chore.id, "text": chore.text} for chore in due.chores]
    return {"deck": due.row.deck, "name": due.row.name, "chores": chores}


def _tell(listed: Sequence[OpenChores]) -> None:
    some = [each for each in listed if each.chores]
    for place, each in enumerate(some):
        if place:
            click.echo()
        click.echo(harmless(each.row.name))
        print_table(("", ""), [(f"  {chore.id}", chore.text) for chore in each.chores])
    if not some:
        click.echo("Nothing is left to do by hand.")


def _tell_ticked(ticked: Sequence[OpenChores]) -> None:
    for each in ticked:
        count = len(each.chores)
        click.echo(harmless(f"{each.row.name}: {count} {'thing is' if count == 1 else 'things are'} done."))
    if not ticked:
        click.echo("Nothing was left to do by hand.")
