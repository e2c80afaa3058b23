"""Turns and phases, and levels bought in the End Phase."""

from __future__ import annotations

from typing import Final

import msgspec

from companion.games.soulforger.actions import Discard, Draw, Level, Quest
from companion.games.soulforger.state import ENDURANCE, PHASES, Player, Resolution, counted
from companion.tabletop.action import RuleError

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


def quest(res: Resolution, action: Quest) -> None:
    """Cards to the Material Zone, perhaps a level, then as many cards from the deck (R2.7, A2.15)."""
    player = turn_player(res, action.seat)
    _check_quest(res, player, action.cards)
    cards = len(action.cards)
    res.update_player(player.seat, quested=True, hand=player.hand - cards, material=(*player.material, *action.cards))
    _level_up(res, player, action.cards)
    if cards:
        draw_cards(res, player.seat, cards)


def _check_quest(res: Resolution, player: Player, cards: tuple[int, ...]) -> None:
    check_quiet(res)
    if player.quested:
        raise RuleError(f"{player.name} has done this turn's Side Quest; there is one a turn (R2.7).")
    if not cards and not res.state.house.xp_only_side_quest:
        raise RuleError(
            "A Side Quest sends at least 1 card; XP alone buys levels in the End Phase (A2.2), `next` does without."
        )
    if len(cards) > player.hand:
        raise RuleError(f"{player.name} holds {counted(player.hand, 'card')} and cannot send {len(cards)} (R2.7).")


def _level_up(res: Resolution, player: Player, cards: tuple[int, ...]) -> None:
    """Exactly one level where the Ronum sent, with XP for the gap alone, reaches the present level (R2.7)."""
    total = sum(cards)
    gap = max(0, player.level - total)
    sent = " + ".join(map(str, cards)) + (f" = {total}" if len(cards) > 1 else "") if cards else "nothing"
    told = f"{player.name}'s Side Quest: Ronum {sent}"
    if gap > player.xp:
        res.tell(f"{told}, with {player.xp} XP less than level {player.level}: no level.", player.seat)
        return
    res.update_player(player.seat, level=player.level + 1, xp=player.xp - gap)
    spent = f" + {gap} XP" if gap else ""
    reached = f"{told}{spent} reaches level {player.level}: level {player.level} → {player.level + 1}."
    res.tell(reached + (f" XP {player.xp} → {player.xp - gap}." if gap else ""), player.seat)


def level(res: Resolution, action: Level) -> None:
    """One level for as much XP as the present level (R2.9, A2.3)."""
    player = turn_player(res, action.seat)
    check_quiet(res)
    if player.levelled and res.state.house.end_level_ups == "once":
        raise RuleError("XP buys one level in an End Phase here (A2.3, house rule end-level-ups).")
    if player.xp < player.level:
        raise RuleError(f"The next level costs {player.level} XP; {player.name} has {player.xp} (R2.9).")
    res.update_player(player.seat, levelled=True, level=player.level + 1, xp=player.xp - player.level)
    res.tell(
        f"{player.name} spends {player.level} XP ({player.xp} → {player.xp - player.level}): "
        f"level {player.level} → {player.level + 1}.",
        player.seat,
    )


def earn(res: Resolution, seat: str, amount: int, what: str) -> None:
    """XP for a creature that a weapon destroyed (R2.10)."""
    player = res.state.player(seat)
    res.update_player(seat, xp=player.xp + amount)
    res.tell(f"{player.name}'s weapon destroyed {what}: XP {player.xp} + {amount} = {player.xp + amount}.", seat)
