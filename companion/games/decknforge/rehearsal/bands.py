"""The bands of a rehearsal: random new ones (R1.5–R1.9), or those that a text describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.founding import (
    MOST_INSCRIBED,
    Inscribed,
    MonsterDraft,
    any_pair,
    budget,
    heirloom_error,
    placement_error,
    price_of,
    why_useless,
)
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import COMBAT_CARDS, MONSTER_CARDS, DungeonTable, is_hero
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.record import found_band
from companion.games.decknforge.rules import actions as do
from companion.games.decknforge.rules.loose import inscriptions_lost
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.notation.arguments import Ref
from companion.tabletop.notation.cards import PACK, Card, pretty
from companion.tabletop.notation.notation import Notation
from companion.tabletop.records import Mark
from companion.tabletop.rehearsal import Chance, Stream
from templates.languages.messages import phrase

SEATS: Final = ("ana", "ben", "cy", "dee", "eve")
CARDS: Final[tuple[Card, ...]] = tuple(card for card in PACK if card in COMBAT_CARDS)
"""The combat deck in a fixed order."""
ITEMS: Final = tuple(card for card in CARDS if not is_hero(card))


class Shop(NamedTuple):
    """The inscriptions for sale in a book: each one's price (R1.8), and the cards on which it has an effect."""

    prices: dict[str, int]
    cards: dict[str, tuple[Card, ...]]


_SHOPS: Final[dict[int, tuple[EffectBook, Shop]]] = {}
"""By the identity of books, which are stored with them, so that no other book can get the same one."""


def shop_of(book: EffectBook) -> Shop:
    """Return the shop of a book, computed once for all bands."""
    if id(book) not in _SHOPS:
        prices = {name: price for name in book.inscriptions if (price := book.price(name)) is not None}
        cards = {name: tuple(card for card in CARDS if _is_sensible(name, card, book)) for name in prices}
        _SHOPS[id(book)] = book, Shop(prices, cards)
    return _SHOPS[id(book)][1]


def _is_sensible(name: str, card: Card, book: EffectBook) -> bool:
    return not placement_error(name, card, (), book) and not why_useless(name, card, book)


class BandPlan(NamedTuple):
    """A new band as planned by a book, before it is founded."""

    monsters: dict[Card, MonsterDraft]
    inscribed: Inscribed
    wizards: int
    book: EffectBook = STANDARD

    @property
    def coppers_left(self) -> int:
        """Coppers of the budget that go into the builder's purse (R1.8)."""
        return budget(self.wizards) - price_of((name for _, name in self.inscribed), self.book)

    def cards_for(self, heirloom: str) -> list[Card]:
        """Return the cards that an heirloom may go on (A1.64), except those on which it has no effect."""
        cards = (card for card in CARDS if not why_useless(heirloom, card, self.book))
        return [card for card in cards if not heirloom_error(heirloom, card, self.inscribed, self.book)]

    def founding_marks(
        self, name: str, builder: str, names_in_use: Iterable[str], heirloom: m.CardInscribed | None = None
    ) -> tuple[Mark, ...]:
        """Return the marks of the band. Raises RuleError if it breaks the rules."""
        marks, _ = found_band(
            name, builder, self.monsters, self.inscribed, self.wizards, names_in_use, heirloom, book=self.book
        )
        return marks


def plan_band(seat: str, wizards: int, chance: Chance, book: EffectBook = STANDARD) -> BandPlan:
    """Return a new band for a seat: three Items drawn for each Monster, the budget spent at random."""
    draws = chance.stream("monsters", seat)
    drafts = {card: MonsterDraft(pretty(card), tuple(draws.sample(ITEMS, 3))) for card in MONSTER_CARDS}
    if not any_pair(drafts):
        chosen = draws.choice(MONSTER_CARDS)
        drafts[chosen] = msgspec.structs.replace(drafts[chosen], chosen=True)
    starts = tuple(starting_inscriptions(wizards, chance.stream("inscriptions", seat), book))
    return BandPlan(drafts, starts, wizards, book)


def starting_inscriptions(wizards: int, draws: Stream, book: EffectBook = STANDARD) -> Iterator[tuple[Card, str]]:
    """Yield three to six inscriptions within the budget, each on a card where it has an effect (R1.8, V1.6–V1.12)."""
    left, inscribed = budget(wizards), set[Card]()
    prices, cards = shop_of(book)
    cheapest = min(prices.values(), default=0)
    for place in range(MOST_INSCRIBED):
        kept_back = cheapest * max(0, 2 - place)  # so that three cards can be bought
        names = [name for name, price in prices.items() if price <= left - kept_back]
        if not names:
            return
        name = draws.choice(names)
        card = draws.choice([card for card in cards[name] if card not in inscribed])
        inscribed.add(card)
        left -= prices[name]
        yield card, name


def described_band(text: str, seat: str, notation: Notation) -> Iterator[Action]:
    """Yield the lines of a band from a text in notation (`seat`, `monster`, `inscribed`, …), rewritten for `seat`.

    Raises RuleError that names a line which does not describe a band.
    """
    seated = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words or words.startswith("table "):
            continue
        try:
            action: Any = notation.parse(words)
        except NotationError as error:
            raise RuleError(
                phrase("Line {number} of a band cannot be read: {error}", number=str(number), error=error.message)
            ) from error
        if not isinstance(action, do.BandSeat) and not action.describes_deck:
            raise RuleError(
                phrase("Line {number} of a band, “{line}”, does not describe a band.", number=str(number), line=words)
            )
        if not seated and not isinstance(action, do.BandSeat):
            yield do.BandSeat(seat)
        seated = True
        yield msgspec.structs.replace(action, seat=seat)


def adopt_band(table: DungeonTable, seat: str) -> m.BandAdopted:
    """Return a band as it lies on a table in the set-up, as the first mark of a stored one."""
    band, wizard = table.bands[seat], table.wizard(seat)
    monsters = {card: table.monsters[Ref(f"{seat}:{card}")] for card in MONSTER_CARDS}
    creatures = (m.FoundedMonster(card, one.name, one.hp, one.atk, one.legend) for card, one in monsters.items())
    return m.BandAdopted(
        band.name,
        wizard.name,
        tuple(creatures),
        labels={card: one.labels for card, one in monsters.items() if one.labels},
        inscribed=band.inscribed,
        lost=inscriptions_lost(band),
        holders=(wizard.name,),
        dungeons=band.dungeons,
    )
