"""The consequences of a line: players and things that are out, and the outcome by the page's rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.games.described.page.conditions import OPERATORS, Condition, parse_condition
from companion.games.described.page.description import RIVAL, SEAT, TEAM
from companion.games.described.rules.amounts import rounds_of
from companion.games.described.rules.context import Context, PageFault, Value, name_of, team_word, value_of
from companion.games.described.rules.effects import leave_with
from companion.games.described.rules.evaluation import Check, check_of
from companion.games.described.rules.plan import OutRule, PagePlan
from companion.games.described.rules.state import (
    DescribedPlayer,
    DescribedTable,
    DescribedTeam,
    NotInPlay,
    Resolution,
    rival_counter,
)
from companion.tabletop.action import RuleError
from companion.tabletop.table.match_result import seats_of_outcome
from templates.languages.messages import Message, Text, all_of, phrase, phrases


def settle_outcome(context: Context) -> None:
    """Update the players and things that are out, then the outcome by the page's rules."""
    plan, resolution = context.plan, context.resolution
    state = resolution.state
    if resolution.settled is not None and not _decides(plan, resolution.settled, state):
        return
    fallen = []
    leads_out = bool(plan.outs[SEAT] or plan.outs[RIVAL] or plan.outs[TEAM])
    for player in state.players:
        is_out = player.conceded or (leads_out and _is_out(context, player))
        if is_out == player.out:
            continue
        resolution.update_player(player.seat, out=is_out, place=0)
        if is_out:
            resolution.tell(phrase("{player} is out of the game.", player=player.name), player.seat, decides=True)
            leave_with(context, player.seat)
            fallen.append(player.seat)
        else:
            resolution.tell(phrase("{player} is in the game again.", player=player.name), player.seat)
    if fallen:
        place = len(resolution.state.playing) + 1
        for seat in fallen:
            resolution.update_player(seat, place=place)
    _remove_lost_things(context)
    verdict = _verdict(context)
    if verdict != resolution.state.verdict:
        resolution.change(verdict=verdict)
        if verdict and verdict != resolution.state.agreed:
            resolution.tell(describe_outcome(plan, resolution.state, verdict), decides=True)
    resolution.settled = resolution.state


def _decides(plan: PagePlan, before: DescribedTable, after: DescribedTable) -> bool:
    """Return True if the changes between two states can decide who is out, or who has won."""
    if before is after:
        return False
    if any(getattr(before, each) is not getattr(after, each) for each in plan.decisive_fields):
        return True
    return bool(plan.page.play.rounds) and before.round != after.round > rounds_of(plan, after)


def _remove_lost_things(context: Context) -> None:
    """Remove the things whose figures say that they leave."""
    plan, resolution = context.plan, context.resolution
    for piece in resolution.state.pieces:
        for rule in plan.outs.get(piece.kind, ()):
            if rule.compare(plan.read(piece.kind, piece.figures, rule.name), _limit_of(context, rule, piece.handle)):
                resolution.remove_pieces((piece.handle,))
                resolution.tell(
                    phrase("{thing} leaves play.", thing=name_of(context, piece)), piece.owner, by_hand=True
                )
                break


def _is_out(context: Context, player: DescribedPlayer) -> bool:
    plan, state = context.plan, context.resolution.state
    for rule in plan.outs[SEAT]:
        if rule.compare(plan.read(SEAT, player.figures, rule.name), _limit_of(context, rule, player.seat)):
            return True
    for rule in plan.outs[RIVAL]:
        limit = _limit_of(context, rule, player.seat)
        values = [player.figures.get(rival_counter(rule.name, rival.seat)) for rival in state.players]
        if any(rule.compare(value, limit) for value in values if value is not None):
            return True
    if player.team and plan.outs[TEAM]:
        figures = state.teams[player.team - 1].figures
        for rule in plan.outs[TEAM]:
            if rule.compare(plan.read(TEAM, figures, rule.name), _limit_of(context, rule, player.seat)):
                return True
    return False


def _limit_of(context: Context, rule: OutRule, target: str) -> Value:
    """Return the value that a figure of a seat or thing is compared with, to see if its owner is out."""
    limit = rule.condition.value
    return limit if isinstance(limit, int) else check_of(context.plan, rule.condition).value.read(context, target)


