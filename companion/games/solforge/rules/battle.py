"""The Battle, damage and healing, and the end of a batch (A4.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.games.solforge.rules import actions as do
from companion.games.solforge.rules.keywords import acting_keywords
from companion.games.solforge.rules.state import (
    LANES,
    Bearer,
    LaneCreature,
    Resolution,
    SolForgePlayer,
    SolForgeTable,
    armor_left,
)
from companion.tabletop.action import RuleError
from companion.tabletop.constructed import batch
from companion.tabletop.text import figure


def end_batch(resolution: Resolution) -> None:
    """Apply the results of a batch: deaths, Vengeance, and the loss of players without health (R4.1, R4.22)."""
    doomed = batch.release(resolution)
    if [creature for creature in resolution.state.creatures if creature.damage >= creature.max or doomed]:
        newest_first = resolution.state.newest_first()
        bury(resolution, [each for each in newest_first if each.health <= 0 or each.handle in doomed])
    update_outcome(resolution)


def bury(resolution: Resolution, dead: Iterable[LaneCreature]) -> None:
    """Let creatures die together: all leave their lanes, then Vengeance acts in this order (R4.13).

    Vengeance of the dead acts too.
    """
    dead = tuple(dead)
    leave(resolution, dead)
    for creature in dead:
        resolution.tell(f"{creature.title} of {resolution.name(creature.owner)} dies.", creature.owner, by_hand=True)
    for creature in dead:
        remind(resolution, creature, "died")


def leave(resolution: Resolution, gone: Iterable[LaneCreature]) -> None:
    """Remove creatures from their lanes."""
    handles = {creature.handle for creature in gone}
    resolution.change(
        creatures=tuple(creature for creature in resolution.state.creatures if creature.handle not in handles)
    )


def remind(resolution: Resolution, creature: LaneCreature, *moments: str) -> None:
    """Report the texts of a card that act at these moments, for players to carry out (R4.20)."""
    for keyword in acting_keywords(creature.keywords, moments):
        resolution.tell(
            f"{keyword.title} of {creature.title} acts now: do what its card says.", creature.owner, by_hand=True
        )


def update_outcome(resolution: Resolution) -> None:
    """Update the outcome from the present table, and report a change."""
    outcome = find_outcome(resolution.state)
    if outcome == resolution.state.outcome:
        return
    resolution.change(outcome=outcome)
    if outcome is None:
        resolution.tell("The game goes on.")
    elif outcome == "draw":
        resolution.tell("The game is a draw.")
    else:
        resolution.tell(f"{resolution.name(outcome)} wins.")


def find_outcome(state: SolForgeTable) -> str | None:
    """Return the winner's seat, `draw` or None, by agreement, concession, or health at 0 or below (R4.1, A4.7)."""
    if state.agreed:
        return state.agreed
    one, other = state.players
    if one.conceded or other.conceded:
        return other.seat if one.conceded else one.seat
    if min(one.health, other.health) > 0:
        return None
    if one.health == other.health:
        return "draw" if state.house.tie == "draw" else None
    return one.seat if one.health > other.health else other.seat


class Blow(NamedTuple):
    """Damage in progress: the amount, and the part that Armor prevents (R4.14)."""

    amount: int
    prevented: int

    @property
    def dealt(self) -> int:
        """The damage that is dealt."""
        return self.amount - self.prevented

    @property
    def sum(self) -> str:
        """The calculation: `5 − 2 Armor = 3`"""
        return f"{self.amount} − {self.prevented} Armor = {self.dealt}" if self.prevented else str(self.amount)


def damage_bearer(resolution: Resolution, bearer: Bearer, amount: int, by: str) -> Blow:
    """Damage a creature or a player; its death is checked at the end of the batch (R4.22)."""
    blow = Blow(amount, min(amount, armor_left(bearer)))
    absorbed = bearer.absorbed + blow.prevented
    after = _with_health(resolution, bearer, bearer.health - blow.dealt, absorbed=absorbed)
    resolution.tell(f"{by} {blow.sum}: {bearer.title} {_from_to(bearer, after)}.", bearer.owner)
    return blow


def heal_bearer(resolution: Resolution, bearer: Bearer, amount: int, by: str) -> None:
    """Heal a creature up to its maximum, a player up to the health at the start (R4.19, A4.13)."""
    most = resolution.state.house.start_health if isinstance(bearer, SolForgePlayer) else bearer.max
    after = _with_health(resolution, bearer, max(bearer.health, min(bearer.health + amount, most)))
    resolution.tell(f"{by} {amount}: {bearer.title} {_from_to(bearer, after)}.", bearer.owner)


def _from_to(before: Bearer, after: Bearer) -> str:
    return f"{figure(before.health)} → {figure(after.health)}"


def _with_health(resolution: Resolution, bearer: Bearer, health: int, **fields: int) -> Bearer:
    """Set the health of a player, or the damage of a creature that leaves this health."""
    if isinstance(bearer, SolForgePlayer):
        return resolution.update(bearer, health=health, **fields)
    return resolution.update(bearer, damage=bearer.max - health, **fields)


def poison_and_regenerate(resolution: Resolution) -> None:
    """Apply all Poison, then all Regenerate, on both sides; deaths are checked after both (R4.18, A4.11)."""
    for word, act in (("poison", damage_bearer), ("regenerate", heal_bearer)):
        for bearer in resolution.state.bearers:
            if amount := bearer.keywords.get(word, 0):
                act(resolution, bearer, amount, word.title())


def damage(resolution: Resolution, action: do.Damage) -> None:
    """Deal damage by a card, to one target or several at once."""
    for target, amount in ((action.target, action.amount), *action.more):
        damage_bearer(resolution, resolution.state.bearer(target), amount, "Damage")


def heal(resolution: Resolution, action: do.Heal) -> None:
    """Heal by a card."""
    heal_bearer(resolution, resolution.state.bearer(action.target), action.amount, "Healed")


def battle(resolution: Resolution, action: do.Battle) -> None:
    """Fight the turn's Battle, or an extra one by the text of a card, which does not replace it (R4.4, A4.14)."""
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


def _fight(resolution: Resolution, one: LaneCreature, other: LaneCreature) -> None:
    """Let two creatures in a lane fight if one is on the offensive; each deals its attack to the other (R4.12)."""
    if one.offensive or other.offensive:
        _strike(resolution, one, other)
        _strike(resolution, other, one)


def _strike(resolution: Resolution, attacker: LaneCreature, defender: LaneCreature) -> None:
    """Deal one creature's damage to the other, both as they were before the fight, and Breakthrough to the player."""
    if attacker.attack <= 0:
        return
    hit = damage_bearer(resolution, defender, attacker.attack, f"Lane {attacker.lane}: {attacker.title}")
    if attacker.offensive and "breakthrough" in attacker.keywords:
        arriving = hit.amount if resolution.state.house.bt_armor == "ignore" else hit.dealt
        if (excess := arriving - defender.health) > 0:
            damage_bearer(
                resolution, resolution.state.player(defender.owner), excess, f"Breakthrough of {attacker.title}"
            )


def _go_unopposed(resolution: Resolution, creature: LaneCreature) -> None:
    """Let a creature alone in its lane attack the other player if it is on the offensive (R4.12)."""
    if creature.offensive and creature.attack > 0:
        rival = resolution.state.rival(creature.owner)
        damage_bearer(resolution, rival, creature.attack, f"Lane {creature.lane}: {creature.title}")
