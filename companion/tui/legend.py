"""The keys that matter at a table now, each with what it would do. Separate from the screen, which only runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from textual.binding import Binding

from companion.games.table import TableView
from companion.session.session import Session
from companion.tui import choosing, words
from companion.tui.choosing import Choice
from companion.tui.widgets.keys import Key

TYPING: Final[tuple[Key, ...]] = (
    ("Enter", "Enter the line", "screen.enter_line"),
    ("Tab", "Complete", "screen.complete"),
    ("↑", "Earlier line", ""),
    ("Esc", "Clear", "screen.clear_line"),
)
"""While something stands in the command bar."""

_BEFORE_HELP = "table.help"


def legend(
    bindings: Iterable[Binding],
    display: Callable[[Binding], str],
    session: Session,
    view: TableView,
    choice: Choice,
    seats: str,
) -> tuple[Key, ...]:
    """What the keys of `bindings` do now, in their order; those that would do nothing are left out.

    `display` gives a key's name, `seats` names the keys that choose a seat now.
    """
    counter = choosing.title(view, choice)
    does_now = {
        "table.undo": words.would_undo(session.undoable()),
        "table.redo": words.would_redo(session.redoable()),
        "table.counter": counter,
        "table.less": "",
        "table.more": f"− {counter}" if counter else "",
    }
    keys: dict[str, Key] = {"screen.answer": ("Enter", words.would_answer(view), "screen.answer")}
    for binding in bindings:
        does = does_now.get(binding.id or "", binding.description)
        action = f"screen.{binding.action}"
        if binding.id == _BEFORE_HELP:
            keys.setdefault("seats", (seats, "Seat", "screen.choose_next(1)"))
        if does:
            keys.setdefault(action, (display(binding), does, action))
    return tuple(keys.values())
