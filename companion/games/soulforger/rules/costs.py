"""Costs: Ronum from the Material Zone, and cards from the field (R2.17).

Lines contain neither the cost of a card nor the factions in the Material Zone; these are only on the real cards. So the
players check the factions of a payment, and whether each card from the field is needed. If a deck list has a card's
cost, it is displayed as a reminder.
"""

from __future__ import annotations

from companion.games.soulforger.rules.actions import Pay
from companion.games.soulforger.rules.deck_list import SoulForgerRemarks, parse_remarks
from companion.games.soulforger.rules.field import leave, move_secondary_up
from companion.games.soulforger.rules.state import Resolution, SoulForgerPlayer, SoulForgerTable
from companion.games.soulforger.rules.turn import living_player
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import Brought
from templates.languages.messages import Message, joined, listed, phrase, phrase_in


def pay(resolution: Resolution, action: Pay) -> None:
    """Pay a Ronum cost with cards from the Material Zone, which go to the graveyard (R2.17)."""
    player = living_player(resolution, action.seat)
    check_needed(action.ronum, action.cards)
    material, unknown = _without_cards(player, action.cards, resolution.state.counts(player.seat, "material"))
    resolution.update_player(
        player.seat,
        material=material,
        unknown_material=unknown,
        graveyard=player.graveyard + len(action.cards),
    )
    resolution.tell(
        phrase(
            "{player} pays {ronum} Ronum with {cards} = {total} from the Material Zone.",
            player=player.name,
            ronum=action.ronum,
            cards=joined(" + ", action.cards),
            total=sum(action.cards),
        ),
        player.seat,
        by_hand=True,
    )
    resolution.tell(
        phrase("If a card that paid for a card of the Forge Deck has Material, that takes effect now (R2.27)."),
        player.seat,
    )


def check_needed(ronum: int, cards: tuple[int, ...]) -> None:
    """Raise RuleError unless the cards reach the cost and each of them is needed for it (R2.17)."""
    total = sum(cards)
    if total < ronum:
        raise RuleError(
            phrase(
                "{cards} Ronum is less than the cost of {ronum} (R2.17); pay with more.",
                cards=joined(" + ", cards),
                ronum=ronum,
            )
        )
    for card in sorted(cards):
        if total - card >= ronum:
            raise RuleError(
                phrase(
                    "The card with Ronum {card} is not needed: {total} − {card} = {left} already pays "
                    "{ronum} (R2.17); leave it out.",
                    card=card,
                    total=total,
                    left=total - card,
                    ronum=ronum,
                )
            )


def find_payment(player: SoulForgerPlayer, ronum: int) -> tuple[int, ...]:
    """Return cards of the Material Zone that pay a cost, the most expensive first and each of them needed.

    An unknown card can have any Ronum. The result is empty if there is too little.
    """
    paid: list[int] = []
    for card in sorted(player.material, reverse=True):
        if card and sum(paid) < ronum:
            paid.append(card)
    if (left := ronum - sum(paid)) > 0:
        return (*paid, left) if player.unknown_material else ()
    return tuple(paid)


def remind_cost(resolution: Resolution, seat: str, word: str) -> None:
    """Log the cost of a card in a deck list, with the line that pays it (R2.17)."""
    card = resolution.state.brought.get(seat, Brought()).card(word, seat)
    remarks = parse_remarks(card) if card else None
    if card is None or remarks is None or not remarks.cost:
        return
    resolution.tell(_cost_reminder(resolution.state, seat, card.name, remarks), seat)


def _cost_reminder(state: SoulForgerTable, seat: str, card: str, remarks: SoulForgerRemarks) -> Message:
    """Return the sentence on the cost of a card, with the line that pays it if it is Ronum."""
    ronum = remarks.material
    if not ronum or not state.counts(seat, "material"):
        return phrase("{card} costs {cost} (R2.17).", card=card, cost=remarks.cost)
    paid = find_payment(state.player(seat), ronum)
    if not paid:
        return phrase(
            "{card} costs {ronum} Ronum from the Material Zone, unless that is already paid; "
            "there is not enough there (R2.17).",
            card=card,
            ronum=ronum,
        )
    return phrase(
        "{card} costs {ronum} Ronum from the Material Zone, unless that is already paid: `{line}` (R2.17).",
        card=card,
        ronum=ronum,
        line=f"pay {seat} ronum {ronum} with {' '.join(map(str, paid))}",
    )


def _without_cards(player: SoulForgerPlayer, cards: tuple[int, ...], is_known: bool) -> tuple[tuple[int, ...], int]:
    """Return the Material Zone without these cards. Unknown cards can stand for any of them."""
    material, unknown = list(player.material), player.unknown_material
    for card in cards if is_known else ():
        if card in material:
            material.remove(card)
        elif unknown:
            unknown -= 1
        else:
            raise RuleError(
                phrase(
                    "{player} has too few cards of Ronum {ronum} in the Material Zone; there are: {cards}.",
                    player=player.name,
                    ronum=card,
                    cards=listed(player.material) if player.material else phrase_in("cards", "none"),
                )
            )
    return tuple(material), unknown


def pay_from_field(resolution: Resolution, seat: str, handles: tuple[str, ...]) -> None:
    """Send cards from the field to the graveyard as a cost, before anything else happens (R2.17)."""
    if len(set(handles)) < len(handles):
        raise RuleError(phrase("A card is named twice; each can be paid only once (R2.17)."))
    for handle in handles:
        card = resolution.state.card(handle)
        if card.owner != seat:
            raise RuleError(
                phrase(
                    "{card} belongs to {player}; a cost is paid with your own cards (R2.17).",
                    card=card.title,
                    player=resolution.name(card.owner),
                )
            )
    for handle in handles:
        leave(resolution, handle, "paid")
    if handles:
        move_secondary_up(resolution, seat)
        if resolution.state.tracks_all and resolution.state.weapon(seat) is None:
            raise RuleError(
                phrase(
                    "{player} must keep a Primary weapon (R2.15); pay with something else.",
                    player=resolution.name(seat),
                )
            )


def hand_card(resolution: Resolution, seat: str, card: str = "") -> None:
    """Take a played card from its player's hand, or an Action if it has no name. Raises RuleError for an empty hand."""
    player = resolution.state.player(seat)
    if not resolution.state.holds(player):
        if not card:
            raise RuleError(
                phrase("{player} has 0 cards in hand and cannot play an Action from it.", player=player.name)
            )
        raise RuleError(
            phrase("{player} has 0 cards in hand and cannot play {card} from it.", player=player.name, card=card)
        )
    resolution.update_player(seat, hand=player.hand - 1)
