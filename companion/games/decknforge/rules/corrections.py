"""Corrections of a drawn Monster: the Monster that was really flipped takes its place, from the flip on."""

from __future__ import annotations

from companion.games.decknforge.book.state import DungeonTable
from companion.games.decknforge.rules import round_steps
from companion.games.decknforge.rules.actions import Bosses, Refill
from companion.tabletop.action import Action, Correction
from companion.tabletop.evenings import PlayedAction
from companion.tabletop.game import Game
from companion.tabletop.game_corrections import GameCorrections
from companion.tabletop.notation.arguments import Ref


class DungeonCorrections(GameCorrections):
    """The corrections of drawn Monsters."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.display)
        self._game = game

    def own_correction(self, deed: PlayedAction, previous: Action | None) -> Correction | None:  # noqa: ARG002
        """Return the correction of a drawn Monster."""
        return _correct_monster(self._game, deed)

    def round_key(self, state: DungeonTable) -> tuple[int, int]:
        """Return the numbers of the Boss and the round."""
        return state.number, state.round


def _correct_monster(game: Game, deed: PlayedAction) -> Correction | None:
    """Return the correction by a line that replaces the Boss or Minion with another one; None for any other line."""
    before: DungeonTable = deed.before
    after: DungeonTable = deed.after
    match deed.action:
        case Bosses():
            return _another_boss(game, deed) if before.boss is not None and after.boss is not None else None
        case Refill() if round_steps.came_last(before) is not None:
            (gone,) = {minion.ref for minion in before.minions} - {minion.ref for minion in after.minions}
            return _another_minion(game, deed, gone)
    return None


def _another_boss(game: Game, deed: PlayedAction) -> Correction | None:
    boss, number = deed.before.boss, deed.before.number
    if deed.after.boss.ref == boss.ref:
        return None

    def stands(table: DungeonTable) -> bool:
        return table.boss is not None and (table.boss.ref, table.number) == (boss.ref, number)

    return Correction(("boss", number), stands, lambda table: game.apply(table, deed.action).state)


def _another_minion(game: Game, deed: PlayedAction, gone: Ref) -> Correction:
    def stands(table: DungeonTable) -> bool:
        return any(minion.ref == gone for minion in table.minions)

    return Correction(
        ("minion", deed.before.number, deed.before.round), stands, lambda table: game.apply(table, deed.action).state
    )
