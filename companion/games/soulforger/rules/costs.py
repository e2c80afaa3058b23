"""Costs: Ronum from the Material Zone, and cards from the field (R2.17).

Lines contain neither the cost of a card nor the factions in the Material Zone; these are only on the real cards. So the
players check the factions of a payment, and whether each card from the field is needed. If a deck list has a card's
cost, it is displayed as a reminder.
"""

from __future__ import annotations

from companion.games.soulforger.rules.actions import Pay
from companion.games.soulforger.rules.deck_list import parse_remarks
from companion.games.soulforger.rules.field import leave, move_secondary_up
from companion.games.soulforger.rules.state import Resolution, SoulForgerPlayer
from companion.games.soulforger.rules.turn import living_player
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.table import Brought
from companion.tabletop.text import quantity


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
    paid = " + ".join(map(str, action.cards))
    resolution.tell(
        f"{player.name} pays {action.ronum} Ronum with {paid} = {sum(action.cards)} from the Material Zone.",
        player.seat,
        by_hand=True,
    )
    resolution.tell(
        "If a card paid for a card of the Forge Deck has Material, it takes effect now (R2.27).", player.seat
    )


def check_needed(ronum: int, cards: tuple[int, ...]) -> None:
    """Raise RuleError unless the cards reach the cost and each of them is needed for it (R2.17)."""
    total = sum(cards)
    if total < ronum:
        raise RuleError(f"{' + '.join(map(str, cards))} Ronum is less than the cost of {ronum} (R2.17); send more.")
    for card in sorted(cards):
        if total - card >= ronum:
            raise RuleError(
                f"The card of Ronum {card} is not needed: {total} − {card} = {total - card} "
                f"pays {ronum} already (R2.17); leave it out."
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
    text, ronum = f"{card.name} costs {remarks.cost}", remarks.material
    if ronum and resolution.state.counts(seat, "material"):
        player = resolution.state.player(seat)
        paid = find_payment(player, ronum)
        way = f"`pay {seat} ronum {ronum} with {' '.join(map(str, paid))}`" if paid else "not enough lies there"
        text = f"{card.name} costs {ronum} Ronum from the Material Zone, if nobody has paid it yet: {way}"
    resolution.tell(f"{text} (R2.17).", seat)


def _without_cards(player: SoulForgerPlayer, cards: tuple[int, ...], is_known: bool) -> tuple[tuple[int, ...], int]:
    """Return the Material Zone without these cards. Unknown cards can stand for any of them."""
    material, unknown = list(player.material), player.unknown_material
    for card in cards if is_known else ():
        if card in material:
            material.remove(card)
        elif unknown:
            unknown -= 1
        else:
            there = ", ".join(map(str, player.material)) or "none"
            raise RuleError(
                f"{player.name} has too few cards of Ronum {card} in the Material Zone; there are: {there}."
            )
    return tuple(material), unknown


def pay_from_field(resolution: Resolution, seat: str, handles: tuple[str, ...]) -> None:
    """Send cards from the field to the graveyard as a cost, before anything else happens (R2.17)."""
    if len(set(handles)) < len(handles):
        raise RuleError("A card is named twice; each can be paid once (R2.17).")
    for handle in handles:
        card = resolution.state.card(handle)
        if card.owner != seat:
            raise RuleError(
                f"{card.title} is {resolution.name(card.owner)}'s; a cost is paid with one's own cards (R2.17)."
            )
    for handle in handles:
        leave(resolution, handle, "is paid")
    if handles:
        move_secondary_up(resolution, seat)
        if resolution.state.tracks_all and resolution.state.weapon(seat) is None:
            raise RuleError(f"{resolution.name(seat)} must keep a Primary weapon (R2.15); pay with something else.")


def hand_card(resolution: Resolution, seat: str, what: str) -> None:
    """Take a played card from its player's hand. Raises RuleError if the hand is empty."""
    player = resolution.state.player(seat)
    if not resolution.state.holds(player):
        raise RuleError(f"{player.name} has {quantity(0, 'card')} in hand and cannot play {what} from it.")
    resolution.update_player(seat, hand=player.hand - 1)
