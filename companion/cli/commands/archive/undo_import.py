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
@click.option("--dry-run", is_flag=True, help="Only say which import is the last.")
@archive_option
@json_option
def command(dry_run: bool, archive: str | None, as_json: bool) -> None:
    """Take back what the last import of an archive or of decks brought: everything is as it was before.

    That is possible until something is played on it, noted or printed; said again, it takes back the import before
    that. The last ten are remembered.

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
