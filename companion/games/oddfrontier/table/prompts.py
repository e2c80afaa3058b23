"""The questions to the players at the present state of the table, each with the actions that answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.combat import blockable_attackers, may_attack, may_block, to_split
from companion.games.oddfrontier.rules.deck_list import lacking
from companion.games.oddfrontier.rules.energy import may_crank, ready_engines
from companion.games.oddfrontier.rules.setup import FEWEST_PLAYERS, hand_after
from companion.games.oddfrontier.rules.state import FrontierPlayer, FrontierTable, Permanent
from companion.games.oddfrontier.rules.turn import discard_due, draws_card, next_player
from companion.tabletop import tracking
from companion.tabletop.action import Action
from companion.tabletop.constructed import batch
from companion.tabletop.constructed.table import Brought, SeatPlayer, before_begin, closing, offers_before_begin
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table import rule_questions
from companion.tabletop.table.common_actions import Begin, Next
from companion.tabletop.table.table import Draft, Prompt, draft
from companion.tabletop.text import figure, quantity


def prompts(state: FrontierTable) -> tuple[Prompt, ...]:
    """Return the questions of the present phase, in order; those after the game once it is over."""
    if state.outcome:
        return closing(state)
    if state.together:
        return tuple(batch.prompts((draft(do.Wound), *_effects(state))))
    if state.queue:
        return (*tracking.questions(state), *_resolve(state), *_at_any_time(state))
    return (*tracking.questions(state), *_ASKS[state.phase](state))


def _prompt(text: str, action: type[Action], due: bool = True, others: tuple[Draft, ...] = (), **given: Any) -> Prompt:
    """Return a question answered by an action, with the `given` fields filled in."""
    return Prompt(text, Draft(action, given), given.get("seat", ""), due, others)


def _next(state: FrontierTable, text: str, due: bool = True) -> Prompt:
    """Return the question whether the turn player goes on."""
    return Prompt(f"{state.player(state.active).name}: {text}", draft(Next), state.active, due)


def _setup(state: FrontierTable) -> Iterator[Prompt]:
    enough = len(state.players) >= FEWEST_PLAYERS
    yield _prompt("Who sits next, clockwise?", SeatPlayer, due=not enough)
    if not state.players:
        return
    if enough:
        yield from before_begin(state, do.First)
        yield _prompt(f"Begin; {state.player(state.active).name} has the first turn", Begin)
        yield _prompt("Who has the first turn?", do.First, due=False)
        yield from offers_before_begin(state, do.First)
    if state.tracks_all and any(not state.brought.get(player.seat, Brought()).deck for player in state.players):
        yield _prompt("Has an archive other than 40 cards?", do.DeckSize, due=False)
    if enough:
        yield from rule_questions.before_game(state)


def _mulligan(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions about starting hands; the first player decides first (A3.14)."""
    for player in state.clockwise(state.active):
        if not player.out and not player.kept:
            hand = quantity(player.hand, "card")
            text = f"{player.name}: keep {hand}, or mulligan to {hand_after(player.mulligans + 1)}"
            yield _prompt(text, do.Keep, others=(draft(do.Mulligan, seat=player.seat),), seat=player.seat)
    yield Prompt("Everybody else keeps", draft(Next), due=False)


def _reset(state: FrontierTable) -> Iterator[Prompt]:
    yield _next(state, "uncrank, draw, and go on" if draws_card(state) else "uncrank and go on, without drawing")
    yield from _at_any_time(state)


