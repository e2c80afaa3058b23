"""`companion homebrew`: a campaign's additions to a game, as a text; to check, add and list them."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("homebrew", cls=LazyGroup, package=__name__)
def command() -> None:
    """Manage homebrews: a campaign's own texts for cards, and other names, prices and tiers for the printed ones.

    docs/homebrew.md shows how to write your first one.

    \b
    Example: companion homebrew check moonlit.toml
    """
