"""The base of the screens with one field for all typed text, and a status line below it."""

from __future__ import annotations

from typing import TypeVar

from textual import getters
from textual.widgets import Input

from companion.tui.screens.base import StatusLineScreen, TypingScreen
from companion.tui.screens.help import Help

R = TypeVar("R")


class BoxScreen(TypingScreen[R], StatusLineScreen[R]):
    """A screen with a field `#box` and a status line."""

    box = getters.query_one("#box", Input)

    @property
    def field(self) -> Input:
        """The only input field."""
        return self.box

    async def action_back(self) -> None:
        """Clear the field; if it is empty, leave the screen."""
        if self.box.value:
            self.box.value = ""
        else:
            self.dismiss()

    def action_help(self) -> None:
        """Show the keys of this screen."""
        self.app.push_screen(Help(self.active_bindings))
