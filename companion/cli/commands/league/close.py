"""`companion league close`."""

from __future__ import annotations

import click

from companion.cli.commands.league._shared import print_change
from companion.cli.common import archive_option, json_option, open_archive
from companion.league import season
from templates.languages.messages import phrase


@click.command("close")
@click.argument("league")
@click.option("--reopen", is_flag=True, help="Open a closed league again.")
@archive_option
@json_option
def command(league: str, reopen: bool, archive: str | None, as_json: bool) -> None:
    """Close a league: no more results can be entered, and its standings are final.

    \b
    Example: companion league close Winter
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        after = season.reopen(opened, read) if reopen else season.close(opened, read)
    sentence = (
        phrase("{league} is closed.", league=after.row.name)
        if after.league.closed
        else phrase("{league} goes on.", league=after.row.name)
    )
    print_change(after, sentence, as_json=as_json)
