"""`companion archive info`."""

from __future__ import annotations

import click

from companion.archive import maintenance
from companion.archive.recovery import backups
from companion.cli.common import archive_option, describe_error, json_option, open_archive, print_json, sanitize


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
    size = "" if totals.bytes is None else f", {totals.bytes:,} bytes"
    click.echo(sanitize(f"{totals.archive} (schema {totals.schema}{size})"))
    click.echo(totals.contents)
    offsite = backups.offsite_state(opened.store.file) if opened.store.file else None
    if offsite:
        click.echo(sanitize(offsite.text))
    if opened.store.read_only_reason:
        click.echo(sanitize(describe_error(opened.store.refusal)))
