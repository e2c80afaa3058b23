"""`companion league join`."""

from __future__ import annotations

import click

from companion.cli.commands.league._shared import print_change
from companion.cli.common import archive_option, json_option, open_archive
from companion.league import season
from templates.languages.messages import phrase


@click.command("join")
@click.argument("league")
@click.argument("person")
@archive_option
@json_option
def command(league: str, person: str, archive: str | None, as_json: bool) -> None:
    """Add a person from the next round on, including a person who had left.

    \b
    Example: companion league join Winter Fay
    """
    with open_archive(archive) as opened:
        after = season.join(opened, season.read_season(opened, league), person)
    sentence = phrase(
        "{person} plays in {name} from the next round on.", person=after.name(after.find(person)), name=after.row.name
    )
    print_change(after, sentence, as_json=as_json)
