"""Levels and experience: the Side Quest, and what XP buys in the End Phase (R2.7, R2.9, R2.10)."""

from __future__ import annotations

from companion.games.action import RuleError
from companion.games.soulforger.actions import Level, Quest
from companion.games.soulforger.state import Player, Resolution, counted
from companion.games.soulforger.turn import check_quiet, draw_cards, turn_player


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
