"""Drifting: who goes home with which deck, in the order of the draft (R1.82)."""

from __future__ import annotations

from companion.games.action import RuleError
from companion.games.decknforge.actions import Pick
from companion.games.decknforge.draft_order import deck_of
from companion.games.decknforge.state import DungeonTable, Resolution, listed


def waiting(state: DungeonTable) -> bool:
    """Whether somebody in the draft has not picked."""
    return any(not state.wizard(seat).holds for seat in state.draft)


def default(resolution: Resolution) -> None:
    """There is none: a pick is a choice."""
    seat = next_pick(resolution.state)
    raise RuleError(f"{resolution.name(seat)} must pick a deck: `pick {seat} SEAT` (R1.82).")


def leave(resolution: Resolution) -> str:  # noqa: ARG001 – every step leaves the same way
    """On to the Turning."""
    return "turning"


def next_pick(state: DungeonTable) -> str:
    """Whose turn it is in the draft."""
    return next(seat for seat in state.draft if not state.wizard(seat).holds)


def left_to_pick(state: DungeonTable) -> tuple[str, ...]:
    """The decks still to be drafted, by the seats that brought them."""
    taken = {state.wizard(seat).holds for seat in state.draft}
    return tuple(wizard.seat for wizard in state.wizards if wizard.seat in state.draft and wizard.seat not in taken)


def pick(resolution: Resolution, action: Pick) -> None:
    """Draft the deck that somebody brought; one's own is allowed (R1.82)."""
    state = resolution.state
    wizard = state.wizard(action.seat)
    if action.seat not in state.draft:
        raise RuleError(f"{wizard.name}'s band has retired; they found a new one instead of drafting (A1.43).")
    if wizard.holds:
        raise RuleError(f"{wizard.name} has picked {state.bands[wizard.holds].name} already.")
    if next_pick(state) != action.seat:
        raise RuleError(f"{resolution.name(next_pick(state))} picks first (R1.82).")
    state.wizard(action.brought)
    if action.brought not in left_to_pick(state):
        raise RuleError(f"That deck is not to be had any more; left are those of {listed(left_to_pick(state))}.")
    resolution.update_wizard(action.seat, holds=action.brought)
    held = deck_of(state, action.brought)
    resolution.tell(f"{wizard.name} now holds {held}.", action.seat, by_hand=True)
