"""`companion archive`: the contents of the archive, its copies, and its integrity."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("archive", cls=LazyGroup, package=__name__)
def command() -> None:
    """Manage the archive, which stores sessions and decks.

    \b
    Example: companion archive info
    """
