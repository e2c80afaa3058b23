"""Colours of our own, beside those that Textual brings."""

from typing import Final

from textual.theme import Theme

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
