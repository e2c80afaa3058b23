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
from templates.languages.messages import listed, phrase, phrase_in


def way_on(state: SoulForgerTable) -> WayOn | None:
    """Return the way on; None in the set-up, within a batch, or if the players must decide."""
    if state.outcome or state.together or state.phase == "setup" or state.overflowing() is not None:
        return None
    if state.phase == "mulligan":
        return WayOn(
            Next(),
            phrase("all keep their hands"),
            phrase("everybody: keep the opening hand, or exchange some of it"),
        )
    if state.flow:
        return WayOn(
            do.Resolve(),
            phrase("“{effect}” resolves", effect=state.flow[-1].name),
            phrase("everybody may answer"),
        )
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
        return WayOn(do.Fight(), phrase_in("verb", "fight"))
    attacked = state.player(attacked_player(state, attack)).name
    names = listed(card.title for card in able)
    leaves = phrase("{player} could block with {cards}", player=attacked, cards=names)
    return WayOn(do.Fight(), phrase("nobody blocks, fight"), leaves)


def _ready(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001 – the shape of every phase
    return WayOn(Next(), "")


def _quest(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001
    """Return the way on at the beginning of a turn, which takes confirmation before the Side Quest.

    The confirmed decision also covers playing cards and attacking with weapons in this turn.
    """
    if player.quested:
        return WayOn(Next(), phrase("on to Main 1"))
    leaves = phrase("{player}: Side Quest, or go on", player=player.name)
    return WayOn(Next(), phrase("no Side Quest"), leaves, player.seat)


def _main1(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001
    leaves = phrase("{player}: summon, play or forge, or go on", player=player.name)
    return WayOn(Next(), "", leaves, f"{player.seat} plays")


def _combat(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:
    able = [card for card in state.cards.values() if card.owner == player.seat and may_attack(card)]
    if not able or not any(attackable(state)):
        return WayOn(Next(), "")
    leaves = phrase("{cards} could attack", cards=listed(card.title for card in able))
    only_weapons = all(isinstance(card, Equipment) for card in able)
    return WayOn(Next(), phrase("nobody attacks"), leaves, f"{player.seat} weapons" if only_weapons else "")


def _main2(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001
    return WayOn(Next(), "")


def _end(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:
    """Return the discard of cards above the limit, or the end of the turn; XP may buy a level first (R2.9)."""
    if due := state.discard_due(player):
        return WayOn(
            do.Discard(player.seat, due),
            phrase("discard {cards}", cards=due),
            phrase("{player} must discard {cards}", player=player.name, cards=due),
        )
    once = player.levelled and state.house.end_level_ups == "once"
    could_buy = phrase(
        "{player} could buy level {level} for {price} XP",
        player=player.name,
        level=player.level + 1,
        price=player.level,
    )
    return WayOn(Next(), phrase("end of turn"), could_buy if player.xp >= player.level and not once else "")


def _whole_turn(state: SoulForgerTable, player: SoulForgerPlayer) -> WayOn:  # noqa: ARG001 – the shape of every phase
    """Return the end of a turn without phases."""
    leaves = phrase("{player}'s turn: say what changes, or end it", player=player.name)
    return WayOn(Next(), phrase("end of turn"), leaves)


_WAYS: Final[dict[str, Callable[[SoulForgerTable, SoulForgerPlayer], WayOn]]] = {
    "ready": _ready,
    "quest": _quest,
    "main1": _main1,
    "combat": _combat,
    "main2": _main2,
    "end": _end,
    WHOLE_TURN: _whole_turn,
}
