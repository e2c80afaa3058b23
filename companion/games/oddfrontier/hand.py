"""Cards that come into a hand or leave it: drawing, discarding, and what may be played from it (R3.3, R3.10)."""

from __future__ import annotations

from companion.games.action import RuleError
from companion.games.oddfrontier.actions import Discard, Draw
from companion.games.oddfrontier.state import FrontierTable, Player, Resolution, cards


def draw(resolution: Resolution, action: Draw) -> None:
    """Draw because a card says so; in the one turn without drawing nobody does (R3.4, A3.1)."""
    player = resolution.state.playing(action.seat)
    if resolution.state.first_turn:
        raise RuleError(
            "Nobody draws in the first player's first turn (R3.4). "
            f"A card that overrides this (R3.1) is entered by hand: add {player.seat} hand +{action.cards}."
        )
    _some(action.cards)
    draw_cards(resolution, player.seat, action.cards)


def draw_cards(resolution: Resolution, seat: str, count: int) -> None:
    """Draw as many of these cards as the archive holds; the rest is lost, or the game is (A3.6)."""
    player = resolution.state.player(seat)
    drawn = min(count, player.archive)
    if drawn:
        resolution.update_player(seat, hand=player.hand + drawn, archive=player.archive - drawn)
        resolution.tell(f"{player.name} draws {cards(drawn)}.", seat, by_hand=True)
    if drawn == count:
        return
    if resolution.state.house.deck_out == "lose":
        resolution.update_player(seat, lost=True)
        resolution.tell(f"{player.name} cannot draw from an empty archive and loses (house rule deck-out).", seat)
    else:
        resolution.tell(f"{player.name}'s archive is empty: that draw does nothing (A3.6).", seat)


def discard(resolution: Resolution, action: Discard) -> None:
    """From the hand into the owner's graveyard, face up (R3.12)."""
    player = resolution.state.playing(action.seat)
    _some(action.cards)
    if action.cards > player.hand:
        raise RuleError(f"{player.name} holds {cards(player.hand)}; {action.cards} cannot be discarded.")
    resolution.update_player(player.seat, hand=player.hand - action.cards, graveyard=player.graveyard + action.cards)
    resolution.tell(f"{player.name} discards {cards(action.cards)}.", player.seat, by_hand=True)


def _some(count: int) -> None:
    if not count:
        raise RuleError("At least 1 card is needed here.")


def from_hand(resolution: Resolution, seat: str) -> Player:
    """The player with one card less in the hand. Raises RuleError where it is empty."""
    player = resolution.state.playing(seat)
    if not player.hand:
        raise RuleError(f"{player.name} has no card in hand; if the table knows better: set {seat} hand 1.")
    resolution.update_player(seat, hand=player.hand - 1)
    return player


def check_own_play(state: FrontierTable, seat: str) -> None:
    """Whether somebody may play a permanent now: in one's own turn, outside combat, past the queue (R3.3)."""
    player = state.playing(seat)
    if seat != state.active:
        turn_player = state.player(state.active).name
        raise RuleError(f"It is {turn_player}'s turn; {player.name} may only use magic and abilities (R3.3).")
    if state.phase not in ("pre-combat", "post-combat"):
        raise RuleError(f"Permanents are played before or after combat (R3.3); now is {state.phase}, `next` goes on.")
    if state.queue:
        raise RuleError("The queue is not empty; `resolve` takes what came last (R3.11).")
