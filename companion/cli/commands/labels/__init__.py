"""`companion labels`: sheets of labels and whole pages as PDF, ready for the printer."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("labels", cls=LazyGroup, package=__name__)
def command() -> None:
    """Print labels for cards and boxes, and pages for the table.

    \b
    Example: companion labels starter -o starter.pdf
    """
