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
from templates.languages.messages import phrase


@click.command("follow")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--off", is_flag=True, help="Stop copying; existing copies are kept.")
@archive_option
@json_option
def command(folder: Path | None, off: bool, archive: str | None, as_json: bool) -> int:
    """Keep a copy elsewhere: copy each new backup into FOLDER as well, for example on a USB stick.

    While the stick is not plugged in, nothing happens; it is brought up to date when it is back. Without FOLDER, the
    state of the copy is shown, as on the home screen. Exits with status 1 if a copy could not be written.

    \b
    Example: companion archive follow /media/stick
    """
    file = archive_file(archive)
    if folder is not None and off:
        raise Misused(phrase("Name a FOLDER, or say --off."))
    if folder is not None:
        if not file.is_file():
            raise Refused(
                phrase("There is no archive “{file}” yet; it begins with the first table or deck.", file=file)
            )
        with open_archive(archive) as opened:
            backups.start_offsite(file, folder)
            maintenance.end_evening(opened)
    elif off:
        backups.stop_offsite(file)
    target, state = backups.read_offsite(file), backups.offsite_state(file)
    if as_json:
        print_json({"target": target, "state": state.text if state else None})
    elif target is None or state is None:
        click.echo(phrase("There is no copy elsewhere; companion archive follow FOLDER begins one."))
    else:
        click.echo(sanitize(state.text))
        click.echo(sanitize(phrase("It is kept in {folder}.", folder=target.folder)))
    return REFUSED if folder is not None and target is not None and target.problem else 0
