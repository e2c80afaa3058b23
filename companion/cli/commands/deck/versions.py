"""`companion deck versions`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import click

from companion.archive import deck_records
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
    sanitize,
)
from companion.tabletop.decks.decklist import change_text, part_sizes
from companion.tabletop.decks.decklist import format_deck_list as list_text
from companion.tabletop.decks.keeping import ListVersion
from templates.languages.messages import phrase


@click.command("versions")
@click.argument("deck")
@click.argument("version", type=click.IntRange(1), nargs=-1)
@archive_option
@json_option
def command(deck: str, version: Sequence[int], archive: str | None, as_json: bool) -> None:
    """List a deck's versions; with one VERSION show its list, with two show what changed between them.

    \b
    Examples: companion deck versions "Ash Pack"
              companion deck versions "Ash Pack" 1 3
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        lists = deck_records.deck_lists(opened, row.deck)
        story = opened.story(row.deck)
    if not lists:
        raise Refused(sanitize(phrase("{name} has no list: its cards are what play has made of them.", name=row.name)))
    if version:
        _print_versions(row.game, [_find_version(lists, number) for number in version], as_json=as_json)
        return
    changed = {after.version: str(change_text(before.cards, after.cards)) for before, after in pairwise(lists)}
    rows = [
        (
            str(one.version),
            format_local_time(line.at),
            line.by,
            str(part_sizes(one.cards)),
            changed.get(one.version, ""),
        )
        for one in lists
        for line in story
        if line.number == one.mark
    ]
    if as_json:
        print_json([dict(zip(_KEYS, cells, strict=True)) for cells in rows])
    else:
        headings = (phrase("Version"), phrase("When"), phrase("By"), phrase("Cards"), phrase("Changed"))
        print_table(headings, rows)


_KEYS: Final = ("version", "when", "by", "cards", "changed")
"""The keys of the columns in JSON."""


def _find_version(lists: Sequence[ListVersion], number: int) -> ListVersion:
    for entry in lists:
        if entry.version == number:
            return entry
    raise Misused(
        phrase(
            "There is no version {number}; there are {version} to {version2}.",
            number=str(number),
            version=lists[0].version,
            version2=lists[-1].version,
        )
    )


def _print_versions(game: str, lists: Sequence[ListVersion], *, as_json: bool) -> None:
    """Print one list, or the changes between two."""
    first, *others = lists
    if len(others) > 1:
        raise Misused(phrase("Name one version, or two to compare."))
    if others:
        text = str(change_text(first.cards, others[0].cards))
        plain: dict[str, object] = {"from": first.version, "to": others[0].version, "changed": text}
    else:
        text = list_text(game, first.cards)
        plain = {"version": first.version, "list": text}
    if as_json:
        print_json(plain)
        return
    for line in text.splitlines():
        click.echo(sanitize(line))
