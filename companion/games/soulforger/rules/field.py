"""The field: creatures and weapons On- and Off-guard, cards that leave it, and instructions for the real cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from companion.games.soulforger.rules.actions import Buff, Damage, Destroy, Give, Heal, Send, Skill, TakeAway
from companion.games.soulforger.rules.keywords import KEYWORDS, Moment, check_keywords, keyword_title, title
from companion.games.soulforger.rules.state import (
    Creature,
    Equipment,
    FieldCard,
    Resolution,
    SoulForgerPlayer,
    SoulForgerTable,
    ZoneAction,
)
from companion.games.soulforger.rules.turn import check_settled, living_player, suffer
from companion.tabletop.action import RuleError
from companion.tabletop.constructed import batch
from templates.languages.messages import Message, Text, listed, phrase, phrase_in

Leaving = Literal["destroyed", "replaced", "paid", "sent"]
"""The ways in which a card leaves the field."""


def keyword_reminders(card: FieldCard, moment: Moment) -> Iterator[Message]:
    """Yield a reminder for each keyword of a card that is due at this moment."""
    for word in card.keywords:
        keyword = KEYWORDS[word]
        if keyword.moment == moment:
            yield phrase(
                "Remember {keyword} of {card}: {effect}.", keyword=keyword.title, card=card.title, effect=keyword.effect
            )


def remind(resolution: Resolution, card: FieldCard, moment: Moment) -> None:
    """Log the reminders that are due now."""
    for text in keyword_reminders(card, moment):
        resolution.tell(text, card.owner, by_hand=True)


def leave(resolution: Resolution, handle: str, how: Leaving) -> None:
    """Send a card from the field to the graveyard; a token vanishes (R2.14)."""
    card = resolution.state.card(handle)
    resolution.change(cards={key: other for key, other in resolution.state.cards.items() if key != handle})
    if isinstance(card, Creature):
        unsettle_attack(resolution)
    if isinstance(card, Creature) and card.token:
        resolution.tell(_describe_vanishing(card.title, how), card.owner, by_hand=True)
        return
    to_graveyard(resolution, card.owner)
    resolution.tell(_describe_leaving(card.title, how, resolution.name(card.owner)), card.owner, by_hand=True)


def _describe_vanishing(card: str, how: Leaving) -> Message:
    match how:
        case "destroyed":
            return phrase("{card} is destroyed and, being a token, vanishes (R2.14).", card=card)
        case "replaced":
            return phrase("{card} is replaced and, being a token, vanishes (R2.14).", card=card)
        case "paid":
            return phrase("{card} is paid and, being a token, vanishes (R2.14).", card=card)
        case "sent":
            return phrase("{card} is sent off the field and, being a token, vanishes (R2.14).", card=card)


def _describe_leaving(card: str, how: Leaving, player: str) -> Message:
    match how:
        case "destroyed":
            return phrase("{card} is destroyed and goes to {player}'s graveyard.", card=card, player=player)
        case "replaced":
            return phrase("{card} is replaced and goes to {player}'s graveyard.", card=card, player=player)
        case "paid":
            return phrase("{card} is paid and goes to {player}'s graveyard.", card=card, player=player)
        case "sent":
            return phrase("{card} is sent off the field and goes to {player}'s graveyard.", card=card, player=player)


def to_graveyard(resolution: Resolution, seat: str) -> None:
    """Add a card to a player's graveyard."""
    resolution.update_player(seat, graveyard=resolution.state.player(seat).graveyard + 1)


def unsettle_attack(resolution: Resolution) -> None:
    """Allow a change of the open attack before the block, because a creature left or entered (R2.21)."""
    if resolution.state.attack is not None and not resolution.state.attack.unsettled:
        resolution.update_attack(unsettled=True)


def move_secondary_up(resolution: Resolution, seat: str) -> None:
    """Make the Secondary weapon the Primary one if there is none (R2.15)."""
    secondary = resolution.state.weapon(seat, "secondary")
    if secondary is not None and resolution.state.weapon(seat) is None:
        resolution.update_card(secondary.handle, slot="primary")
        resolution.tell(
            phrase(
                "{weapon} is {player}'s Primary weapon now (R2.15).",
                weapon=secondary.title,
                player=resolution.name(seat),
            ),
            seat,
            by_hand=True,
        )


def destroy_card(resolution: Resolution, card: FieldCard, in_combat: bool = False) -> None:
    """Destroy a card: it leaves, and its due keywords are logged."""
    leave(resolution, card.handle, "destroyed")
    remind(resolution, card, "destroyed")
    if not in_combat:
        remind(resolution, card, "own-side")


def bury(resolution: Resolution) -> None:
    """Destroy creatures with damage of at least their Endurance (R2.23)."""
    for card in resolution.state.cards.values():
        if isinstance(card, Creature) and card.damage >= card.endurance:
            resolution.tell(
                phrase(
                    "{card} has {damage} damage, Endurance {endurance}.",
                    card=card.title,
                    damage=card.damage,
                    endurance=card.endurance,
                ),
                card.owner,
            )
            destroy_card(resolution, card)


