"""`companion phones`: the phones that were admitted to the pages, and their permissions."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("phones", cls=LazyGroup, package=__name__)
def command() -> None:
    """See which phones were let in to the pages, and send one away; companion serve lets them in.

    PHONE is the name that was typed on it, or the beginning of its id. All of it holds at once, also for pages that
    are open.

    \b
    Example: companion phones away Ben
    """
