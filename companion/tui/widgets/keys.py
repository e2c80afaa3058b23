"""The bottom row: the keys that matter now, each with what it would do. One widget, drawn at once."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from companion.tui.widgets.panel import Panel

Key = tuple[str, str, str]
"""The key, what it does now, and the action that a click on it runs."""

_LONGEST = (24, 18, 14, 11)

_MORE: Key = ("^P", "More", "app.command_palette")
"""The way to the keys that do not fit; with the mouse, the only one."""


class KeyBar(Panel[tuple[Key, ...]]):
    """The keys in one row; those that do not fit are left to a list of all that can be done."""

    @staticmethod
    def draw(part: tuple[Key, ...], width: int) -> list[Content]:
        """As many keys as there is room for; where it is scarce, each says less, then one leads to the last ones."""
        for longest in _LONGEST:
            row = _row(part, longest)
            if row.cell_length <= width + 1:
                return [row]
        while part and row.cell_length > width + 1:
            part = part[:-1]
            row = _row((*part, _MORE), longest)
        return [row]


def _row(keys: tuple[Key, ...], longest: int) -> Content:
    row = Content("")
    for key, does, action in keys:
        clicks = Style.from_meta({"@click": action}) if action else Style.null()
        row = row + Content.assemble((f" {key} ", "bold reverse"), f" {_cut(does, longest)}  ").stylize(clicks)
    return row


def _cut(does: str, longest: int) -> str:
    return does if len(does) <= longest else does[: longest - 1].rstrip() + "…"
