"""`companion wizard`: another name for `companion people`, which was called so before."""

from copy import copy

import click

from companion.cli import people


def _named_so(command: click.Command) -> click.Command:
    """The same command, whose help says it as it was typed."""
    same = copy(command)
    same.help = (command.help or "").replace("companion people", "companion wizard")
    return same


command = click.Group(
    "wizard",
    help=_named_so(people.command).help,
    commands={name: _named_so(one) for name, one in people.command.commands.items()},
)
