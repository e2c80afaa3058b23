"""The order of play: rounds, turns and steps in the order that a page defines, and the changes that they begin with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from companion.games.described.page.actions import OwnAction
from companion.games.described.page.description import SEAT, TABLE, TEAM, StepDefinition, title_of
from companion.games.described.rules import asking, campaign, effects, outcomes, score_sheet
from companion.games.described.rules.amounts import rounds_of, start_of, starts_of
from companion.games.described.rules.context import Context
from companion.games.described.rules.plan import ROUND, TURN, PagePlan
from companion.games.described.rules.state import DescribedPlayer, DescribedTable, DescribedTeam
from companion.tabletop.action import RuleError
from companion.tabletop.constructed import table
from companion.tabletop.table.table import Draft
from templates.languages.messages import Text, joined, listed, phrase, phrases

PLAY: Final = "play"
"""The step of a game whose page names none."""
ORDER: Final = "order"
"""The step in which the table sets the order of a round."""


def _rules_on_players(context: Context) -> Text:
    """Return the agreed house rules that change how many can play, with their values; empty if none does."""
    page, agreed = context.plan.page, dict(context.resolution.state.house.changed_rules())
    return listed(
        joined(" ", (title_of(word, page.house[word].title), context.plan.texts.text(value)))
        for word, value in agreed.items()
        if word in page.house and "play.players" in page.house[word].values.get(value, {})
    )


def begin_game(context: Context) -> None:
    """End the set-up and start the first round. Raises RuleError for too few or too many players."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    least, most = plan.players
    if not least <= len(state.players) <= most:
        figures = {"game": plan.page.title, "least": least, "most": most, "number": len(state.players)}
        if rules := _rules_on_players(context):
            players = str(least) if least == most else f"{least}–{most}"
            raise RuleError(
                phrase(
                    "{game} is for {players} players by the house rule {rules}; {number} sit here.",
                    **figures,
                    players=players,
                    rules=rules,
                )
            )
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
        pools={name: effects.full_pool(plan, state, name) for name in plan.page.pools},
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
    play = plan.page.play
    order = _seats_from(plan, state)
    if play.is_by_figure and not (plan.round_steps and plan.questions):
        return _by_figure(plan, state, order)
    match play.order:
        case "alternating" if state.round % 2 == 0:
            return tuple(reversed(order))
        case "lot":
            return ()
    return order


def _seats_from(plan: PagePlan, state: DescribedTable) -> tuple[str, ...]:
    """Return the seats from the one that begins: the holder of the page's token, or the seat to the left."""
    token, begins_left = plan.beginner
    seats = tuple([player.seat for player in state.players])
    holder = state.tokens.get(token, "")
    at = seats.index(holder or state.first) + (1 if holder and begins_left else 0)
    return (*seats[at:], *seats[:at])


def _by_figure(plan: PagePlan, state: DescribedTable, seats: Sequence[str]) -> tuple[str, ...]:
    """Return seats, and the things that have turns, by their figures. Of equal ones, seats come first."""
    figures = figures_of_order(plan, state, seats)
    sign = 1 if plan.page.play.order == "lowest" else -1
    return tuple(sorted(figures, key=lambda each: sign * figures[each]))


def figures_of_order(plan: PagePlan, state: DescribedTable, seats: Iterable[str]) -> Mapping[str, int]:
    """Return the figures that decide the order of a round: those of seats, and of the things that have turns."""
    counter = plan.page.play.by_counter
    figures = {seat: int(plan.read(SEAT, state.player(seat).figures, counter)) for seat in seats}
    for piece in state.pieces if plan.things_in_turn else ():
        if by := plan.things_in_turn.get(piece.kind):
            figures[piece.handle] = int(plan.read(piece.kind, piece.figures, by))
    return figures


