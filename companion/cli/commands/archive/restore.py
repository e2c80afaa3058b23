"""`companion archive restore`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from companion.archive.recovery.restore import restore as put_in_place
from companion.cli.commands.archive._shared import archive_file
from companion.cli.common import archive_option, json_option, print_json, sanitize
from templates.languages.messages import phrase


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@archive_option
@json_option
def command(file: Path, archive: str | None, as_json: bool) -> None:
    """Replace the archive with the backup FILE, which is checked first; the current archive is kept beside it.

    Refused while another window or program has the archive open. This works even if the archive cannot be opened.

    \b
    Example: companion archive restore archive.sqlite.backups/0000004711-2026-03-14-220000-evening.sqlite
    """
    target = archive_file(archive)
    previous = put_in_place(file, target, datetime.now(UTC))
    if as_json:
        print_json({"archive": str(target), "file": str(file), "kept": None if previous is None else str(previous)})
        return
    click.echo(sanitize(phrase("{target} is now what {file} holds.", target=target, file=file)))
    if previous is not None:
        click.echo(sanitize(phrase("What was there is kept as {previous}.", previous=previous)))
