"""Corrections of figures on the score sheet, which count from the time of their first entry."""

from __future__ import annotations

from companion.games.described.page.actions import Enter
from companion.games.described.rules.score_sheet import row_of_entry
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.action import Action, Correction
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.game_corrections import GameCorrections


class PageCorrections(GameCorrections):
    """The corrections of entries on the score sheet."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.display)
        self._game = game

    def own_correction(self, deed: PlayedAction, previous: Action | None) -> Correction | None:  # noqa: ARG002
        """Return the correction of an entry on the score sheet."""
        return _correct_entry(self._game, deed) if isinstance(deed.action, Enter) else None

    def adds_are_play(self, state: DescribedTable) -> bool:  # noqa: ARG002 – on every page
        """Return True: with `add`, players report the changes that a page leaves to them."""
        return True


def _correct_entry(game: Game, deed: PlayedAction) -> Correction | None:
    """Return the correction that an `enter` makes; None if the figure is new or unchanged."""
    action, before = deed.action, deed.before
    assert isinstance(action, Enter)
    number = row_of_entry(before, action)
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
    team = table.player(action.seat).team if table.is_seat(action.seat) else 0
    entries = row.get(action.seat) or (row.get(table.teams[team - 1].word) if team else None)
    return entries.get(action.column) if entries else None
