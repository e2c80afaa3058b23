"""`companion game`: games described on a page; to begin one, check it, and show it."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("game", cls=LazyGroup, package=__name__)
def command() -> None:
    """Manage games of your own: a game on one page, without programming.

    docs/own-games.md shows how to write your first one in ten minutes.

    \b
    Example: companion game new crown
    """
