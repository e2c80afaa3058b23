"""`companion archive info`."""

from __future__ import annotations

import click

from companion.archive import maintenance
from companion.archive.recovery import backups
from companion.archive.sharing.description import SharingDescription
from companion.cli.common import archive_option, describe_error, json_option, open_archive, print_json, sanitize
from templates.languages.messages import phrase, phrases


@click.command("info")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """Show where the archive is and how much it holds.

    \b
    Example: companion archive info
    """
    with open_archive(archive) as opened:
        totals = maintenance.info(opened)
    if as_json:
        print_json(totals)
        return
    schema = str(totals.schema)
    heading = (
        phrase("{archive} (schema {schema})", archive=totals.archive, schema=schema)
        if totals.bytes is None
        else phrases(
            "{archive} (schema {schema}, {n} byte)",
            "{archive} (schema {schema}, {n} bytes)",
            n=totals.bytes,
            archive=totals.archive,
            schema=schema,
        )
    )
    click.echo(sanitize(heading))
    click.echo(totals.contents)
    offsite = backups.offsite_state(opened.store.file) if opened.store.file else None
    if offsite:
        click.echo(sanitize(offsite.text))
    if (sharing := SharingDescription.read(opened.store.file)) is not None:
        click.echo(sanitize(sharing.folder))
    if opened.store.read_only_reason:
        click.echo(sanitize(describe_error(opened.store.refusal)))
