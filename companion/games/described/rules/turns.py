"""The order of play: rounds, turns and steps in the order that a page defines, and the changes that they begin with."""

from __future__ import annotations

from random import Random
from typing import Final

from msgspec.structs import replace

from companion.games.described.page.description import SEAT, TABLE, TEAM, StepDefinition, title_of
from companion.games.described.rules import campaign, effects, outcomes, score_sheet
from companion.games.described.rules.amounts import rounds_of, start_of, starts_of
from companion.games.described.rules.context import Context
from companion.games.described.rules.plan import ROUND, TURN, PagePlan
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, DescribedTeam
from companion.tabletop.action import RuleError
from companion.tabletop.constructed import table
from templates.languages.messages import joined, listed, phrase

PLAY: Final = "play"
"""The step of a game whose page names none."""
ORDER: Final = "order"
"""The step in which the table sets the order of a round."""


def begin_game(context: Context) -> None:
    """End the set-up and start the first round. Raises RuleError for too few or too many players."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    least, most = plan.players
    if not least <= len(state.players) <= most:
        figures = {"game": plan.page.title, "least": least, "most": most, "number": len(state.players)}
        if least == most:
            raise RuleError(phrase("{game} is for {most} players; {number} sit here.", **figures))
        raise RuleError(phrase("{game} is for {least} to {most} players; {number} sit here.", **figures))
    first = state.first or state.players[0].seat
    number = len(state.players)
    # The start of a seat's figure can depend on a figure of the table.
    resolution.change(figures={**starts_of(plan, state, TABLE), **campaign.starting_figures(plan, state)})
    state = resolution.state
    resolution.change(
        first=first,
        teams=tuple(
            DescribedTeam(at, word, starts_of(plan, state, TEAM)) for at, word in enumerate(plan.team_words, 1)
        ),
        players=tuple(_with_starts(plan, state, seat) for seat in range(number)),
        pools={name: effects.full_pool(pool) for name, pool in plan.page.pools.items()},
        tokens={
            name: first if token.start == "first" else Random(f"{state.seed}:{name}").choice(state.players).seat
            for name, token in plan.page.tokens.items()
            if token.start != "nobody"
        },
    )
    if plan.page.play.match > 1 and state.score.best_of == 1 and number == 2:
        table.begin_match(resolution, table.Match(plan.page.play.match))
    resolution.tell(phrase("{game} begins.", game=plan.page.title))
    effects.put_first(context)
    start_round(context)


def _with_starts(plan: PagePlan, state: DescribedTable, at: int) -> DescribedPlayer:
    player = state.players[at]
    starts = starts_of(plan, state, SEAT)
    for name in plan.figures["rival"]:
        others = (other.seat for other in state.players if other is not player)
        starts |= {f"{name}-{seat}": start_of(plan, state, plan.figures["rival"][name]) for seat in others}
    team = at % plan.page.play.teams + 1 if plan.page.play.teams else 0
    if plan.page.purse and (brought := state.purses.get(player.seat)):
        starts[plan.page.purse.counter] = int(starts[plan.page.purse.counter]) + brought
    return replace(player, figures={**starts, **player.figures}, team=team)


def order_of_round(plan: PagePlan, state: DescribedTable) -> tuple[str, ...]:
    """Return the seats in the order of a round; empty if the order has yet to be drawn."""
    seats = [player.seat for player in state.players]
    begins = state.tokens.get(plan.page.play.by, "") or state.first
    at = seats.index(begins)
    order = [*seats[at:], *seats[:at]]
    match plan.page.play.order:
        case "alternating" if state.round % 2 == 0:
            return tuple(reversed(order))
        case "bid":
            by = {player.seat: plan.read(SEAT, player.figures, plan.page.play.by) for player in state.players}
            return tuple(sorted(order, key=lambda seat: -int(by[seat])))
        case "lot":
            return ()
    return tuple(order)


def start_round(context: Context) -> None:
    """Start the next round. After the last round there is no step."""
    plan, resolution = context.plan, context.resolution
    resolution.change(round=resolution.state.round + 1, used=_used_until(resolution.state, ROUND))
    rounds = rounds_of(plan, resolution.state)
    if rounds and resolution.state.round > rounds:
        resolution.change(active="", step="")
        return
    if resolution.state.round > 1:
        effects.pass_tokens(context, ROUND)
    resolution.change(order=order_of_round(plan, resolution.state), active="", step="")
    if resolution.state.round > 1:
        text = phrase("{round} {number}.", round=plan.round_title, number=resolution.state.round)
        resolution.tell(text, now=True)
    effects.reset_or_grow(context, ROUND)
    if plan.together:
        resolution.change(turn=resolution.state.turn + 1)
        effects.reset_or_grow(context, TURN)
        enter_step(context, plan.page.steps[0].name if plan.page.steps else PLAY)
    elif plan.round_steps:
        enter_step(context, plan.round_steps[0].name)
    else:
        _first_turn(context)


def _used_until(state: DescribedTable, when: str) -> frozenset[tuple[str, str, str]]:
    """Return the limited actions already used, without those whose turn or round is over."""
    over = (TURN,) if when == TURN else (TURN, ROUND)
    return frozenset(each for each in state.used if each[2] not in over)


def _first_turn(context: Context) -> None:
    resolution = context.resolution
    if context.plan.page.play.order == "bid":  # bids made in a step of the round count
        resolution.change(order=order_of_round(context.plan, resolution.state))
    order = resolution.state.order
    if not order:
        resolution.change(step=ORDER, active="")
    elif first := next((seat for seat in order if not resolution.state.player(seat).out), ""):
        _start_turn(context, first)


def set_order(context: Context, seats: tuple[str, ...]) -> None:
    """Set the order of this round. Raises RuleError if it is incomplete or already set."""
    state = context.resolution.state
    playing = {player.seat for player in state.playing}
    if state.step != ORDER:
        raise RuleError(phrase("The order of this round is settled."))
    if set(seats) != playing or len(seats) != len(playing):
        words = " ".join(player.seat for player in state.playing)
        raise RuleError(phrase("Name everybody once: {seats}.", seats=words))
    names = listed(state.player(seat).name for seat in seats)
    context.resolution.change(order=seats)
    context.resolution.tell(phrase("The order of this round: {players}.", players=names))
    _first_turn(context)


def _start_turn(context: Context, seat: str) -> None:
    resolution, plan = context.resolution, context.plan
    if resolution.state.turn:
        effects.pass_tokens(context, TURN)
    resolution.change(active=seat, turn=resolution.state.turn + 1, used=_used_until(resolution.state, TURN))
    mine = context._replace(me=seat)
    resolution.tell(phrase("{player}'s turn.", player=resolution.name(seat)), seat)
    effects.reset_or_grow(mine, TURN, seat)
    enter_step(mine, plan.turn_steps[0].name if plan.turn_steps else PLAY)


def enter_step(context: Context, step: str) -> None:
    """Enter a step and apply its changes."""
    context.resolution.change(step=step, drawn_pools=frozenset())
    effects.reset_or_grow(context, step, context.resolution.state.active)


def steps_of(plan: PagePlan, state: DescribedTable) -> tuple[StepDefinition, ...]:
    """Return the steps of the present turn or round."""
    if plan.together:
        return plan.page.steps
    return plan.turn_steps if state.active else plan.round_steps


def go_on(context: Context) -> None:
    """Go on to the next step, turn or round. Raises RuleError if something must be entered or decided first."""
    plan, state = context.plan, context.resolution.state
    if state.step == ORDER:
        raise RuleError(phrase("Say the order of this round first: `order lot` draws it."))
    if outcomes.is_played_out(plan, state):
        raise RuleError(phrase("Everything has been played; say who has won: `won SEAT`."))
    _check_entries(plan, state, due_entry(plan, state))
    steps = steps_of(plan, state)
    names = [step.name for step in steps]
    if state.step in names[:-1]:
        enter_step(context, names[names.index(state.step) + 1])
        _tell_step(context)
        return
    if plan.together:
        end_round(context)
    elif not state.active:
        _first_turn(context)
    else:
        next_turn(context)


def next_turn(context: Context) -> None:
    """Start the next seat's turn, or the next round after the last seat."""
    state = context.resolution.state
    behind = state.order[state.order.index(state.active) + 1 :] if state.active in state.order else ()
    following = next((seat for seat in behind if not state.player(seat).out), None)
    if following is None:
        end_round(context)
    else:
        _start_turn(context, following)


