"""The field: creatures and weapons on guard and off, what leaves it, and what is to be done by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.games.soulforger.actions import Buff, Damage, Destroy, Give, Heal, Send, Skill, TakeAway
from companion.games.soulforger.keywords import KEYWORDS, Moment, check_keywords, title
from companion.games.soulforger.state import Creature, Equipment, FieldCard, Player, Resolution, Table, ZoneAction
from companion.games.soulforger.turn import check_settled, living, suffer
from companion.tabletop.action import RuleError


def reminders(card: FieldCard, moment: Moment) -> Iterator[str]:
    """A sentence for each keyword of a card that is due at this moment."""
    for word in card.keywords:
        if KEYWORDS[word].moment == moment:
            yield f"Remember {title(word)} of {card.title}: {KEYWORDS[word].effect}."


def remind(res: Resolution, card: FieldCard, moment: Moment) -> None:
    """Call to mind what is due now."""
    for text in reminders(card, moment):
        res.tell(text, card.owner, by_hand=True)


def leave(res: Resolution, handle: str, how: str) -> None:
    """A card leaves the field for the graveyard; a token vanishes (R2.14). The sentence says `how`."""
    card = res.state.card(handle)
    res.change(cards={key: other for key, other in res.state.cards.items() if key != handle})
    if isinstance(card, Creature):
        unsettle_attack(res)
    if isinstance(card, Creature) and card.token:
        res.tell(f"{card.title} {how} and, being a token, vanishes (R2.14).", card.owner, by_hand=True)
        return
    to_graveyard(res, card.owner)
    res.tell(f"{card.title} {how} and goes to {res.name(card.owner)}'s graveyard.", card.owner, by_hand=True)


def to_graveyard(res: Resolution, seat: str) -> None:
    """One more card in a player's graveyard."""
    res.update_player(seat, graveyard=res.state.player(seat).graveyard + 1)


def unsettle_attack(res: Resolution) -> None:
    """A creature left or entered: before the block, the open attack may be aimed anew or called off (R2.21)."""
    if res.state.attack is not None and not res.state.attack.unsettled:
        res.update_attack(unsettled=True)


def move_secondary_up(res: Resolution, seat: str) -> None:
    """Without a Primary weapon, the Secondary becomes it (R2.15)."""
    secondary = res.state.weapon(seat, "secondary")
    if secondary is not None and res.state.weapon(seat) is None:
        res.update_card(secondary.handle, slot="primary")
        res.tell(f"{secondary.title} is {res.name(seat)}'s Primary weapon now (R2.15).", seat, by_hand=True)


def destroyed(res: Resolution, card: FieldCard, in_combat: bool = False) -> None:
    """A card is destroyed: it leaves, and what acts then is called to mind."""
    leave(res, card.handle, "is destroyed")
    remind(res, card, "destroyed")
    if not in_combat:
        remind(res, card, "own-side")


def bury(res: Resolution) -> None:
    """Creatures with damage of at least their Endurance are destroyed (R2.23)."""
    for card in res.state.cards.values():
        if isinstance(card, Creature) and card.damage >= card.endurance:
            res.tell(f"{card.title} has {card.damage} damage, Endurance {card.endurance}.", card.owner)
            destroyed(res, card)


def destroy(res: Resolution, action: Destroy) -> None:
    """An effect destroys a card on the field, or an Action in its zone."""
    if action.handle in res.state.cards:
        card = res.state.card(action.handle)
        destroyed(res, card)
        move_secondary_up(res, card.owner)
    else:
        _drop_action(res, action.handle, "is destroyed")


def send(res: Resolution, action: Send) -> None:
    """A card goes to the graveyard without being destroyed: nothing triggers (R2.12, R2.26)."""
    if action.handle in res.state.cards:
        card = res.state.card(action.handle)
        leave(res, card.handle, "is sent off the field")
        move_secondary_up(res, card.owner)
    else:
        _drop_action(res, action.handle, "is sent off")


def action_handle(action: ZoneAction) -> str:
    """The word by which an Action in a zone can be named: `Fire Wall` is `fire-wall`."""
    return re.sub(r"[^\w]+", "-", action.name.lower()).strip("-")


def _drop_action(res: Resolution, handle: str, how: str) -> None:
    """An Action leaves its zone for the graveyard."""
    action = action_called(res.state, handle)
    if action is None:
        raise RuleError(f"There is no “{handle}” on the field or in an Action Zone.")
    player = next(player for player in res.state.players if action in player.zone)
    take_from_zone(res, player, action)
    to_graveyard(res, player.seat)
    res.tell(f"“{action.name}” {how} and goes to {player.name}'s graveyard.", player.seat, by_hand=True)


