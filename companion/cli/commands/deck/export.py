"""`companion deck export`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from companion.archive import deck_records
from companion.archive.exchange import deck_export
from companion.cli.common import (
    Misused,
    Refused,
    archive_option,
    find_deck,
    force_option,
    fresh_file,
    open_archive,
    output_option,
    print_or_write,
    sanitize,
    tell_written,
)
from companion.tabletop.deck_lists.writing import LIST_FORMATS, ListFormat, write_list
from templates.languages.messages import phrase


@click.command("export")
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@output_option("File to write; - for standard output, which is the default for a list.")
@click.option(
    "--as",
    "form",
    type=click.Choice(LIST_FORMATS),
    help="Write the present list of one deck for other programs: plain text, text like that of Arena, a .cod file for "
    "Cockatrice, or a table.",
)
@archive_option
@force_option
def command(decks: Sequence[str], out: Path | None, form: ListFormat | None, archive: str | None, force: bool) -> None:
    """Export decks with their whole history to one file, to take them to another home; or write a list with --as.

    \b
    Examples: companion deck export "Grave Choir" -o grave-choir.decks
              companion deck export "Ash Pack" --as cod -o ash-pack.cod
    """
    if form is not None:
        _write_list(decks, form, out, archive, force=force)
        return
    if out is None:
        raise Misused(phrase("Name the file for the decks with -o, or write a list with --as."))
    with open_archive(archive) as opened, fresh_file(out, force=force) as draft:
        rows = {row.deck: row for row in (find_deck(opened, text) for text in decks)}
        deck_export.export_decks(opened, tuple(rows), draft)
    tell_written(out, ", ".join(row.name for row in rows.values()))


def _write_list(decks: Sequence[str], form: ListFormat, out: Path | None, archive: str | None, *, force: bool) -> None:
    """Write the list of one deck. Raises Misused for several decks, Refused if its cards are no list."""
    if len(decks) != 1:
        raise Misused(phrase("A list is that of one deck; name one."))
    with open_archive(archive) as opened:
        row = find_deck(opened, decks[0])
        lists = deck_records.deck_lists(opened, row.deck)
    if not lists:
        raise Refused(sanitize(phrase("{name} has no list: its cards are what play has made of them.", name=row.name)))
    text = write_list(form, row.game, row.name, lists[-1].cards)
    print_or_write(text, out, phrase("the list of {deck}.", deck=row.name), force=force)