def destroy(resolution: Resolution, action: Destroy) -> None:
    """Destroy a card on the field or an Action in its zone by an effect; within a batch, at its end."""
    if action.handle not in resolution.state.cards:
        _lying_action(resolution.state, action.handle)
    if not batch.dooms(resolution, action.handle, title(action.handle)):
        _destroy_by_handle(resolution, action.handle)


def _destroy_by_handle(resolution: Resolution, handle: str) -> None:
    card = resolution.state.cards.get(handle)
    if card is not None:
        destroy_card(resolution, card)
        move_secondary_up(resolution, card.owner)
    else:
        _drop_action(resolution, handle, "destroyed")


def destroy_doomed(resolution: Resolution) -> None:
    """Remove the cards destroyed within the finished batch, as far as they are still there."""
    for handle in batch.release(resolution):
        if handle in resolution.state.cards or action_called(resolution.state, handle):
            _destroy_by_handle(resolution, handle)


def send(resolution: Resolution, action: Send) -> None:
    """Send a card to the graveyard without destroying it: nothing triggers (R2.12, R2.26)."""
    if action.handle in resolution.state.cards:
        card = resolution.state.card(action.handle)
        leave(resolution, card.handle, "sent")
        move_secondary_up(resolution, card.owner)
    else:
        _drop_action(resolution, action.handle, "sent")


def action_handle(action: ZoneAction) -> str:
    """Return the handle of an Action: `fire-wall` for `Fire Wall`."""
    return re.sub(r"[^\w]+", "-", action.name.lower()).strip("-")


class LyingAction(NamedTuple):
    """An Action in a zone, with its player, handle and display name."""

    action: ZoneAction
    player: SoulForgerPlayer
    handle: str
    title: Text


def lying_actions(state: SoulForgerTable) -> Iterator[LyingAction]:
    """Yield all set and Lingering Actions.

    The handle of `Fire Wall` is `fire-wall`. An Action without a name goes by its place: the second one of Ana is
    `ana-action-2`.
    """
    for player in state.players:
        for number, action in enumerate(player.zone, 1):
            handle = action_handle(action) if action.name else _place_handle(player, number)
            yield LyingAction(action, player, handle, action.name or phrase("Action {number}", number=number))


def _place_handle(player: SoulForgerPlayer, number: int) -> str:
    return f"{player.seat}-action-{number}"


def _drop_action(resolution: Resolution, handle: str, how: Literal["destroyed", "sent"]) -> None:
    """Send an Action from its zone to the graveyard."""
    action, player, *_ = _lying_action(resolution.state, handle)
    take_from_zone(resolution, player, action)
    to_graveyard(resolution, player.seat)
    resolution.tell(_describe_drop(action.name, how, player.name), player.seat, by_hand=True)


def _describe_drop(action: str, how: Literal["destroyed", "sent"], player: str) -> Message:
    """Return the sentence on an Action that goes to the graveyard; it has no name if it lay face down without one."""
    if how == "destroyed":
        if action:
            return phrase("“{action}” is destroyed and goes to {player}'s graveyard.", action=action, player=player)
        return phrase("{player}'s face-down Action is destroyed and goes to {player}'s graveyard.", player=player)
    if action:
        return phrase("“{action}” is sent off and goes to {player}'s graveyard.", action=action, player=player)
    return phrase("{player}'s face-down Action is sent off and goes to {player}'s graveyard.", player=player)


def action_called(state: SoulForgerTable, handle: str) -> LyingAction | None:
    """Return the first Action in a zone with this handle, or else the one at this place.

    The place also finds a named Action, for players who do not know its name.
    """
    lying = tuple(lying_actions(state))
    places = (_place_handle(player, number) for player in state.players for number in range(1, len(player.zone) + 1))
    by_place = dict(zip(places, lying, strict=True))
    return next((each for each in lying if each.handle == handle), by_place.get(handle))


def _lying_action(state: SoulForgerTable, handle: str) -> LyingAction:
    """Return the Action in a zone with this handle. Raises RuleError if there is none."""
    called = action_called(state, handle)
    if called is None:
        raise RuleError(phrase("There is no “{name}” on the field or in an Action Zone.", name=handle))
    return called


def is_meant(state: SoulForgerTable, lying: LyingAction) -> bool:
    """Return True if the handle of an Action finds this Action and not another one with the same handle."""
    called = action_called(state, lying.handle)
    return called is not None and called.action is lying.action


def take_from_zone(resolution: Resolution, player: SoulForgerPlayer, action: ZoneAction) -> None:
    """Remove an Action from its player's zone; one of two equal Actions."""
    zone = list(player.zone)
    zone.remove(action)
    resolution.update_player(player.seat, zone=tuple(zone))


# Translators: the source of damage, in brackets.
_EFFECT: Final = phrase_in("source of damage", "effect")


