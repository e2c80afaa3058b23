"""The results of a described game: a team, or all players together, may win, and a counter may rank them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from companion.games.described.page.description import Description
from companion.games.described.rules import outcomes
from companion.games.described.rules.places import places_of, ranking_of
from companion.games.described.rules.plan import PagePlan, with_rules
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.action import Action
from companion.tabletop.constructed import table
from companion.tabletop.results import GameResults
from companion.tabletop.table.display import Display
from companion.tabletop.table.match_result import Contender, MatchResult, Ranking, Result

_TOGETHER: Final[Mapping[str, Result]] = {"draw": "draw", "win": "won", "loss": "lost"}


class PageResults(GameResults):
    """The results of a described game; `plan` returns its page under the house rules of a table."""

    def __init__(
        self,
        display: Display[Any, Any],
        final_counters: Sequence[str],
        description: Description,
        plan: Callable[[DescribedTable], PagePlan],
    ) -> None:
        super().__init__(display, final_counters)
        self._description = description
        self._plan = plan

    def match_result(self, state: DescribedTable) -> MatchResult | None:
        """Return the result for each seat. A team, or all players together, may win."""
        outcome = state.outcome
        if not outcome:
            return None
        plan = self._plan(state)
        won = {player.seat for player in outcomes.find_winners(state, outcome)}
        places = places_of(plan, state)
        everybody = _TOGETHER.get(outcome)
        players = tuple(
            Contender(
                player.seat,
                player.name,
                everybody or ("won" if player.seat in won else "lost"),
                final=self.final_figures(state, player.seat),
                place=places.get(player.seat, 0),
            )
            for player in state.players
        )
        result = table.match_result(state, MatchResult(outcome, players, state.turn))
        return msgspec.structs.replace(result, first="") if plan.together else result

    def ranking(self, rules: Mapping[str, str]) -> Ranking | None:
        """Return the counter by which the page ranks players under house rules."""
        return ranking_of(with_rules(self._description, rules))

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:
        """Return the lines of the next game of a match that goes on, or of a new match of the same length."""
        return tuple(table.rematch_lines(result)) if len(result.players) == 2 else ()
