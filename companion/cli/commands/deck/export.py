"""`companion deck export`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from companion.archive.exchange import deck_export
from companion.cli.common import (
    archive_option,
    find_deck,
    force_option,
    fresh_file,
    open_archive,
    output_option,
    tell_written,
)


@click.command("export")
@click.argument("decks", nargs=-1, required=True, metavar="DECK…")
@output_option("File to write; - for standard output.", required=True)
@archive_option
@force_option
def command(decks: Sequence[str], out: Path, archive: str | None, force: bool) -> None:
    """Export decks with their whole history to one file, to take them to another home.

    \b
    Example: companion deck export "Grave Choir" -o grave-choir.decks
    """
    with open_archive(archive) as opened, fresh_file(out, force=force) as draft:
        rows = {row.deck: row for row in (find_deck(opened, text) for text in decks)}
        deck_export.export_decks(opened, tuple(rows), draft)
    tell_written(out, ", ".join(row.name for row in rows.values()))
