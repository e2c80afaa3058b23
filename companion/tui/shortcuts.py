"""What keys do at a table now: Enter on the empty command bar, and the keys of the bottom row. The screen runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from textual.binding import Binding

from companion.games.table import TableView
from companion.session.asked import due, together
from companion.session.sitting import Sitting
from companion.tui.widgets.keys import Key

TYPING: Final[tuple[Key, ...]] = (
    ("Enter", "Enter the line", "screen.enter_line"),
    ("Tab", "Complete", "screen.complete"),
    ("↑", "Earlier line", ""),
    ("Esc", "Clear", "screen.clear_line"),
)
"""While something stands in the command bar."""

_BEFORE_HELP = "table.help"


def invitation(view: TableView) -> str:
    """What stands in the empty command bar: what it asks for, or what Enter would do."""
    prompts = due(view)
    if not prompts:
        return "type a line, or ? for help"
    row = together(view)
    if len(row) > 1:
        names = {seat.seat: seat.name for seat in view.seats}
        who = ", ".join(names.get(prompt.seat, prompt.seat) for prompt in row)
        return f"one {row[0].wants.lower()} each, in this order: {who}"
    first = prompts[0]
    return f"{first.line} {first.wants}" if first.wants else f"Enter: {first.line}"


def shortcuts(
    bindings: Iterable[Binding], display: Callable[[Binding], str], sitting: Sitting, seats: str
) -> tuple[Key, ...]:
    """What the keys of `bindings` do now, in their order; those that would do nothing are left out.

    `display` gives a key's name, `seats` names the keys that choose a seat now.
    """
    does_now = _does_now(sitting)
    first = due(sitting.view)[:1]
    keys: dict[str, Key] = {"screen.answer": ("Enter", first[0].line if first else "", "screen.answer")}
    for binding in bindings:
        does = does_now.get(binding.id or "", binding.description)
        action = f"screen.{binding.action}"
        if binding.id == _BEFORE_HELP:
            keys.setdefault("seats", (seats, "Seat", "screen.choose_next(1)"))
        if does:
            keys.setdefault(action, (display(binding), does, action))
    return tuple(keys.values())


def _does_now(sitting: Sitting) -> dict[str, str]:
    """What depends on the table, by the ids of the keys; "" for what would do nothing."""
    undo, redo, counter = sitting.would_undo(), sitting.would_redo(), sitting.selection.title
    return {
        "table.undo": f"Undo {undo}" if undo else "",
        "table.redo": f"Redo {redo}" if redo else "",
        "table.counter": counter,
        "table.less": "",
        "table.more": f"− {counter}" if counter else "",
    }
