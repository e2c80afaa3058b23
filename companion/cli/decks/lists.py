"""Decks as lists: `companion deck rebuild`, `versions`, `picking`, and a deck as plain text."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import BinaryIO

import click

from companion.archive import Archive, DeckRow, deck_id, deck_records
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    find_deck,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    print_table,
    print_warnings,
    read_text,
    sanitize,
)
from companion.cli.decks.changes import print_changed
from companion.tabletop.decks.decklist import change_text, part_sizes
from companion.tabletop.decks.decklist import format_deck_list as list_text
from companion.tabletop.decks.keeping import Keeping, ListVersion


def deck_text(archive: Archive, row: DeckRow) -> str:
    """Return a deck as plain text: its list, which `companion deck check` reads again, or the text of its
    record sheet.
    """
    from companion.printing.jobs import record_text
    from companion.tabletop.decks.decklist import format_deck_list

    if lists := deck_records.deck_lists(archive, row.deck):
        heading = f"# {row.name} · {deck_id.show(row.deck)} · version {lists[-1].version}"
        return "\n".join(map(sanitize, (heading, *format_deck_list(row.game, lists[-1].cards).splitlines())))
    story = archive.story(row.deck)
    sheet_text = record_text(
        row.deck, archive.record(row.deck), archive.marks(row.deck), {line.number: line.at for line in story}
    )
    return "\n".join(map(sanitize, sheet_text.splitlines()))


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
        click.echo(f"\nNot on the cards yet: {len(chores)} · companion deck chores {deck_id.show(row.deck)}")


def _list_places(keeping: Keeping, says: Mapping[str, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each card or part of the box with everything that it bears, from the questions of its game: `7♠: Sharp?`"""
    questions = (keeping.question(spot, text).removesuffix("?").partition(": ") for spot, text in says.items())
    for place, group in groupby(questions, key=lambda parts: parts[0]):
        yield place, tuple(text for _, _, text in group if text)


@click.command()
@click.argument("deck")
@click.argument("decklist", type=click.File("rb"), required=False)
@click.option(
    "--swap", "swaps", metavar="CARDS", multiple=True, help="What comes in or goes out, as “+2 Ember”; several times."
)
@click.option("--reason", default="", help="Why it was changed, for those who read the story later.")
@click.option("--by", default="", help="Who changed it.")
@archive_option
@json_option
def rebuild(
    deck: str,
    decklist: BinaryIO | None,
    swaps: Sequence[str],
    reason: str,
    by: str,
    archive: str | None,
    as_json: bool,
) -> None:
    """Give a deck another list, from a file or with - from standard input: its next version.

    Or swap cards of the list that it has; with both, they are swapped in the new one.

    The versions before stay in its story. What comes into the box and what goes out of it is among its chores.

    \b
    Examples: companion deck rebuild "Ash Pack" ash-pack.txt --reason "too slow"
              companion deck rebuild "Ash Pack" --swap "-2 Flare" --swap "+2 Ember"
    """
    if decklist is None and not swaps:
        raise Misused("Name the file of the new list, or say what is swapped, as --swap “+2 Ember”.")
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        text = read_text(decklist) if decklist else ""
        if swaps:
            text = deck_records.draft_list(opened, row.deck, text, swaps).text
        warnings = deck_records.rebuild(opened, row.deck, text, reason, by)
        if as_json:
            print_changed(opened, row.deck, warnings)
            return
        click.echo(sanitize(opened.story(row.deck)[-1].text))
    print_warnings(warnings)


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
        lists = deck_records.deck_lists(opened, row.deck)
        story = opened.story(row.deck)
    if not lists:
        raise Refused(sanitize(f"{row.name} has no list: its cards are what play has made of them."))
    if version:
        _print_versions(row.game, [_find_version(lists, number) for number in version], as_json=as_json)
        return
    changed = {after.version: change_text(before.cards, after.cards) for before, after in pairwise(lists)}
    rows = [
        (str(one.version), format_local_time(line.at), line.by, part_sizes(one.cards), changed.get(one.version, ""))
        for one in lists
        for line in story
        if line.number == one.mark
    ]
    columns = ("VERSION", "WHEN", "BY", "CARDS", "CHANGED")
    if as_json:
        print_json([dict(zip(map(str.lower, columns), cells, strict=True)) for cells in rows])
    else:
        print_table(columns, rows)


def _find_version(lists: Sequence[ListVersion], number: int) -> ListVersion:
    for entry in lists:
        if entry.version == number:
            return entry
    raise Misused(f"There is no version {number}; there are {lists[0].version} to {lists[-1].version}.")


def _print_versions(game: str, lists: Sequence[ListVersion], *, as_json: bool) -> None:
    """Print one list, or the changes between two."""
    first, *others = lists
    if len(others) > 1:
        raise Misused("Name one version, or two to compare.")
    if others:
        text = change_text(first.cards, others[0].cards)
        plain: dict[str, object] = {"from": first.version, "to": others[0].version, "changed": text}
    else:
        text = list_text(game, first.cards)
        plain = {"version": first.version, "list": text}
    if as_json:
        print_json(plain)
        return
    for line in text.splitlines():
        click.echo(sanitize(line))
