"""The colours of the program: those that Textual brings and one of our own, kept over restarts."""

from __future__ import annotations

import asyncio
from typing import Final

from textual.app import App
from textual.theme import Theme

from companion.tui import settings

CONTRAST: Final = Theme(
    name="high-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    accent="#00ffff",
    warning="#ffff00",
    error="#ff8080",
    success="#80ff80",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#202020",
)
"""For bright rooms and tired eyes; the command palette has it beside Textual's dark and light themes."""


class Themes:
    """What an app wears: the theme that was chosen last, wherever that was."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        app.register_theme(CONTRAST)
        self.wear(settings.read().theme)

    def wear(self, theme: str) -> None:
        """Put on a theme, if there is one of that name."""
        if theme in self._app.available_themes:
            self._app.theme = theme

    def wear_soon(self, theme: str) -> None:
        """The same, asked for in a thread."""
        self._app.call_from_thread(self.wear, theme)

    def keep_what_is_chosen(self) -> None:
        """From now on, a theme that somebody chooses is there again next time."""
        self._app.theme_changed_signal.subscribe(self._app, self._chosen)

    def _chosen(self, theme: Theme) -> None:
        self._app.run_worker(asyncio.to_thread(self._keep, theme.name), name="keep the theme")

    def _keep(self, theme: str) -> None:
        try:
            settings.change(theme=theme)
        except OSError as error:
            told = f"The theme cannot be kept: {error}."
            self._app.call_from_thread(self._app.notify, told, severity="warning", markup=False)
