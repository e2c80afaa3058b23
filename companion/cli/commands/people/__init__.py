"""`companion people`: people's purses, with the reason of every change, the decks they held, their names and ids."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("people", cls=LazyGroup, package=__name__)
def command() -> None:
    """Look at people's purses and the decks they held, and say who is who.

    PERSON is a name, or the id by which the program tells people of one name apart.

    \b
    Example: companion people show Ana
    """
