"""`companion archive follow`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.archive import maintenance
from companion.archive.recovery import backups
from companion.cli.commands.archive._shared import archive_file
from companion.cli.common import (
    REFUSED,
    Misused,
    Refused,
    archive_option,
    json_option,
    open_archive,
    print_json,
    sanitize,
)


@click.command("follow")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--off", is_flag=True, help="Copy nothing elsewhere any more; the copies stay.")
@archive_option
@json_option
def command(folder: Path | None, off: bool, archive: str | None, as_json: bool) -> int:
    """Keep a copy elsewhere: after each backup, the newest one is also written into FOLDER, as on a stick.

    Where the stick is not there nothing happens, and what is missing follows when it is there again. Without FOLDER it
    says how the copy is, as home does. Ends with 1 if a copy could not be written.

    \b
    Example: companion archive follow /media/stick
    """
    file = archive_file(archive)
    if folder is not None and off:
        raise Misused("Name a FOLDER, or say --off.")
    if folder is not None:
        if not file.is_file():
            raise Refused(f"There is no archive “{file}” yet; it begins with the first table or deck.")
        with open_archive(archive) as opened:
            backups.start_offsite(file, folder)
            maintenance.end_evening(opened)
    elif off:
        backups.stop_offsite(file)
    target, state = backups.read_offsite(file), backups.offsite_state(file)
    if as_json:
        print_json({"target": target, "state": state.text if state else None})
    elif target is None or state is None:
        click.echo("There is no copy elsewhere; companion archive follow FOLDER begins one.")
    else:
        click.echo(sanitize(state.text))
        click.echo(sanitize(f"It is kept in {target.folder}."))
    return REFUSED if folder is not None and target is not None and target.problem else 0