def end_round(context: Context) -> None:
    """End the round. Raises RuleError if the score sheet is incomplete."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    _check_entries(plan, state, score_sheet.missing_entry(plan, state))
    score_sheet.close_row(context)
    outcomes.settle_outcome(context)
    if not resolution.state.outcome:
        start_round(context)


def due_entry(plan: PagePlan, state: DescribedTable) -> tuple[str, str] | None:
    """Return the seat and column that must be entered on the score sheet before this step ends, or None."""
    sheet = plan.page.sheet
    if sheet is None:
        return None
    if state.active:
        order = state.order
        rest = order[order.index(state.active) + 1 :] if state.active in order else ()
        goes_on = any(state.step == step.name for step in plan.turn_steps[:-1])
        is_last = not goes_on and all(state.player(seat).out for seat in rest)
        return score_sheet.missing_entry(plan, state) if is_last else None
    steps = [step.name for step in steps_of(plan, state)]
    done = steps[: steps.index(state.step) + 1] if state.step in steps else steps
    is_last = plan.together and done == steps
    columns = [column for column in sheet.columns if (sheet.at[column] in done if column in sheet.at else is_last)]
    return score_sheet.missing_entry(plan, state, columns)


def _check_entries(plan: PagePlan, state: DescribedTable, missing: tuple[str, str] | None) -> None:
    """Raise RuleError if an entry is missing."""
    if missing:
        seat, column = missing
        title = score_sheet.column_title(plan, column)
        raise RuleError(
            phrase(
                "{column} of {player} is missing: `{line}`.",
                column=title,
                player=score_sheet.entry_name(plan, state, seat),
                line=f"enter {seat} {column} N",
            )
        )


def take_turn(context: Context, seat: str) -> None:
    """Give the turn to a seat, out of order. Raises RuleError if it has the turn already or is out."""
    player = context.resolution.state.player(seat)
    if player.out:
        raise RuleError(phrase("{player} is out of the game.", player=player.name))
    if context.resolution.state.active == seat:
        raise RuleError(phrase("It is already {player}'s turn.", player=player.name))
    _start_turn(context, seat)


def _tell_step(context: Context) -> None:
    step = context.plan.steps[context.resolution.state.step]
    title = phrase("{step}.", step=title_of(step.name, step.title))
    context.resolution.tell(joined(" ", (title, step.do)) if step.do else title, by_hand=bool(step.do))
