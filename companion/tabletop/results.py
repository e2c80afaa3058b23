"""The results of a game: who won, the final figures that are kept, and the lines that a rematch repeats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.tabletop.action import Action
from companion.tabletop.table.display import Display
from companion.tabletop.table.match_result import Contender, MatchResult, Ranking, result_of_seat


class GameResults:
    """The results of a game, from its display. Every method is pure.

    This class is for games whose outcome is a seat, and ranks the players alone.
    """

    def __init__(self, display: Display[Any, Any], final_counters: Sequence[str] = ()) -> None:
        self.display = display
        self._final_counters = final_counters

    def match_result(self, state: Any) -> MatchResult | None:
        """Return the result of a game as permanent facts; None as long as it goes on."""
        outcome = state.outcome
        if not outcome:
            return None
        people = self.display.people(state)
        seats = tuple(person.seat for person in people)
        players = (
            Contender(
                person.seat,
                person.name,
                result_of_seat(outcome, person.seat, seats),
                final=self.final_figures(state, person.seat),
            )
            for person in people
        )
        return MatchResult(outcome, tuple(players), self.display.current_count(state) or 0)

    def final_figures(self, state: Any, seat: str) -> dict[str, int]:
        """Return the figures of a seat that are kept after the game, by the words of its counters."""
        counters = {counter.name: counter.number for counter in self.display.counters_of(state, seat) or ()}
        return {name: number for name in self._final_counters if (number := counters.get(name)) is not None}

    def ranking(self, rules: Mapping[str, str]) -> Ranking | None:  # noqa: ARG002 – used by overrides
        """Return the counter that ranks players when a game is over, given the house rules that differ from the book.

        None if only the outcome ranks them.
        """
        return None

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:  # noqa: ARG002 – used by overrides
        """Return the lines that a rematch repeats after its seats: the score, and the seat that chooses who begins."""
        return ()