def describe_outcome(plan: PagePlan, state: DescribedTable, outcome: str) -> Message:
    """Return a sentence that names the winners, or their team if the page gives it a name."""
    match outcome:
        case "draw":
            return phrase("It is a draw.")
        case "win":
            return phrase("Everybody has won together.")
        case "loss":
            return phrase("Everybody has lost together.")
    if team := name_of_winning_team(plan, outcome):
        return phrase("The win goes to {team}.", team=team)
    names = [player.name for player in find_winners(state, outcome)] or [outcome]
    return phrases("{players} has won.", "{players} have won.", n=len(names), players=all_of(names))


def name_of_winning_team(plan: PagePlan, outcome: str) -> Text:
    """Return the name of the team that has won; empty if no team has, or if the page gives the teams no names."""
    titles = enumerate(plan.page.play.team_titles, 1)
    return next((title for number, title in titles if outcome == f"team-{number}"), "")


def find_winners(state: DescribedTable, outcome: str) -> tuple[DescribedPlayer, ...]:
    """Return the winners of an outcome: a seat, several seats joined by `+`, or a team."""
    won = seats_of_outcome(outcome, tuple(player.seat for player in state.players))
    return tuple(player for player in state.players if player.seat in won or outcome == f"team-{player.team}")


def _verdict(context: Context) -> str | None:
    plan, state = context.plan, context.resolution.state
    end = plan.page.end
    if state.round == 0:
        return None
    for key, conditions, outcome in (("all-lose", end.all_lose, "loss"), ("all-win", end.all_win, "win")):
        for number, text in enumerate(conditions, 1):
            try:
                if holds_for_all(context, text):
                    return outcome
            except RuleError as error:
                why = phrase("`{condition}` makes no sense. {why}", condition=text, why=error.message)
                raise PageFault(f"end.{key}[{number}]", why) from None
    return _first_there(context) or _last_left(context) or _most_points(context)


def holds_for_all(context: Context, text: str) -> bool:
    """Return True if a condition under which all win or lose together holds. Raises RuleError if it makes no sense."""
    return _holds(check_of(context.plan, text), context)


def _holds(check: Check, context: Context, subject: str = "") -> bool:
    """Return True if a condition of the end holds. What is not in play has no figure that ends the game."""
    try:
        return check.holds(context, subject)
    except NotInPlay:
        return False


class _Side(NamedTuple):
    """A player, or a team where the page has teams; `target` is the seat or the word of the team."""

    target: str
    players: tuple[DescribedPlayer, ...]


def _sides(plan: PagePlan, state: DescribedTable, players: Iterable[DescribedPlayer]) -> list[_Side]:
    """Return the sides to which players belong, each once. A team has all of its members, including those out."""
    if not plan.page.play.teams:
        return [_Side(player.seat, (player,)) for player in players]
    numbers = dict.fromkeys(player.team for player in players)
    return [
        _Side(team_word(state, number), tuple(player for player in state.players if player.team == number))
        for number in numbers
    ]


def _is_judged_by_side(plan: PagePlan, condition: Condition) -> bool:
    """Return True if a condition compares a figure that a team has as well: its own, or the sum of its members'."""
    if not plan.page.play.teams or condition.owner or condition.op not in OPERATORS:
        return False
    counter = plan.page.counters.get(condition.counter)
    return condition.left is not None or condition.counter in plan.counts or bool(counter and not counter.words)


def _meets(context: Context, condition: Condition, side: _Side) -> bool:
    """Return True if a side meets a condition: a team by its figures, or else one of its members."""
    check = check_of(context.plan, condition)
    if _is_judged_by_side(context.plan, condition):
        return _holds(check, context, side.target)
    return any(_holds(check, context, player.seat) for player in side.players)


