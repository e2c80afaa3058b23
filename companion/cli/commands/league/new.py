"""`companion league new`."""

from __future__ import annotations

from typing import Any, BinaryIO

import click

from companion.cli.common import Misused, archive_option, json_option, open_archive, print_json, read_text, sanitize
from companion.league import display, season
from companion.league.standings import ORDERS
from templates.languages.messages import phrase


def _parse_points(_: click.Context, __: click.Parameter, value: str | None) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in (value or "").replace("-", ",").split(",") if part.strip())
    except ValueError:
        raise Misused(
            phrase("“{value}” is no list of figures; write points by place as 5,3,2,1.", value=value)
        ) from None


@click.command("new")
@click.argument("name")
@click.option("--people", "listed", metavar="NAME,NAME,…", help="Who plays, separated by commas.")
@click.option("--person", "single", metavar="NAME", multiple=True, help="Another person; can be repeated.")
@click.option(
    "--people-from",
    "file",
    type=click.File("rb"),
    metavar="FILE",
    help="File with the people who play, one name per line.",
)
@click.option(
    "--form",
    type=click.Choice(["swiss", "round-robin", "ladder"]),
    default="swiss",
    show_default=True,
    help="Swiss, round robin (everybody against everybody), or a ladder (the first person named is at the top).",
)
@click.option("--game", default="", metavar="GAME", help="Game that is played; default: any game.")
@click.option(
    "--rule", "rules", metavar="KEY=VALUE", multiple=True, help="A house rule to show with the league; can be repeated."
)
@click.option(
    "--seats", type=click.IntRange(2, season.MOST_SEATS), default=2, show_default=True, help="People at each table."
)
@click.option("--rounds", type=click.IntRange(0, 1000), default=0, metavar="N", help="Number of rounds.")
@click.option("--win", type=click.IntRange(0, 1000), default=3, show_default=True, help="Points for a win.")
@click.option("--draw", type=click.IntRange(0, 1000), default=1, show_default=True, help="Points for a draw.")
@click.option("--loss", type=click.IntRange(0, 1000), default=0, show_default=True, help="Points for a loss.")
@click.option(
    "--bye",
    type=click.IntRange(0, 1000),
    help="Points for a bye; default: as for a win in a Swiss league, otherwise none.",
)
@click.option(
    "--points", callback=_parse_points, metavar="5,3,2,1", help="Points by place, at tables of more than two people."
)
@click.option("--by-score", is_flag=True, help="Use the scores at the table as points.")
@click.option("--figure", default="", metavar="WORD", help="Figure of the game that is the score if all play together.")
@click.option("--order", type=click.Choice(list(ORDERS)), help="Tie-breaks for equal points.")
@click.option("--seed", type=int, metavar="N", help="Seed of the random pairings; default: random.")
@archive_option
@json_option
def command(
    name: str,
    listed: str | None,
    single: tuple[str, ...],
    file: BinaryIO | None,
    archive: str | None,
    as_json: bool,
    points: tuple[int, ...],
    order: str | None,
    **settings: Any,
) -> None:
    """Create the league NAME with these people; new people are added to the archive.

    \b
    Example: companion league new "Winter" --people "Ana,Ben,Cy,Dee" --form swiss --rounds 3
             companion league new "Friday" --people-from names.txt --seats 4 --points 5,3,2,1
             companion league new "Ladder" --people "Ana,Ben,Cy" --form ladder
    """
    names = [part.strip() for part in (listed or "").split(",")]
    names += single
    names += [line.strip() for line in read_text(file).splitlines()] if file else []
    chosen = season.LeagueSettings(**settings, places=points, order=order or "")
    with open_archive(archive, create=True) as opened:
        begun = season.create(opened, name, [each for each in names if each], chosen)
    if as_json:
        print_json(display.plain_league(begun))
        return
    click.echo(
        sanitize(
            phrase(
                "{name} ({league}) begins: {begun}.",
                name=begun.row.name,
                league=begun.row.league,
                begun=display.describe_league(begun),
            )
        )
    )
