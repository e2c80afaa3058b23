"""`companion deck`: building decks, finding them, and showing their records and stories."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("deck", cls=LazyGroup, package=__name__)
def command() -> None:
    """Build decks, find them again, and read their history.

    DECK is an id in any spelling, a unique beginning of a name, or a picture of the QR code on the box.

    \b
    Example: companion deck show "Grave Choir"
    """
