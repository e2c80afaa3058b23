"""`companion archive accept`."""

from __future__ import annotations

import click

from companion.archive.recovery import last_seen
from companion.cli.commands.archive._shared import archive_file
from companion.cli.common import archive_option, json_option, print_json, sanitize
from companion.tabletop.errors import shorten_quotes
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase


@click.command("accept")
@archive_option
@json_option
def command(archive: str | None, as_json: bool) -> None:
    """Accept an archive that holds less than this computer last saw in it.

    Such an archive, or one that is gone, is probably an old copy or on a missing disk, so nothing is written to it. If
    you know the reason, run this command to make the computer forget what it saw.

    \b
    Example: companion archive accept
    """
    file = archive_file(archive)
    before, now = last_seen.recall(file), last_seen.accept(file)
    if as_json:
        print_json({"archive": str(file), "before": before, "growth": now})
    elif now is None:
        forgotten = phrase("{file} is forgotten; a new archive may begin there.", file=in_quotes(str(file)))
        click.echo(sanitize(shorten_quotes(str(forgotten))))
    else:
        click.echo(sanitize(phrase("{file} is taken as it is.", file=file)))