def damage(resolution: Resolution, action: Damage) -> None:
    """Deal damage by an effect (R2.1, R2.13), to several targets at once if given (A2.14)."""
    hits = ((action.target, action.amount), *action.more)
    for seat in (target for target, _ in hits if resolution.state.is_seat(target)):
        living_player(resolution, seat)
    for target, amount in hits:
        if resolution.state.is_seat(target):
            suffer(resolution, target, amount, _EFFECT)
            continue
        creature = resolution.state.creature(target)
        wound(resolution, creature, amount, _EFFECT)
        if amount:
            remind(resolution, creature, "other-damage")


def wound(resolution: Resolution, creature: Creature, amount: int, source: Text) -> None:
    """Add damage to a creature, where it stays (R2.13)."""
    after = creature.damage + amount
    resolution.update_card(creature.handle, damage=after)
    resolution.tell(
        phrase(
            "{creature} takes {amount} ({source}): {before} → {after} of {endurance}.",
            creature=creature.title,
            amount=amount,
            source=source,
            before=creature.damage,
            after=after,
            endurance=creature.endurance,
        ),
        creature.owner,
    )


def heal(resolution: Resolution, action: Heal) -> None:
    """Heal damage, at most as much as there is."""
    if resolution.state.is_seat(action.target):
        player = living_player(resolution, action.target)
        after = max(0, player.damage - action.amount)
        resolution.update_player(player.seat, damage=after)
        resolution.tell(
            phrase("{player} heals: {before} → {after}.", player=player.name, before=player.damage, after=after),
            player.seat,
        )
        return
    creature = resolution.state.creature(action.target)
    after = max(0, creature.damage - action.amount)
    resolution.update_card(creature.handle, damage=after)
    resolution.tell(
        phrase("{creature} heals: {before} → {after}.", creature=creature.title, before=creature.damage, after=after),
        creature.owner,
    )


def buff(resolution: Resolution, action: Buff) -> None:
    """Change Power On- and Off-guard alike, and Endurance, which only creatures have (R2.13)."""
    card = resolution.state.card(action.handle)
    power, endurance = action.change
    if isinstance(card, Equipment) and (endurance or not card.is_weapon):
        raise RuleError(
            phrase(
                "{card} is equipment: only a weapon has Power, and no equipment has Endurance (R2.3).", card=card.title
            )
        )
    resolution.update_card(card.handle, gain=card.gain + power)
    figures = {"card": card.title, "power": card.power, "new_power": resolution.state.cards[card.handle].power}
    if isinstance(card, Creature) and endurance:
        after = max(0, card.endurance + endurance)
        resolution.update_card(card.handle, endurance=after)
        figures |= {"endurance": card.endurance, "new_endurance": after}
        text = phrase("{card}: Power {power} → {new_power}, Endurance {endurance} → {new_endurance}.", **figures)
    else:
        text = phrase("{card}: Power {power} → {new_power}.", **figures)
    resolution.tell(text, card.owner)


def give(resolution: Resolution, action: Give) -> None:
    """Give a card a keyword."""
    card = resolution.state.card(action.handle)
    check_keywords((action.keyword,))
    if action.keyword not in card.keywords:
        resolution.update_card(card.handle, keywords=(*card.keywords, action.keyword))
    resolution.tell(phrase("{card} has {keyword}.", card=card.title, keyword=keyword_title(action.keyword)), card.owner)


def take_away(resolution: Resolution, action: TakeAway) -> None:
    """Take a keyword from a card."""
    card = resolution.state.card(action.handle)
    if action.keyword not in card.keywords:
        raise RuleError(
            phrase(
                "{card} has no keyword “{word}”; it has: {words}.",
                card=card.title,
                word=action.keyword,
                words=listed(card.keywords) if card.keywords else phrase_in("keywords", "none"),
            )
        )
    resolution.update_card(card.handle, keywords=tuple(word for word in card.keywords if word != action.keyword))
    resolution.tell(
        phrase("{card} loses {keyword}.", card=card.title, keyword=keyword_title(action.keyword)), card.owner
    )


def skill(resolution: Resolution, action: Skill) -> None:
    """Turn a card from On- to Off-guard for its effect at Reaction speed (R2.27)."""
    card = resolution.state.card(action.handle)
    check_settled(resolution)
    if "skill" not in card.keywords:
        raise RuleError(
            phrase(
                "{card} has no Skill (R2.27); if it has gained it: `give {handle} skill`.",
                card=card.title,
                handle=card.handle,
            )
        )
    if not card.guarded:
        raise RuleError(
            phrase("{card} is Off-guard; only an On-guard card can use its Skill (R2.27).", card=card.title)
        )
    turn_off_guard(resolution, card.handle)
    resolution.tell(phrase("{card} uses its Skill: put its effect on the Flow.", card=card.title), card.owner)


def turn_off_guard(resolution: Resolution, handle: str) -> None:
    """Turn a card Off-guard."""
    card = resolution.state.cards[handle]
    if card.guarded:
        resolution.update_card(handle, guarded=False)
        resolution.tell(phrase("{card} turns Off-guard.", card=card.title), card.owner, by_hand=True)
