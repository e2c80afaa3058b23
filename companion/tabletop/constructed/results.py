"""The results of games with constructed decks: the decks that were played, and the score of the match."""

from __future__ import annotations

from typing import Any

from companion.tabletop.action import Action
from companion.tabletop.constructed import table
from companion.tabletop.results import GameResults
from companion.tabletop.table.match_result import MatchResult


class ConstructedResults(GameResults):
    """The results of a game with constructed decks."""

    def match_result(self, state: Any) -> MatchResult | None:
        """Return the result with the decks, their players, and the score of the match."""
        result = super().match_result(state)
        return table.match_result(state, result) if result else None

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:
        """Return the next game of an open match, or a new match of the same length; the loser chooses who begins."""
        return tuple(table.rematch_lines(result))
