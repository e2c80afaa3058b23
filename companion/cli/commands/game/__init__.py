"""`companion game`: games described on a page; to begin one, check it, and show it."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("game", cls=LazyGroup, package=__name__)
def command() -> None:
    """Games of your own: a game on one page, without programming.

    docs/own-games.md leads to a first one in ten minutes.

    \b
    Example: companion game new crown
    """
