"""The ends of a game on a page: those that hold at a table, and the figures that lead to them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.described.page.amounts import names_in
from companion.games.described.page.conditions import Condition, parse_condition
from companion.games.described.page.description import SEAT, TABLE, TEAM, CounterDefinition, End
from companion.games.described.rules import outcomes
from companion.games.described.rules.context import Context, bearer_of
from companion.games.described.rules.evaluation import check_of
from companion.games.described.rules.plan import PagePlan, owner_of
from companion.games.described.rules.state import DescribedTable, Resolution
from companion.tabletop.action import RuleError


def figure_goals(plan: PagePlan, state: DescribedTable) -> Iterator[tuple[str, str, int, int]]:
    """Yield the figures that end the game or put a player out: owner, counter, value to reach, present value."""
    end, context = plan.page.end, Context(plan, Resolution(state))
    seats = [player.seat for player in state.playing]
    for text in (*end.wins, *end.overs, *end.all_win, *end.all_lose):
        condition = parse_condition(text)
        for target in [TABLE] if condition.owner == TABLE else seats:
            yield from _figure_goal(context, condition, target)
    for of in (SEAT, TEAM):
        for name, _, condition in plan.outs[of]:
            for target in seats:
                yield from _figure_goal(context, condition._replace(counter=name), target)


def _figure_goal(context: Context, condition: Condition, target: str) -> Iterator[tuple[str, str, int, int]]:
    """Yield a figure by which an owner can come to meet a condition."""
    plan = context.plan
    names = (name.word for name in names_in(condition.left)) if condition.left is not None else (condition.counter,)
    check = check_of(plan, condition)
    try:
        present, goal = check.present.read(context, target), check.value.read(context, target)
    except RuleError:
        return
    counter = next((name for name in names if name in plan.page.counters), "")
    if not counter or not isinstance(present, int) or not isinstance(goal, int):
        return
    thing = bearer_of(context, target, counter)
    of = owner_of(thing)
    figure = plan.figures[of].get(counter)
    name = figure.sum[0] if isinstance(figure, CounterDefinition) and figure.sum else counter
    now = thing.figures.get(name)
    if isinstance(now, int) and not isinstance(now, bool) and name in plan.given[of]:
        yield target, name, (goal if condition.left is None else now + goal - present), now


def ends_there(plan: PagePlan, state: DescribedTable) -> Iterator[str]:
    """Yield the places on the page of the ends that hold at a table."""
    end, context = plan.page.end, Context(plan, Resolution(state))
    for key, conditions in (("all-win", end.all_win), ("all-lose", end.all_lose)):
        for number, text in enumerate(conditions, 1):
            if outcomes.holds_for_all(context, text):
                yield f"end.{key}[{number}]"
    left = {player.team or player.seat for player in state.playing}
    if len(left) <= 1:
        yield "end.last-left"
    for place, text in ends_of_a_side(end):
        if outcomes.holds_for_any_side(context, text):
            yield place


def ends_of_a_side(end: End) -> Iterator[tuple[str, str]]:
    """Yield the places and texts of the conditions that a player or team must meet."""
    for key, given, texts in (("win", end.win, end.wins), ("over", end.over, end.overs)):
        for number, text in enumerate(texts, 1):
            yield (f"end.{key}" if isinstance(given, str) else f"end.{key}[{number}]"), text
