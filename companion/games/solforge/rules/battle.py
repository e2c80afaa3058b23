"""The Battle, damage and healing, and the end of a batch (A4.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

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
from templates.languages.messages import Message, phrase


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
        text = phrase("{creature} of {player} dies.", creature=creature.title, player=resolution.name(creature.owner))
        resolution.tell(text, creature.owner, by_hand=True)
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
        text = phrase(
            "{keyword} of {creature} acts now: do what its card says.", keyword=keyword.title, creature=creature.title
        )
        resolution.tell(text, creature.owner, by_hand=True)


def update_outcome(resolution: Resolution) -> None:
    """Update the outcome from the present table, and report a change."""
    outcome = find_outcome(resolution.state)
    if outcome == resolution.state.outcome:
        return
    resolution.change(outcome=outcome)
    if outcome is None:
        resolution.tell(phrase("The game goes on."))
    elif outcome == "draw":
        resolution.tell(phrase("The game is a draw."))
    else:
        resolution.tell(phrase("{player} wins.", player=resolution.name(outcome)))


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
    def sum(self) -> Message | int:
        """The calculation: `5 − 2 Armor = 3`"""
        if not self.prevented:
            return self.amount
        return phrase(
            # Translators: the damage, less what Armor prevents of it
            "{damage} − {prevented} Armor = {dealt}",
            damage=self.amount,
            prevented=self.prevented,
            dealt=self.dealt,
        )


Report = Callable[[Mapping[str, Any]], Message]
"""A function that returns the message of a hit or of healing from its values: damage, target, before and after."""


def damage_bearer(resolution: Resolution, bearer: Bearer, amount: int, report: Report) -> Blow:
    """Damage a creature or a player; its death is checked at the end of the batch (R4.22)."""
    blow = Blow(amount, min(amount, armor_left(bearer)))
    absorbed = bearer.absorbed + blow.prevented
    after = _with_health(resolution, bearer, bearer.health - blow.dealt, absorbed=absorbed)
    resolution.tell(report({"damage": blow.sum, **_health_values(bearer, after)}), bearer.owner)
    return blow


def heal_bearer(resolution: Resolution, bearer: Bearer, amount: int, report: Report) -> None:
    """Heal a creature up to its maximum, a player up to the health at the start (R4.19, A4.13)."""
    most = resolution.state.house.start_health if isinstance(bearer, SolForgePlayer) else bearer.max
    after = _with_health(resolution, bearer, max(bearer.health, min(bearer.health + amount, most)))
    resolution.tell(report({"amount": amount, **_health_values(bearer, after)}), bearer.owner)


def _health_values(before: Bearer, after: Bearer) -> dict[str, Any]:
    return {"target": before.title, "before": before.health, "after": after.health}


def _with_health(resolution: Resolution, bearer: Bearer, health: int, **fields: int) -> Bearer:
    """Set the health of a player, or the damage of a creature that leaves this health."""
    if isinstance(bearer, SolForgePlayer):
        return resolution.update(bearer, health=health, **fields)
    return resolution.update(bearer, damage=bearer.max - health, **fields)


def poison_and_regenerate(resolution: Resolution) -> None:
    """Apply all Poison, then all Regenerate, on both sides; deaths are checked after both (R4.18, A4.11)."""
    for bearer in resolution.state.bearers:
        if amount := bearer.keywords.get("poison", 0):
            damage_bearer(resolution, bearer, amount, _report_poison)
    for bearer in resolution.state.bearers:
        if amount := bearer.keywords.get("regenerate", 0):
            heal_bearer(resolution, bearer, amount, _report_regenerate)


def _report_poison(values: Mapping[str, Any]) -> Message:
    return phrase("Poison {damage}: {target} {before} → {after}.", **values)


def _report_regenerate(values: Mapping[str, Any]) -> Message:
    return phrase("Regenerate {amount}: {target} {before} → {after}.", **values)


def _report_damage(values: Mapping[str, Any]) -> Message:
    return phrase("Damage {damage}: {target} {before} → {after}.", **values)


def _report_healed(values: Mapping[str, Any]) -> Message:
    return phrase("Healed {amount}: {target} {before} → {after}.", **values)


def _report_lane(attacker: LaneCreature) -> Report:
    """Return the report of an attack in a lane."""

    def report(values: Mapping[str, Any]) -> Message:
        lane, title = attacker.lane, attacker.title
        # Translators: an attack: “Lane 3: Wolf 5: Ben 20 → 15.”
        return phrase(
            "Lane {lane}: {attacker} {damage}: {target} {before} → {after}.", lane=lane, attacker=title, **values
        )

    return report


def _report_breakthrough(attacker: LaneCreature) -> Report:
    """Return the report of what breaks through to the player."""

    def report(values: Mapping[str, Any]) -> Message:
        return phrase(
            "Breakthrough of {attacker} {damage}: {target} {before} → {after}.", attacker=attacker.title, **values
        )

    return report


def damage(resolution: Resolution, action: do.Damage) -> None:
    """Deal damage by a card, to one target or several at once."""
    for target, amount in ((action.target, action.amount), *action.more):
        damage_bearer(resolution, resolution.state.bearer(target), amount, _report_damage)


def heal(resolution: Resolution, action: do.Heal) -> None:
    """Heal by a card."""
    heal_bearer(resolution, resolution.state.bearer(action.target), action.amount, _report_healed)


def battle(resolution: Resolution, action: do.Battle) -> None:
    """Fight the turn's Battle, or an extra one by the text of a card, which does not replace it (R4.4, A4.14)."""
    if not action.extra:
        if resolution.state.fought:
            raise RuleError(
                phrase("There is one Battle a turn (R4.4); `battle extra` fights one that a card adds (A4.14).")
            )
        resolution.change(fought=True)
    resolution.tell(phrase("An extra Battle.") if action.extra else phrase("The Battle."))
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
    hit = damage_bearer(resolution, defender, attacker.attack, _report_lane(attacker))
    if attacker.offensive and "breakthrough" in attacker.keywords:
        arriving = hit.amount if resolution.state.house.bt_armor == "ignore" else hit.dealt
        if (excess := arriving - defender.health) > 0:
            player = resolution.state.player(defender.owner)
            damage_bearer(resolution, player, excess, _report_breakthrough(attacker))


def _go_unopposed(resolution: Resolution, creature: LaneCreature) -> None:
    """Let a creature alone in its lane attack the other player if it is on the offensive (R4.12)."""
    if creature.offensive and creature.attack > 0:
        rival = resolution.state.rival(creature.owner)
        damage_bearer(resolution, rival, creature.attack, _report_lane(creature))
