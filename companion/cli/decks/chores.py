"""`companion deck chores`: what is to be stuck, written and crossed out, and ticking it off."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from companion.archive import Archive, DeckRow, Unknown, shelf
from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    harmless,
    json_option,
    print_json,
    print_table,
)
from companion.games.records import Chore


class _Due(NamedTuple):
    row: DeckRow
    chores: tuple[Chore, ...]


@click.command("chores")
@click.argument("deck", required=False)
@click.option("--evening", metavar="SESSION", help="Only what this session called for, of all its decks.")
@click.option("--done", metavar="N|all", multiple=True, help="Tick off a chore by its number, or all that are listed.")
@click.option("--by", default="", help="Who did it by hand.")
@archive_option
@json_option
def command(
    deck: str | None, evening: str | None, done: Sequence[str], by: str, archive: str | None, as_json: bool
) -> None:
    """List what is still to be done by hand, or tick it off.

    Without DECK that of all decks.

    \b
    Examples: companion deck chores
              companion deck chores "Grave Choir" --done 12.1 --done 12.2
              companion deck chores --evening K3QX --done all
    """
    if done and deck is None and tuple(done) != ("all",):
        raise Misused("A chore's number is of one deck: name the DECK, or say --done all.")
    with Archive.open(archive) as opened:
        session = opened.find_session(evening).session if evening else ""
        listed = _due(opened, deck, session)
        ticked = [
            _Due(each.row, shelf.tick(opened, each.row.deck, done, by, session))
            for each in (listed if done else ())
            if each.chores or deck
        ]
    if as_json:
        print_json([_plain(each) for each in (ticked if done else listed)])
    elif done:
        _tell_ticked(ticked)
    else:
        _tell(listed)


def _due(archive: Archive, deck: str | None, session: str) -> list[_Due]:
    rows: Sequence[DeckRow]
    if session:
        rows = shelf.decks_of(archive, session)
        if deck is not None:
            only = find_deck(archive, deck).deck
            rows = [row for row in rows if row.deck == only]
            if not rows:
                raise Unknown("That deck was not played in this session; companion deck history tells where it was.")
    else:
        rows = archive.decks() if deck is None else [find_deck(archive, deck)]
    return [_Due(row, shelf.chores(archive, row.deck, session)) for row in rows]


def _plain(due: _Due) -> dict[str, object]:
    chores = [{"chore": chore.id, "text": chore.text} for chore in due.chores]
    return {"deck": due.row.deck, "name": due.row.name, "chores": chores}


def _tell(listed: Sequence[_Due]) -> None:
    some = [each for each in listed if each.chores]
    for place, each in enumerate(some):
        if place:
            click.echo()
        click.echo(harmless(each.row.name))
        print_table(("", ""), [(f"  {chore.id}", chore.text) for chore in each.chores])
    if not some:
        click.echo("Nothing is left to do by hand.")


def _tell_ticked(ticked: Sequence[_Due]) -> None:
    for each in ticked:
        count = len(each.chores)
        click.echo(harmless(f"{each.row.name}: {count} {'thing is' if count == 1 else 'things are'} done."))
    if not ticked:
        click.echo("Nothing was left to do by hand.")
