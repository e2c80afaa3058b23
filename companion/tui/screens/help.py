"""All keys of a screen, and all lines that can be typed at a table, each with how it is written and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from companion.games.notation import Notation
from companion.tui.fault_tolerant import FaultTolerant

_COLUMN = 14


class Help(FaultTolerant, ModalScreen[None]):
    """A page to scroll through; any of its keys closes it."""

    CSS_PATH = "help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1,enter", "dismiss", "Close", id="help.close", tooltip="Back"),
    ]

    def __init__(
        self, bindings: Mapping[str, ActiveBinding], notation: Notation | None = None, credit: str = ""
    ) -> None:
        super().__init__()
        self._active = tuple(bindings.values())
        self._notation = notation
        self._credit = credit

    def compose(self) -> ComposeResult:
        """The keys, then the lines."""
        page = VerticalScroll(Static(Content("\n").join(self._rows())), id="page")
        page.border_title = "Help"
        page.border_subtitle = "↑ ↓ scroll · Esc closes"
        yield page

    def on_mount(self) -> None:
        """Arrow keys scroll at once."""
        self.query_one("#page").focus()

    def _rows(self) -> list[Content]:
        rows = [Content.styled("Keys", "bold underline"), Content("")]
        told: dict[str, list[str]] = {}
        for active in sorted(self._active, key=lambda active: not isinstance(active.node, Screen)):
            if active.tooltip and not active.binding.key.isdecimal():
                told.setdefault(active.tooltip, []).append(self.app.get_key_display(active.binding))
        rows += [_row(", ".join(keys), tip) for tip, keys in told.items()]
        rows += [_row("", f"Other keys, if you like, by {_own_keys()}")]
        if self._notation is None:
            return rows
        rows += [
            _row("Enter", "On the empty line: answer the first prompt; Tab shows its other answers"),
            _row("1 … 9, 0", "Choose a seat, or what lies in the middle; where a card is asked for, ← and → do"),
            _row("2-7 cellar", "Seat 2 loses 7, and why; the same as a text"),
            _row(": or /", "Type, where the first letter would be a key: :label, :note"),
            _row("9s qh 6c", "Where each seat is asked for a card: all cards in one go"),
            Content(""),
            Content.styled("Lines", "bold underline"),
            Content(""),
        ]
        for verb in self._notation.verbs:
            rows.append(Content.styled(self._notation.usage(verb), "bold"))
            rows.append(Content(f"    {self._notation.help(verb)}"))
        return [*rows, Content(""), Content(self._credit)]


def _own_keys() -> Path:
    # Who reads that file knows all screens, this one among them.
    from companion.tui import keymap

    return keymap.place()


def _row(key: str, tip: str) -> Content:
    return Content.assemble((f"{key:<{_COLUMN}}", "bold"), tip)
