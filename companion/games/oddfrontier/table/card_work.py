"""The work with the real cards, phase by phase. The companion counts; players shuffle the cards by hand."""

from __future__ import annotations

from typing import Final

from companion.games.oddfrontier.rules.state import STARTING_HAND, FrontierTable
from companion.games.oddfrontier.rules.turn import draws_card
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.table import CardWork


def card_work(state: FrontierTable) -> CardWork:
    """Return the present instructions (R3.2, R3.3); none once the game is over."""
    if state.outcome or not state.players:
        return CardWork()
    if state.phase == "setup":
        return CardWork((f"Everybody shuffles the archive and draws {STARTING_HAND} cards. Decide who begins.",))
    if state.phase == "mulligan":
        return CardWork(("Keep, or shuffle the hand back and draw anew: first 7 again, then 6, 5 and so on.",))
    draw = "draw 1 card" if draws_card(state) else "draw nothing in this turn"
    text = _PHASES[state.phase].format(draw=draw, most=state.house.max_hand)
    return CardWork((text,))


_PHASES: Final[dict[str, str]] = {
    "reset": "Turn your cranked cards upright again, then {draw}.",
    "pre-combat": "Play an Engine, tilt Engines for energy, and play cards; magic goes to the graveyard once done.",
    "combat": "Tilt all attackers at once, each at a player; then blocks; then the damage.",
    "post-combat": "Play what you still want to, then discard down to {most} cards.",
    WHOLE_TURN: "Uncrank, {draw}; play and fight; discard down to {most}. Say here what life and Engines become.",
}
