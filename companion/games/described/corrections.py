"""A figure of the score sheet that is put right: it counts since it was entered."""

from __future__ import annotations

from companion.games.described.actions import Enter
from companion.games.described.state import Table
from companion.tabletop.action import Correction
from companion.tabletop.game import Game, PlayedAction


def correct_entry(game: Game, deed: PlayedAction) -> Correction | None:
    """Return what an `enter` puts right on the sheet; None where it writes a figure that was not there."""
    action, before = deed.action, deed.before
    assert isinstance(action, Enter)
    number = action.round or len(before.rows) + 1
    wrong = _entered(before, action, number)
    if wrong in (None, action.figure):
        return None
    right_entry = Enter(action.seat, action.column, action.figure, number)
    return Correction(
        (number, action.seat, action.column),
        lambda table: _entered(table, action, number) == wrong,
        lambda table: game.apply(table, right_entry).state,
    )


def _entered(table: Table, action: Enter, number: int) -> int | None:
    """Return what stands in a row of the sheet for the seat and the column of an action."""
    present = len(table.rows) + 1
    if number > present:
        return None
    row = table.entered if number == present else table.rows[number - 1].entered
    return row.get(action.seat, {}).get(action.column)
