"""`companion league enter`."""

from __future__ import annotations

import click

from companion.archive import Archive
from companion.archive.errors import Clause
from companion.cli.commands.league._shared import print_match, result_options
from companion.cli.common import Misused, Refused, archive_option, json_option, open_archive, print_json, sanitize
from companion.league import display, season
from companion.league.league import UNPAIRED
from companion.league.season import Season
from templates.languages.messages import phrase


@click.command("enter")
@result_options
@click.option("--unpaired", is_flag=True, help="Enter a match outside the pairings, such as a challenge on the ladder.")
@click.option("--session", metavar="SESSION", help="Take the result of this sealed session.")
@click.option(
    "--by",
    "figure",
    default="",
    metavar="FIGURE",
    help="For a session in which all play together: rank by this figure.",
)
@click.option("--sealed", is_flag=True, help="Enter all open matches that sealed sessions have decided.")
@archive_option
@json_option
def command(
    league: str,
    result: tuple[str, ...],
    level: bool,
    absent: tuple[str, ...],
    number: int | None,
    unpaired: bool,
    session: str | None,
    figure: str,
    sealed: bool,
    archive: str | None,
    as_json: bool,
) -> None:
    """Enter the result of a match: the people in order of place, the winner first, and the games if they are counted.

    Write the games behind the people or between them, in their order: 1-2 means that the second person won. Join people
    who share a place with =, and write scores behind a colon.

    \b
    Example: companion league enter Winter Ana Ben 2-1
             companion league enter Winter Ana 2-1 Ben
             companion league enter Winter Ana Ben --draw
             companion league enter Winter Ana Ben --absent Ben
             companion league enter Friday Cy Ana=Dee Ben
             companion league enter Friday Cy:14 Ana:9 Dee:9 Ben:3
             companion league enter Winter --session K3QX
             companion league enter Winter --sealed
    """
    if bool(result) + (session is not None) + sealed != 1:
        raise Misused(phrase("Say who played, the winner first, or one of --session and --sealed."))
    with open_archive(archive) as opened:
        read = season.read_season(opened, league)
        if sealed:
            _enter_sealed(opened, read, as_json=as_json)
            return
        outcome = (
            season.read_session(opened, read, session, figure)
            if session
            else season.read_outcome(read, result, level=level, absent=absent)
        )
        try:
            after = season.enter(opened, read, outcome, number=number, unpaired=unpaired)
        except season.NotPaired as error:
            raise Refused(
                phrase("{value}; --unpaired enters a match that nobody paired.", value=Clause(str(error)))
            ) from error
    print_match(after, outcome.people, UNPAIRED if unpaired else number, as_json=as_json)


def _enter_sealed(opened: Archive, read: Season, *, as_json: bool) -> None:
    """Enter the results of sealed sessions, and print each."""
    offers = season.find_offers(opened, read)
    for offer in offers:
        read = season.enter(opened, read, offer.outcome, number=offer.match.round)
        click.echo(sanitize(season.describe_offer(read, offer)), err=as_json)
    if as_json:
        print_json(display.plain_pairings(read, read.league.rounds))
    elif not offers:
        click.echo(phrase("No sealed session decides an open match."))
