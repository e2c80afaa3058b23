"""The list of all commands, in the order in which they are needed and not by their names. Loaded when it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from textual.app import App
from textual.binding import Binding
from textual.command import DiscoveryHit, Hits
from textual.dom import DOMNode
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider

_ARROWS: Final = frozenset({"up", "down", "left", "right"})
"""Keys that only lead about on a screen: no list of all that can be done needs them."""


class Commands(SystemCommandsProvider):
    """See `textual.command.Provider`. What is typed is searched for as Textual does."""

    async def discover(self) -> Hits:
        """As the app tells them: first the keys of the screen, those that are pressed most before the others."""
        for name, told, run, is_shown in self.app.get_system_commands(self.screen):
            if is_shown:
                yield DiscoveryHit(name, run, help=told)


def keys(screen: Screen[Any], app: App[Any]) -> Iterator[tuple[Binding, DOMNode]]:
    """Everything that a key does on a screen but to end the program, and whose key it is."""
    told = {"app.quit"}
    # By class and not by key: keys that a widget takes first are there, too, and so are those with other keys.
    for node in (screen, *screen.query("CommandBar"), app):
        for binding in (b for kind in type(node).__mro__ for b in kind.__dict__.get("BINDINGS", ())):
            if not isinstance(binding, Binding) or binding.key in _ARROWS:
                continue
            if binding.id and binding.id not in told:
                told.add(binding.id)
                yield binding, node
