"""The default continuation of a turn, and the choices that it skips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.games.oddfrontier.rules import actions as do
from companion.games.oddfrontier.rules.combat import blockable_attackers, may_attack, may_block, to_split
from companion.games.oddfrontier.rules.state import FrontierTable
from companion.games.oddfrontier.rules.turn import discard_due, draws_card
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.table.common_actions import Next
from companion.tabletop.table.table import WayOn
from templates.languages.messages import joined, listed, phrase


def way_on(state: FrontierTable) -> WayOn | None:
    """Return the default continuation; None in the set-up, within a batch, and if only players can decide."""
    if state.outcome or state.together:
        return None
    if state.queue:
        top = state.queue[-1]
        return WayOn(do.Resolve(), phrase("{card} resolves", card=top.name), phrase("everybody may add to the queue"))
    find = _WAYS.get(state.phase)
    return find(state) if find else None


def _mulligan(state: FrontierTable) -> WayOn:  # noqa: ARG001 – the common signature
    return WayOn(Next(), phrase("all keep their hands"), phrase("everybody: keep, or mulligan"))


def _reset(state: FrontierTable) -> WayOn:
    return WayOn(Next(), phrase("uncrank, draw") if draws_card(state) else phrase("uncrank"))


def _before_combat(state: FrontierTable) -> WayOn:
    """Go on to combat. Each turn begins with a choice of cards, so skipping them is mentioned."""
    player = state.player(state.active).name
    return WayOn(Next(), "", phrase("{player}: play a card, or go on", player=player))


def _combat(state: FrontierTable) -> WayOn | None:
    """Go on with the fight.

    Damage is never split automatically, and possible attackers and blockers are mentioned (R3.7).
    """
    able = [each.title for each in state.permanents if may_attack(state, each)]
    could_attack = phrase("{creatures} could attack", creatures=listed(able)) if able else ""
    if not state.attackers():
        return WayOn(Next(), phrase("nobody attacks") if able else "", could_attack)
    if any(to_split(state)):
        return None
    blockers = [
        each.title
        for player in state.standing()
        if blockable_attackers(state, player.seat)
        for each in state.permanents
        if each.seat == player.seat and may_block(state, each)
    ]
    could_block = phrase("{creatures} could block", creatures=listed(blockers)) if blockers else ""
    does = phrase("nobody blocks, fight") if blockers else phrase("fight")
    return WayOn(do.Fight(), does, joined("; ", filter(None, (could_attack, could_block))))


def _after_combat(state: FrontierTable) -> WayOn:
    """End the turn. Energy that is left would be lost (R3.5), and so would cards above the maximum hand (R3.10)."""
    player = state.player(state.active)
    if due := discard_due(state, player.seat):
        return WayOn(
            do.Discard(player.seat, due),
            phrase("discard {cards}", cards=due),
            phrase("{player} must discard {cards}", player=player.name, cards=due),
        )
    lost = phrase("{player} would lose {energy} energy", player=player.name, energy=player.energy)
    return WayOn(Next(), phrase("end of turn"), lost if player.energy else "")


def _whole_turn(state: FrontierTable) -> WayOn | None:
    """End a turn without phases; declared attackers have to fight first (R3.8)."""
    if state.attackers():
        return _combat(state)
    player = state.player(state.active)
    return WayOn(
        Next(), phrase("end of turn"), phrase("{player}'s turn: say what changes, or end it", player=player.name)
    )


_WAYS: Final[dict[str, Callable[[FrontierTable], WayOn | None]]] = {
    "mulligan": _mulligan,
    "reset": _reset,
    "pre-combat": _before_combat,
    "combat": _combat,
    "post-combat": _after_combat,
    WHOLE_TURN: _whole_turn,
}
