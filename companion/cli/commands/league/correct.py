"""`companion league correct`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from companion.cli.commands.league._shared import print_match, result_options
from companion.cli.common import Misused, archive_option, json_option, open_archive, print_json, sanitize
from companion.league import display, season
from templates.languages.messages import phrase


@click.command("correct")
@result_options
@click.option("--withdraw", is_flag=True, help="Delete the result of the match.")
@click.option("--bye", metavar="PERSON", help="Give a person without an opponent a bye in the round.")
@click.option("--pair", is_flag=True, help="Pair these people, who had a bye or came late, in the round.")
@click.option("--join", "joining", metavar="PERSON", multiple=True, help="Add a person from the next round on.")
@click.option("--drop", "leaving", metavar="PERSON", multiple=True, help="Remove a person from further rounds.")
@archive_option
@json_option
def command(
    league: str,
    result: tuple[str, ...],
    level: bool,
    absent: tuple[str, ...],
    number: int | None,
    withdraw: bool,
    bye: str | None,
    pair: bool,
    joining: tuple[str, ...],
    leaving: tuple[str, ...],
    archive: str | None,
    as_json: bool,
) -> None:
    """Correct a result, a no-show, a bye or who takes part; earlier entries stay in the log.

    \b
    Example: companion league correct Winter Ben Ana 2-0
             companion league correct Winter Ana Ben --absent Ben
             companion league correct Winter Ana Ben --withdraw
             companion league correct Winter --bye Eve --round 2
             companion league correct Winter Dee Eve --pair
             companion league correct Winter --drop Cy --join Fay
    """
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        for name in joining:
            read = season.join(opened, read, name)
        for name in leaving:
            read = season.drop(opened, read, name)
        if bye:
            read = season.give_bye(opened, read, bye, number)
        people: Sequence[str] = ()
        if pair:
            read = season.pair(opened, read, result, number)
            people = [read.find(name) for name in result]
        elif result or absent:
            outcome = season.read_outcome(read, result, level=level, absent=absent)
            people = outcome.people
            if withdraw:
                match = season.find_match(read, people, number)
                read, people = season.withdraw(opened, read, match), ()
                click.echo(
                    sanitize(phrase("{read}: the result is taken back.", read=display.pairing(read, match))),
                    err=as_json,
                )
            else:
                read = season.correct(opened, read, outcome, number)
        elif not (joining or leaving or bye):
            raise Misused(phrase("Say what is to be corrected; companion league correct --help shows how."))
    if people and read.league.rounds:
        print_match(read, people, number, as_json=as_json)
    elif as_json:
        print_json(display.plain_standings(read))
    else:
        click.echo(sanitize(f"{read.row.name}: {display.describe_league(read)}."))