def is_played_out(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if all rounds are played, or one of the page's `over` conditions holds, and nobody has won yet."""
    if state.round == 0 or state.outcome or plan.page.end.most or plan.page.end.fewest:
        return False  # with the most or fewest of a counter, the game has an outcome as soon as it is over
    return _is_over(Context(plan, Resolution(state)))


def _is_over(context: Context) -> bool:
    plan, state = context.plan, context.resolution.state
    rounds = rounds_of(plan, state)
    if rounds and state.round > rounds:
        return True
    return any(holds_for_any_side(context, text) for text in plan.overs)


def holds_for_any_side(context: Context, text: str) -> bool:
    """Return True if a condition holds for a player or, where the page has teams, for a team."""
    plan, state = context.plan, context.resolution.state
    if (simple := plan.simple_ends.get(text)) is not None:
        of, counter, compare, limit = simple
        owners: Iterable[DescribedPlayer | DescribedTeam] = state.teams if of == TEAM else state.players
        return any(compare(plan.read(of, owner.figures, counter), limit) for owner in owners)
    condition, check = parse_condition(text), check_of(plan, text)
    if condition.owner:
        return _holds(check, context)
    if not plan.page.play.teams:
        return any(_holds(check, context, player.seat) for player in state.players)
    return any(_meets(context, condition, side) for side in _sides(plan, state, state.players))


def _first_there(context: Context) -> str | None:
    """Return the outcome if a side meets a `win` condition, the first of them that is met. The best of several wins."""
    state = context.resolution.state
    for text in context.plan.wins:
        if not holds_for_any_side(context, text):
            continue
        condition = parse_condition(text)
        won = [side for side in _sides(context.plan, state, state.playing) if _meets(context, condition, side)]
        if won:
            return _outcome_of(state, _best_of_condition(context, condition, won))
    return None


def _best_of_condition(context: Context, condition: Condition, sides: Sequence[_Side]) -> list[DescribedPlayer]:
    """Return the players of the sides with the best figure among those who meet a condition."""
    plan = context.plan
    is_compared = condition.op in OPERATORS and (condition.counter or condition.left is not None)
    if not is_compared or (plan.page.play.teams and not _is_judged_by_side(plan, condition)):
        return [player for side in sides for player in side.players]
    read = check_of(plan, condition).present.read
    figures = [read(context, side.target) for side in sides]
    return _with_best_figure([side.players for side in sides], figures, condition.op in (">", ">="))


def _last_left(context: Context) -> str | None:
    state = context.resolution.state
    if not context.plan.page.end.last_left or len(state.players) < 2:
        return None
    playing = state.playing
    if not playing:
        return _outcome_of(state, [player for player in state.players if player.place == 1])
    sides = {player.team or player.seat for player in playing}
    return _outcome_of(state, playing) if len(sides) == 1 else None


def _most_points(context: Context) -> str | None:
    """Return the outcome by the most or fewest points once the game is over."""
    plan, state, end = context.plan, context.resolution.state, context.plan.page.end
    if not end.deciding or not _is_over(context):
        return None
    best: Sequence[DescribedPlayer] = state.playing
    for counter in end.deciding:
        if len(best) < 2:
            break
        if plan.page.play.teams or counter not in plan.figures[SEAT]:
            sides = _sides(plan, state, best)
            figures = [value_of(context, side.target, counter) for side in sides]
            best = _with_best_figure([side.players for side in sides], figures, bool(end.most))
        else:
            figures = [plan.read(SEAT, player.figures, counter) for player in best]
            best = _with_best_figure([(player,) for player in best], figures, bool(end.most))
    return _outcome_of(state, best)


def _with_best_figure(
    sides: Sequence[Sequence[DescribedPlayer]], figures: Sequence[Value], is_high: bool
) -> list[DescribedPlayer]:
    """Return the players of the sides with the best figure; of all sides if it is a word."""
    numbers = [figure for figure in figures if isinstance(figure, int)]
    if len(numbers) < len(sides) or not sides:
        return [player for side in sides for player in side]
    best = (max if is_high else min)(numbers)
    return [player for side, figure in zip(sides, figures, strict=True) if figure == best for player in side]


def _outcome_of(state: DescribedTable, first: Sequence[DescribedPlayer]) -> str:
    """Return the outcome when these players, each with their team, come first.

    They share the win. If everyone wins, it is a draw.
    """
    sides = {player.team or player.seat for player in first}
    won = [player for player in state.players if (player.team or player.seat) in sides]
    if len(sides) == 1:
        return f"team-{won[0].team}" if won[0].team else won[0].seat
    return "draw" if len(won) in (0, len(state.players)) else "+".join(player.seat for player in won)
