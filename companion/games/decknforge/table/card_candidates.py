"""Cards as candidates: from the hand, on the table, to pay, to dodge, to fade, and the inscriptions for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from companion.games.decknforge.book.effect import TIER_TITLES, Inscription
from companion.games.decknforge.book.founding import why_useless
from companion.games.decknforge.book.inscriptions import counts_as_hero, effects
from companion.games.decknforge.book.ledger import cards_out_of_hand
from companion.games.decknforge.book.state import COMBAT_CARDS, DungeonTable, Foe, Upcard, Wizard, is_hero
from companion.games.decknforge.rules import after_fight, attacks, tactics
from companion.games.decknforge.rules.arithmetic import base_face, dodge_bar, dodge_total, face, is_dodge
from companion.games.decknforge.rules.reveal import face_once_revealed
from companion.tabletop.notation.cards import PACK, Card, card_title, pretty
from companion.tabletop.table.choices import Candidates, Choice, Open
from templates.languages.messages import Message, Text, all_of, joined, phrase, phrases

PLAYABLE: Final = tuple(card for card in PACK if card in COMBAT_CARDS)
_FEW: Final = 6
"""Most cards that are named rather than counted."""


class Slot(msgspec.Struct, frozen=True):
    """A field of an action to be filled: the table, and the fields before it in the line."""

    state: DungeonTable
    given: Mapping[str, Any]

    @property
    def seat(self) -> str:
        """The seat of the acting wizard."""
        return str(self.given["seat"])

    @property
    def wizard(self) -> Wizard:
        """The acting wizard."""
        return self.state.wizard(self.seat)

    def items_so_far(self, field: str) -> tuple[Any, ...]:
        """Return the items of a list that are in the line so far; () for a number."""
        value = self.given.get(field, ())
        return value if isinstance(value, tuple) else ()


Proposal = Callable[[Slot], Candidates]
OnOffer = Callable[[DungeonTable, Wizard], tuple[Inscription, ...]]


# In hand, and on the table


def effects_text(state: DungeonTable, owner: str, card: Card) -> Message:
    """Return the inscriptions on a card and their effects; a message without any text if it bears none."""
    return joined("; ", (joined(": ", (effect.title, effect.effect)) for effect in effects(state, owner, card)))


def _on_card(state: DungeonTable, owner: str, card: Card) -> Message:
    """Return the names of the inscriptions on a card, for a place with little room, then what they do."""
    names = all_of(effect.title for effect in effects(state, owner, card))
    return joined(" · ", filter(str, (names, effects_text(state, owner, card))))


def _card_choice(state: DungeonTable, seat: str, card: Card, leaving: tuple[Card, ...] = ()) -> Choice:
    """Return a card of a band with its value as it leaves its wizard's hand with the `leaving` cards (R1.43)."""
    if card not in COMBAT_CARDS:
        return _choice_with_worth(state, seat, card, "")
    value = base_face(state, seat, seat, card, leaving=(*leaving, card))
    return _choice_with_worth(state, seat, card, phrase("worth {value}", value=value))


def _choice_with_worth(state: DungeonTable, seat: str, card: Card, worth: Text) -> Choice:
    in_hand = phrase("known to be in hand") if card in state.wizard(seat).known_hand else ""
    details = filter(None, (worth, in_hand, effects_text(state, seat, card)))
    return Choice(card, pretty(card), joined(" · ", details))


