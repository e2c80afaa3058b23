"""`companion labels sheets`: the partly used sheets, as maps, and their outcomes."""

from __future__ import annotations

import click

from companion.cli.commands.labels.sheets._shared import print_all
from companion.cli.common import archive_option, json_option
from companion.cli.lazy import LazyGroup


@click.group("sheets", cls=LazyGroup, package=__name__, invoke_without_command=True)
@archive_option
@json_option
@click.pass_context
def command(context: click.Context, archive: str | None, as_json: bool) -> None:
    """Show the partly used sheets that are stored in the archive.

    Add a sheet under a name; then --sheet NAME prints on its free positions. Positions count as used once you confirm
    with `printed` that they came out well.

    \b
    Example: companion labels sheets new "blue folder" --free 3,7,20-40
             companion labels box grave -o box.pdf --sheet "blue folder"
             companion labels sheets printed "blue folder"
    """
    if context.invoked_subcommand is None:
        print_all(archive, as_json=as_json)
    else:
        context.find_root().params["archive"] = archive
