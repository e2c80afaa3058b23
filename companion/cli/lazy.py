"""Groups whose commands are the modules of a package, imported when they are called."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from companion.cli.help_texts import summarize, translate_command, write_commands

_HAS_DOCSTRING: Final = 0x4000000
"""The flag of Python 3.14 and newer for code whose first constant is its docstring (`inspect.CO_HAS_DOCSTRING`)."""


class LazyGroup(click.Group):
    """A group whose commands are the modules of `package`: each has its click command, or a group, as `command`.

    A module's name is the command's, with `-` for `_`, and without the underscore behind a keyword of Python. Names
    that begin with an underscore are shared code. A command is imported when it is called, or its own help is printed;
    a list of commands takes their summaries from the compiled modules without running them.
    """

    def __init__(self, name: str | None = None, *, package: str, **kwargs: Any) -> None:
        self._modules = _find_modules(package)
        # Click lists the names of `commands`, and suggests them for one that does not exist.
        super().__init__(name, [click.Command(each) for each in self._modules], **kwargs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_module(self._modules[cmd_name]).command
        return translate_command(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all commands with the summaries of their docstrings."""
        write_commands([(name, self._summarize(ctx, name)) for name in self.list_commands(ctx)], formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands from their summaries, and options as Click does."""
        names = (name for name in self.list_commands(ctx) if name.startswith(incomplete))
        items = [CompletionItem(name, help=self._summarize(ctx, name)) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def _summarize(self, ctx: click.Context, name: str) -> str:
        """Return the summary of a command in the reader's language."""
        text = _command_docstring(self._modules[name]) if name in self._modules else None
        if text:
            return summarize(text)
        command = self.get_command(ctx, name)
        assert command is not None
        return command.get_short_help_str(sys.maxsize)


def _find_modules(package: str) -> dict[str, str]:
    """Return the modules of a package's commands by the names that users type."""
    names = {
        entry.stem
        for folder in sys.modules[package].__path__
        for entry in Path(folder).iterdir()
        if not entry.name.startswith("_") and (entry.suffix == ".py" or (entry / "__init__.py").is_file())
    }
    return {name.rstrip("_").replace("_", "-"): f"{package}.{name}" for name in names}


def _command_docstring(module: str) -> str | None:
    """Return the docstring of the function `command` of a module that is not run, or None without one."""
    spec = find_spec(module)
    get_code = getattr(spec.loader if spec else None, "get_code", None)
    code = get_code(module) if get_code else None
    for inner in code.co_consts if code else ():
        if isinstance(inner, CodeType) and inner.co_name == "command":
            first = inner.co_consts[0] if inner.co_consts else None
            if isinstance(first, str) and (sys.version_info < (3, 14) or inner.co_flags & _HAS_DOCSTRING):
                return first
    return None
