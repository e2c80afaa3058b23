"""Summoning of creatures and forging of gear."""

from __future__ import annotations

from typing import Final

from companion.games.soulforger.glossary import phase_title
from companion.games.soulforger.rules.actions import ForgeEquipment, Summon, Swap, Token
from companion.games.soulforger.rules.costs import hand_card, pay_from_field, remind_cost
from companion.games.soulforger.rules.field import leave, remind, unsettle_attack
from companion.games.soulforger.rules.setup import equipment, place
from companion.games.soulforger.rules.state import (
    ACCESSORIES,
    HANDS,
    Creature,
    Equipment,
    EquipmentType,
    Resolution,
    Slot,
    SoulForgerTable,
)
from companion.games.soulforger.rules.turn import check_quiet, check_settled, living_player, turn_player
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import count_copy
from companion.tabletop.constructed.tracking import WHOLE_TURN
from templates.languages.messages import Message, any_of, phrase

MAIN_PHASES: Final = ("main1", "main2", WHOLE_TURN)


def check_main_phase(resolution: Resolution, seat: str, refusal: Message) -> None:
    """Raise RuleError unless this player can act at Normal speed: in their own Main 1 or 2, not in response (R2.19).

    `refusal` is the message for another phase.
    """
    turn_player(resolution, seat)
    if resolution.state.phase not in MAIN_PHASES:
        raise RuleError(refusal)
    check_quiet(resolution)


def summon(resolution: Resolution, action: Summon) -> None:
    """Summon a creature from the hand, or by an effect from anywhere (R2.8, R2.12, R2.17)."""
    if action.manifest:
        living_player(resolution, action.seat)
        check_settled(resolution)
        if action.pay:
            raise RuleError(phrase("A Manifest Summon pays nothing (R2.17); leave out `pay`."))
    else:
        refusal = phrase(
            "A Call Summon belongs to Main 1 or Main 2; the current phase is {phase} (R2.8, R2.19).",
            phase=phase_title(resolution.state.phase),
        )
        check_main_phase(resolution, action.seat, refusal)
        hand_card(resolution, action.seat, action.handle)
        pay_from_field(resolution, action.seat, action.pay)
    _check_ronum_limit(resolution, action)
    on, off = action.power
    creature = Creature(
        *(action.handle, action.seat, on, off, 0, True, action.faction, action.keywords),
        ronum=action.ronum,
        endurance=action.endurance,
        experience=action.xp,
    )
    figures = {**_figures_of(action), "player": resolution.name(action.seat), "creature": creature.title}
    if action.manifest:
        text = phrase(
            "{player} Manifest Summons {creature} (Ronum {ronum}, {on}/{off}, Endurance {endurance}).", **figures
        )
    else:
        text = phrase("{player} Call Summons {creature} (Ronum {ronum}, {on}/{off}, Endurance {endurance}).", **figures)
    _enter_creature(resolution, creature, text)
    if not action.manifest:
        _of_list(resolution, action)


def _figures_of(action: Summon | Token) -> dict[str, object]:
    """Return the figures of a new creature as fields of messages."""
    on, off = action.power
    return {"ronum": action.ronum, "on": on, "off": off, "endurance": action.endurance}


def _check_ronum_limit(resolution: Resolution, action: Summon) -> None:
    """Raise RuleError if the Ronum of all creatures would exceed the level (R2.12)."""
    player, present = resolution.state.player(action.seat), resolution.state.ronum(action.seat)
    if present + action.ronum > player.level:
        raise RuleError(
            phrase(
                "{player}'s creatures would have Ronum {present} + {ronum} = {total}, more than level {level} (R2.12).",
                player=player.name,
                present=present,
                ronum=action.ronum,
                total=present + action.ronum,
                level=player.level,
            )
        )


