"""`companion people`: people's purses, with the reason of every change, the decks they held, their names and ids."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("people", cls=LazyGroup, package=__name__)
def command() -> None:
    """Show people's purses and decks, and manage their names.

    PERSON is a name, or an id if several people have the same name.

    \b
    Example: companion people show Ana
    """
