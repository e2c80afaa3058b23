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
from companion.tabletop.text import figure
from templates.languages.messages import Message, Text, listed, phrase, phrases


def prompts(state: FrontierTable) -> tuple[Prompt, ...]:
    """Return the questions of the present phase, in order; those after the game once it is over."""
    if state.outcome:
        return closing(state)
    if state.together:
        return tuple(batch.prompts((draft(do.Wound), *_effects(state))))
    if state.queue:
        return (*tracking.questions(state), *_resolve(state), *_at_any_time(state))
    return (*tracking.questions(state), *_ASKS[state.phase](state))


def _prompt(text: Text, action: type[Action], due: bool = True, others: tuple[Draft, ...] = (), **given: Any) -> Prompt:
    """Return a question answered by an action, with the `given` fields filled in."""
    return Prompt(text, Draft(action, given), given.get("seat", ""), due, others)


def _next(state: FrontierTable, text: Text, due: bool = True) -> Prompt:
    """Return the question whether the turn player goes on."""
    return Prompt(text, draft(Next), state.active, due)


def _setup(state: FrontierTable) -> Iterator[Prompt]:
    enough = len(state.players) >= FEWEST_PLAYERS
    yield _prompt(phrase("Who sits next, clockwise?"), SeatPlayer, due=not enough)
    if not state.players:
        return
    if enough:
        yield from before_begin(state, do.First)
        player = state.player(state.active).name
        yield _prompt(phrase("Begin; {player} has the first turn", player=player), Begin)
        yield _prompt(phrase("Who has the first turn?"), do.First, due=False)
        yield from offers_before_begin(state, do.First)
    if state.tracks_all and any(not state.brought.get(player.seat, Brought()).deck for player in state.players):
        yield _prompt(phrase("How many cards are in an archive, if not 40?"), do.DeckSize, due=False)
    if enough:
        yield from rule_questions.before_game(state)


