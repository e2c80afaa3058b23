"""`companion wizard`: the former name of `companion people`."""

from copy import copy

import click

from companion.cli.commands import people
from companion.cli.lazy import LazyGroup


class FormerName(LazyGroup):
    """The commands of a group, with the typed name in their help."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        return command and _rename(command)


def _rename(command: click.Command) -> click.Command:
    same = copy(command)
    same.help = (command.help or "").replace("companion people", "companion wizard")
    return same


command = FormerName("wizard", help=_rename(people.command).help, package=people.__name__)
