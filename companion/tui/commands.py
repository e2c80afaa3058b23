"""The list of all commands, in the order in which they are needed and not by their names. Loaded when it is opened."""

from __future__ import annotations

from textual.command import DiscoveryHit, Hits
from textual.system_commands import SystemCommandsProvider


class Commands(SystemCommandsProvider):
    """See `textual.command.Provider`. What is typed is searched for as Textual does."""

    async def discover(self) -> Hits:
        """As the app tells them: first the keys of the screen, those that are pressed most before the others."""
        for name, told, run, is_shown in self.app.get_system_commands(self.screen):
            if is_shown:
                yield DiscoveryHit(name, run, help=told)
