"""The bands of a rehearsal: new ones as anybody could found them (R1.5–R1.9), or those that a text describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from companion.games.decknforge import actions as do
from companion.games.decknforge import marks as m
from companion.games.decknforge.effect import MYTHIC
from companion.games.decknforge.founding import (
    MOST_INSCRIBED,
    Inscribed,
    MonsterDraft,
    any_pair,
    budget,
    heirloom_misfit,
    misplaced,
    price_of,
    useless,
)
from companion.games.decknforge.loose import inscriptions_lost
from companion.games.decknforge.record import found_band
from companion.games.decknforge.standard import STANDARD
from companion.games.decknforge.state import COMBAT_CARDS, MONSTER_CARDS, DungeonTable, is_hero
from companion.tabletop.action import Action, NotationError, RuleError
from companion.tabletop.arguments import Ref
from companion.tabletop.cards import PACK, Card, pretty
from companion.tabletop.notation import Notation
from companion.tabletop.records import Mark
from companion.tabletop.rehearsal import Chance, Stream

SEATS: Final = ("ana", "ben", "cy", "dee", "eve")
CARDS: Final[tuple[Card, ...]] = tuple(card for card in PACK if card in COMBAT_CARDS)
"""The combat deck in a fixed order."""
ITEMS: Final = tuple(card for card in CARDS if not is_hero(card))
FOR_SALE: Final = {name: STANDARD.price(name) or 0 for name, one in STANDARD.inscriptions.items() if one.tier != MYTHIC}
"""The price of each inscription that can be bought (R1.8)."""
_CHEAPEST: Final = min(FOR_SALE.values())


class BandPlan(NamedTuple):
    """A new band as its builder means it to be, before it is founded."""

    monsters: dict[Card, MonsterDraft]
    inscribed: Inscribed
    wizards: int

    @property
    def coppers_left(self) -> int:
        """What of the budget goes into the builder's purse (R1.8)."""
        return budget(self.wizards) - price_of(name for _, name in self.inscribed)

    def cards_for(self, heirloom: str) -> list[Card]:
        """Where an heirloom may go (A1.64), without cards on which it is useless."""
        cards = (card for card in CARDS if not useless(heirloom, card))
        return [card for card in cards if not heirloom_misfit(heirloom, card, self.inscribed)]

    def founding_marks(
        self, name: str, builder: str, names_in_use: Iterable[str], heirloom: m.Inscribed | None = None
    ) -> tuple[Mark, ...]:
        """The marks of the band. Raises RuleError where it is none by the rules."""
        marks, _ = found_band(name, builder, self.monsters, self.inscribed, self.wizards, names_in_use, heirloom)
        return marks


def plan_band(seat: str, wizards: int, chance: Chance) -> BandPlan:
    """A new band for a seat: three Items drawn for each Monster, the budget spent by lot."""
    draws = chance.stream("monsters", seat)
    drafts = {card: MonsterDraft(pretty(card), tuple(draws.sample(ITEMS, 3))) for card in MONSTER_CARDS}
    if not any_pair(drafts):
        chosen = draws.choice(MONSTER_CARDS)
        drafts[chosen] = msgspec.structs.replace(drafts[chosen], chosen=True)
    return BandPlan(drafts, tuple(starting_inscriptions(wizards, chance.stream("inscriptions", seat))), wizards)


def starting_inscriptions(wizards: int, draws: Stream) -> Iterator[tuple[Card, str]]:
    """Three to six inscriptions within the budget, none where it is useless (R1.8, V1.6–V1.12)."""
    left, inscribed = budget(wizards), set[Card]()
    for place in range(MOST_INSCRIBED):
        kept_back = _CHEAPEST * max(0, 2 - place)  # so that three cards can be paid
        names = [name for name, price in FOR_SALE.items() if price <= left - kept_back]
        if not names:
            return
        name = draws.choice(names)
        card = draws.choice([card for card in _sensible_cards(name) if card not in inscribed])
        inscribed.add(card)
        left -= FOR_SALE[name]
        yield card, name


@cache
def _sensible_cards(name: str) -> tuple[Card, ...]:
    """The bare cards that an inscription may go on and is not useless on."""
    return tuple(card for card in CARDS if not misplaced(name, card, ()) and not useless(name, card))


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


def adopt_band(table: DungeonTable, seat: str) -> m.Adopted:
    """A band as it lies on a table in the set-up, as the first mark of a stored one."""
    band, wizard = table.bands[seat], table.wizard(seat)
    monsters = {card: table.monsters[Ref(f"{seat}:{card}")] for card in MONSTER_CARDS}
    creatures = (m.Creature(card, one.name, one.hp, one.atk, one.legend) for card, one in monsters.items())
    return m.Adopted(
        band.name,
        wizard.name,
        tuple(creatures),
        labels={card: one.labels for card, one in monsters.items() if one.labels},
        inscribed=band.inscribed,
        lost=inscriptions_lost(band),
        holders=(wizard.name,),
        dungeons=band.dungeons,
    )
