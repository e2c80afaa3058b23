"""`companion session remove`."""

from __future__ import annotations

import sys

import click

from companion.archive.exchange import play_removal
from companion.cli.commands.session._shared import imported_fields
from companion.cli.common import Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.cli.confirmation import confirm
from templates.languages.messages import phrase


@click.command("remove")
@click.argument("game", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@archive_option
@json_option
def command(game: str, yes: bool, archive: str | None, as_json: bool) -> None:
    """Remove the imported game with this ID, or the beginning of an id, so that it no longer counts.

    companion session list --imported shows the ids. Nothing is deleted: companion session restore brings the game back,
    and importing its file again does not. The other devices that share the archive remove it, too.

    \b
    Example: companion session remove 3f9c
    """
    with open_archive(archive) as opened:
        play = play_removal.find_play(opened, game)
        if not yes and not play.is_removed:
            click.echo(sanitize(play_removal.describe_play(play)), err=True)
            question = phrase("Remove {play}?", play=play_removal.name_play(play))
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise Refused(phrase("{question} --yes does so.", question=question))
            if not confirm(question, err=True):
                raise Refused(phrase("Nothing is changed."))
        play = play_removal.remove_play(opened, play.id)
    if as_json:
        print_json(imported_fields(play))
        return
    click.echo(
        sanitize(
            phrase(
                "{play} is removed; companion session restore {id} brings it back.",
                play=play_removal.name_play(play),
                id=play.id,
            )
        )
    )
