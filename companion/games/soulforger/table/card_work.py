"""Instructions for the real cards, phase by phase: the companion counts, and players move the cards by hand."""

from __future__ import annotations

from typing import Final

from companion.games.soulforger.rules.state import HAND_LIMIT, OPENING_HAND, SoulForgerTable
from companion.games.soulforger.rules.turn import FIRST_DRAW, MISSED_DRAW, TURN_DRAW
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.table import CardWork
from companion.tabletop.text import quantity


def card_work(state: SoulForgerTable) -> CardWork:
    """Return the instructions for now (R2.4–R2.9); none once the game is over."""
    if state.outcome or not state.players:
        return CardWork()
    if state.phase == "setup":
        return CardWork(_SETUP)
    if state.attack is not None:
        return CardWork(("Turn the attacker sideways once the fight is over, and so the blocker: they are Off-guard.",))
    cards = quantity(FIRST_DRAW if state.turn == 1 else TURN_DRAW, "card")
    phases = {phase: tuple(line.format(cards=cards) for line in lines) for phase, lines in _PHASES.items()}
    return CardWork(phases.get(state.phase, ()))


_SETUP: Final = (
    "Everybody shuffles the Main Deck; the Forge Deck lies beside it, the gear face down.",
    f"Decide who begins. Everybody draws {OPENING_HAND} cards.",
)
_PHASES: Final[dict[str, tuple[str, ...]]] = {
    "mulligan": ("Once each: put any cards to the bottom, draw as many, shuffle. Then turn the gear up.",),
    "ready": (f"Turn your cards upright (On-guard) and draw {{cards}}; from an empty deck, {MISSED_DRAW} damage.",),
    "quest": ("Put any cards of your hand into the Material Zone, once, and draw as many.",),
    "main1": ("Play creatures, Actions and equipment; what costs Ronum goes from the Material Zone to the graveyard.",),
    "combat": ("Attack with one upright card at a time; the other side may block with one.",),
    "main2": ("Play what you still want to, as in Main 1.",),
    "end": (f"Discard down to {HAND_LIMIT} cards.",),
    WHOLE_TURN: (
        "Cards upright, draw {cards}; Side Quest; play and fight; discard down to "
        f"{HAND_LIMIT}. Say here what damage and levels become.",
    ),
}
