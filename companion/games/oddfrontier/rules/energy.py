"""Engines, energy and cards in hand."""

from __future__ import annotations

from companion.games.oddfrontier.rules.actions import Crank, Discard, Draw, Engine, Spend, Uncrank
from companion.games.oddfrontier.rules.state import PHASE_NAMES, FrontierPlayer, FrontierTable, Resolution
from companion.tabletop.action import Action, RuleError
from companion.tabletop.constructed.tracking import WHOLE_TURN
from templates.languages.messages import listed, phrase, phrases


def draw(resolution: Resolution, action: Draw) -> None:
    """Draw cards; in the one turn without drawing, only by the effect of a card (R3.1, R3.4, A3.1)."""
    player = resolution.state.playing(action.seat)
    if resolution.state.first_turn and not action.by_effect:
        raise RuleError(
            phrase(
                "Nobody draws in the first player's first turn (R3.4), unless a card says so (R3.1): {command}.",
                command=f"draw {player.seat} {action.cards} by-effect",
            )
        )
    _check_count(action.cards)
    draw_cards(resolution, player.seat, action.cards)


def draw_cards(resolution: Resolution, seat: str, wanted: int) -> None:
    """Draw as many of these cards as the archive holds. A missing card has no effect, or loses the game (A3.6)."""
    player = resolution.state.player(seat)
    count = min(wanted, player.archive) if resolution.state.counts(seat, "archive") else wanted
    if count:
        resolution.update_player(seat, hand=player.hand + count, archive=player.archive - count)
        text = phrases("{player} draws {n} card.", "{player} draws {n} cards.", n=count, player=player.name)
        resolution.tell(text, seat, by_hand=True)
    if count == wanted:
        return
    if resolution.state.house.deck_out == "lose":
        resolution.update_player(seat, lost=True)
        text = phrase("{player} cannot draw from an empty archive and loses (house rule deck-out).", player=player.name)
    else:
        text = phrase("{player}'s archive is empty: that draw does nothing (A3.6).", player=player.name)
    resolution.tell(text, seat)


def discard(resolution: Resolution, action: Discard) -> None:
    """Discard cards from the hand into the owner's graveyard, face up (R3.12)."""
    player = resolution.state.playing(action.seat)
    _check_count(action.cards)
    if not resolution.state.holds(player, action.cards):
        raise RuleError(
            phrases(
                "{player} holds {n} card and cannot discard {cards}.",
                "{player} holds {n} cards and cannot discard {cards}.",
                n=player.hand,
                player=player.name,
                cards=action.cards,
            )
        )
    resolution.update_player(player.seat, hand=player.hand - action.cards, graveyard=player.graveyard + action.cards)
    text = phrases("{player} discards {n} card.", "{player} discards {n} cards.", n=action.cards, player=player.name)
    resolution.tell(text, player.seat, by_hand=True)


def _check_count(count: int) -> None:
    if not count:
        raise RuleError(phrase("At least 1 card is needed here."))


def from_hand(resolution: Resolution, seat: str) -> FrontierPlayer:
    """Remove one card from a player's hand and return the player. Raises RuleError if the hand is empty."""
    player = resolution.state.playing(seat)
    if not resolution.state.holds(player):
        raise RuleError(
            phrase(
                "{player} has no cards in hand; if that is wrong: {command}.",
                player=player.name,
                command=f"set {seat} hand 1",
            )
        )
    resolution.update_player(seat, hand=player.hand - 1)
    return player