def token(resolution: Resolution, action: Token) -> None:
    """Put a token on the field by an effect (R2.14).

    Its Ronum may break the limit, because it is neither a Call nor a Manifest Summon (R2.12).
    """
    living_player(resolution, action.seat)
    check_settled(resolution)
    on, off = action.power
    creature = Creature(
        *(action.handle, action.seat, on, off, 0, True, (), action.keywords),
        ronum=action.ronum,
        endurance=action.endurance,
        token=True,
    )
    text = phrase(
        "{player} puts the token {creature} on the field (Ronum {ronum}, {on}/{off}, Endurance {endurance}).",
        player=resolution.name(action.seat),
        creature=creature.title,
        **_figures_of(action),
    )
    _enter_creature(resolution, creature, text)


def _enter_creature(resolution: Resolution, creature: Creature, text: Message) -> None:
    if creature.endurance == 0:
        raise RuleError(phrase("{creature} needs an Endurance of at least 1 (R2.23).", creature=creature.title))
    place(resolution, creature)
    unsettle_attack(resolution)
    resolution.tell(text, creature.owner)
    remind(resolution, creature, "enters")


def forge(resolution: Resolution, action: ForgeEquipment) -> None:
    """Forge a card from the Forge Deck, which takes over the guard position of the card it replaces (R2.15)."""
    refusal = phrase(
        "Forging belongs to Main 1 or Main 2; the current phase is {phase} (R2.8, R2.19).",
        phase=phase_title(resolution.state.phase),
    )
    check_main_phase(resolution, action.seat, refusal)
    player = resolution.state.player(action.seat)
    if action.ronum > player.level:
        raise RuleError(
            phrase(
                "{player} is level {level} and cannot forge Ronum {ronum} (R2.11, R2.15).",
                player=player.name,
                level=player.level,
                ronum=action.ronum,
            )
        )
    if action.slot and action.type != "weapon":
        raise RuleError(phrase("Only a weapon goes into the Primary or Secondary slot (R2.15); leave out `slot`."))
    pay_from_field(resolution, action.seat, action.pay)
    slot, replaced = _fit_equipment(resolution.state, action)
    new = equipment(action, slot, guarded=replaced[0].guarded if replaced else True)
    for old in replaced:
        leave(resolution, old.handle, "replaced")
    place(resolution, new)
    resolution.tell(_describe_forging(player.name, new, action.ronum), player.seat)
    remind(resolution, new, "enters")
    _of_list(resolution, action)


def _describe_forging(player: str, piece: Equipment, ronum: int) -> Message:
    figures = {"player": player, "card": piece.title, "ronum": ronum}
    if piece.slot == "primary":
        return phrase("{player} forges {card} as Primary weapon (Ronum {ronum}).", **figures)
    if piece.slot == "secondary":
        return phrase("{player} forges {card} as Secondary weapon (Ronum {ronum}).", **figures)
    return phrase("{player} forges {card} (Ronum {ronum}).", **figures)


def _of_list(resolution: Resolution, action: Summon | ForgeEquipment) -> None:
    """Log the copies of a played card in the deck list, and its cost unless it was paid in the same line."""
    count_copy(resolution, action.seat, action.handle)
    if not action.pay:
        remind_cost(resolution, action.seat, action.handle)


def _fit_equipment(state: SoulForgerTable, action: ForgeEquipment) -> tuple[Slot, tuple[Equipment, ...]]:
    """Return the slot of the new card and the cards it replaces, first the one whose guard position it takes over."""
    named = _find_replaced(state, action)
    if action.type == "weapon":
        return _fit_weapon(state, action, named)
    worn = tuple(piece for piece in state.equipment(action.seat) if piece.slot == action.type)
    if action.type == "armor":
        return "armor", worn
    if named is None and len(worn) == ACCESSORIES:
        ways = any_of(f"`replaces {piece.handle}`" for piece in worn)
        raise RuleError(
            phrase(
                "At most {most} accessories are allowed (R2.15); say which one goes: {ways}.",
                most=ACCESSORIES,
                ways=ways,
            )
        )
    return "accessory", (named,) if named else ()


