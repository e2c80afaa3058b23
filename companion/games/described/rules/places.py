"""The final places of a described game: winners, then the others by the deciding counter, then the players out."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.described.page.conditions import parse_condition
from companion.games.described.page.description import SEAT, TEAM, Description
from companion.games.described.rules import outcomes
from companion.games.described.rules.context import Context, team_word, value_of
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, Resolution
from companion.tabletop.table.match_result import Ranking


def ranking_of(page: Description) -> Ranking | None:
    """Return the counter by which a page ranks players at the end of the game; None if only the outcome ranks them."""
    end = page.end
    if end.deciding:
        deciding = page.counters.get(end.deciding[0])
        is_word = deciding is not None and bool(deciding.words)
        return None if is_word else Ranking(end.deciding[0], lowest_wins=not end.most)
    if len(end.wins) != 1:
        return None
    condition = parse_condition(end.wins[0])
    counter = page.counters.get(condition.counter)
    is_figure = counter is not None and counter.of in (SEAT, TEAM) and not counter.words
    return Ranking(condition.counter, condition.op in ("<", "<=")) if is_figure else None


def places_of(plan: PagePlan, state: DescribedTable) -> Mapping[str, int]:
    """Return the place of each seat, 1 for the first and shared in a tie; empty if all play together.

    After the winners come the players still in the game, by the counter that ranks them. Then come the players who are
    out; the first to fall is the last. A team has the place of its best player, by its own figure or the sum of its
    members' figures.
    """
    outcome = state.outcome or ""
    if outcome in ("win", "loss"):
        return {}
    if outcome == "draw":
        return {player.seat: 1 for player in state.players}
    ranking = ranking_of(plan.page)
    won = outcomes.find_winners(state, outcome)

    context = Context(plan, Resolution(state))

    counters = (plan.page.end.deciding or (ranking.counter,)) if ranking else ()

    def merit(player: DescribedPlayer) -> tuple[bool, int, tuple[int, ...]]:
        side = team_word(state, player.team) if player.team else player.seat
        figures = (value_of(context, side, counter) for counter in counters)
        ranks = (figure if type(figure) is int else 0 for figure in figures)
        return player in won, -player.place, tuple(-rank if ranking and ranking.lowest_wins else rank for rank in ranks)

    best: dict[int | str, tuple[bool, int, tuple[int, ...]]] = {}
    for player in state.players:
        side = player.team or player.seat
        best[side] = max(best.get(side, merit(player)), merit(player))
    merits = {player.seat: best[player.team or player.seat] for player in state.players}
    return {seat: 1 + sum(other > own for other in merits.values()) for seat, own in merits.items()}
