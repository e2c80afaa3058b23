"""`companion deck show`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from companion.archive import deck_id, deck_records
from companion.archive.storage.lists import tags_of
from companion.cli.commands.deck._shared import deck_heading, deck_text
from companion.cli.common import (
    archive_option,
    find_deck,
    json_option,
    open_archive,
    plain_chores,
    print_json,
    print_table,
    sanitize,
)
from templates.languages.messages import Message, Text, declared, listed, phrase


@click.command("show")
@click.argument("deck")
@click.option("--text", "as_text", is_flag=True, help="Print plain text to paste anywhere.")
@archive_option
@json_option
def command(deck: str, as_text: bool, archive: str | None, as_json: bool) -> None:
    """Show the current state of a deck.

    \b
    Examples: companion deck show 7K3M-9QPX-2B4T-C
              companion deck show "Grave Choir" --text
    """
    with open_archive(archive) as opened:
        row = find_deck(opened, deck)
        if as_text:
            click.echo(deck_text(opened, row))
            return
        record = opened.record(row.deck)
        chores = deck_records.chores(opened, row.deck)
        tags = tags_of(opened.marks(row.deck))
    if as_json:
        plain = {"deck": row.deck, "updated": row.updated, **msgspec.to_builtins(record)}
        print_json(plain | {"tags": tags, "chores": plain_chores(chores)})
        return
    click.echo(deck_heading(row))
    if tags:
        click.echo(sanitize(phrase("Tags: {tags}", tags=listed(tags))))
    _print_facts({key: value for key, value in record.facts.items() if key not in _HEADING_FIELDS})
    if chores:
        left = phrase("Still to be done by hand: {n}", n=len(chores))
        click.echo(f"\n{left} · companion deck chores {deck_id.show(row.deck)}")


_HEADING_FIELDS = ("game", "name", "person", "page")
"""The fields of a record that are not printed below the heading.

The heading has some of them. The others are for the program: the id of a holder, who is printed by name, and the digest
of a page (`companion deck edition` prints its edition).
"""


def _print_facts(facts: Mapping[str, Any]) -> None:
    """Print a record of any game: figures and words as lines, then its things as tables; empty fields are left out."""
    things = {key: _name_things(value) for key, value in facts.items() if _is_things(value)}
    for key, value in facts.items():
        if key not in things and _format_value(value):
            click.echo(sanitize(f"{_key_title(key)}: {_format_value(value)}"))
    for key, value in things.items():
        if value:
            click.echo(f"\n{_key_title(key)}")
            _print_things(value)


def _is_things(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(part, dict) for part in value)
    )


def _name_things(things: Any) -> Mapping[str, Any]:
    """Return things by their names; those in a list by their place in it."""
    return things if isinstance(things, dict) else {str(place): thing for place, thing in enumerate(things, 1)}


def _print_things(things: Mapping[str, Any]) -> None:
    """Print things by their names: one line each, or a table if they have several figures."""
    parts = {name: thing if isinstance(thing, dict) else {"": thing} for name, thing in things.items()}
    columns = list(dict.fromkeys(column for thing in parts.values() for column in thing))
    headings: list[Text] = ["", *map(_key_title, columns)]
    print_table(
        headings, [[name, *(_format_value(thing.get(column)) for column in columns)] for name, thing in parts.items()]
    )


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return str(phrase("yes") if value else phrase("no"))
    if isinstance(value, list | tuple):
        return ", ".join(_format_value(part) for part in value)
    return "" if value is None else str(value)


def _key_title(key: str) -> Message:
    return declared(key.replace("_", " ").capitalize())
