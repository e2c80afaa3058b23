"""`companion labels design`: the user's own designs, to begin with an example, and to preview and check one."""

from __future__ import annotations

import click

from companion.cli.lazy import LazyGroup


@click.group("design", cls=LazyGroup, package=__name__)
def command() -> None:
    """Manage label designs: the layout of labels that are filled from a table.

    A design is a TOML file; docs/own-labels.md explains one.

    \b
    Example: companion labels design example badge
    """
