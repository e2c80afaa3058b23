"""Decks to look at elsewhere: as text to paste anywhere, and as a list for going through the box."""

from collections.abc import Iterator, Mapping
from itertools import groupby

import click

from companion.archive import Archive, DeckRow, deck_id, shelf
from companion.cli.common import archive_option, find_deck, harmless, json_option, open_archive, print_json
from companion.tabletop.keeping import Keeping


def pasted(archive: Archive, row: DeckRow) -> str:
    """A deck as plain text: its list, which `companion deck check` reads again, or what its record sheet tells."""
    from companion.printing.decks import text
    from companion.tabletop.decklist import text_of

    if lists := shelf.lists_of(archive, row.deck):
        heading = f"# {row.name} · {deck_id.show(row.deck)} · version {lists[-1].version}"
        return "\n".join(map(harmless, (heading, *text_of(row.game, lists[-1].cards).splitlines())))
    story = archive.story(row.deck)
    told = text(row.deck, archive.record(row.deck), archive.marks(row.deck), {line.number: line.at for line in story})
    return "\n".join(map(harmless, told.splitlines()))


@click.command()
@click.argument("deck")
@archive_option
@json_option
def picking(deck: str, archive: str | None, as_json: bool) -> None:
    """List which cards of a deck bear what, in the order in which one looks through its box.

    It is what the cards say by all that was ticked off: for taking them out of a pack, or putting a box together again.

    \b
    Example: companion deck picking "Grave Choir"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        kept = shelf.take(opened, row.deck)
        says = kept.keeping.paper(kept.marks)
        due = kept.keeping.chores(kept.marks)
    if as_json:
        spots = [{"spot": spot, "says": said} for spot, said in says.items()]
        print_json({"deck": row.deck, "name": row.name, "spots": spots, "chores": len(due)})
        return
    click.echo(harmless(f"{row.name} · {deck_id.show(row.deck)}"))
    for place, told in _places(kept.keeping, says):
        click.echo(harmless(f"[ ] {place}: {', '.join(told)}" if told else f"[ ] {place}"))
    if due:
        click.echo(f"\nNot on the cards yet: {len(due)} · companion deck chores {deck_id.show(row.deck)}")


def _places(keeping: Keeping, says: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each card or part of the box, with everything that it bears, as its game asks for it: `7♠: Sharp?`"""
    asked = (keeping.question(spot, said).removesuffix("?").partition(": ") for spot, said in says.items())
    for place, found in groupby(asked, key=lambda parts: parts[0]):
        yield place, tuple(said for _, _, said in found if said)
