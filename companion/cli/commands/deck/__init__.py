"""`companion deck`: building decks, finding them, and showing their records and stories."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("deck", cls=LazyGroup, package=__name__)
def command() -> None:
    """Build decks, find them again, and read their stories.

    DECK is an id in any spelling, the beginning of no other deck's name, or a picture of the QR code on its box.

    \b
    Example: companion deck show "Grave Choir"
    """
