"""The work with the real cards: the companion counts, and players shuffle by hand."""

from __future__ import annotations

from companion.games.solforge.rules.state import HAND, RANK_TURNS, SolForgeTable
from companion.tabletop.table.table import CardWork


def card_work(state: SolForgeTable) -> CardWork:
    """Return the work that is due now (R4.2–R4.8); nothing once the game is over."""
    if state.stage == "over" or not state.players:
        return CardWork()
    if state.stage == "setup":
        return CardWork((f"Both shuffle their decks, all cards at level 1, and draw {HAND}. Decide who begins.",))
    player = state.player(state.active)
    rank_up = "shuffle the discard pile in, " if player.turn == RANK_TURNS else ""
    end = f"discard the hand, {rank_up}draw {HAND}"
    if not state.tracks_all:
        return CardWork((f"2 plays (1 in the very first turn) and the Battle; then {end}. Say here what changes.",))
    if state.fought:
        return CardWork((f"At the end of the turn: {end}.",))
    return CardWork(("A card that is played or banked goes to the discard pile as its next level.",))
