"""`companion archive import`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.archive.exchange import archive_export
from companion.archive.exchange.import_doubts import find_doubts
from companion.cli.common import (
    archive_option,
    confirm_doubts,
    json_option,
    open_archive,
    print_json,
    reading_bar,
    yes_option,
)
from templates.languages.messages import phrase


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@yes_option
@archive_option
@json_option
def command(file: Path, yes: bool, archive: str | None, as_json: bool) -> None:
    """Import everything from FILE, all of it or nothing; existing entries are left unchanged.

    If anything diverged between the two archives, nothing is imported; use companion deck import to join the histories
    of decks. If a history only continued elsewhere, or contains something that the rules do not allow, you are asked to
    confirm; --yes confirms for you. companion archive undo-import undoes the import.

    \b
    Example: companion archive import everything.gz
    """
    # Only a file that may be imported begins an archive.
    archive_export.check_header(file)
    with open_archive(archive, create=True) as opened:
        confirm_doubts(find_doubts(opened, file), yes=yes)
        with reading_bar(phrase("Archive")) as watch:
            new, longer, unchanged, entries = archive_export.import_archive(opened, file, watch)
    if as_json:
        print_json({"new": new, "longer": longer, "known": unchanged, "entries": entries})
        return
    click.echo(
        phrase(
            "{entries} entries taken in: {new} stories new, {longer} went on, {unchanged} known.",
            entries=entries,
            new=new,
            longer=longer,
            unchanged=unchanged,
        )
    )