def start_round(context: Context) -> None:
    """Start the next round. After the last round there is no step."""
    plan, resolution = context.plan, context.resolution
    resolution.change(round=resolution.state.round + 1, used=_used_until(resolution.state, ROUND))
    rounds = rounds_of(plan, resolution.state)
    if rounds and resolution.state.round > rounds:
        resolution.change(active="", acting="", step="")
        return
    if resolution.state.round > 1:
        effects.pass_tokens(context, ROUND)
    order = order_of_round(plan, resolution.state)
    turn = resolution.state.turn + (1 if plan.together else 0)
    resolution.change(order=order, active="", acting="", step="", turn=turn)
    if resolution.state.round > 1:
        text = phrase("{round} {number}.", round=plan.round_title, number=resolution.state.round)
        resolution.tell(text, now=True)
    if deal := describe_deal(plan, resolution.state):
        resolution.tell(deal, by_hand=True)
    effects.reset_or_grow(context, ROUND)
    if plan.together:
        effects.reset_or_grow(context, TURN)
        enter_step(context, plan.page.steps[0].name if plan.page.steps else PLAY)
    elif plan.round_steps:
        enter_step(context, plan.round_steps[0].name)
    else:
        _first_turn(context)


def is_last_round(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if the page says that no round follows the present one."""
    rounds = rounds_of(plan, state)
    return bool(rounds) and state.round >= rounds


def describe_deal(plan: PagePlan, state: DescribedTable) -> Text:
    """Return how many cards are dealt in this round as a sentence; an empty string if the page does not say."""
    hand = plan.hand_of(state) if plan.page.play.hand else 0
    return phrases("Deal {n} card each.", "Deal {n} cards each.", n=hand) if hand else ""


def is_dealing(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True in the first step of a round, in which cards are dealt."""
    if not plan.page.play.hand or state.acting or any(state.entered.values()):
        return False
    steps = steps_of(plan, state)
    if steps and state.step != steps[0].name:
        return False
    if not state.active:
        return True
    is_first = not plan.page.play.until and state.active == state.order[0]
    return is_first and not plan.round_steps


def _used_until(state: DescribedTable, when: str) -> frozenset[tuple[str, str, str]]:
    """Return the limited actions already used, without those whose turn or round is over."""
    over = (TURN,) if when == TURN else (TURN, ROUND)
    return frozenset([each for each in state.used if each[2] not in over]) if state.used else state.used


def _first_turn(context: Context) -> None:
    plan, resolution = context.plan, context.resolution
    if plan.page.play.is_by_figure:  # what was said in a step of the round counts
        order = _by_figure(plan, resolution.state, _seats_from(plan, resolution.state))
        resolution.change(order=order)
        if plan.page.play.order != "bid" or plan.things_in_turn:
            state = resolution.state
            names = listed(name_at_turn(plan, state, each) for each in order if _has_turn(plan, state, each))
            resolution.tell(phrase("The order of this round: {players}.", players=names))
    order = resolution.state.order
    if not order:
        resolution.change(step=ORDER, active="")
    elif first := next((each for each in order if _has_turn(plan, resolution.state, each)), ""):
        _start_turn(context, first)


def first_in_turn(plan: PagePlan, state: DescribedTable) -> Text:
    """Return the display name of whoever has the first turn of a round whose order a figure decides."""
    order = _by_figure(plan, state, _seats_from(plan, state))
    return name_at_turn(plan, state, next((each for each in order if _has_turn(plan, state, each)), order[0]))


def _has_turn(plan: PagePlan, state: DescribedTable, at: str) -> bool:
    """Return True if a seat or a thing can have a turn: it is still there, and has not ended its turns."""
    for player in state.players:
        if player.seat == at:
            return not player.out and not (plan.page.play.until and player.figures.get(plan.page.play.until))
    return at in state.board


def next_in_turn(plan: PagePlan, state: DescribedTable) -> str:
    """Return the seat or thing whose turn comes next in this round; an empty string if the round ends."""
    order, now = state.order, state.at_turn
    at = order.index(now) + 1 if now in order else len(order)
    following = order[at:]
    if plan.page.play.until:
        following = (*following, *order[:at])
        if not any(_has_turn(plan, state, seat) for seat in order if state.is_seat(seat)):
            return ""
    return next((each for each in following if _has_turn(plan, state, each)), "")


def name_at_turn(plan: PagePlan, state: DescribedTable, at: str) -> Text:
    """Return the display name of a seat or a thing that has turns."""
    if state.is_seat(at):
        return state.player(at).name
    piece = next((piece for piece in state.pieces if piece.handle == at), None)
    return plan.name_of(piece) if piece else at


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


def _start_turn(context: Context, at: str) -> None:
    """Start the turn of a seat or a thing."""
    if context.resolution.state.is_seat(at):
        _start_turn_of_seat(context, at)
    else:
        _start_turn_of_thing(context, at)


def _start_turn_of_thing(context: Context, at: str) -> None:
    """Start the turn of a thing in play. It has no steps, and changes no figures but its own."""
    resolution, plan = context.resolution, context.plan
    piece = resolution.state.piece(at)
    used = _used_until(resolution.state, TURN)
    turn = resolution.state.turn + 1
    resolution.change(
        active=piece.owner, acting=at, turn=turn, used=used, step=TURN, drawn_pools=frozenset(), replies={}
    )
    resolution.change(acted=False)
    resolution.tell(phrase("{player}'s turn.", player=plan.name_of(piece)), piece.owner)
    effects.reset_or_grow(context, TURN, thing=at)


def _start_turn_of_seat(context: Context, seat: str) -> None:
    resolution, plan = context.resolution, context.plan
    if resolution.state.turn:
        effects.pass_tokens(context, TURN)
    used = _used_until(resolution.state, TURN)
    resolution.change(active=seat, acting="", turn=resolution.state.turn + 1, used=used)
    mine = context._replace(me=seat)
    resolution.tell(phrase("{player}'s turn.", player=resolution.name(seat)), seat)
    effects.reset_or_grow(mine, TURN, seat)
    enter_step(mine, plan.turn_steps[0].name if plan.turn_steps else PLAY)


def enter_step(context: Context, step: str) -> None:
    """Enter a step and apply its changes."""
    context.resolution.change(step=step, drawn_pools=frozenset(), replies={}, acted=False)
    effects.reset_or_grow(context, step, context.resolution.state.active)


def steps_of(plan: PagePlan, state: DescribedTable) -> tuple[StepDefinition, ...]:
    """Return the steps of the present turn or round."""
    if plan.together:
        return plan.page.steps
    if state.acting:
        return ()
    return plan.turn_steps if state.active else plan.round_steps


def go_on(context: Context) -> None:
    """Go on to the next step, turn or round. Raises RuleError if something must be entered or decided first."""
    plan, state = context.plan, context.resolution.state
    if state.step == ORDER:
        raise RuleError(phrase("Say the order of this round first: `order lot` draws it."))
    if outcomes.is_played_out(plan, state):
        raise RuleError(phrase("Everything has been played; say who has won: `won SEAT`."))
    _check_entries(plan, state, due_entry(plan, state))
    if owes_line(plan, state):
        raise RuleError(
            phrase("{step}: one of these must be done first: {lines}.", **_values_of_due_line(plan, state)),
        )
    steps = steps_of(plan, state)
    names = [step.name for step in steps]
    if state.step in names[:-1]:
        enter_step(context, names[names.index(state.step) + 1])
        _tell_step(context)
        return
    if plan.together:
        end_round(context)
    elif not state.at_turn:
        _first_turn(context)
    else:
        next_turn(context)


def owes_line(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if one of the page's own lines must be done before this step ends, and one of them is possible."""
    step = plan.steps.get(state.step)
    return step is not None and step.must and not state.acted and any(True for _ in _possible_lines(plan, state))


def _possible_lines(plan: PagePlan, state: DescribedTable) -> Iterator[type[OwnAction]]:
    """Yield the page's own lines that are possible now for whoever has the turn; if all act at once, for anybody."""
    seats = [player.seat for player in state.playing] if plan.together else [state.active]
    for action in plan.own_actions:
        if action.own.steps and state.step not in action.own.steps:
            continue
        whose = [""] if action.own.whose == "table" else seats
        if any(plan.may(state, Draft(action, {"seat": seat} if seat else {})) for seat in whose):
            yield action


def _values_of_due_line(plan: PagePlan, state: DescribedTable) -> dict[str, Text]:
    """Return the title of the present step, and the lines of which one must be done in it."""
    step = plan.steps[state.step]
    lines = listed(f"`{action.verb()}`" for action in _possible_lines(plan, state))
    return {"step": title_of(step.name, step.title), "lines": lines}


def next_turn(context: Context) -> None:
    """Start the next turn of this round, or the next round after the last one."""
    if following := next_in_turn(context.plan, context.resolution.state):
        _start_turn(context, following)
    else:
        end_round(context)


def end_round(context: Context) -> None:
    """End the round. Raises RuleError if the score sheet is incomplete."""
    plan, resolution, state = context.plan, context.resolution, context.resolution.state
    _check_entries(plan, state, score_sheet.missing_entry(plan, state))
    score_sheet.close_row(context)
    outcomes.settle_outcome(context)
    if not resolution.state.outcome:
        start_round(context)


def resume_rounds(context: Context) -> None:
    """Start the next round if a correction after the game has shown that it is not over after the last row."""
    state = context.resolution.state
    if state.outcome is None and context.plan.page.sheet is not None and len(state.rows) >= state.round:
        start_round(context)


def due_entry(plan: PagePlan, state: DescribedTable) -> tuple[str, str] | None:
    """Return the seat, and the column or counter, that must be entered before this step ends, or None."""
    sheet = plan.page.sheet
    if plan.questions and (missing := asking.missing_answer(plan, state)):
        return missing
    if sheet is None:
        return None
    if state.at_turn:
        goes_on = any(state.step == step.name for step in plan.turn_steps[:-1])
        is_last = not goes_on and not next_in_turn(plan, state)
        return score_sheet.missing_entry(plan, state) if is_last else None
    return score_sheet.missing_entry(plan, state, plan.columns_due(state.step))


def missing_figure(plan: PagePlan, state: DescribedTable) -> tuple[str, str] | None:
    """Return the seat, and the column or counter, that is asked for before this step ends, or None."""
    return due_entry(plan, state) or asking.missing_bid(plan, state)


def words_of_seat(plan: PagePlan, state: DescribedTable, seat: str) -> Iterator[tuple[str, bool]]:
    """Yield the counters and columns that a seat or team enters in this step or round, and whether each is due."""
    sheet = plan.page.sheet
    if state.outcome is not None:
        last = len(state.rows) + (0 if score_sheet.is_last_row_closed(state) else 1)
        yield from ((column, False) for column in score_sheet.columns_of_row(plan, state, last))
        return
    for word in plan.questions.get(state.step, ()):
        if word in plan.thing_questions:
            continue
        yield word, seat in asking.silent_seats(plan, state, word)
    if sheet is None:
        return
    side = score_sheet.entry_side(plan, state, seat)
    due = sheet.columns if state.at_turn else plan.columns_due(state.step)
    for column in score_sheet.columns_of_row(plan, state, len(state.rows) + 1):
        sides = {score_sheet.entry_side(plan, state, each) for each in score_sheet.missing_seats(plan, state, column)}
        yield column, column in due and side in sides


def is_first_question(plan: PagePlan, state: DescribedTable) -> bool:
    """Return True if no figure has been given yet of those that are asked for in this step."""
    if any(state.replies.values()):
        return False
    columns = plan.columns_asked("" if state.at_turn else state.step)
    return not any(column in row for row in state.entered.values() for column in columns)


def _check_entries(plan: PagePlan, state: DescribedTable, missing: tuple[str, str] | None) -> None:
    """Raise RuleError if an entry is missing."""
    if missing:
        seat, column = missing
        raise RuleError(
            phrase(
                "{column} of {player} is missing: `{line}`.",
                column=asking.title_of_word(plan, column),
                player=asking.name_asked(plan, state, seat, column),
                line=f"{'set' if column in plan.thing_questions else 'enter'} {seat} {column} N",
            )
        )


def take_turn(context: Context, seat: str) -> None:
    """Give the turn to a seat, or a thing that has turns, out of order.

    Raises RuleError if it has the turn already or is out.
    """
    plan, state = context.plan, context.resolution.state
    is_thing = any(piece.handle == seat and piece.kind in plan.things_in_turn for piece in state.pieces)
    if not is_thing and state.player(seat).out:
        raise RuleError(phrase("{player} is out of the game.", player=state.player(seat).name))
    if state.at_turn == seat:
        raise RuleError(phrase("It is already {player}'s turn.", player=name_at_turn(plan, state, seat)))
    _start_turn(context, seat)


def _tell_step(context: Context) -> None:
    step = context.plan.steps[context.resolution.state.step]
    title = phrase("{step}.", step=title_of(step.name, step.title))
    context.resolution.tell(joined(" ", (title, step.do)) if step.do else title, by_hand=bool(step.do))
