"""`companion session restore`."""

from __future__ import annotations

import click

from companion.archive.exchange import play_removal
from companion.cli.commands.session._shared import imported_fields
from companion.cli.common import archive_option, json_option, open_archive, print_json, sanitize
from templates.languages.messages import phrase


@click.command("restore")
@click.argument("game", metavar="ID")
@archive_option
@json_option
def command(game: str, archive: str | None, as_json: bool) -> None:
    """Bring back the imported game with this ID that companion session remove removed.

    \b
    Example: companion session restore 3f9c
    """
    with open_archive(archive) as opened:
        play = play_removal.restore_play(opened, game)
    if as_json:
        print_json(imported_fields(play))
        return
    click.echo(sanitize(phrase("{play} counts again.", play=play_removal.name_play(play))))
