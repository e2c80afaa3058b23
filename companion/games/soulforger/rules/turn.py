"""Turns and phases, Side Quests, and levels bought in the End Phase."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.soulforger.glossary import GLOSSARY
from companion.games.soulforger.rules.actions import Discard, Draw, Level, Quest
from companion.games.soulforger.rules.state import ENDURANCE, PHASES, Resolution, SoulForgerPlayer, SoulForgerTable
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.text import quantity

TURN_DRAW: Final = 2
FIRST_DRAW: Final = 1
"""R2.6: the number of cards drawn in the first Ready Phase; in later ones, `TURN_DRAW`."""
MISSED_DRAW: Final = 5
"""R2.25: the damage for a draw from an empty deck."""


def begin_turn(resolution: Resolution, seat: str) -> None:
    """Begin the next turn: its player's cards turn On-guard, then the player draws (R2.6, A2.1)."""
    turn = resolution.state.turn + 1
    resolution.change(turn=turn, active=seat, phase="ready" if resolution.state.tracks_all else WHOLE_TURN)
    resolution.update_player(seat, quested=False, swapped=False, levelled=False)
    resolution.tell(f"Turn {turn}: {resolution.name(seat)}.", now=True)
    _ready(resolution, seat)
    _turn_draw(resolution, resolution.state.player(seat), FIRST_DRAW if turn == 1 else TURN_DRAW)


def _ready(resolution: Resolution, seat: str) -> None:
    cards = resolution.state.cards
    turned = [card for card in cards.values() if card.owner == seat and not card.guarded]
    if turned:
        on_guard = {card.handle: msgspec.structs.replace(card, guarded=True) for card in turned}
        resolution.change(cards=cards | on_guard)
        resolution.tell(f"On-guard again: {', '.join(card.title for card in turned)}.", seat, by_hand=True)


def _turn_draw(resolution: Resolution, player: SoulForgerPlayer, cards: int) -> None:
    """Draw the cards of the turn. An empty deck costs damage instead (R2.25, A2.6)."""
    if not resolution.state.tracks_all:
        return
    if player.deck == 0 and resolution.state.counts(player.seat, "deck"):
        suffer(resolution, player.seat, MISSED_DRAW, "the empty deck, unpreventable (R2.25)")
    else:
        draw_cards(resolution, player.seat, cards)


def draw_cards(resolution: Resolution, seat: str, cards: int) -> None:
    """Draw cards, at most as many as the deck has.

    Under the house rule `deck-out any-missed-draw`, missing cards cost damage (A2.6).
    """
    player = resolution.state.player(seat)
    count = min(cards, player.deck) if resolution.state.counts(seat, "deck") else cards
    if count:
        resolution.update_player(seat, deck=player.deck - count, hand=player.hand + count)
        resolution.tell(f"{player.name} draws {quantity(count, 'card')}.", seat, by_hand=True)
    if count < cards:
        if resolution.state.house.deck_out == "any-missed-draw":
            suffer(resolution, seat, MISSED_DRAW, f"{quantity(cards - count, 'card')} missing, unpreventable (R2.25)")
        else:
            resolution.tell(f"{player.name}'s deck has no more: {quantity(cards - count, 'card')} missing.", seat)


def suffer(resolution: Resolution, seat: str, amount: int, why: str) -> None:
    """Deal damage to a player, and log the total (R2.1)."""
    player = resolution.state.player(seat)
    after = player.damage + amount
    resolution.update_player(seat, damage=after)
    resolution.tell(f"{player.name} takes {amount} ({why}): {player.damage} → {after} of {ENDURANCE}.", seat)


def living_player(resolution: Resolution, seat: str) -> SoulForgerPlayer:
    """Return a player who is still in the game. Raises RuleError for a player who is out."""
    player = resolution.state.player(seat)
    if player.out:
        raise RuleError(f"{player.name} is out of the game (R2.1).")
    return player


def turn_player(resolution: Resolution, seat: str) -> SoulForgerPlayer:
    """Return the player if it is their turn. Raises RuleError if not."""
    player = living_player(resolution, seat)
    if seat != resolution.state.active:
        raise RuleError(f"It is {resolution.name(resolution.state.active)}'s turn, not {player.name}'s (R2.5).")
    return player


def check_settled(resolution: Resolution) -> None:
    """Raise RuleError while creatures above the Ronum Limit must leave: nothing can respond to that (R2.12)."""
    state = resolution.state
    over = state.overflowing()
    if over is not None:
        raise RuleError(
            f"{over.name}'s creatures have Ronum {state.ronum(over.seat)} at level {over.level}: "
            "`send` them to the graveyard one at a time first (R2.12)."
        )


def check_quiet(resolution: Resolution) -> None:
    """Raise RuleError while the Flow, an attack or an overflow is open, which must end first."""
    check_settled(resolution)
    if resolution.state.flow:
        raise RuleError(f"“{resolution.state.flow[-1].name}” is on the Flow; `resolve` it first (R2.20).")
    attack = resolution.state.attack
    if attack is not None:
        ways = "`fight` or `call-off` ends it" if attack.unsettled and not attack.blocker else "`fight` ends it"
        raise RuleError(f"An attack is open; {ways} (R2.21).")


def next_phase(resolution: Resolution) -> None:
    """Enter the next phase, or the next player's turn after the End Phase (R2.5)."""
    check_quiet(resolution)
    state = resolution.state
    if state.phase in ("end", WHOLE_TURN):
        _end_turn(resolution)
    else:
        _enter_phase(resolution, PHASES[PHASES.index(state.phase) + 1])


