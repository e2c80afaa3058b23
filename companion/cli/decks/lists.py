"""Decks as lists: `companion deck rebuild`, `versions`, `picking`, and a deck as text to paste anywhere."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import BinaryIO

import click

from companion.archive import Archive, DeckRow, deck_id, shelf
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    find_deck,
    harmless,
    json_option,
    open_archive,
    print_json,
    print_table,
    text_of,
    when,
)
from companion.cli.decks.changes import print_changed
from companion.tabletop.decklist import change_text, counted
from companion.tabletop.decklist import text_of as list_text
from companion.tabletop.keeping import Keeping, ListVersion


def pasted(archive: Archive, row: DeckRow) -> str:
    """A deck as plain text: its list, which `companion deck check` reads again, or what its record sheet tells."""
    from companion.printing.jobs import record_text
    from companion.tabletop.decklist import text_of

    if lists := shelf.lists_of(archive, row.deck):
        heading = f"# {row.name} · {deck_id.show(row.deck)} · version {lists[-1].version}"
        return "\n".join(map(harmless, (heading, *text_of(row.game, lists[-1].cards).splitlines())))
    story = archive.story(row.deck)
    told = record_text(
        row.deck, archive.record(row.deck), archive.marks(row.deck), {line.number: line.at for line in story}
    )
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


@click.command()
@click.argument("deck")
@click.argument("decklist", type=click.File("rb"))
@click.option("--reason", default="", help="Why it was changed, for those who read the story later.")
@click.option("--by", default="", help="Who changed it.")
@archive_option
@json_option
def rebuild(deck: str, decklist: BinaryIO, reason: str, by: str, archive: str | None, as_json: bool) -> None:
    """Give a deck another list, from a file or with - from standard input: its next version.

    The versions before stay in its story. What comes into the box and what goes out of it is among its chores.

    \b
    Example: companion deck rebuild "Ash Pack" ash-pack.txt --reason "too slow"
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        warnings = shelf.rebuild(opened, row.deck, text_of(decklist), reason, by)
        if as_json:
            print_changed(opened, row.deck, warnings)
            return
        click.echo(harmless(opened.story(row.deck)[-1].text))
    for warning in warnings:
        click.echo(harmless(f"Mind: {warning}"))


@click.command()
@click.argument("deck")
@click.argument("version", type=click.IntRange(1), nargs=-1)
@archive_option
@json_option
def versions(deck: str, version: Sequence[int], archive: str | None, as_json: bool) -> None:
    """Tell a deck's versions; of one VERSION its list, of two what changed between them.

    \b
    Examples: companion deck versions "Ash Pack"
              companion deck versions "Ash Pack" 1 3
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        found = shelf.lists_of(opened, row.deck)
        story = opened.story(row.deck)
    if not found:
        raise Refused(harmless(f"{row.name} has no list: its cards are what play has made of them."))
    if version:
        _tell_some(row.game, [_of(found, number) for number in version], as_json=as_json)
        return
    changed = {after.version: change_text(before.cards, after.cards) for before, after in pairwise(found)}
    rows = [
        (str(one.version), when(told.at), told.by, counted(one.cards), changed.get(one.version, ""))
        for one in found
        for told in story
        if told.number == one.mark
    ]
    columns = ("VERSION", "WHEN", "BY", "CARDS", "CHANGED")
    if as_json:
        print_json([dict(zip(map(str.lower, columns), cells, strict=True)) for cells in rows])
    else:
        print_table(columns, rows)


def _of(found: Sequence[ListVersion], number: int) -> ListVersion:
    for one in found:
        if one.version == number:
            return one
    raise Misused(f"There is no version {number}; there are {found[0].version} to {found[-1].version}.")


def _tell_some(game: str, chosen: Sequence[ListVersion], *, as_json: bool) -> None:
    """One list, or what changed between two."""
    first, *others = chosen
    if len(others) > 1:
        raise Misused("Name one version, or two to compare.")
    if others:
        changed = change_text(first.cards, others[0].cards)
        told: dict[str, object] = {"from": first.version, "to": others[0].version, "changed": changed}
    else:
        changed = list_text(game, first.cards)
        told = {"version": first.version, "list": changed}
    if as_json:
        print_json(told)
        return
    for line in changed.splitlines():
        click.echo(harmless(line))
