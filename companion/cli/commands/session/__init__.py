"""`companion session`: the sessions played so far, as lists, logs and `.table` files."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("session", cls=LazyGroup, package=__name__)
def command() -> None:
    """Show and export sessions, and import games that were played without the companion.

    \b
    Example: companion session list
    """
