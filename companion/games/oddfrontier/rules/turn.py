"""Turns and phases, and the queue of actions that wait to be answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from companion.games.oddfrontier.rules import energy
from companion.games.oddfrontier.rules.actions import Negate, Queue, Resolve
from companion.games.oddfrontier.rules.battlefield import bury_the_dead
from companion.games.oddfrontier.rules.combat import call_off
from companion.games.oddfrontier.rules.effects import wear_off
from companion.games.oddfrontier.rules.energy import from_hand, pay
from companion.games.oddfrontier.rules.state import FrontierTable, Queued, Resolution
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import count_copy
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.common_actions import Next
from templates.languages.messages import Message, listed, phrase, phrases


def queue(resolution: Resolution, action: Queue) -> None:
    """Put magic or an ability on the queue, at any time in anyone's turn; magic leaves the hand now (R3.11)."""
    player = resolution.state.playing(action.seat)
    pay(resolution, player.seat, action.cost or 0)
    if action.magic:
        from_hand(resolution, player.seat)
    resolution.change(queue=(*resolution.state.queue, Queued(action.name, player.seat, action.magic)))
    if not action.magic:
        text = phrase("{player} puts an ability on the queue: {ability}.", player=player.name, ability=action.name)
        resolution.tell(text, player.seat)
    else:
        text = phrase("{player} puts magic on the queue: {card}.", player=player.name, card=action.name)
        resolution.tell(text, player.seat)
        count_copy(resolution, player.seat, action.name)


def resolve(resolution: Resolution, action: Resolve) -> None:  # noqa: ARG001 – it has no fields
    """Resolve the top of the queue; further lines enter its effects."""
    if not resolution.state.queue:
        raise RuleError(phrase("The queue is empty; there is nothing to resolve (R3.11)."))
    top = resolution.state.queue[-1]
    take_off(resolution, 1)
    resolution.tell(_resolved_text(top), top.seat, by_hand=top.magic)


def _resolved_text(top: Queued) -> Message:
    if top.magic and top.negated:
        return phrase(
            "{card} does nothing and goes to the graveyard; everybody may add to the queue again.", card=top.name
        )
    if top.magic:
        return phrase("{card} resolves and goes to the graveyard; everybody may add to the queue again.", card=top.name)
    if top.negated:
        return phrase("{ability} does nothing; everybody may add to the queue again.", ability=top.name)
    return phrase("{ability} resolves; everybody may add to the queue again.", ability=top.name)


def take_off(resolution: Resolution, count: int) -> None:
    """Remove the top `count` items of the queue; a magic card goes to its owner's graveyard now (A3.7)."""
    state = resolution.state
    left = len(state.queue) - count
    for queued in state.queue[left:]:
        if queued.magic:
            owner = resolution.state.player(queued.seat)
            resolution.update_player(owner.seat, graveyard=owner.graveyard + 1)
    resolution.change(queue=state.queue[:left])


def negate(resolution: Resolution, action: Negate) -> None:
    """Negate the topmost item of this name, so that it does nothing. It still waits to be resolved."""
    waiting = resolution.state.queue
    at = next((at for at in reversed(range(len(waiting))) if _is_named(waiting[at], action.name)), None)
    if at is None:
        names = tuple(queued.name for queued in waiting if not queued.negated)
        if not names:
            raise RuleError(phrase("“{name}” is not on the queue, which is empty (R3.11).", name=action.name))
        raise RuleError(
            phrase("“{name}” is not on the queue; there is: {names} (R3.11).", name=action.name, names=listed(names))
        )
    negated = msgspec.structs.replace(waiting[at], negated=True)
    resolution.change(queue=(*waiting[:at], negated, *waiting[at + 1 :]))
    text = phrase("{name} is negated and will do nothing when it resolves.", name=negated.name)
    resolution.tell(text, negated.seat)


def _is_named(queued: Queued, name: str) -> bool:
    return not queued.negated and queued.name.lower() == name.lower()


def next_(resolution: Resolution, action: Next) -> None:  # noqa: ARG001 – it has no fields
    """Finish the present phase and go on. Raises RuleError if something is still open."""
    if resolution.state.queue:
        raise RuleError(phrase("The queue is not empty; `resolve` resolves what came last (R3.11)."))
    _FINISH[resolution.state.phase](resolution)


def _keep_all(resolution: Resolution) -> None:
    for player in resolution.state.standing():
        resolution.update_player(player.seat, kept=True)


