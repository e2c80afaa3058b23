"""`companion homebrew`: a campaign's additions to a game, as a text; to check, add and list them."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("homebrew", cls=LazyGroup, package=__name__)
def command() -> None:
    """What is written on cards: a campaign's own, and other names, prices and tiers for what is printed.

    docs/homebrew.md leads to a first one.

    \b
    Example: companion homebrew check moonlit.toml
    """
