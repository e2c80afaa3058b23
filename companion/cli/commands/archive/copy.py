"""`companion archive copy`."""

from __future__ import annotations

import click

from companion.archive import maintenance
from companion.cli.commands.archive._shared import streams_with_progress
from companion.cli.common import Misused, archive_option, json_option, open_archive, print_json, sanitize
from templates.languages.messages import phrase


@click.command("copy")
@click.argument("url")
@archive_option
@json_option
def command(url: str, archive: str | None, as_json: bool) -> None:
    """Copy the whole archive into a new one at URL: a file, or a server that many tables share.

    \b
    Example: companion archive copy postgresql://club/companion
    """
    with open_archive(archive) as opened, open_archive(url, create=True) as target:
        if target.name == opened.name:
            raise Misused(phrase("{opened} is the archive itself; name another.", opened=opened.name))
        count = maintenance.copy_archive(opened, target, streams_with_progress)
    if as_json:
        print_json({"archive": target.name, "entries": count})
    else:
        click.echo(sanitize(phrase("{target}: {count} entries copied.", target=target.name, count=count)))
