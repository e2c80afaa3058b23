"""The bottom row: the keys that matter now, each with what it would do. One widget, drawn at once."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from companion.tui.widgets.panel import Panel

Key = tuple[str, str, str]
"""The key, what it does now, and the action that a click on it runs."""


class KeyBar(Panel[tuple[Key, ...]]):
    """The keys in one row; those that do not fit are left to the help."""

    def draw(self, part: tuple[Key, ...], width: int) -> list[Content]:
        """As many keys as there is room for."""
        row = Content("")
        for key, does, action in part:
            clicks = Style.from_meta({"@click": action}) if action else Style.null()
            piece = Content.assemble((f" {key} ", "bold reverse"), f" {does}  ").stylize(clicks)
            if row.cell_length + piece.cell_length > width + 2:
                break
            row = row + piece
        return [row]
