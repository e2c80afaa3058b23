"""Shared parts of the commands about decks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from companion.archive import Archive, DeckRow, deck_id, deck_records
from companion.archive.storage import files
from companion.cli.common import Misused, plain_chores, print_json, read_text, sanitize
from companion.games import registry
from companion.printing.jobs import record_text
from companion.tabletop.deck_lists.reading import is_deck_list
from companion.tabletop.decks.decklist import format_deck_list
from labels import handwritten
from templates.languages.messages import Text, phrase, phrases


def deck_heading(row: DeckRow) -> str:
    return sanitize(f"{row.name} · {deck_id.show(row.deck)} · {registry.title(row.game, row.page)}")


def print_changed(archive: Archive, deck: str, warnings: Sequence[Text] = ()) -> None:
    """Print the name of the deck, its last mark, and its chores as JSON."""
    row = archive.find_deck(deck)
    print_json(
        {
            "deck": row.deck,
            "name": row.name,
            "mark": archive.story(row.deck)[-1]._asdict(),
            "warnings": warnings,
            "chores": plain_chores(deck_records.chores(archive, row.deck)),
        }
    )


def print_due(archive: Archive, row: DeckRow) -> None:
    """Print the number of chores, if there are any."""
    if chores := deck_records.chores(archive, row.deck):
        click.echo(
            phrases(
                "{n} thing to do by hand: companion deck chores {deck}",
                "{n} things to do by hand: companion deck chores {deck}",
                n=len(chores),
                deck=deck_id.show(row.deck),
            )
        )


def deck_text(archive: Archive, row: DeckRow) -> str:
    """Return a deck as plain text: its list, which `companion deck check` reads again, or the text of its
    record sheet.
    """
    if lists := deck_records.deck_lists(archive, row.deck):
        version = phrase("version {version}", version=str(lists[-1].version))
        heading = f"# {row.name} · {deck_id.show(row.deck)} · {version}"
        return "\n".join(map(sanitize, (heading, *format_deck_list(row.game, lists[-1].cards).splitlines())))
    story = archive.story(row.deck)
    sheet_text = record_text(
        row.deck, archive.record(row.deck), archive.marks(row.deck), {line.number: line.at for line in story}
    )
    return "\n".join(map(sanitize, sheet_text.splitlines()))


def read_file(file: Path) -> str:
    with files.open_input(file) as opened:
        return read_text(opened)


def is_toml(text: str) -> bool:
    """Return True if a text is TOML, as the files of record sheets are."""
    try:
        handwritten.load(text, "", "")
    except handwritten.BrokenLine:
        return False
    return True


def read_toml(file: Path) -> dict[str, Any]:
    """Return the content of a file in TOML. Raises Misused, and says so of a deck list."""
    text = read_file(file)
    if is_deck_list(text, registry.names()):
        raise Misused(
            phrase(
                "“{file}” is a deck list; {command} builds a deck from it.",
                file=sanitize(str(file)),
                command="companion deck new GAME NAME --list FILE",
            )
        )
    try:
        return handwritten.load(text, "hp = 13", 'name = "Ash Wolf"')
    except handwritten.BrokenLine as error:
        raise Misused(phrase("“{file}” is not TOML: {problem}", file=sanitize(str(file)), problem=error)) from None
