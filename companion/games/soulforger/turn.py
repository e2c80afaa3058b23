"""The turn: its phases, the Ready Phase, draws, the hand limit and whose turn is next (R2.5, R2.6, R2.9, R2.25)."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.action import RuleError
from companion.games.soulforger.actions import Discard, Draw
from companion.games.soulforger.state import ENDURANCE, PHASES, Player, Resolution, counted

TURN_DRAW: Final = 2
FIRST_DRAW: Final = 1
"""R2.6: cards drawn in the Ready Phase, and in the very first one."""
MISSED_DRAW: Final = 5
"""R2.25: damage where the deck has no card."""

TITLES: Final[dict[str, str]] = {
    "ready": "Ready",
    "quest": "Side Quest",
    "main1": "Main 1",
    "combat": "Combat",
    "main2": "Main 2",
    "end": "End",
}


def begin_turn(res: Resolution, seat: str) -> None:
    """The next turn: its player's cards turn On-guard, then the draw (R2.6, A2.1)."""
    turn = res.state.turn + 1
    res.change(turn=turn, active=seat, phase="ready")
    res.update_player(seat, quested=False, swapped=False, levelled=False)
    res.tell(f"Turn {turn}: {res.name(seat)}.")
    _ready(res, seat)
    _turn_draw(res, res.state.player(seat), FIRST_DRAW if turn == 1 else TURN_DRAW)


def _ready(res: Resolution, seat: str) -> None:
    cards = res.state.cards
    turned = [card for card in cards.values() if card.owner == seat and not card.guarded]
    if turned:
        on_guard = {card.handle: msgspec.structs.replace(card, guarded=True) for card in turned}
        res.change(cards=cards | on_guard)
        res.tell(f"On-guard again: {', '.join(card.title for card in turned)}.", seat, by_hand=True)


def _turn_draw(res: Resolution, player: Player, cards: int) -> None:
    """An empty deck costs damage when the turn's draw starts (R2.25, A2.6)."""
    if player.deck == 0:
        suffer(res, player.seat, MISSED_DRAW, "the empty deck, unpreventable (R2.25)")
    else:
        draw_cards(res, player.seat, cards)


def draw_cards(res: Resolution, seat: str, cards: int) -> None:
    """As many cards as the deck has; under `deck-out any-missed-draw` a draw that misses one costs damage (A2.6)."""
    player = res.state.player(seat)
    drawn = min(cards, player.deck)
    if drawn:
        res.update_player(seat, deck=player.deck - drawn, hand=player.hand + drawn)
        res.tell(f"{player.name} draws {counted(drawn, 'card')}.", seat, by_hand=True)
    if drawn < cards:
        if res.state.house.deck_out == "any-missed-draw":
            suffer(res, seat, MISSED_DRAW, f"{counted(cards - drawn, 'card')} missing, unpreventable (R2.25)")
        else:
            res.tell(f"{player.name}'s deck has no more: {counted(cards - drawn, 'card')} missing.", seat)


def suffer(res: Resolution, seat: str, amount: int, why: str) -> None:
    """Damage to a player, with the sum (R2.1)."""
    player = res.state.player(seat)
    after = player.damage + amount
    res.update_player(seat, damage=after)
    res.tell(f"{player.name} takes {amount} ({why}): {player.damage} → {after} of {ENDURANCE}.", seat)


def living(res: Resolution, seat: str) -> Player:
    """A player who is still in the game. Raises RuleError."""
    player = res.state.player(seat)
    if player.out:
        raise RuleError(f"{player.name} is out of the game (R2.1).")
    return player


def turn_player(res: Resolution, seat: str) -> Player:
    """The turn player, where that is who acts. Raises RuleError."""
    player = living(res, seat)
    if seat != res.state.active:
        raise RuleError(f"It is {res.name(res.state.active)}'s turn, not {player.name}'s (R2.5).")
    return player


def check_settled(res: Resolution) -> None:
    """Raises RuleError while creatures above the Ronum Limit must leave: nothing can respond to that (R2.12)."""
    state = res.state
    over = state.overflowing()
    if over is not None:
        raise RuleError(
            f"{over.name}'s creatures have Ronum {state.ronum(over.seat)} at level {over.level}: "
            "`send` them to the graveyard one at a time first (R2.12)."
        )


def check_quiet(res: Resolution) -> None:
    """Raises RuleError while something is open that must be over first: the Flow, an attack, an overflow."""
    check_settled(res)
    if res.state.flow:
        raise RuleError(f"“{res.state.flow[-1].name}” is on the Flow; `resolve` it first (R2.20).")
    attack = res.state.attack
    if attack is not None:
        ways = "`fight` or `call-off` ends it" if attack.unsettled and not attack.blocker else "`fight` ends it"
        raise RuleError(f"An attack is open; {ways} (R2.21).")


def next_phase(res: Resolution) -> None:
    """The phase that follows, or the next player's turn after the End Phase (R2.5)."""
    check_quiet(res)
    state = res.state
    if state.phase == "end":
        _end_turn(res)
    else:
        _enter(res, PHASES[PHASES.index(state.phase) + 1])


def skip_combat(res: Resolution) -> None:
    """From Main 1 straight to the End Phase (R2.5)."""
    check_quiet(res)
    _enter(res, "end")


def _enter(res: Resolution, phase: str) -> None:
    res.change(phase=phase)
    res.tell(f"{TITLES[phase]} Phase.", res.state.active)
    player = res.state.player(res.state.active)
    due = res.state.discard_due(player)
    if due:
        res.tell(f"{player.name} must discard {counted(due, 'card')} before the turn ends (R2.9).", player.seat)


def _end_turn(res: Resolution) -> None:
    """Pass the turn on, with no more than 8 cards in hand (R2.9)."""
    state = res.state
    player = state.player(state.active)
    due = state.discard_due(player)
    if due:
        raise RuleError(
            f"{player.name} holds {player.hand} cards and must discard {due} (R2.9): `discard {player.seat} {due}`."
        )
    begin_turn(res, following(res))


def following(res: Resolution) -> str:
    """Whose turn comes after this one: the next player clockwise who is in the game."""
    _, *others = res.state.clockwise()
    return next((player.seat for player in others if not player.out), res.state.active)


def discard(res: Resolution, action: Discard) -> None:
    """Cards from the hand to the graveyard (R2.9)."""
    player = living(res, action.seat)
    if action.cards > player.hand:
        raise RuleError(f"{player.name} holds {counted(player.hand, 'card')} and cannot discard {action.cards}.")
    res.update_player(player.seat, hand=player.hand - action.cards, graveyard=player.graveyard + action.cards)
    left = player.hand - action.cards
    res.tell(f"{player.name} discards {counted(action.cards, 'card')}: hand {player.hand} → {left}.", player.seat)


def draw(res: Resolution, action: Draw) -> None:
    """Cards drawn by an effect."""
    draw_cards(res, living(res, action.seat).seat, action.cards)
