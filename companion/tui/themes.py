"""The themes: their colours, the variables that complete every theme, and the default theme of a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rich.console import Console
from textual.color import Color
from textual.theme import Theme

from companion.forms import settings
from companion.tui.legible import Looks, raise_contrast
from templates.languages.messages import Message, phrase, phrase_in

if TYPE_CHECKING:
    from textual.app import App

AA: Final = 4.5
"""The minimum contrast of text for WCAG 2.2, level AA."""
AAA: Final = 7.0
"""The minimum contrast for level AAA."""

THEME_TITLES: Final[Mapping[str, Message]] = {
    "dark": phrase_in("theme", "dark"),
    "light": phrase_in("theme", "light"),
    "high-contrast": phrase_in("theme", "high contrast"),
    "256-colours": phrase_in("theme", "256 colours"),
    "16-colours": phrase_in("theme", "16 colours"),
}
"""The titles of the program's own themes; others have proper names."""

DARK: Final = Theme(
    name="dark",
    primary="#5b8fd6",
    secondary="#8a93a6",
    accent="#7ab8ff",
    warning="#e8b44f",
    error="#ff7f78",
    success="#86c98a",
    foreground="#d3d7df",
    background="#14161b",
    surface="#1a1d24",
    panel="#20242d",
    variables={
        "text-strong": "#ffffff",
        "text-figure": "#f1ead8",
        "text-muted": "#9aa2b1",
        "chosen": "#24364f",
        "line": "#3a4150",
        "suit-red": "#ff8078",
    },
)
LIGHT: Final = Theme(
    name="light",
    dark=False,
    primary="#2a5fa8",
    secondary="#5a6272",
    accent="#0b57a8",
    warning="#865000",
    error="#b3261e",
    success="#1c6b36",
    foreground="#2a2e36",
    background="#fbfaf6",
    surface="#f4f2ec",
    panel="#eae7de",
    variables={
        "text-strong": "#000000",
        "text-figure": "#14171c",
        "text-muted": "#565d69",
        "chosen": "#d3e3f6",
        "line": "#c3bfb2",
        "suit-red": "#b3261e",
    },
)
CONTRAST: Final = Theme(
    name="high-contrast",
    primary="#ffff00",
    secondary="#00ffff",
    accent="#00ffff",
    warning="#ffff00",
    error="#ff8f8f",
    success="#80ff80",
    foreground="#f2f2f2",
    background="#000000",
    surface="#000000",
    panel="#181818",
    variables={
        "text-strong": "#ffffff",
        "text-figure": "#fffbe0",
        "text-muted": "#cfcfcf",
        "chosen": "#002238",
        "line": "#8c8c8c",
        "suit-red": "#ff8f8f",
    },
)
"""A theme for bright rooms and tired eyes."""

COLOURS_256: Final = Theme(
    name="256-colours",
    primary="#5f87d7",
    secondary="#87afaf",
    accent="#87d7ff",
    warning="#ffd75f",
    error="#ff8787",
    success="#87d787",
    foreground="#d0d0d0",
    background="#121212",
    surface="#1c1c1c",
    panel="#262626",
    variables={
        "text-strong": "#ffffff",
        "text-figure": "#ffffd7",
        "text-muted": "#a8a8a8",
        "chosen": "#00005f",
        "line": "#585858",
        "suit-red": "#ff8787",
    },
)
"""A theme of colours that terminals with 256 colours have exactly."""

COLOURS_16: Final = Theme(
    name="16-colours",
    primary="#55ffff",
    secondary="#aaaaaa",
    accent="#55ffff",
    warning="#ffff55",
    error="#ff5555",
    success="#55ff55",
    foreground="#aaaaaa",
    background="#000000",
    surface="#000000",
    panel="#000000",
    variables={
        "text-strong": "#ffffff",
        "text-figure": "#ffffff",
        "text-muted": "#aaaaaa",
        "chosen": "#ffffff",
        "chosen-bar": "#00aaaa",
        "line": "#555555",
        "suit-red": "#ff5555",
    },
)
"""A theme of the sixteen colours that every terminal has. The chosen row is black on white."""

OWN: Final = (DARK, LIGHT, CONTRAST, COLOURS_256, COLOURS_16)
"""This program's own themes, beside Textual's."""

_LIMITED: Final = {COLOURS_256.name: 256, COLOURS_16.name: 16}
_BY_COLOURS: Final[Mapping[str | None, Theme]] = {"truecolor": DARK, "256": COLOURS_256}


def theme_for(console: Console) -> Theme:
    """Return the theme for the colours that a terminal reports (`COLORTERM`, `TERM`)."""
    return _BY_COLOURS.get(console.color_system, COLOURS_16)