def _find_replaced(state: SoulForgerTable, action: ForgeEquipment) -> Equipment | None:
    """Return the equipment that `replaces` names. Raises RuleError unless it is the player's own of the same type."""
    if action.replaces is None:
        return None
    piece = state.card(action.replaces)
    same = isinstance(piece, Equipment) and (piece.slot == action.type or (piece.is_weapon and action.type == "weapon"))
    if not isinstance(piece, Equipment) or not same or piece.owner != action.seat:
        raise RuleError(_describe_wrong_piece(piece.title, action.type, state.player(action.seat).name))
    return piece


def _describe_wrong_piece(card: str, kind: EquipmentType, player: str) -> Message:
    match kind:
        case "weapon":
            return phrase("{card} is not one of {player}'s weapons (R2.15).", card=card, player=player)
        case "armor":
            return phrase("{card} is not {player}'s armor (R2.15).", card=card, player=player)
        case "accessory":
            return phrase("{card} is not one of {player}'s accessories (R2.15).", card=card, player=player)


def _fit_weapon(
    state: SoulForgerTable, action: ForgeEquipment, named: Equipment | None
) -> tuple[Slot, tuple[Equipment, ...]]:
    """Return the slot of a weapon and the weapons it replaces: at most 2 hands, the Primary slot first (R2.15)."""
    primary, secondary = state.weapon(action.seat), state.weapon(action.seat, "secondary")
    both = tuple(weapon for weapon in (primary, secondary) if weapon)
    two_handed = (action.hands or 1) == HANDS
    free = primary is not None and primary.hands < HANDS
    slot = named.slot if named else action.slot
    if action.slot and slot != action.slot:
        if action.slot == "primary":
            raise RuleError(
                phrase(
                    "{card} is not the Primary weapon; leave out `slot` or `replaces` (R2.15).", card=action.replaces
                )
            )
        raise RuleError(
            phrase("{card} is not the Secondary weapon; leave out `slot` or `replaces` (R2.15).", card=action.replaces)
        )
    if slot == "secondary" and (two_handed or not free):
        raise RuleError(
            phrase(
                "A Secondary weapon needs a hand that the Primary weapon leaves free; there are {hands} hands (R2.15).",
                hands=HANDS,
            )
        )
    if two_handed:
        return "primary", both
    if slot == "secondary" or (slot is None and free and secondary is None):
        return "secondary", (secondary,) if secondary else ()
    return "primary", (primary,) if primary else ()


def swap(resolution: Resolution, action: Swap) -> None:
    """Swap Primary and Secondary weapon, once per turn and only while both are On-guard (R2.8)."""
    refusal = phrase(
        "Changing weapons belongs to Main 1 or Main 2; the current phase is {phase} (R2.8, R2.19).",
        phase=phase_title(resolution.state.phase),
    )
    check_main_phase(resolution, action.seat, refusal)
    state = resolution.state
    player, primary, secondary = (
        state.player(action.seat),
        state.weapon(action.seat),
        state.weapon(action.seat, "secondary"),
    )
    if player.swapped:
        raise RuleError(phrase("{player} has already changed weapons this turn (R2.8).", player=player.name))
    if primary is None or secondary is None:
        raise RuleError(phrase("{player} does not have two weapons to change (R2.8).", player=player.name))
    if not (primary.guarded and secondary.guarded):
        off = primary if secondary.guarded else secondary
        raise RuleError(
            phrase("{card} is Off-guard; weapons change only while both are On-guard (R2.8).", card=off.title)
        )
    resolution.update_player(player.seat, swapped=True)
    resolution.update_card(primary.handle, slot="secondary")
    resolution.update_card(secondary.handle, slot="primary")
    text = phrase("{player} changes weapons: {weapon} is Primary now.", player=player.name, weapon=secondary.title)
    resolution.tell(text, player.seat, by_hand=True)
