"""The queue: magic cards and abilities wait there, and what came last resolves first (R3.11)."""

from __future__ import annotations

import msgspec

from companion.games.oddfrontier.actions import Negate, Queue, Resolve
from companion.games.oddfrontier.energy import from_hand, pay
from companion.games.oddfrontier.state import Queued, Resolution
from companion.tabletop.action import RuleError


def queue(resolution: Resolution, action: Queue) -> None:
    """Put magic or an ability on the queue, at any time in anyone's turn; magic leaves the hand now (R3.11)."""
    player = resolution.state.playing(action.seat)
    pay(resolution, player.seat, action.cost or 0)
    if action.magic:
        from_hand(resolution, player.seat)
    resolution.change(queue=(*resolution.state.queue, Queued(action.name, player.seat, action.magic)))
    kind = "magic" if action.magic else "an ability"
    resolution.tell(f"{player.name} puts {kind} on the queue: {action.name}.", player.seat)


def resolve(resolution: Resolution, action: Resolve) -> None:  # noqa: ARG001 – a bare word
    """Resolve the top of the queue; what it does is said by further lines."""
    if not resolution.state.queue:
        raise RuleError("The queue is empty; nothing is to be resolved (R3.11).")
    top = resolution.state.queue[-1]
    take_off(resolution, 1)
    what = "does nothing" if top.negated else "resolves"
    where = " and goes to the graveyard" if top.magic else ""
    resolution.tell(f"{top.name} {what}{where}; everybody may add to the queue again.", top.seat, by_hand=top.magic)


def take_off(resolution: Resolution, count: int) -> None:
    """So many leave the top of the queue; a magic card goes to its owner's graveyard now (A3.7)."""
    state = resolution.state
    left = len(state.queue) - count
    for queued in state.queue[left:]:
        if queued.magic:
            owner = resolution.state.player(queued.seat)
            resolution.update_player(owner.seat, graveyard=owner.graveyard + 1)
    resolution.change(queue=state.queue[:left])


def negate(resolution: Resolution, action: Negate) -> None:
    """What is named will do nothing; of two of one name the topmost. It still waits to be resolved."""
    waiting = resolution.state.queue
    at = next((at for at in reversed(range(len(waiting))) if _is(waiting[at], action.name)), None)
    if at is None:
        there = ", ".join(queued.name for queued in waiting if not queued.negated) or "nothing"
        raise RuleError(f"“{action.name}” does not wait on the queue; there is: {there} (R3.11).")
    negated = msgspec.structs.replace(waiting[at], negated=True)
    resolution.change(queue=(*waiting[:at], negated, *waiting[at + 1 :]))
    resolution.tell(f"{negated.name} is negated and will do nothing when it resolves.", negated.seat)


def _is(queued: Queued, name: str) -> bool:
    return not queued.negated and queued.name.lower() == name.lower()
