"""`companion league drop`."""

from __future__ import annotations

import click

from companion.cli.commands.league._shared import print_change
from companion.cli.common import archive_option, json_option, open_archive
from companion.league import season
from templates.languages.messages import phrase


@click.command("drop")
@click.argument("league")
@click.argument("person")
@archive_option
@json_option
def command(league: str, person: str, archive: str | None, as_json: bool) -> None:
    """Remove a person from further rounds; their results are kept.

    \b
    Example: companion league drop Winter Cy
    """
    with open_archive(archive) as opened:
        after = season.drop(opened, season.read_season(opened, league), person)
    sentence = phrase(
        "{person} plays no further rounds of {name}.", person=after.name(after.find(person)), name=after.row.name
    )
    print_change(after, sentence, as_json=as_json)
