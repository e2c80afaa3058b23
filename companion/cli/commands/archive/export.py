"""`companion archive export`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.archive.exchange import archive_export
from companion.cli.commands.archive._shared import output_file, streams_with_progress
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


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@output_option("Same as FILE; - for standard output.")
@archive_option
@force_option
def command(file: Path | None, out: Path | None, archive: str | None, force: bool) -> None:
    """Export the whole archive to FILE, for another home or a newer version of the program.

    \b
    Example: companion archive export everything.gz
    """
    target = output_file(file, out)
    if target is None:
        raise Misused(phrase("Name the FILE to write, or - for standard output."))
    with open_archive(archive) as opened, fresh_file(target, force=force) as draft:
        count = archive_export.export_archive(opened, draft, streams_with_progress)
    tell_written(target, phrase("{count} entries.", count=count))
