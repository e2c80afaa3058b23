"""The bottom row: the keys that matter now, each with what it would do. One widget, drawn at once."""

from __future__ import annotations

from textual.content import Content
from textual.style import Style

from companion.tui.widgets.panel import Panel

Key = tuple[str, str, str]
"""The key, what it does now, and the action that a click on it runs."""

_LONGEST = (24, 18, 14)
_BRIEF = (12, 10)
"""Letters of what a key does, from where all keys have room for more down to where no less would say anything."""

_KEPT = 5
"""Keys that stay before the others, even with less to say of each."""

_MORE: Key = ("^P", "More", "app.command_palette")
"""The way to all that can be done here, what has no room in the row included; with the mouse, the only one."""


class KeyBar(Panel[tuple[Key, ...]]):
    """The keys in one row; last comes a list of all that can be done, those that do not fit included."""

    @staticmethod
    def draw(part: tuple[Key, ...], width: int) -> list[Content]:
        """As many keys as there is room for; where it is scarce, each says less, then the last ones are left out."""
        ways = [(len(part), longest) for longest in _LONGEST]
        ways += [(kept, _LONGEST[-1]) for kept in range(len(part) - 1, _KEPT - 1, -1)]
        ways += [(kept, longest) for kept in range(len(part), -1, -1) for longest in (*_LONGEST, *_BRIEF)]
        rows = (_row((*part[:kept], _MORE), longest) for kept, longest in ways)
        # Behind the last key stands a space that nobody misses.
        return [next((row for row in rows if row.cell_length <= width + 1), _row((), 0))]


def _row(keys: tuple[Key, ...], longest: int) -> Content:
    row = Content("")
    for key, does, action in keys:
        clicks = Style.from_meta({"@click": action}) if action else Style.null()
        row = row + Content.assemble((f" {key} ", "bold reverse"), f" {_cut(does, longest)}  ").stylize(clicks)
    return row


def _cut(does: str, longest: int) -> str:
    return does if len(does) <= longest else does[: longest - 1].rstrip() + "…"
