"""Short sentences about a session for the command bar and the keys: what Enter would do, what undo would take back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.action import Tell
from companion.games.table import TableView
from companion.session.log import Moment
from companion.tui import asking


def invitation(view: TableView) -> str:
    """What the empty command bar asks for."""
    asked = asking.due(view)
    if not asked:
        return "type a line, or ? for help"
    row = asking.together(view)
    if len(row) > 1:
        names = {seat.seat: seat.name for seat in view.seats}
        who = ", ".join(names.get(prompt.seat, prompt.seat) for prompt in row)
        return f"one {row[0].wants.lower()} each, in this order: {who}"
    if asked[0].wants:
        return f"{asked[0].line} {asked[0].wants}"
    return f"Enter: {asked[0].line}"


def would_answer(view: TableView) -> str:
    """What Enter does, in few words."""
    asked = asking.due(view)
    return asked[0].line if asked else ""


def would_undo(moments: Sequence[Moment]) -> str:
    """What `u` takes back."""
    return f"Undo {_in_short(moments[::-1])}" if moments else ""


def would_redo(moments: Sequence[Moment]) -> str:
    """What `r` does again."""
    return f"Redo {_in_short(moments)}" if moments else ""


def _in_short(moments: Sequence[Moment]) -> str:
    return moments[0].text if len(moments) == 1 else f"{len(moments)} lines"


def lines(moments: Iterable[Moment]) -> str:
    """The lines of an intention."""
    return ", ".join(moment.text for moment in moments)


def sentences(tells: Iterable[Tell]) -> str:
    """What happened, in one go."""
    return "  ".join(tell.text for tell in tells)
