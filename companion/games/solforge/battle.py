"""The Battle: all five lanes at once, every offensive creature of both sides (R4.11–R4.15)."""

from __future__ import annotations

from companion.games.action import RuleError
from companion.games.solforge import actions as do
from companion.games.solforge.harm import hurt
from companion.games.solforge.state import LANES, Creature, Resolution


def battle(resolution: Resolution, action: do.Battle) -> None:
    """Fight the turn's Battle, or an extra one by a card's text, which is none of the turn's (R4.4, A4.14)."""
    if not action.extra:
        if resolution.state.fought:
            raise RuleError("The Battle is once a turn (R4.4); `battle extra` is one that a card brings (A4.14).")
        resolution.change(fought=True)
    resolution.tell("An extra Battle." if action.extra else "The Battle.")
    before = resolution.state.creatures
    for lane in LANES:
        there = [creature for creature in before if creature.lane == lane]
        if len(there) == 2:
            _fight(resolution, *there)
        elif there:
            _go_unopposed(resolution, there[0])


def _fight(resolution: Resolution, one: Creature, other: Creature) -> None:
    """Two in a lane fight if one of them is on the offensive; each deals its attack to the other (R4.12)."""
    if one.offensive or other.offensive:
        _strike(resolution, one, other)
        _strike(resolution, other, one)


def _strike(resolution: Resolution, attacker: Creature, defender: Creature) -> None:
    """One creature's damage to the other, both as they were before the fight, and what breaks through."""
    if attacker.attack <= 0:
        return
    hit = hurt(resolution, defender, attacker.attack, f"Lane {attacker.lane}: {attacker.title}")
    if attacker.offensive and "breakthrough" in attacker.keywords:
        arriving = hit.amount if resolution.state.house.bt_armor == "ignore" else hit.dealt
        if (excess := arriving - defender.health) > 0:
            hurt(resolution, resolution.state.player(defender.owner), excess, f"Breakthrough of {attacker.title}")


def _go_unopposed(resolution: Resolution, creature: Creature) -> None:
    """Alone in its lane and on the offensive, a creature attacks the other player (R4.12)."""
    if creature.offensive and creature.attack > 0:
        rival = resolution.state.rival(creature.owner)
        hurt(resolution, rival, creature.attack, f"Lane {creature.lane}: {creature.title}")