def action_called(state: Table, handle: str) -> ZoneAction | None:
    """The first Action in a zone that goes by that word."""
    lying = (action for player in state.players for action in player.zone)
    return next((action for action in lying if action_handle(action) == handle), None)


def take_from_zone(res: Resolution, player: Player, action: ZoneAction) -> None:
    """An Action leaves the zone of its player; of two alike, one."""
    zone = list(player.zone)
    zone.remove(action)
    res.update_player(player.seat, zone=tuple(zone))


def damage(res: Resolution, action: Damage) -> None:
    """Damage by an effect (R2.1, R2.13)."""
    if res.state.seated(action.target):
        suffer(res, living(res, action.target).seat, action.amount, "effect")
        return
    creature = res.state.creature(action.target)
    wound(res, creature, action.amount, "effect")
    if action.amount:
        remind(res, creature, "other-damage")


def wound(res: Resolution, creature: Creature, amount: int, why: str) -> None:
    """Damage that stays on a creature (R2.13)."""
    after = creature.damage + amount
    res.update_card(creature.handle, damage=after)
    res.tell(
        f"{creature.title} takes {amount} ({why}): {creature.damage} → {after} of {creature.endurance}.", creature.owner
    )


def heal(res: Resolution, action: Heal) -> None:
    """Damage taken away again, no more than there is."""
    if res.state.seated(action.target):
        player = living(res, action.target)
        after = max(0, player.damage - action.amount)
        res.update_player(player.seat, damage=after)
        res.tell(f"{player.name} heals: {player.damage} → {after}.", player.seat)
        return
    creature = res.state.creature(action.target)
    after = max(0, creature.damage - action.amount)
    res.update_card(creature.handle, damage=after)
    res.tell(f"{creature.title} heals: {creature.damage} → {after}.", creature.owner)


def buff(res: Resolution, action: Buff) -> None:
    """Power changes On- and Off-guard alike; Endurance only creatures have (R2.13)."""
    card = res.state.card(action.handle)
    power, endurance = action.change
    if isinstance(card, Equipment) and (endurance or not card.is_weapon):
        raise RuleError(f"{card.title} is equipment: only a weapon has Power, and no equipment has Endurance (R2.3).")
    res.update_card(card.handle, gain=card.gain + power)
    told = f"{card.title}: Power {card.power} → {res.state.cards[card.handle].power}"
    if isinstance(card, Creature) and endurance:
        after = max(0, card.endurance + endurance)
        res.update_card(card.handle, endurance=after)
        told += f", Endurance {card.endurance} → {after}"
    res.tell(f"{told}.", card.owner)


def give(res: Resolution, action: Give) -> None:
    """A keyword more."""
    card = res.state.card(action.handle)
    check_keywords((action.keyword,))
    if action.keyword not in card.keywords:
        res.update_card(card.handle, keywords=(*card.keywords, action.keyword))
    res.tell(f"{card.title} has {title(action.keyword)}.", card.owner)


def take_away(res: Resolution, action: TakeAway) -> None:
    """A keyword less."""
    card = res.state.card(action.handle)
    if action.keyword not in card.keywords:
        has = ", ".join(card.keywords) or "none"
        raise RuleError(f"{card.title} has no keyword “{action.keyword}”; it has: {has}.")
    res.update_card(card.handle, keywords=tuple(word for word in card.keywords if word != action.keyword))
    res.tell(f"{card.title} loses {title(action.keyword)}.", card.owner)


def skill(res: Resolution, action: Skill) -> None:
    """From On- to Off-guard, for an effect at Reaction speed (R2.27)."""
    card = res.state.card(action.handle)
    check_settled(res)
    if "skill" not in card.keywords:
        raise RuleError(f"{card.title} has no Skill (R2.27); `give {card.handle} skill` where it has gained it.")
    if not card.guarded:
        raise RuleError(f"{card.title} is Off-guard; Skill turns an On-guard card (R2.27).")
    turn_off_guard(res, card.handle)
    res.tell(f"{card.title} uses its Skill: put its effect on the Flow.", card.owner)


def turn_off_guard(res: Resolution, handle: str) -> None:
    """A card turns Off-guard."""
    card = res.state.cards[handle]
    if card.guarded:
        res.update_card(handle, guarded=False)
        res.tell(f"{card.title} turns Off-guard.", card.owner, by_hand=True)
