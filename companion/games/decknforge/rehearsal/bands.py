"""The bands of a rehearsal: new ones as anybody could found them (R1.6–R1.9), or those that a text describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge.effect import Book
from companion.games.decknforge.founding import MOST_INSCRIBED, MonsterDraft, budget, build_monsters, misplaced, useless
from companion.games.decknforge.standard import STANDARD
from companion.games.decknforge.state import COMBAT_CARDS, MONSTER_CARDS, is_hero
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.cards import PACK, Card
from companion.tabletop.notation import Notation
from companion.tabletop.rehearsal import Chance, Stream

SEATS: Final = ("ana", "ben", "cy", "dee", "eve")
CARDS: Final[tuple[Card, ...]] = tuple(card for card in PACK if card in COMBAT_CARDS)
"""The combat deck in a fixed order."""
ITEMS: Final = tuple(card for card in CARDS if not is_hero(card))


def new_band(seat: str, wizards: int, chance: Chance, book: Book = STANDARD) -> Iterator[Action]:
    """The lines of a band that was just founded: three Items drawn for each Monster, the budget spent by lot."""
    yield do.BandSeat(seat, band=f"Band of {seat.capitalize()}")
    draws = chance.stream("monsters", seat)
    items = {card: tuple(draws.sample(ITEMS, 3)) for card in MONSTER_CARDS}
    drafts = {card: MonsterDraft(card, three) for card, three in items.items()}
    monsters = build_monsters(drafts)
    if not any(monster.legend for monster in monsters.values()):
        chosen = draws.choice(MONSTER_CARDS)
        monsters[chosen] = msgspec.structs.replace(monsters[chosen], legend=True)
    for card, monster in monsters.items():
        yield do.MonsterCard(seat, card, "", monster.hp, monster.atk, monster.legend)
    for card, name in starting_inscriptions(wizards, chance.stream("inscriptions", seat), book):
        yield do.InscribedCard(seat, card, name)


def starting_inscriptions(wizards: int, draws: Stream, book: Book = STANDARD) -> Iterator[tuple[Card, str]]:
    """Three to six inscriptions within the budget, none where it is useless (R1.8, V1.6–V1.12)."""
    left, cards = budget(wizards), list(CARDS)
    prices = {name: price for name in book.inscriptions if (price := book.price(name)) is not None}
    cheapest = min(prices.values(), default=0)
    for place in range(MOST_INSCRIBED):
        kept_back = cheapest * max(0, 2 - place)  # so that three cards can be paid
        names = [name for name, price in prices.items() if price <= left - kept_back]
        if not names:
            return
        name = draws.choice(names)
        fitting = [card for card in cards if not misplaced(name, card, (), book) and not useless(name, card, book)]
        card = draws.choice(fitting)
        cards.remove(card)
        left -= prices[name]
        yield card, name


def described_band(text: str, seat: str, notation: Notation) -> Iterator[Action]:
    """The lines of a band from a text in the notation (`seat`, `monster`, `inscribed`, …), whatever seat they name.

    Raises RuleError naming the line that is none of a band's.
    """
    seated = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words or words.startswith("table "):
            continue
        try:
            action: Any = notation.parse(words)
        except NotationError as error:
            raise RuleError(f"Line {number} of a band cannot be read: {error}") from error
        if not isinstance(action, do.BandSeat) and not action.describes_deck:
            raise RuleError(f"Line {number} of a band, “{words}”, does not describe a band.")
        if not seated and not isinstance(action, do.BandSeat):
            yield do.BandSeat(seat)
        seated = True
        yield msgspec.structs.replace(action, seat=seat)
