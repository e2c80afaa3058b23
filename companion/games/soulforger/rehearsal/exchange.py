"""The result of an attack computed without fighting it: losses and damage (R2.23, R2.24, R2.27)."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.soulforger.rules.state import ENDURANCE, Creature, FieldCard, SoulForgerTable


class Exchange(NamedTuple):
    """The result of a fight between an attacker and its opponent."""

    attacker_dies: bool
    defender_dies: bool
    hurt: int
    """Damage to the attacking player."""
    dealt: int
    """Damage to the attacked player."""


def foresee_fight(table: SoulForgerTable, attacker: FieldCard, defender: FieldCard | str) -> Exchange:
    """Return the result of a fight against a creature, a blocking weapon, or a player by their seat (A2.13, A2.17)."""
    card = table.weapon(defender) if isinstance(defender, str) else defender
    seat = defender if isinstance(defender, str) else defender.owner
    power = card.power if card is not None else 0
    if "range" in attacker.keywords or (not isinstance(attacker, Creature) and _wears_range(table, attacker.owner)):
        power = 0
    first = "fast-hand" in attacker.keywords
    answers_first = card is not None and "reflex" in card.keywords
    excess, falls = _damage_beyond(card, attacker.power)
    if isinstance(card, Creature):
        dealt = excess if "impale" in attacker.keywords and attacker.power else 0
    else:
        dealt = attacker.power
    hurt, dies = (0, _damage_beyond(attacker, power)[1]) if isinstance(attacker, Creature) else (power, False)
    if first and not answers_first and (falls or _is_out(table, seat, dealt, isinstance(card, Creature))):
        return Exchange(False, falls, 0, dealt)
    if answers_first and not first and (dies or _is_out(table, attacker.owner, hurt, isinstance(attacker, Creature))):
        return Exchange(dies, False, hurt, 0)
    return Exchange(dies, falls, hurt, dealt)


def _damage_beyond(card: FieldCard | None, power: int) -> tuple[int, bool]:
    """Return the damage beyond a creature's Endurance, and True if it is destroyed."""
    if not isinstance(card, Creature):
        return 0, False
    left = card.endurance - card.damage
    return max(0, power - max(0, left)), bool(power) and power >= left


def _is_out(table: SoulForgerTable, seat: str, damage: int, has_creature: bool) -> bool:
    """Return True if a player who fights without a creature is out after this damage."""
    return not has_creature and table.player(seat).damage + damage >= ENDURANCE


def _wears_range(table: SoulForgerTable, seat: str) -> bool:
    return any("range" in piece.keywords for piece in table.equipment(seat) if not piece.is_weapon)
