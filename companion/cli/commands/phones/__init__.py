"""`companion phones`: the phones that were admitted to the pages, and their permissions."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("phones", cls=LazyGroup, package=__name__)
def command() -> None:
    """List the phones that are logged in to the pages of companion serve, and set what they may do.

    PHONE is the name that was typed on the phone, or the beginning of its id. Changes take effect at once, also on
    pages that are open.

    \b
    Example: companion phones away Ben
    """
