"""`companion archive undo-import`."""

from __future__ import annotations

import click

from companion.archive.exchange import import_log
from companion.cli.common import (
    Refused,
    archive_option,
    format_local_time,
    json_option,
    open_archive,
    print_json,
    sanitize,
)
from companion.tabletop.text import quote_text


@click.command("undo-import")
@click.option("--dry-run", is_flag=True, help="Only show which import would be undone.")
@archive_option
@json_option
def command(dry_run: bool, archive: str | None, as_json: bool) -> None:
    """Undo the last import of an archive or of decks.

    This is possible until imported entries have been used in a game, a note or a print. Repeat the command to undo the
    import before that; the last ten imports can be undone.

    \b
    Example: companion archive undo-import
    """
    with open_archive(archive) as opened:
        record = import_log.last_import(opened) if dry_run else import_log.undo_import(opened)
    if record is None:
        raise Refused("There is no import here that could be taken back.")
    if as_json:
        print_json(record._asdict() | {"at": record.at.isoformat(), "undone": not dry_run})
        return
    verb = "The last import" if dry_run else "Taken back"
    count = f"{record.entries:,} entries of {record.streams:,} {'story' if record.streams == 1 else 'stories'}"
    click.echo(
        sanitize(f"{verb}: {quote_text(record.file)}, imported {format_local_time(record.at)} by {record.by}; {count}.")
    )
