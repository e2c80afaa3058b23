"""`companion deck`: founding decks, finding them, and telling what they are and what happened to them."""

import click

from companion.archive import Archive, DeckRow, deck_id
from companion.cli.common import archive_option, find_deck, harmless, json_option, print_json, print_table, when


@click.group("deck")
def command() -> None:
    """Found decks, find them again, and read their stories.

    DECK is an id in any spelling, the beginning of no other deck's name, or a picture of the QR code on its box.

    \b
    Example: companion deck show "Grave Choir"
    """


@command.command("list")
@archive_option
@json_option
def list_(archive: str | None, as_json: bool) -> None:
    """List all decks by name.

    \b
    Example: companion deck list
    """
    with Archive.open(archive) as opened:
        rows = opened.decks()
    if as_json:
        print_json(rows)
    elif not rows:
        click.echo("No decks yet. companion deck new --help tells how to found one.")
    else:
        print_table(("NAME", "ID", "GAME", "GLORY", "DUNGEONS", "HOLDER", "CHANGED"), [_cells(row) for row in rows])


def _cells(row: DeckRow) -> tuple[str, ...]:
    name = f"{row.name} (retired)" if row.retired else row.name
    figures = str(row.glory), str(row.dungeons)
    return name, deck_id.show(row.deck), row.game, *figures, row.holder, when(row.updated)


@command.command()
@click.argument("deck")
@archive_option
@json_option
def history(deck: str, archive: str | None, as_json: bool) -> None:
    """Tell what happened to a deck, from its founding on.

    \b
    Example: companion deck history "Grave Choir"
    """
    with Archive.open(archive) as opened:
        row = find_deck(opened, deck)
        story = opened.story(row.deck)
    if as_json:
        print_json({"deck": row.deck, "name": row.name, "story": [told._asdict() for told in story]})
        return
    click.echo(harmless(f"{row.name} · {deck_id.show(row.deck)} · {row.game}"))
    print_table(("WHEN", "BY", "WHAT"), [(when(told.at), told.by, told.text) for told in story])
