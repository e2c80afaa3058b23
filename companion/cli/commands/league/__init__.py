"""`companion league`: leagues with their pairings, results and standings."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("league", cls=LazyGroup, package=__name__)
def command() -> None:
    """Run leagues: pairings, results and standings.

    LEAGUE is a name, the beginning of one, or an id. PERSON is a name, an id, or a number in the league ("Player 7").

    \b
    Example: companion league new "Winter" --people "Ana,Ben,Cy,Dee" --rounds 3
             companion league pairings Winter
             companion league enter Winter Ana Ben 2-1
             companion league standings Winter
    """
