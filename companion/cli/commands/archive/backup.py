"""`companion archive backup`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from companion.archive import maintenance
from companion.archive.recovery import backups
from companion.cli.commands.archive._shared import output_file
from companion.cli.common import (
    Misused,
    archive_option,
    force_option,
    fresh_file,
    open_archive,
    output_option,
    tell_written,
)
from templates.languages.messages import phrase


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@output_option("Same as FILE; - for standard output.")
@archive_option
@force_option
def command(file: Path | None, out: Path | None, archive: str | None, force: bool) -> None:
    """Copy the archive to FILE and check the copy; sessions can continue meanwhile.

    Without FILE, the copy is created in the current directory and named after the current time.

    \b
    Example: companion archive backup /media/stick/companion.sqlite
    """
    target = output_file(file, out) or Path(backups.dated_name(datetime.now()))
    with open_archive(archive) as opened:
        if target.resolve() == Path(opened.name).resolve():
            raise Misused(phrase("“{target}” is the archive itself; name another file.", target=target))
        with fresh_file(target, force=force) as draft:
            maintenance.backup(opened, draft)
    tell_written(target, phrase("a whole copy."))
