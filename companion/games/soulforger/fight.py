"""The damage of an attack: who deals how much to whom, in which order, and what a kill earns (R2.23, R2.24)."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.action import RuleError
from companion.games.soulforger.actions import Fight
from companion.games.soulforger.attack import defender, end_attack, is_there, open_attack
from companion.games.soulforger.field import destroyed, wound
from companion.games.soulforger.levels import earn
from companion.games.soulforger.reminders import remind
from companion.games.soulforger.state import Attack, Creature, Equipment, FieldCard, Resolution, Table
from companion.games.soulforger.turn import suffer


class Fighter(NamedTuple):
    """One side of a fight: the card that deals the damage, if there is one, and the player behind it."""

    seat: str
    card: FieldCard | None
    attacks: bool

    @property
    def creature(self) -> Creature | None:
        """Who takes the damage: the creature; where it is None, the player (A2.17)."""
        return self.card if isinstance(self.card, Creature) else None

    @property
    def first(self) -> bool:
        """Whether it deals its damage first: Fast Hand attacking, Reflex otherwise (R2.27)."""
        return self.has("fast-hand" if self.attacks else "reflex")

    def has(self, keyword: str) -> bool:
        """Whether the fighting card bears a keyword."""
        return self.card is not None and keyword in self.card.keywords


def fight(res: Resolution, action: Fight) -> None:  # noqa: ARG001 – a bare word
    """Step 3: the damage, and then the end of the combat (R2.23)."""
    attack = open_attack(res)
    if not attack.blocker and not is_there(res.state, attack.target):
        raise RuleError("The target has left: `retarget` aims anew, `call-off` ends the attack (R2.21).")
    deal_damage(res, attack)
    end_attack(res)


def deal_damage(res: Resolution, attack: Attack) -> None:
    """The blows of both sides in their order (R2.23, R2.27)."""
    one, other = _fighters(res.state, attack)
    if one.first == other.first:
        _deal(res, (one, other), (other, one))
    else:
        quick, slow = (one, other) if one.first else (other, one)
        _deal(res, (quick, slow))
        if _stands(res.state, slow):
            _deal(res, (slow, quick))
        else:
            res.tell(f"{_title(res.state, slow)} deals no damage back (A2.5).", slow.seat)


def _fighters(state: Table, attack: Attack) -> tuple[Fighter, Fighter]:
    """The attacker, and the blocker or target; an attacked player strikes back with the Primary weapon (A2.13)."""
    attacker = state.cards[attack.attacker]
    against = defender(state, attack)
    if isinstance(against, str):
        other = Fighter(against, state.weapon(against), attacks=False)
    else:
        other = Fighter(against.owner, against, attacks=False)
    return Fighter(attacker.owner, attacker, attacks=True), other


def _stands(state: Table, fighter: Fighter) -> bool:
    """Whether a fighter is alive after the first damage (R2.24)."""
    if fighter.creature is None:
        return not state.player(fighter.seat).out
    return fighter.creature.handle in state.cards


def _title(state: Table, fighter: Fighter) -> str:
    return fighter.card.title if fighter.card else state.player(fighter.seat).name


def _deal(res: Resolution, *blows: tuple[Fighter, Fighter]) -> None:
    """Damage that falls at once; only then is destroyed what has taken too much (R2.23)."""
    for striker, struck in blows:
        _strike(res, striker, struck)
    for striker, struck in blows:
        _bury(res, striker, struck)


def _strike(res: Resolution, striker: Fighter, struck: Fighter) -> None:
    """One blow; with Impale, what exceeds the remaining Endurance goes on to the player (R2.27, A2.7)."""
    power = striker.card.power if striker.card else 0
    if power == 0:
        return
    title = _title(res.state, striker)
    if struck.attacks and _has_range(res.state, struck):
        res.tell(
            f"{_title(res.state, struck)} has Range and takes no combat damage when attacking (R2.27).", struck.seat
        )
        return
    if struck.creature is None:
        suffer(res, struck.seat, power, title)
        return
    wound(res, struck.creature, power, title)
    remind(res, struck.creature, "combat-damage")
    excess = power - (struck.creature.endurance - struck.creature.damage)
    if striker.attacks and striker.has("impale") and excess > 0:
        suffer(res, struck.seat, excess, f"Impale of {title}, {power} − {power - excess}")


def _has_range(state: Table, attacker: Fighter) -> bool:
    """Range of the attacking card, or for a player who attacks with a weapon of what they wear (R2.27)."""
    worn = () if attacker.creature else (piece for piece in state.equipment(attacker.seat) if not piece.is_weapon)
    return attacker.has("range") or any("range" in piece.keywords for piece in worn)


def _bury(res: Resolution, striker: Fighter, struck: Fighter) -> None:
    """A creature with damage of at least its Endurance is destroyed; a weapon earns its Experience (R2.10, R2.23)."""
    if struck.creature is None:
        return
    creature = res.state.creature(struck.creature.handle)
    if creature.damage < creature.endurance:
        return
    destroyed(res, creature, in_combat=True)
    assert striker.card is not None, "damage comes from a card"
    remind(res, striker.card, "kills")
    if isinstance(striker.card, Equipment) and (striker.attacks or res.state.house.xp_on_block):
        earn(res, striker.seat, creature.experience, creature.title)