def check_own_play(state: FrontierTable, seat: str) -> None:
    """Raise RuleError unless a player may play a permanent now: in their own turn, outside combat, no queue (R3.3)."""
    player = state.playing(seat)
    if seat != state.active:
        raise RuleError(
            phrase(
                "It is {turn_player}'s turn; {player} may only use magic and abilities (R3.3).",
                turn_player=state.player(state.active).name,
                player=player.name,
            )
        )
    if state.phase not in ("pre-combat", "post-combat", WHOLE_TURN):
        raise RuleError(
            phrase(
                "Permanents are played before or after combat (R3.3); the current phase is {phase}. `next` goes on.",
                phase=PHASE_NAMES.get(state.phase, state.phase),
            )
        )
    if state.queue:
        raise RuleError(phrase("The queue is not empty; `resolve` resolves what came last (R3.11)."))


def engine(resolution: Resolution, action: Engine) -> None:
    """Play the one Engine of this turn, before or after combat (R3.5), or lose one."""
    if action.lost:
        _lose_engine(resolution, resolution.state.playing(action.seat))
        return
    check_own_play(resolution.state, action.seat)
    if resolution.state.engine_played:
        raise RuleError(
            phrase(
                "Only one Engine is played each turn, before or after combat (R3.5); the next one "
                "must wait for the next turn."
            )
        )
    player = from_hand(resolution, action.seat)
    resolution.change(engine_played=True)
    resolution.update_player(player.seat, engines=player.engines + 1)
    text = phrase("{player} plays an Engine and has {engines}.", player=player.name, engines=player.engines + 1)
    resolution.tell(text, player.seat)


def _lose_engine(resolution: Resolution, player: FrontierPlayer) -> None:
    """Put an Engine into the graveyard, an uncranked one if there is one."""
    if not player.engines:
        raise RuleError(phrase("{player} has no Engine to lose.", player=player.name))
    left = player.engines - 1
    resolution.update_player(
        player.seat, engines=left, cranked=min(player.cranked, left), graveyard=player.graveyard + 1
    )
    text = phrase("{player} loses an Engine and has {engines}.", player=player.name, engines=left)
    resolution.tell(text, player.seat)


def crank(resolution: Resolution, action: Crank) -> None:
    """Crank Engines for 1 energy each, in anyone's turn (R3.5), or another permanent (R3.6)."""
    state = resolution.state
    if state.is_seat(action.what):
        _crank_engines(resolution, state.playing(action.what), 1 if action.engines is None else action.engines)
        return
    if action.engines is not None:
        raise RuleError(
            phrase("A number is only for the Engines of a seat; write: {command}.", command=f"crank {action.what}")
        )
    permanent = state.permanent(action.what)
    if permanent.cranked:
        raise RuleError(phrase("{permanent} is already cranked (R3.6).", permanent=permanent.title))
    _check_before_reset(state, permanent.seat)
    resolution.update_permanent(permanent.handle, cranked=True)
    resolution.tell(phrase("{permanent} is cranked.", permanent=permanent.title), permanent.seat)


def _crank_engines(resolution: Resolution, player: FrontierPlayer, count: int) -> None:
    ready = player.engines - player.cranked
    if not 1 <= count <= ready:
        raise RuleError(
            phrase(
                "{player} has {ready} of {engines} Engines uncranked, not {named} (R3.5).",
                player=player.name,
                ready=ready,
                engines=player.engines,
                named=count,
            )
        )
    _check_before_reset(resolution.state, player.seat)
    energy = player.energy + count
    resolution.update_player(player.seat, cranked=player.cranked + count, energy=energy)
    text = phrase(
        "{player} cranks {engines}: energy {before} + {engines} = {energy}.",
        player=player.name,
        engines=count,
        before=player.energy,
        energy=energy,
    )
    resolution.tell(text, player.seat)


def reset_uncranks(state: FrontierTable, seat: str) -> bool:
    """Return True if this turn's Reset uncranks the permanents of a seat (A3.2)."""
    return state.house.uncrank == "all" or seat == state.active


def may_crank(state: FrontierTable, seat: str) -> bool:
    """Return True if a seat may crank now.

    Before the Reset uncranks its permanents, a house rule may forbid it (A3.2).
    """
    return state.phase != "reset" or state.house.crank_before_reset or not reset_uncranks(state, seat)