def _in_order(state: DungeonTable, seat: str, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards with those known to be in the hand first, then those with an inscription."""
    known_hand, inscribed = state.wizard(seat).known_hand, state.bands[seat].inscribed
    return tuple(sorted(cards, key=lambda card: (card not in known_hand, card not in inscribed)))


def _could_be_in_hand(state: DungeonTable, seat: str) -> tuple[Card, ...]:
    """Return the cards of a band that are neither committed nor on the table."""
    out_of_hand = cards_out_of_hand(state, seat)
    return _in_order(state, seat, (card for card in PLAYABLE if card not in out_of_hand))


def from_hand(slot: Slot) -> Iterator[Choice]:
    """Return the cards that could be in hand."""
    return (_card_choice(slot.state, slot.seat, card) for card in _could_be_in_hand(slot.state, slot.seat))


def to_reveal(slot: Slot) -> Iterator[Choice]:
    """Yield the cards that could be in hand, with the value of each once revealed."""
    state, seat = slot.state, slot.seat
    for card in _could_be_in_hand(state, seat):
        worth = phrase("worth {value}", value=face_once_revealed(state, seat, card))
        yield _choice_with_worth(state, seat, card, worth)


def hand_cards(slot: Slot) -> Open:
    """Return the cards that could be in hand, any number of which may be named."""
    so_far = slot.items_so_far("hand")
    cards = [card for card in _could_be_in_hand(slot.state, slot.seat) if card not in so_far]
    of = tuple(_card_choice(slot.state, slot.seat, card) for card in cards)
    return Open(phrase("cards of the hand"), tuple(cards[:1]), 0, slot.wizard.hand, of)


def any_card(slot: Slot) -> Iterator[Choice]:
    """Return all 54 cards."""
    return (_card_choice(slot.state, slot.seat, card) for card in _in_order(slot.state, slot.seat, PACK))


def blessed_cards(slot: Slot) -> Iterator[Choice]:
    """Yield the inscribed cards of the band that a wizard brought."""
    for card in slot.state.bands[slot.seat].inscribed:
        yield Choice(card, pretty(card), _on_card(slot.state, slot.seat, card))


def _revealed_cards(
    state: DungeonTable, seat: str, becomes: Callable[[Upcard], Upcard] = lambda u: u
) -> Iterator[Choice]:
    """Yield a wizard's cards on the table, with their values now and after the change."""
    # Two decks can both show the same card; its name is a single choice.
    for upcard in {upcard.card: upcard for upcard in state.cards_of(seat)}.values():
        changed = becomes(upcard)
        value = face(state, upcard)
        worth = (
            phrase("worth {value}", value=value)
            if changed is upcard
            else phrase("worth {value} → {changed}", value=value, changed=face(state, changed))
        )
        on_it = effects_text(state, upcard.owner, upcard.card)
        yield Choice(upcard.card, upcard.title, joined(" · ", filter(None, (worth, on_it))))


def own_revealed(slot: Slot) -> Iterator[Choice]:
    """Return the wizard's own cards on the table."""
    return _revealed_cards(slot.state, slot.seat)


def changed_by_tactic(whose: str, change: int) -> Proposal:
    """Return a proposal of the cards that a Spike or a Foil may change; the field `whose` holds their seat."""
    return lambda slot: _revealed_cards(slot.state, slot.given[whose], lambda card: tactics.changed_by(card, change))


def cards_to_swap(whose: str, with_whom: str) -> Proposal:
    """Return a proposal of the cards on the table that a Snipe may swap, each with its value for the other wizard."""

    def cards(slot: Slot) -> Iterator[Choice]:
        controller = slot.given[with_whom]
        return _revealed_cards(slot.state, slot.given[whose], lambda card: replace(card, controller=controller))

    return cards


def swap_pairs(slot: Slot) -> Iterator[Choice]:
    """Yield the pairs of cards that Wizard's Will can swap between two wizards."""
    ones, others = (_revealed_cards(slot.state, slot.given[field]) for field in ("one", "other"))
    second = tuple(others)
    for one in ones:
        for other in second:
            yield Choice((one.value, other.value), all_of((one.title, other.title)))


# Payments, and cards played together


def price(tactic: str) -> Proposal:
    """Return a proposal of the cards that a Tactic costs; of several targets, from the lowest cost to the highest."""

    def cost_field(slot: Slot) -> Open:
        costs = [tactics.tactic_cost(slot.state, tactic, upcard) for upcard in _targets(slot, tactic)]
        least, most = min(costs, key=lambda cost: cost.cards), max(costs, key=lambda cost: cost.cards)
        what = (
            least.price
            if least == most
            else phrase("{least}, or {most}, by the card it targets", least=least.price, most=most.price)
        )
        of = tuple(_payable_cards(slot.state, slot.seat, slot.items_so_far("pay"), most))
        return Open(what, costs[0].cards, least.cards, most.cards, of)

    return cost_field


def _targets(slot: Slot, tactic: str) -> tuple[Upcard | None, ...]:
    """Return the revealed cards that a Tactic may target."""
    if tactic == "brace":
        return (None,)
    upcards = slot.state.cards_of(slot.given.get("other", slot.seat))
    return tuple(card for card in upcards if slot.given.get("card") in (None, card.card)) or (None,)


def _payable_cards(
    state: DungeonTable, seat: str, paid_so_far: tuple[Card, ...], cost: tactics.Cost
) -> Iterator[Choice]:
    """Yield cards that may be paid besides those already named: only Heroes if the rest must be Heroes."""
    heroes = cost.heroes - sum(counts_as_hero(state, seat, card) for card in paid_so_far)
    only_heroes = heroes >= cost.cards - len(paid_so_far)
    for card in _could_be_in_hand(state, seat):
        if card not in paid_so_far and (not only_heroes or counts_as_hero(state, seat, card)):
            yield _card_choice(state, seat, card, paid_so_far)


def dodge_cards(slot: Slot) -> Candidates:
    """Return cards whose total beats the attack (R1.43); sets known to be in the hand are offered as a whole."""
    state, wizard = slot.state, slot.wizard
    foes = attacks.open_attacks(state, wizard)
    if not foes:
        return ()
    what = phrase("cards worth {value} or more together", value=dodge_bar(state, foes[0]) + 1)
    cards_so_far = slot.items_so_far("cards")
    of = tuple(_cards_for_dodge(state, wizard, foes[0], cards_so_far))
    sufficient = () if cards_so_far else tuple(_known_dodges(state, wizard, foes[0]))
    return Open(what, 1, 1, max(1, wizard.hand), of, sufficient)


def _cards_for_dodge(state: DungeonTable, wizard: Wizard, foe: Foe, cards_so_far: tuple[Card, ...]) -> Iterator[Choice]:
    """Yield cards that can be part of a dodge together with the best other cards that the hand may hold."""
    hand = _could_be_in_hand(state, wizard.seat)
    best = sorted(hand, key=lambda card: -base_face(state, wizard.seat, wizard.seat, card))
    for card in hand:
        if card not in cards_so_far and _leads_to_a_dodge(state, wizard, foe, (*cards_so_far, card), best):
            yield _for_dodge(state, wizard.seat, card, cards_so_far)


def _for_dodge(state: DungeonTable, seat: str, card: Card, cards_so_far: tuple[Card, ...]) -> Choice:
    """Return a card with its value for a dodge, and the total of the cards so far."""
    choice = _card_choice(state, seat, card, cards_so_far)
    if not cards_so_far:
        return choice
    total = phrase("together {value}", value=dodge_total(state, seat, (*cards_so_far, card)))
    return Choice(choice.value, choice.title, joined(" · ", (total, choice.detail)), choice.synonyms)


def _leads_to_a_dodge(state: DungeonTable, wizard: Wizard, foe: Foe, cards: tuple[Card, ...], best: list[Card]) -> bool:
    """Return True if cards suffice, alone or with others; a Royal Decree may be worth more if it stays in hand."""
    for others in (best, [card for card in best if card not in wizard.known_hand]):
        more = [card for card in others if card not in cards][: wizard.hand - len(cards)]
        if any(is_dodge(state, wizard.seat, foe, (*cards, *more[:count])) for count in range(len(more) + 1)):
            return True
    return False


def _known_dodges(state: DungeonTable, wizard: Wizard, foe: Foe) -> Iterator[Choice]:
    """Yield sets of held cards that suffice and have no card too many, the smallest first."""
    dodges: list[frozenset[Card]] = []
    for count in range(1, len(wizard.known_hand) + 1):
        for cards in combinations(wizard.known_hand, count):
            if not any(smaller <= set(cards) for smaller in dodges) and is_dodge(state, wizard.seat, foe, cards):
                dodges.append(frozenset(cards))
                total = dodge_total(state, wizard.seat, cards)
                detail = phrase("{total}, more than {bar}", total=total, bar=dodge_bar(state, foe))
                yield Choice(cards, " + ".join(map(pretty, cards)), detail)


# After the last fight


def fading_cards(slot: Slot) -> Candidates:
    """Return the Blessed cards that can be drawn: one, or two after a Legend's death (R1.55, R1.81)."""
    if draw := slot.wizard.fading_draw:
        return (Choice(draw, all_of(map(card_title, draw))),)
    due = after_fight.cards_to_draw(slot.state, slot.wizard)
    able = after_fight.to_draw_from(slot.state, slot.seat)
    cards = tuple(choice for choice in blessed_cards(slot) if choice.value in able)
    if due < 2:
        return (Choice((choice.value,), choice.title, choice.detail) for choice in cards)
    of = tuple(choice for choice in cards if choice.value not in slot.items_so_far("cards"))
    what = phrases("{n} Blessed card", "{n} Blessed cards", n=due)
    return Open(what, tuple(choice.value for choice in cards[:due]), due, due, of)


def fading_choice(slot: Slot) -> Iterator[Choice]:
    """Return the drawn cards, of which one fades."""
    cards = slot.items_so_far("cards") or slot.wizard.fading_draw
    return (choice for choice in blessed_cards(slot) if choice.value in cards)


def memory_cards(slot: Slot) -> Iterator[Choice]:
    """Yield the cards that Tower's Memory may take along, with what comes back in exchange (R1.I23)."""
    state = slot.state
    for card in after_fight.cards_to_carry_over(state, slot.seat):
        back = effects_text(state, slot.wizard.holds, card)
        exchange = (
            phrase("for {card} with {inscriptions}", card=card_title(card), inscriptions=back)
            if back
            else phrase("for {card} with nothing on it", card=card_title(card))
        )
        yield Choice(card, pretty(card), joined(" · ", (effects_text(state, slot.seat, card), exchange)))


# Inscriptions


def inscription_choice(state: DungeonTable, one: Inscription, card: Card | None = None, cost: Text = "") -> Choice:
    """Return an inscription with its tier, its cost here, its effect, and a note if it has no effect on the card."""
    is_idle = card is not None and why_useless(one.name, card, state.book)
    idle = phrase("does nothing on a Hero") if is_idle else ""
    details = filter(None, (TIER_TITLES[one.tier], cost, one.effect, idle))
    return Choice(one.name, one.title, joined(" · ", details), rank=one.rank)


def _shop_price(state: DungeonTable, one: Inscription) -> Text:
    """Return the price in the shop, or "" for what is not for sale: an earned Mythic is placed free of charge."""
    price = state.book.price(one.name)
    return "" if price is None else phrase("{coppers}c", coppers=price)


def any_inscription(slot: Slot) -> Iterator[Choice]:
    """Return all inscriptions of the table's book."""
    return (inscription_choice(slot.state, one) for one in slot.state.book.inscriptions.values())


def _fitting_inscriptions(
    state: DungeonTable, wizard: Wizard, card: Card, offer: Iterable[Inscription]
) -> Iterator[Inscription]:
    """Yield the inscriptions on offer that may go onto a card of the band that a wizard holds (R1.9)."""
    if band := after_fight.band_to_inscribe(state, wizard):
        yield from (one for one in offer if not after_fight.inscription_error(state, wizard, band, card, one.name))


def cards_for(on_offer: OnOffer) -> Proposal:
    """Return a proposal of the cards of the band now held that can bear an inscription on offer."""

    def cards(slot: Slot) -> Iterator[Choice]:
        state, wizard = slot.state, slot.wizard
        offer = on_offer(state, wizard)
        for card in PLAYABLE if offer else ():
            if next(_fitting_inscriptions(state, wizard, card, offer), None):
                yield Choice(card, pretty(card), _on_card(state, wizard.holds, card))

    return cards


def fitting_the_card(on_offer: OnOffer) -> Proposal:
    """Return a proposal of the inscriptions on offer for the named card; without a card, with the cards that fit."""

    def names(slot: Slot) -> Iterator[Choice]:
        state, wizard = slot.state, slot.wizard
        offer = on_offer(state, wizard)
        if (card := slot.given.get("card")) is not None:
            fitting = _fitting_inscriptions(state, wizard, card, offer)
            return (inscription_choice(state, one, card, _shop_price(state, one)) for one in fitting)
        return (_in_the_shop(state, wizard, one) for one in offer)

    return names


def _in_the_shop(state: DungeonTable, wizard: Wizard, one: Inscription) -> Choice:
    """Return an inscription with the cards of the band now held that may bear it."""
    choice = inscription_choice(state, one, cost=_shop_price(state, one))
    cards = [card for card in PLAYABLE if next(_fitting_inscriptions(state, wizard, card, (one,)), None)]
    return Choice(one.name, choice.title, joined(" · ", (choice.detail, _describe_places(cards))), rank=one.rank)


def _describe_places(cards: Sequence[Card]) -> Message:
    """Return where an inscription may go: the names of a few cards, or the number and kind of many."""
    if not cards:
        return phrase("may go on no card")
    if len(cards) <= _FEW:
        return phrase("may go on {cards}", cards=all_of(map(card_title, cards)))
    heroes = sum(map(is_hero, cards))
    if heroes == 0:
        return phrase("may go on {number} cards from 2 to 10", number=len(cards))
    if heroes == len(cards):
        return phrase("may go on {number} cards J, Q, K", number=len(cards))
    return phrase("may go on {number} cards", number=len(cards))


def on_the_card(slot: Slot) -> Iterator[Choice]:
    """Yield the inscriptions on the named card of the band that a wizard brought."""
    for one in effects(slot.state, slot.seat, slot.given["card"]):
        yield inscription_choice(slot.state, one)


def history_inscriptions(slot: Slot) -> Open:
    """Return the inscriptions that a band may once have borne."""
    names = tuple(any_inscription(slot))
    return Open(phrase("inscriptions that the band once bore"), tuple(one.value for one in names[:1]), 1, None, names)


def heirloom_choices(slot: Slot) -> Iterator[Choice]:
    """Yield the inscriptions of the band's history (A1.64)."""
    book = slot.state.book
    for name in dict.fromkeys(slot.state.bands[slot.seat].history):
        yield inscription_choice(slot.state, book.inscription(name))