def _mulligan(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions about starting hands; the first player decides first (A3.14)."""
    for player in state.clockwise(state.active):
        if not player.out and not player.kept:
            text = phrases(
                "{player}: keep {n} card, or mulligan to {cards}",
                "{player}: keep {n} cards, or mulligan to {cards}",
                n=player.hand,
                player=player.name,
                cards=hand_after(player.mulligans + 1),
            )
            yield _prompt(text, do.Keep, others=(draft(do.Mulligan, seat=player.seat),), seat=player.seat)
    yield Prompt(phrase("Everybody else keeps"), draft(Next), due=False)


def _reset(state: FrontierTable) -> Iterator[Prompt]:
    player = state.player(state.active).name
    if draws_card(state):
        yield _next(state, phrase("{player}: uncrank, draw, and go on", player=player))
    else:
        yield _next(state, phrase("{player}: uncrank and go on, without drawing", player=player))
    yield from _at_any_time(state)


def _before_combat(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions before combat. If there are cards to play, they come before going on."""
    plays, player = tuple(_own_plays(state)), state.player(state.active)
    if plays:
        values = {"player": player.name, "energy": _energy_text(state, player)}
        if state.engine_played:
            text = phrase("{player}: play a Creature or another permanent ({energy}), or go on", **values)
        else:
            text = phrase("{player}: play an Engine, a Creature or another permanent ({energy}), or go on", **values)
        on = draft(Next, phrase("on to combat"))
        yield Prompt(text, plays[0], player.seat, due=False, others=(*plays[1:], on))
    else:
        yield _next(state, phrase("{player}: go on to combat", player=player.name))
    yield from _at_any_time(state)


def _whole_turn(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions of a turn without phases: players type what changes, and Enter ends the turn.

    Entering the cards played is optional.
    """
    player = state.player(state.active)
    if state.attackers():
        yield from _combat(state)
        return
    engine = () if state.engine_played else (draft(do.Engine, phrase("one more"), seat=player.seat),)
    after = phrase("on to {player}", player=state.player(next_player(state)).name)
    text = phrase(
        "{player}'s turn, {energy} energy: say what changes, or end it", player=player.name, energy=player.energy
    )
    yield Prompt(text, draft(Next, after), player.seat, others=(*engine, *_cranks(state, player)))
    if attacks := tuple(_attacks(state)):
        text = phrase("{player}: declare attackers", player=player.name)
        yield Prompt(text, attacks[0], player.seat, due=False, others=attacks[1:])
    plays = tuple(_own_plays(state))
    text = phrase("{player}: play a card", player=player.name)
    yield Prompt(text, plays[0], player.seat, due=False, others=plays[1:])
    yield from _at_any_time(state)


def _after_combat(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions after combat. Ending the turn comes first, as most cards are played before combat."""
    player, plays = state.player(state.active), tuple(_own_plays(state))
    if due := discard_due(state, player.seat):
        text = phrase(
            "{player}: discard {cards} ({hand} in hand, {most} may stay)",
            player=player.name,
            cards=due,
            hand=player.hand,
            most=state.house.max_hand,
        )
        yield _prompt(text, do.Discard, others=plays, seat=player.seat, cards=due)
    elif plays:
        yield Prompt(_end_or_play(state, player), draft(Next), player.seat, others=plays)
    else:
        yield Prompt(phrase("{player}: end the turn", player=player.name), draft(Next), player.seat)
    yield from _at_any_time(state)


def _end_or_play(state: FrontierTable, player: FrontierPlayer) -> Message:
    """Return the question whether the turn ends, with the energy that further cards may cost."""
    if ready := ready_engines(state, player):
        return phrases(
            "{player}: end the turn, or play a card ({energy} energy, {n} Engine to crank)",
            "{player}: end the turn, or play a card ({energy} energy, {n} Engines to crank)",
            n=ready,
            player=player.name,
            energy=player.energy,
        )
    return phrase("{player}: end the turn, or play a card ({energy} energy)", player=player.name, energy=player.energy)


def _own_plays(state: FrontierTable) -> Iterator[Draft]:
    """Yield what only the turn player may play (R3.3): an Engine, then the cards that energy pays for.

    Engines are cranked automatically for that; cranking them beforehand comes last.
    """
    player = state.player(state.active)
    if not state.holds(player):
        return
    seat = player.seat
    if not state.engine_played:
        yield draft(do.Engine, phrase("one a turn"), seat=seat)
    yield draft(do.Summon, _or_why_not(phrase("a Creature"), state, do.Summon), seat=seat)
    yield Draft(do.Summon, {"seat": seat}, phrase("with its cost and First Assault"), ("cost", "first_assault"))
    permanent = _or_why_not(phrase("an Artifact or a Phenomenon"), state, do.PlayPermanent)
    yield draft(do.PlayPermanent, permanent, seat=seat)
    yield from _cranks(state, player)


def _energy_text(state: FrontierTable, player: FrontierPlayer) -> Message:
    """Return the energy in the pool and the Engines that can add to it, such as `1 energy, 2 Engines to crank`."""
    if ready := ready_engines(state, player):
        return phrases(
            "{energy} energy, {n} Engine to crank",
            "{energy} energy, {n} Engines to crank",
            n=ready,
            energy=player.energy,
        )
    return phrase("{energy} energy", energy=player.energy)


def _or_why_not(what: Message, state: FrontierTable, action: type[Action]) -> Message:
    """Return what the turn player may play, with the reason if no listed card of that type is payable."""
    why = lacking(state, state.active, action)
    # Translators: what may be played, and why no listed card can be: “a Creature: the cheapest, Ash Wolf, costs 3; …”
    return phrase("{what}: {reason}", what=what, reason=why) if why else what


def _combat(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the questions of combat: attackers, then blocks, then the damage (R3.3).

    The answers to a question include the next one, for a player who is done with the first.
    """
    answers = tuple(_attacks(state))
    player = state.player(state.active).name
    if not state.attackers():
        if answers:
            text = phrase("{player}: declare attackers", player=player)
            others = (*answers[1:], draft(Next, phrase("nobody attacks")))
            yield Prompt(text, answers[0], state.active, due=False, others=others)
        else:
            text = phrase("{player}: go on without combat", player=player)
            yield _next(state, text, due=state.combat == "fought")
    else:
        blocks, damage = tuple(_block(state)), tuple(_fight(state))
        after = tuple(answer for prompt in (*blocks, *damage) for answer in prompt.answers)
        after = tuple({answer.line: answer for answer in after}.values())
        if answers:
            text = phrase("{player}: declare attackers; after that, blocks or the damage", player=player)
            yield Prompt(text, answers[0], state.active, others=(*answers[1:], *after))
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
    through = [] if any(to_split(state)) else [draft(do.Fight, phrase("nobody else blocks: deal the damage"))]
    for player in state.clockwise(state.active):
        attackers = blockable_attackers(state, player.seat)
        target = {"attacker": attackers[0].handle} if len(attackers) == 1 else {}
        blockers = [each for each in state.permanents if each.seat == player.seat and may_block(state, each)]
        if attackers and blockers:
            blocks = [draft(do.Block, _creature_figures(each), handle=each.handle, **target) for each in blockers]
            first, *others = [*through, *blocks]
            names = listed(_attacker_text(state, attacker) for attacker in attackers)
            text = phrase("{player}: block {attackers}, or let the damage through", player=player.name, attackers=names)
            yield Prompt(text, first, player.seat, due=bool(through), others=tuple(others))


def _attacker_text(state: FrontierTable, creature: Permanent) -> Text:
    """Return an attacker as `Wolf 3/2`, with the player it attacks if there are more than two."""
    if len(state.standing()) <= FEWEST_PLAYERS:
        return f"{creature.title} {_creature_figures(creature)}"
    return phrase(
        # Translators: an attacker with its figures and the player that it attacks: “Wolf 3/2 at Ben”
        "{creature} {figures} at {player}",
        creature=creature.title,
        figures=_creature_figures(creature),
        player=state.player(creature.attacks).name,
    )


def _creature_figures(creature: Permanent) -> str:
    return f"{figure(creature.attack)}/{figure(creature.defense)}"


def _fight(state: FrontierTable) -> Iterator[Prompt]:
    waiting = tuple(to_split(state))
    for attacker, left in waiting:
        text = phrase(
            "{player}: split {attacker}'s {damage} among {blockers}",
            player=state.player(attacker.seat).name,
            attacker=attacker.title,
            damage=left,
            blockers=listed(f"{each.title} {_creature_figures(each)}" for each in state.blockers(attacker.handle)),
        )
        yield Prompt(text, draft(do.Split, handle=attacker.handle), attacker.seat)
    if not waiting:
        yield Prompt(phrase("Deal the damage: First Assault, then the rest"), draft(do.Fight), state.active)


def _resolve(state: FrontierTable) -> Iterator[Prompt]:
    top = state.queue[-1]
    negate = () if top.negated else (draft(do.Negate, name=top.name),)
    values = {"player": state.player(top.seat).name, "card": top.name}
    if top.negated:
        text = phrase("{player}: {card} does nothing, if nobody adds to the queue", **values)
    else:
        text = phrase("{player}: {card} resolves, if nobody adds to the queue", **values)
    yield Prompt(text, draft(do.Resolve), top.seat, others=negate)


def _at_any_time(state: FrontierTable) -> Iterator[Prompt]:
    """Yield the offers in anyone's turn: magic, abilities and Engines (R3.5, R3.11), and effects of cards."""
    for player in state.clockwise(state.active):
        if not player.out:
            yield _adds(state, player)
    yield Prompt(phrase("What does a card do?"), draft(do.Wound), due=False, others=tuple(_effects(state)))


def _adds(state: FrontierTable, player: FrontierPlayer) -> Prompt:
    ready, cranks = player.engines - player.cranked, tuple(_cranks(state, player))
    note = phrase("a card from the hand, with its cost")
    magic = Draft(do.Queue, {"seat": player.seat, "magic": True}, note, ("cost",))
    others = (magic, *cranks) if state.holds(player) else cranks
    if cranks:
        text = phrase("{player}: magic or an ability, or crank ({engines} ready)", player=player.name, engines=ready)
    else:
        text = phrase("{player}: magic or an ability", player=player.name)
    return _prompt(text, do.Queue, due=False, others=others, seat=player.seat)


def _cranks(state: FrontierTable, player: FrontierPlayer) -> Iterator[Draft]:
    """Yield the offers to crank one Engine, or all that are left."""
    ready = player.engines - player.cranked
    if not ready or not may_crank(state, player.seat):
        return
    yield draft(do.Crank, phrase("energy {energy} + {more}", energy=player.energy, more=1), what=player.seat)
    if ready > 1:
        note = phrase("energy {energy} + {more}", energy=player.energy, more=ready)
        yield draft(do.Crank, note, what=player.seat, engines=ready)


def _effects(state: FrontierTable) -> Iterator[Draft]:
    drawing = {"by_effect": True} if state.first_turn else {}
    note = phrase("because a card says so, although nobody draws otherwise this turn")
    yield Draft(do.Draw, drawing, note if drawing else "")
    if any(state.holds(player) for player in state.standing()):
        yield draft(do.Discard)
    yield draft(do.Heal, phrase("life for a player, or less damage on a Creature"))
    yield draft(do.Token, phrase("a Creature without a card; it vanishes when it leaves"))
    if any(each.creature for each in state.permanents):
        yield from _on_creatures(state)
    if state.permanents:
        yield draft(do.Destroy)
        yield draft(do.Banish)
    yield from _on_cranked(state)
    if any(player.engines for player in state.standing()):
        yield Draft(do.Engine, {"lost": True}, phrase("one Engine less"))


def _on_creatures(state: FrontierTable) -> Iterator[Draft]:
    until_end, creatures = {"until_end": True}, [each for each in state.permanents if each.creature]
    yield draft(do.Damage)
    yield draft(do.Buff, phrase("attack and defense, for good"))
    yield Draft(do.Buff, until_end, phrase("attack and defense, until the end of the turn"))
    if any(not each.first_assault for each in creatures):
        yield draft(do.Give, phrase("First Assault, for good"))
        yield Draft(do.Give, until_end, phrase("First Assault, until the end of the turn"))
    if any(each.first_assault for each in creatures):
        yield draft(do.TakeAway)


def _on_cranked(state: FrontierTable) -> Iterator[Draft]:
    """Yield the offers to crank and uncrank other than Engines for energy (R3.6)."""
    for each in state.permanents:
        if not (each.creature or each.cranked) and may_crank(state, each.seat):
            yield draft(do.Crank, phrase("for what its card says"), what=each.handle)
    if any(each.cranked for each in state.permanents) or any(player.cranked for player in state.standing()):
        yield draft(do.Uncrank, phrase("one permanent, or all of a player"))
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