def skip_combat(resolution: Resolution) -> None:
    """Go directly from Main 1 to the End Phase (R2.5)."""
    check_quiet(resolution)
    if resolution.state.phase == WHOLE_TURN:
        raise RuleError("Nobody walks through the phases of this turn; `next` ends it.")
    _enter_phase(resolution, "end")


def _enter_phase(resolution: Resolution, phase: str) -> None:
    resolution.change(phase=phase)
    resolution.tell(f"{GLOSSARY.steps[phase]} Phase.", resolution.state.active)
    player = resolution.state.player(resolution.state.active)
    due = resolution.state.discard_due(player)
    if due:
        resolution.tell(f"{player.name} must discard {quantity(due, 'card')} before the turn ends (R2.9).", player.seat)


def _end_turn(resolution: Resolution) -> None:
    """Pass the turn on. Raises RuleError for more than 8 cards in hand (R2.9)."""
    state = resolution.state
    player = state.player(state.active)
    due = state.discard_due(player)
    if due:
        raise RuleError(
            f"{player.name} holds {player.hand} cards and must discard {due} (R2.9): `discard {player.seat} {due}`."
        )
    begin_turn(resolution, next_seat(resolution.state))


def next_seat(state: SoulForgerTable) -> str:
    """Return the seat of the next turn: the next player clockwise who is in the game."""
    _, *others = state.clockwise()
    return next((player.seat for player in others if not player.out), state.active)


def discard(resolution: Resolution, action: Discard) -> None:
    """Discard cards from the hand to the graveyard (R2.9)."""
    player = living_player(resolution, action.seat)
    if not resolution.state.holds(player, action.cards):
        raise RuleError(f"{player.name} holds {quantity(player.hand, 'card')} and cannot discard {action.cards}.")
    resolution.update_player(player.seat, hand=player.hand - action.cards, graveyard=player.graveyard + action.cards)
    is_counted = resolution.state.counts(player.seat, "hand")
    hand = f": hand {player.hand} → {player.hand - action.cards}" if is_counted else ""
    resolution.tell(f"{player.name} discards {quantity(action.cards, 'card')}{hand}.", player.seat)


def draw(resolution: Resolution, action: Draw) -> None:
    """Draw cards by an effect."""
    draw_cards(resolution, living_player(resolution, action.seat).seat, action.cards)


def quest(resolution: Resolution, action: Quest) -> None:
    """Send cards to the Material Zone, level up if they suffice, then draw as many cards (R2.7, A2.15)."""
    player = turn_player(resolution, action.seat)
    _check_quest(resolution, player, action.cards)
    cards = len(action.cards)
    resolution.update_player(
        player.seat, quested=True, hand=player.hand - cards, material=(*player.material, *action.cards)
    )
    _level_up(resolution, player, action)
    if cards:
        draw_cards(resolution, player.seat, cards)


def _check_quest(resolution: Resolution, player: SoulForgerPlayer, cards: tuple[int, ...]) -> None:
    check_quiet(resolution)
    if player.quested:
        raise RuleError(f"{player.name} has done this turn's Side Quest; there is one a turn (R2.7).")
    if not cards and not resolution.state.house.xp_only_side_quest:
        raise RuleError(
            "A Side Quest sends at least 1 card; XP alone buys levels in the End Phase (A2.2), `next` does without."
        )
    if not resolution.state.holds(player, len(cards)):
        raise RuleError(f"{player.name} holds {quantity(player.hand, 'card')} and cannot send {len(cards)} (R2.7).")


def _level_up(resolution: Resolution, player: SoulForgerPlayer, action: Quest) -> None:
    """Gain one level if the sent Ronum, plus XP for the gap alone, reaches the present level (R2.7, A2.18)."""
    cards = action.cards
    total = sum(cards)
    gap = max(0, player.level - total)
    sent = " + ".join(map(str, cards)) + (f" = {total}" if len(cards) > 1 else "") if cards else "nothing"
    text = f"{player.name}'s Side Quest: Ronum {sent}"
    if gap and action.keep_xp:
        resolution.tell(f"{text}, less than level {player.level}, and {player.xp} XP kept: no level.", player.seat)
        return
    if gap > player.xp:
        resolution.tell(f"{text}, with {player.xp} XP less than level {player.level}: no level.", player.seat)
        return
    resolution.update_player(player.seat, level=player.level + 1, xp=player.xp - gap)
    spent = f" + {gap} XP" if gap else ""
    reached = f"{text}{spent} reaches level {player.level}: level {player.level} → {player.level + 1}."
    resolution.tell(reached + (f" XP {player.xp} → {player.xp - gap}." if gap else ""), player.seat)


def level(resolution: Resolution, action: Level) -> None:
    """Buy one level for as much XP as the present level (R2.9, A2.3)."""
    player = turn_player(resolution, action.seat)
    check_quiet(resolution)
    if player.levelled and resolution.state.house.end_level_ups == "once":
        raise RuleError("XP buys one level in an End Phase here (A2.3, house rule end-level-ups).")
    if player.xp < player.level:
        raise RuleError(f"The next level costs {player.level} XP; {player.name} has {player.xp} (R2.9).")
    resolution.update_player(player.seat, levelled=True, level=player.level + 1, xp=player.xp - player.level)
    resolution.tell(
        f"{player.name} spends {player.level} XP ({player.xp} → {player.xp - player.level}): "
        f"level {player.level} → {player.level + 1}.",
        player.seat,
    )


def earn(resolution: Resolution, seat: str, amount: int, what: str) -> None:
    """Earn XP for a creature destroyed by a weapon (R2.10)."""
    player = resolution.state.player(seat)
    resolution.update_player(seat, xp=player.xp + amount)
    resolution.tell(f"{player.name}'s weapon destroyed {what}: XP {player.xp} + {amount} = {player.xp + amount}.", seat)
