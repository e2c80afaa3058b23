"""`companion stats`: statistics from all games that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.common import (
    Misused,
    archive_option,
    find_deck,
    json_option,
    open_archive,
    print_json,
    print_table,
    sanitize,
)
from companion.games import registry
from companion.rehearsal.forecast import forecasts
from companion.statistics import display
from companion.statistics.tables import GROUPINGS, compute_statistics, kinds_of_games
from companion.tabletop.action import NotationError
from templates.languages.messages import joined, phrase

if TYPE_CHECKING:
    from companion.rehearsal.forecast import Forecast
    from companion.statistics.tables import Statistics


_PLOT = 25
"""Columns of the plot of a win rate."""


@click.command("stats")
@click.option("--by", default="person", metavar="WHAT", show_default=True, help="What to group by; see above.")
@click.option("--deck", metavar="DECK", help="Only games of this deck.")
@click.option("--game", metavar="GAME", help="Only this game.")
@click.option("--together", is_flag=True, help="Add up the rows for months, players and first over all games.")
@archive_option
@json_option
def command(by: str, deck: str | None, game: str | None, together: bool, archive: str | None, as_json: bool) -> None:
    """Show who wins how often: win rates with their intervals, over all finished games, by group.

    Group by person, deck, version, opponent, players, first (who began), rules or month, or by a figure of the game; an
    unknown word lists them all. Behind each win rate is its 95 % interval. Groups by players, first, rules and month
    have a row for each game. Below the table are the hardest hits of each game, who saved whom from falling, and the
    predictions of kept rehearsals.

    \b
    Examples: companion stats
              companion stats --by opponent --deck "Grave Choir"
    """
    with open_archive(archive) as opened:
        kinds = {} if by in GROUPINGS else kinds_of_games(opened)
        if by not in GROUPINGS and by not in kinds:
            words = ", ".join((*GROUPINGS, *kinds_of_games(opened)))
            raise Misused(
                phrase("Games cannot be grouped by “{by}”; --by takes {words}.", by=sanitize(by), words=words)
            )
        deck_row = find_deck(opened, deck) if deck else None
        name = _game_word(game) if game else ""
        statistics = compute_statistics(opened, by, deck_row.deck if deck_row else "", name, kinds, together=together)
        predictions = forecasts(opened, name) if deck_row is None else ()
        if game and not statistics.games:
            registry.game(game)  # raises an error that lists the games if this is none
    if as_json:
        print_json(
            _statistics_fields(statistics) | {"rehearsed": [_plain_forecast(forecast) for forecast in predictions]}
        )
        return
    title = (
        phrase("{statistics} of {deck}", statistics=statistics.title, deck=deck_row.name)
        if deck_row
        else statistics.title
    )
    click.echo(sanitize(joined(": ", (title, display.headline(statistics)))))
    _print_groups(statistics)
    extras = [*display.extras(statistics)]
    if predictions:
        extras.append((display.FORETOLD, tuple(forecast.text for forecast in predictions)))
    for title, sentences in extras:
        click.echo(f"\n{title}")
        for sentence in sentences:
            click.echo(sanitize(f"  {sentence}"))


def _print_groups(statistics: Statistics) -> None:
    """Print the table, or the reason why it is empty."""
    if statistics.remark:
        click.echo(sanitize(statistics.remark))
    if statistics.groups:
        click.echo()
        columns = display.columns_of(statistics)
        rows = [[column.cell(group) for column in columns] for group in statistics.groups]
        headings = [str(column.title).upper() for column in columns]
        if any(group.rate for group in statistics.groups):
            headings.append("0 %" + "100 %".rjust(_PLOT - 3))
            for row, group in zip(rows, statistics.groups, strict=True):
                row.append(display.interval_plot(group.rate, _PLOT))
        print_table(headings, rows)


def _plain_forecast(forecast: Forecast) -> dict[str, object]:
    """Return a rehearsal's forecast for JSON."""
    return {
        "rehearsal": forecast.rehearsal,
        "setting": msgspec.to_builtins(forecast.setting),
        "figure": forecast.figure.key,
        "units": forecast.units,
        **forecast.estimate._asdict(),
    }


def _statistics_fields(statistics: Statistics) -> dict[str, object]:
    """Return the statistics for JSON, each rate with names for its three figures."""
    groups = [
        msgspec.structs.asdict(group) | {"rate": group.rate._asdict() if group.rate else None}
        for group in statistics.groups
    ]
    return msgspec.structs.asdict(statistics) | {"groups": groups}


def _game_word(text: str) -> str:
    """Return the word under which a game's results are stored, even if the game is no longer available."""
    try:
        return registry.game(text).name
    except NotationError:
        return text
