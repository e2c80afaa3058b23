"""Corrections of figures on the score sheet, which count from the time of their first entry."""

from __future__ import annotations

from companion.games.described.page.actions import Enter
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.action import Correction
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game


def correct_entry(game: Game, deed: PlayedAction) -> Correction | None:
    """Return the correction that an `enter` makes; None if the figure is new or unchanged."""
    action, before = deed.action, deed.before
    assert isinstance(action, Enter)
    number = action.round or len(before.rows) + 1
    wrong = _entered_figure(before, action, number)
    if wrong in (None, action.figure):
        return None
    right_entry = Enter(action.seat, action.column, action.figure, number)
    return Correction(
        (number, action.seat, action.column),
        lambda table: _entered_figure(table, action, number) == wrong,
        lambda table: game.apply(table, right_entry).state,
    )


def _entered_figure(table: DescribedTable, action: Enter, number: int) -> int | None:
    """Return the figure in the sheet's row for the seat and column of an action, or None."""
    present = len(table.rows) + 1
    if number > present:
        return None
    row = table.entered if number == present else table.rows[number - 1].entered
    return row.get(action.seat, {}).get(action.column)