def complete_variables(theme: Theme, variables: Mapping[str, str]) -> dict[str, str]:
    """Return a theme's variables with those that all stylesheets here need, each a plain colour.

    In every theme names are the brightest text, then figures, then the rest, and all text is readable on every
    background.
    """
    own = theme.variables
    background, accent = _colour(variables["background"], "#000000"), _colour(variables["accent"], "#5555ff")
    foreground = background + _colour(variables["foreground"], "#808080")
    strong = _colour(own.get("text-strong", "#ffffff" if theme.dark else "#000000"), "#ffffff")
    chosen = _colour(own.get("chosen", background.blend(accent, 0.25).hex6), "#000000")
    grounds = [background, *(background + _colour(variables[name], background.hex6) for name in ("surface", "panel"))]
    # The sixteen have no two backgrounds on which all of them are readable: there, the chosen row is inverted.
    grounds += [] if theme.name == COLOURS_16.name else [chosen]
    least = AAA if theme.name == CONTRAST.name else AA

    def readable(name: str, usual: Color) -> str:
        colour = background + _colour(own.get(name, usual.hex), usual.hex6)
        for ground in grounds:
            colour = raise_contrast(colour, ground, least)
        return colour.hex6

    colours = {
        "text": readable("text", foreground),
        "text-strong": readable("text-strong", strong),
        "text-figure": readable("text-figure", foreground.blend(strong, 0.6)),
        "text-muted": readable("text-muted", background.blend(foreground, 0.7)),
        "suit-red": readable("suit-red", Color.parse("#ff8078" if theme.dark else "#b3261e")),
        **{
            f"text-{name}": readable(name, background + _colour(variables[name], foreground.hex6))
            for name in ("primary", "secondary", "accent", "warning", "error", "success")
        },
        "chosen": chosen.hex6,
        "line": own.get("line", background.blend(foreground, 0.3).hex6),
    }
    bar = own.get("chosen-bar", colours["text-accent"])
    return {
        **variables,
        **colours,
        "chosen-bar": bar,
        "text-disabled": colours["text-muted"],
        "foreground-muted": colours["text-muted"],
        "foreground-disabled": colours["text-muted"],
        "block-cursor-foreground": colours["text-strong"],
        "block-cursor-background": chosen.hex6,
        "block-cursor-text-style": "none",
        "block-cursor-blurred-foreground": colours["text-strong"],
        "block-cursor-blurred-background": chosen.hex6,
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": variables["panel"],
        "border": colours["text-accent"],
        "border-blurred": colours["line"],
        "scrollbar": colours["line"],
        "scrollbar-hover": colours["text-muted"],
        "scrollbar-active": colours["text-accent"],
        "scrollbar-background": background.hex6,
        "scrollbar-background-hover": background.hex6,
        "scrollbar-background-active": background.hex6,
        "scrollbar-corner-color": background.hex6,
        "input-cursor-background": colours["text-strong"],
        "input-cursor-foreground": background.hex6,
        "input-selection-background": chosen.hex6,
        "input-selection-foreground": colours["text-strong"],
        "screen-selection-background": chosen.hex6,
        "link-style": "none",
        "link-color": colours["text"],
        "link-style-hover": "underline",
        "link-color-hover": colours["text-strong"],
        "link-background-hover": "transparent",
    }


def _colour(text: str, usual: str) -> Color:
    """Parse a colour of a theme; return `usual` for one that only the terminal knows."""
    colour = Color.parse(text)
    return Color.parse(usual) if colour.ansi is not None or colour.a == 0 else colour


def looks_of(theme: Theme, variables: Mapping[str, str]) -> Looks:
    """Return the settings of a theme that apply to all text."""
    chosen = "" if theme.name != COLOURS_16.name else variables["chosen"]
    return Looks(
        AAA if theme.name == CONTRAST.name else AA, variables["suit-red"], _LIMITED.get(theme.name, 0), inverse=chosen
    )


class Themes:
    """The theme of an app: the one that was chosen last, on any screen, else one that suits the terminal."""

    def __init__(self, app: App[None]) -> None:
        self._app = app
        for theme in OWN:
            app.register_theme(theme)
        # The contrast of colours that only the terminal knows cannot be computed.
        for theme in list(app.available_themes.values()):
            if theme.ansi:
                app.unregister_theme(theme.name)
        app.theme = theme_for(app.console).name
        self.apply(settings.read_settings().theme)

    def apply(self, theme: str) -> None:
        """Apply a theme, if there is one of that name."""
        if theme in self._app.available_themes:
            self._app.theme = theme

    def apply_from_thread(self, theme: str) -> None:
        """Apply a theme from a thread."""
        self._app.call_from_thread(self.apply, theme)

    def keep_choices(self) -> None:
        """Store each theme that the user chooses from now on."""
        self._app.theme_changed_signal.subscribe(self._app, self._on_theme_changed)

    def _on_theme_changed(self, theme: Theme) -> None:
        self._app.run_worker(asyncio.to_thread(self._keep, theme.name), name="keep the theme")

    def _keep(self, theme: str) -> None:
        try:
            settings.change(theme=theme)
        except settings.NotKept as error:
            message = phrase("The theme cannot be saved: {reason}.", reason=str(error))
            self._app.call_from_thread(self._app.notify, str(message), severity="warning", markup=False)