def _check_before_reset(state: FrontierTable, seat: str) -> None:
    if not may_crank(state, seat):
        raise RuleError(
            phrase("This must wait until the Reset is over (house rule crank-before-reset, A3.2); `next` ends it.")
        )


def uncrank(resolution: Resolution, action: Uncrank) -> None:
    """Uncrank one permanent, or all permanents of a seat (R3.6)."""
    state = resolution.state
    if state.is_seat(action.what):
        uncrank_all(resolution, state.playing(action.what))
        return
    permanent = state.permanent(action.what)
    if not permanent.cranked:
        raise RuleError(phrase("{permanent} is not cranked (R3.6).", permanent=permanent.title))
    resolution.update_permanent(permanent.handle, cranked=False)
    resolution.tell(phrase("{permanent} is uncranked.", permanent=permanent.title), permanent.seat)


def uncrank_all(resolution: Resolution, player: FrontierPlayer) -> None:
    """Uncrank a player's Engines and all their other permanents."""
    cranked = [each for each in resolution.state.permanents if each.cranked and each.seat == player.seat]
    for permanent in cranked:
        resolution.update_permanent(permanent.handle, cranked=False)
    if player.cranked:
        resolution.update_player(player.seat, cranked=0)
    if player.cranked or cranked:
        # Translators: the first item of a list: “Ana uncranks Engines: 2, Wolf.”
        engines = (phrase("Engines: {engines}", engines=player.cranked),) if player.cranked else ()
        names = listed((*engines, *(permanent.title for permanent in cranked)))
        text = phrase("{player} uncranks {permanents}.", player=player.name, permanents=names)
        resolution.tell(text, player.seat, by_hand=True)


def ready_engines(state: FrontierTable, player: FrontierPlayer) -> int:
    """Return the number of Engines that a player may crank for energy now (R3.5, A3.2)."""
    return player.engines - player.cranked if may_crank(state, player.seat) else 0


def cranks_for(state: FrontierTable, action: Action) -> tuple[Crank, ...]:
    """Return the Engines to crank so that the pool can pay for an action (R3.5).

    () if the pool already suffices, or if there are too few Engines.
    """
    cost = action.energy if isinstance(action, Spend) else getattr(action, "cost", None)
    player = next((player for player in state.players if player.seat == getattr(action, "seat", "")), None)
    if not cost or player is None or player.out:
        return ()
    lacking = cost - player.energy
    return (Crank(player.seat, lacking),) if 0 < lacking <= ready_engines(state, player) else ()


def spend(resolution: Resolution, action: Spend) -> None:
    """Spend energy on anything that has no line of its own (R3.5)."""
    if not action.energy:
        raise RuleError(phrase("At least 1 energy is spent; what costs nothing needs no `spend`."))
    pay(resolution, action.seat, action.energy)


def pay(resolution: Resolution, seat: str, cost: int) -> None:
    """Take a cost out of the pool (R3.5). Raises RuleError if the pool holds less."""
    player = resolution.state.playing(seat)
    if cost > player.energy:
        if player.engines > player.cranked:
            text = phrase(
                "This costs {cost} energy and {player}'s pool holds {energy} (R3.5); `{command}` adds 1.",
                cost=cost,
                player=player.name,
                energy=player.energy,
                command=f"crank {seat}",
            )
        else:
            text = phrase(
                "This costs {cost} energy and {player}'s pool holds {energy} (R3.5); no uncranked Engine is left to "
                "crank.",
                cost=cost,
                player=player.name,
                energy=player.energy,
            )
        raise RuleError(text)
    if cost:
        left = player.energy - cost
        resolution.update_player(seat, energy=left)
        text = phrase(
            "{player} pays {cost}: energy {before} − {cost} = {energy}.",
            player=player.name,
            cost=cost,
            before=player.energy,
            energy=left,
        )
        resolution.tell(text, seat)