def _before_combat(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions before combat. If there are cards to play, they come before going on."""
    plays = tuple(_own_plays(state))
    if plays:
        player = state.player(state.active)
        engine = "" if state.engine_played else "an Engine, "
        text = f"{player.name}: play {engine}a Creature or another permanent ({_energy_text(state, player)}), or go on"
        on = draft(Next, "on to combat")
        yield Prompt(text, plays[0], player.seat, due=False, others=(*plays[1:], on))
    else:
        yield _next(state, "go on to combat")
    yield from _at_any_time(state)


def _whole_turn(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions of a turn without phases: players type what changes, and Enter ends the turn.

    Entering the cards played is optional.
    """
    player = state.player(state.active)
    if state.attackers():
        yield from _combat(state)
        return
    engine = () if state.engine_played else (draft(do.Engine, "one more", seat=player.seat),)
    after = state.player(next_player(state)).name
    text = f"{player.name}'s turn, {player.energy} energy: say what changes, or end it"
    yield Prompt(text, draft(Next, f"on to {after}"), player.seat, others=(*engine, *_cranks(state, player)))
    if attacks := tuple(_attacks(state)):
        yield Prompt(f"{player.name}: declare attackers", attacks[0], player.seat, due=False, others=attacks[1:])
    plays = tuple(_own_plays(state))
    yield Prompt(f"{player.name}: what is played", plays[0], player.seat, due=False, others=plays[1:])
    yield from _at_any_time(state)


def _after_combat(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions after combat. Ending the turn comes first, as most cards are played before combat."""
    player, plays = state.player(state.active), tuple(_own_plays(state))
    if due := discard_due(state, player.seat):
        text = f"{player.name}: discard {due} ({player.hand} in hand, {state.house.max_hand} may stay)"
        yield _prompt(text, do.Discard, others=plays, seat=player.seat, cards=due)
    else:
        text = f"{player.name}: end the turn{f', or play what {_energy_text(state, player)} pays for' if plays else ''}"
        yield Prompt(text, draft(Next), player.seat, others=plays)
    yield from _at_any_time(state)


def _own_plays(state: FrontierTable) -> Iterator[Draft]:
    """Yield what only the turn player may play (R3.3): an Engine, then the cards that energy pays for.

    Engines are cranked automatically for that; cranking them beforehand comes last.
    """
    player = state.player(state.active)
    if not state.holds(player):
        return
    seat = player.seat
    if not state.engine_played:
        yield draft(do.Engine, "one in a turn", seat=seat)
    yield draft(do.Summon, _or_why_not("a Creature", state, do.Summon), seat=seat)
    yield Draft(do.Summon, {"seat": seat}, "with its cost and First Assault", ("cost", "first_assault"))
    permanent = _or_why_not("an Artifact or a Phenomenon", state, do.PlayPermanent)
    yield draft(do.PlayPermanent, permanent, seat=seat)
    yield from _cranks(state, player)


def _energy_text(state: FrontierTable, player: FrontierPlayer) -> str:
    """Return the energy in the pool and the Engines that can add to it, such as `1 energy, 2 Engines to crank`."""
    ready = ready_engines(state, player)
    return f"{player.energy} energy" + (f", {quantity(ready, 'Engine')} to crank" if ready else "")


def _or_why_not(what: str, state: FrontierTable, action: type[Action]) -> str:
    """Return what the turn player may play, with the reason if no listed card of that type is payable."""
    why = lacking(state, state.active, action)
    return f"{what}: {why}" if why else what


def _combat(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions of combat: attackers, then blocks, then the damage (R3.3).

    The answers to a question include the next one, for a player who is done with the first.
    """
    answers = tuple(_attacks(state))
    text = f"{state.player(state.active).name}: declare attackers"
    if not state.attackers():
        if answers:
            others = (*answers[1:], draft(Next, "nobody attacks"))
            yield Prompt(text, answers[0], state.active, due=False, others=others)
        else:
            yield _next(state, "go on past combat", due=state.combat == "fought")
    else:
        blocks, damage = tuple(_block(state)), tuple(_fight(state))
        after = tuple(answer for prompt in (*blocks, *damage) for answer in prompt.answers)
        after = tuple({answer.line: answer for answer in after}.values())
        if answers:
            more = f"{text}; with all declared, blocks or the damage"
            yield Prompt(more, answers[0], state.active, others=(*answers[1:], *after))
        yield from blocks
        yield from damage
    yield from _at_any_time(state)


def _attacks(state: FrontierTable) -> Iterator[Draft]:
    others = [player.seat for player in state.standing() if player.seat != state.active]
    target = {"seat": others[0]} if len(others) == 1 else {}
    return (draft(do.Attack, handle=each.handle, **target) for each in state.permanents if may_attack(state, each))


def _block(state: FrontierTable) -> Iterator[Prompt]:
    """Yield a question for each player who may block, clockwise from the turn player (A3.15): block, or let all
    through.
    """
    through = [] if any(to_split(state)) else [draft(do.Fight, "nobody else blocks: the damage falls")]
    for player in state.clockwise(state.active):
        attackers = blockable_attackers(state, player.seat)
        target = {"attacker": attackers[0].handle} if len(attackers) == 1 else {}
        blockers = [each for each in state.permanents if each.seat == player.seat and may_block(state, each)]
        if attackers and blockers:
            blocks = [draft(do.Block, _creature_figures(each), handle=each.handle, **target) for each in blockers]
            first, *others = [*through, *blocks]
            names = ", ".join(_attacker_text(state, attacker) for attacker in attackers)
            text = f"{player.name}: block {names}, or let the damage fall"
            yield Prompt(text, first, player.seat, due=bool(through), others=tuple(others))


def _attacker_text(state: FrontierTable, creature: Permanent) -> str:
    """Return an attacker as `Wolf 3/2`, with the player it attacks if there are more than two."""
    among_several = len(state.standing()) > FEWEST_PLAYERS
    at = f" at {state.player(creature.attacks).name}" if among_several else ""
    return f"{creature.title} {_creature_figures(creature)}{at}"


def _creature_figures(creature: Permanent) -> str:
    return f"{figure(creature.attack)}/{figure(creature.defense)}"


def _fight(state: FrontierTable) -> Iterator[Prompt]:
    waiting = tuple(to_split(state))
    for attacker, left in waiting:
        names = ", ".join(f"{each.title} {_creature_figures(each)}" for each in state.blockers(attacker.handle))
        text = f"{state.player(attacker.seat).name}: split {attacker.title}'s {left} among {names}"
        yield Prompt(text, draft(do.Split, handle=attacker.handle), attacker.seat)
    if not waiting:
        yield Prompt("Deal the damage: First Assault, then the rest", draft(do.Fight), state.active)


def _resolve(state: FrontierTable) -> Iterator[Prompt]:
    top = state.queue[-1]
    negate = () if top.negated else (draft(do.Negate, name=top.name),)
    text = f"{state.player(top.seat).name}: {top.name} {'does nothing' if top.negated else 'resolves'}, if nobody adds"
    yield Prompt(text, draft(do.Resolve), top.seat, others=negate)


def _at_any_time(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the offers in anyone's turn: magic, abilities and Engines (R3.5, R3.11), and effects of cards."""
    for player in state.clockwise(state.active):
        if not player.out:
            yield _adds(state, player)
    yield Prompt("What does a card do?", draft(do.Wound), due=False, others=tuple(_effects(state)))


def _adds(state: FrontierTable, player: FrontierPlayer) -> Prompt:
    ready, cranks = player.engines - player.cranked, tuple(_cranks(state, player))
    magic = Draft(do.Queue, {"seat": player.seat, "magic": True}, "a card from the hand, with its cost", ("cost",))
    others = (magic, *cranks) if state.holds(player) else cranks
    text = f"{player.name}: magic or an ability{f', or crank ({ready} ready)' if cranks else ''}"
    return _prompt(text, do.Queue, due=False, others=others, seat=player.seat)


def _cranks(state: FrontierTable, player: FrontierPlayer) -> Iterator[Draft]:
    """Yield the offers to crank one Engine, or all that are left."""
    ready = player.engines - player.cranked
    if not ready or not may_crank(state, player.seat):
        return
    yield draft(do.Crank, f"energy {player.energy} + 1", what=player.seat)
    if ready > 1:
        yield draft(do.Crank, f"energy {player.energy} + {ready}", what=player.seat, engines=ready)


def _effects(state: FrontierTable) -> Iterator[Draft]:
    drawing = {"by_effect": True} if state.first_turn else {}
    yield Draft(do.Draw, drawing, "as a card says, though nobody else draws in this turn" if drawing else "")
    if any(state.holds(player) for player in state.standing()):
        yield draft(do.Discard)
    yield draft(do.Heal, "life for a player, or damage off a Creature")
    yield draft(do.Token, "a Creature that no card is; it vanishes when it leaves")
    if any(each.creature for each in state.permanents):
        yield from _on_creatures(state)
    if state.permanents:
        yield draft(do.Destroy)
        yield draft(do.Banish)
    yield from _on_cranked(state)
    if any(player.engines for player in state.standing()):
        yield Draft(do.Engine, {"lost": True}, "one Engine less")


def _on_creatures(state: FrontierTable) -> Iterator[Draft]:
    until_end, creatures = {"until_end": True}, [each for each in state.permanents if each.creature]
    yield draft(do.Damage)
    yield draft(do.Buff, "attack and defense, for good")
    yield Draft(do.Buff, until_end, "attack and defense, until the end of the turn")
    if any(not each.first_assault for each in creatures):
        yield draft(do.Give, "First Assault, for good")
        yield Draft(do.Give, until_end, "First Assault, until the end of the turn")
    if any(each.first_assault for each in creatures):
        yield draft(do.TakeAway)


def _on_cranked(state: FrontierTable) -> Iterator[Draft]:
    """Yield the offers to crank and uncrank other than Engines for energy (R3.6)."""
    for each in state.permanents:
        if not (each.creature or each.cranked) and may_crank(state, each.seat):
            yield draft(do.Crank, "for what its card says", what=each.handle)
    if any(each.cranked for each in state.permanents) or any(player.cranked for player in state.standing()):
        yield draft(do.Uncrank, "one permanent, or all of a player")
    yield batch.OFFER


_ASKS: Final[dict[str, Callable[[FrontierTable], Iterator[Prompt]]]] = {
    "setup": _setup,
    "mulligan": _mulligan,
    "reset": _reset,
    "pre-combat": _before_combat,
    "combat": _combat,
    "post-combat": _after_combat,
    WHOLE_TURN: _whole_turn,
}
