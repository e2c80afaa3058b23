"""Drifting: the order of the draft, and who picks which band (R1.82)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from companion.games.decknforge.actions import Pick
from companion.games.decknforge.state import DungeonStep, DungeonTable, Resolution, Wizard, join_words
from companion.tabletop.action import RuleError

_RANKS: Final[tuple[tuple[str, Callable[[Wizard], int]], ...]] = (
    ("Glory", lambda wizard: wizard.personal),
    ("best Killing Blow", lambda wizard: wizard.best_kill),
    ("Coppers earned", lambda wizard: wizard.earned),
)
"""What decides the draft, one figure after the other."""


def in_order(state: DungeonTable, wizards: Iterable[Wizard]) -> list[Wizard]:
    """Wizards as they pick; where all figures are the same, by the lot."""
    return sorted(wizards, key=lambda w: (*(-figure(w) for _, figure in _RANKS), state.lots.index(w.seat)))


def why_in_this_order(state: DungeonTable) -> tuple[str, ...]:
    """Of each in the draft but the last, why they pick before the next."""
    return tuple(_before(state.wizard(one), state.wizard(other)) for one, other in pairwise(state.draft))


def _before(one: Wizard, other: Wizard) -> str:
    """`Cy before Ana: same Glory 2, best Killing Blow 16 against 13`"""
    reasons = []
    for title, figure in _RANKS:
        if figure(one) != figure(other):
            reasons.append(f"{title} {figure(one)} against {figure(other)}")
            break
        reasons.append(f"same {title} {figure(one)}")
    else:
        reasons.append("so the lot decided (A1.44)")
    return f"{one.name} before {other.name}: {', '.join(reasons)}"


def deck_of(state: DungeonTable, brought: str) -> str:
    """What people call the deck that goes into the draft for a seat: its band, or the one that follows it (A1.43)."""
    band = state.bands[brought]
    return f"the new band of {state.wizard(brought).name}" if band.retired else band.name


def describe_deck(state: DungeonTable, brought: str) -> str:
    """What people need to know of the deck that a seat brought, before they pick it."""
    band, wizard = state.bands[brought], state.wizard(brought)
    if band.retired:
        return ""
    blessed, dungeons = len(band.inscribed), band.dungeons + 1
    cards = f"{blessed} Blessed card{'' if blessed == 1 else 's'}"
    history = f"{dungeons} dungeon{'' if dungeons == 1 else 's'}"
    return f"brought by {wizard.name} · +{wizard.glory} Glory · {cards} · {history}"


class DriftingStep(DungeonStep):
    """The draft (R1.82)."""

    title = "Drifting"
    following = "turning"

    def waiting(self, state: DungeonTable) -> bool:
        """Whether somebody in the draft has not picked."""
        return any(not state.wizard(seat).holds for seat in state.draft)

    def default(self, resolution: Resolution) -> None:
        """There is none: a pick is a choice."""
        seat = next_pick(resolution.state)
        raise RuleError(f"{resolution.name(seat)} must pick a deck: `pick {seat} SEAT` (R1.82).")


def next_pick(state: DungeonTable) -> str:
    """Whose turn it is in the draft."""
    return next(seat for seat in state.draft if not state.wizard(seat).holds)


def left_to_pick(state: DungeonTable) -> tuple[str, ...]:
    """The decks still to be drafted, by the seats that brought them."""
    picks = {state.wizard(seat).holds for seat in state.draft}
    return tuple(wizard.seat for wizard in state.wizards if wizard.seat in state.draft and wizard.seat not in picks)


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
        raise RuleError(f"That deck is not to be had any more; left are those of {join_words(left_to_pick(state))}.")
    resolution.update_wizard(action.seat, holds=action.brought)
    deck = deck_of(state, action.brought)
    resolution.tell(f"{wizard.name} now holds {deck}.", action.seat, by_hand=True)
