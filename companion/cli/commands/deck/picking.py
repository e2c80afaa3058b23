"""`companion deck picking`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

import click

from companion.archive import deck_id, deck_records
from companion.cli.common import archive_option, find_deck, json_option, open_archive, print_json, sanitize
from companion.tabletop.decks.keeping import Keeping
from templates.languages.messages import phrase


@click.command("picking")
@click.argument("deck")
@archive_option
@json_option
def command(deck: str, archive: str | None, as_json: bool) -> None:
    """List what is written on the cards of a deck, in the order of going through its box.

    Only work that was checked off counts. Use the list to pick the cards out of a pack, or to sort a box again.

    \b
    Example: companion deck picking "Grave Choir"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        shelved = deck_records.read_marks(opened, row.deck)
        says = shelved.keeping.paper(shelved.marks)
        chores = shelved.keeping.chores(shelved.marks)
    if as_json:
        spots = [{"spot": spot, "says": text} for spot, text in says.items()]
        print_json({"deck": row.deck, "name": row.name, "spots": spots, "chores": len(chores)})
        return
    click.echo(sanitize(f"{row.name} · {deck_id.show(row.deck)}"))
    for place, texts in _list_places(shelved.keeping, says):
        click.echo(sanitize(f"[ ] {place}: {', '.join(texts)}" if texts else f"[ ] {place}"))
    if chores:
        missing = phrase("Not on the cards yet: {n}", n=len(chores))
        click.echo(f"\n{missing} · companion deck chores {deck_id.show(row.deck)}")


def _list_places(keeping: Keeping, says: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each card or part of the box with everything that it bears: `("7♠", ("Sharp",))`."""
    spots = (tuple(map(str, keeping.describe_spot(spot, text))) for spot, text in says.items())
    for place, group in groupby(spots, key=lambda words: words[0]):
        yield place, tuple(text for _, text in group if text)
