"""The base of the screens with one field for all typed text, and a status line below it."""

from __future__ import annotations

from typing import TypeVar

from textual import getters
from textual.widgets import Input

from companion.tui.screens.base import TypingScreen
from companion.tui.screens.help import Help
from companion.tui.widgets.bars import Status, StatusLine

R = TypeVar("R")


class BoxScreen(TypingScreen[R]):
    """A screen with a field `#box` and a status line."""

    box = getters.query_one("#box", Input)
    status_line = getters.query_one(StatusLine)

    @property
    def field(self) -> Input:
        """The only input field."""
        return self.box

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Show a message below the field."""
        self.status_line.show(Status(text, "wrong" if wrong else "told"))

    async def action_back(self) -> None:
        """Clear the field; if it is empty, leave the screen."""
        if self.box.value:
            self.box.value = ""
        else:
            self.dismiss()

    def action_help(self) -> None:
        """Show the keys of this screen."""
        self.app.push_screen(Help(self.active_bindings))
