"""The default way on in a turn, and the choices that it would skip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.games.soulforger.rules import actions as do
from companion.games.soulforger.rules.attack import attackable, attacked_player, blockers, is_there, may_attack
from companion.games.soulforger.rules.state import Equipment, OngoingAttack, SoulForgerPlayer, SoulForgerTable
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import WayOn


def way_on(state: SoulForgerTable) -> WayOn | None:
    """Return the way on; None in the set-up, within a batch, or if the players must decide."""
    if state.outcome or state.together or state.phase == "setup" or state.overflowing() is not None:
        return None
    if state.phase == "mulligan":
        return WayOn(Next(), "all keep their hands", "everybody: keep the opening hand, or exchange some of it")
    if state.flow:
        return WayOn(do.Resolve(), f"“{state.flow[-1].name}” resolves", "everybody may answer")
    if state.attack is not None:
        return _attack(state, state.attack)
    return _WAYS[state.phase](state, state.player(state.active))


def _attack(state: SoulForgerTable, attack: OngoingAttack) -> WayOn | None:
    """Return the fight as the way on; it takes confirmation while the attacked player could block (R2.22).

    Returns None if the target has left or the attack may be retargeted, as the players decide that (R2.21).
    """
    if not attack.blocker and (attack.unsettled or not is_there(state, attack.target)):
        return None
    able = () if attack.blocker or attack.declined else tuple(blockers(state, attack))
    if not able:
        return WayOn(do.Fight(), "fight")
    attacked = state.player(attacked_player(state, attack)).name
    names = ", ".join(card.title for card in able)
    return WayOn(do.Fight(), "nobody blocks, fight", f"{attacked} could block with {names}")


def _ready(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001 – the shape of every phase
    return WayOn(Next(), "")


def _quest(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001
    """Return the way on at the beginning of a turn, which takes confirmation before the Side Quest.

    The confirmed decision also covers playing cards and attacking with weapons in this turn.
    """
    if player.quested:
        return WayOn(Next(), "on to Main 1")
    return WayOn(Next(), "no Side Quest", f"{player.name}: Side Quest, or go on", player.seat)


def _main1(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001
    return WayOn(Next(), "", f"{player.name}: summon, play or forge, or go on", f"{player.seat} plays")


def _combat(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:
    able = [card for card in state.cards.values() if card.owner == player.seat and may_attack(card)]
    if not able or not any(attackable(state)):
        return WayOn(Next(), "")
    names = ", ".join(card.title for card in able)
    only_weapons = all(isinstance(card, Equipment) for card in able)
    return WayOn(Next(), "nobody attacks", f"{names} could attack", f"{player.seat} weapons" if only_weapons else "")


def _main2(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001
    return WayOn(Next(), "")


def _end(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:
    """Return the discard of cards above the limit, or the end of the turn; XP may buy a level first (R2.9)."""
    if due := state.discard_due(player):
        return WayOn(do.Discard(player.seat, due), f"discard {due}", f"{player.name} must discard {due}")
    once = player.levelled and state.house.end_level_ups == "once"
    could_buy = f"{player.name} could buy level {player.level + 1} for {player.level} XP"
    return WayOn(Next(), "end of turn", could_buy if player.xp >= player.level and not once else "")


def _whole_turn(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001 – the shape of every phase
    """Return the end of a turn without phases."""
    return WayOn(Next(), "end of turn", f"{player.name}'s turn: say what changes, or end it")


_WAYS: Final[dict[str, Callable[[SoulForgerTable, SoulForgerPlayer], WayOn]]] = {
    "ready": _ready,
    "quest": _quest,
    "main1": _main1,
    "combat": _combat,
    "main2": _main2,
    "end": _end,
    WHOLE_TURN: _whole_turn,
}
