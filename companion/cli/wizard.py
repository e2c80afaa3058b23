"""`companion wizard`: the former name of `companion people`."""

from copy import copy

import click

from companion.cli import people


def _named_so(command: click.Command) -> click.Command:
    """Return a copy of a command with the typed name in its help."""
    same = copy(command)
    same.help = (command.help or "").replace("companion people", "companion wizard")
    return same


command = click.Group(
    "wizard",
    help=_named_so(people.command).help,
    commands={name: _named_so(one) for name, one in people.command.commands.items()},
)