def begin_turn(resolution: Resolution, seat: str) -> None:
    """Begin a turn with the window before the Reset uncranks anything (R3.3, 1a)."""
    player = resolution.state.player(seat)
    resolution.change(phase="reset", active=seat, turn=resolution.state.turn + 1, engine_played=False)
    resolution.update_player(seat, turns=player.turns + 1)
    turn = resolution.state.turn
    # Translators: the announcement of a turn, with the player whose turn it is
    resolution.tell(phrase("Turn {number}: {player}.", number=str(turn), player=player.name), now=True)
    if not resolution.state.tracks_all:
        _uncrank(resolution)
        resolution.change(phase=WHOLE_TURN, combat="attackers")


def _reset(resolution: Resolution) -> None:
    """Uncrank, then draw (R3.3, 1b and 1c)."""
    _uncrank(resolution)
    state = resolution.state
    if draws_card(state):
        energy.draw_cards(resolution, state.active, 1)
    else:
        player = state.player(state.active)
        resolution.tell(phrase("{player} does not draw this turn (R3.4).", player=player.name), state.active)
    resolution.change(phase="pre-combat")


def _uncrank(resolution: Resolution) -> None:
    state = resolution.state
    for player in state.standing():
        if energy.reset_uncranks(state, player.seat):
            energy.uncrank_all(resolution, player)


def draws_card(state: FrontierTable) -> bool:
    """Return True if the Reset of this turn draws a card (R3.4, A3.1)."""
    if state.first_turn:
        return False
    return state.house.second_player_draws_turn1 or state.player(state.active).turns > 1


def _to_combat(resolution: Resolution) -> None:
    resolution.change(phase="combat", combat="attackers")


def _to_post_combat(resolution: Resolution) -> None:
    if resolution.state.attackers():
        raise RuleError(phrase("Attackers are declared; `fight` deals the damage (R3.8)."))
    call_off(resolution)  # blockers whose attackers have left
    resolution.change(phase="post-combat")


def discard_due(state: FrontierTable, seat: str) -> int:
    """Return the cards above the maximum hand of the turn player in the last phase; otherwise 0 (R3.10)."""
    if seat != state.active or state.phase != "post-combat" or state.outcome or not state.counts(seat, "hand"):
        return 0
    return max(0, state.player(seat).hand - state.house.max_hand)


def _finish_turn(resolution: Resolution) -> None:
    """End the turn unless cards must be discarded.

    Discards are checked here, so that magic played after them cannot leave too many cards (A3.9).
    """
    state = resolution.state
    if due := discard_due(state, state.active):
        player = state.player(state.active)
        raise RuleError(
            phrases(
                "{player} holds {n} card and may keep {most} (R3.10); `{command}` first.",
                "{player} holds {n} cards and may keep {most} (R3.10); `{command}` first.",
                n=player.hand,
                player=player.name,
                most=state.house.max_hand,
                command=f"discard {state.active} {due}",
            )
        )
    end(resolution)


def _finish_whole_turn(resolution: Resolution) -> None:
    """End a turn without phases, unless attackers are still to fight (R3.8)."""
    if resolution.state.attackers():
        raise RuleError(phrase("Attackers are declared; `fight` deals the damage (R3.8)."))
    end(resolution)


def end(resolution: Resolution) -> None:
    """End a turn: pools empty, damage and temporary effects end, and the next player begins (R3.5, R3.9)."""
    call_off(resolution)
    for player in resolution.state.standing():
        if player.energy:
            text = phrase(
                "{player} loses {energy} energy at the end of the turn (R3.5).",
                player=player.name,
                energy=player.energy,
            )
            resolution.tell(text, player.seat)
            resolution.update_player(player.seat, energy=0)
    if any(permanent.damage for permanent in resolution.state.permanents):
        resolution.every_permanent(damage=0)
    wear_off(resolution)
    bury_the_dead(resolution)
    begin_turn(resolution, next_player(resolution.state))


def go_on(resolution: Resolution) -> None:
    """Do what follows automatically from an action.

    The first turn begins once every player keeps their hand (R3.2), and the next player's turn begins if the turn
    player, or the player who was to begin, has left the game.
    """
    state = resolution.state
    if state.outcome:
        return
    left = state.player(state.active).out
    if state.phase == "mulligan":
        if all(player.kept for player in state.standing()):
            begin_turn(resolution, next_player(state) if left else state.active)
        elif left:
            resolution.change(active=next_player(state))
    elif left:
        end(resolution)


def next_player(state: FrontierTable) -> str:
    """Return the seat of the player after the turn player, clockwise."""
    _, *others = state.clockwise(state.active)
    return next((player.seat for player in others if not player.out), state.active)


_FINISH: Final[dict[str, Callable[[Resolution], None]]] = {
    "mulligan": _keep_all,
    "reset": _reset,
    "pre-combat": _to_combat,
    "combat": _to_post_combat,
    "post-combat": _finish_turn,
    WHOLE_TURN: _finish_whole_turn,
}
