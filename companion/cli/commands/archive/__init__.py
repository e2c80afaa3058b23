"""`companion archive`: the contents of the archive, its copies, and its integrity."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("archive", cls=LazyGroup, package=__name__)
def command() -> None:
    """Look after the archive, where sessions and decks are kept.

    \b
    Example: companion archive info
    """
