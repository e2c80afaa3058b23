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
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase, phrases


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
        raise Refused(phrase("There is no import here that could be undone."))
    if as_json:
        print_json(record._asdict() | {"at": record.at.isoformat(), "undone": not dry_run})
        return
    count = phrases(
        "{entries} entries of {n} story", "{entries} entries of {n} stories", n=record.streams, entries=record.entries
    )
    facts = {"file": in_quotes(record.file), "date": format_local_time(record.at), "person": record.by, "count": count}
    click.echo(
        sanitize(
            phrase("The last import: {file}, imported {date} by {person}; {count}.", **facts)
            if dry_run
            else phrase("Taken back: {file}, imported {date} by {person}; {count}.", **facts)
        )
    )
