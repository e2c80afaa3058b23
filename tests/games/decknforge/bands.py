"""Bands and house rules drawn at random: loose ones as lines of set-up, stored ones as the marks of a founding."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from companion.games.decknforge.book import founding
from companion.games.decknforge.book.effect import MYTHIC
from companion.games.decknforge.book.founding import MonsterDraft
from companion.games.decknforge.book.house import House
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
from companion.games.decknforge.book.labels import LABELS
from companion.games.decknforge.book.state import COMBAT_CARDS, MONSTER_CARDS, is_hero
from companion.games.decknforge.decks.record import BandRecord, found_band
from companion.games.decknforge.game import GAME
from companion.session.core.shelf import Belongings
from companion.tabletop.action import RuleError
from companion.tabletop.game import Game
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Mark

SEATS: Final = ("ana", "ben", "cy", "dee", "eve")
ITEMS: Final = tuple(sorted(card for card in COMBAT_CARDS if not is_hero(card)))
CARDS: Final = tuple(sorted(COMBAT_CARDS))
_NUMBERS: Final = {
    "foil-cost": ("1", "2"),
    "easy-reward": ("1", "2"),
    "pressure": ("2", "3"),
    "session-copper-cap": ("none", "10", "25"),
}


def house_rules(chance: Random, share: float) -> Iterator[str]:
    """Each house rule with one of its values, or left as it is; strict3 would refuse bands that the rest allows."""
    for rule in House.all():
        if rule.key != "min-inscribed" and chance.random() < share:
            values = _NUMBERS.get(rule.key) or rule.values or (rule.book, *rule.examples)
            yield f"rule {rule.key} {chance.choice(values)}"


def loose_band(chance: Random, seat: str, inscriptions: int) -> Iterator[str]:
    """The lines of a band that is not stored: its cards, its Monsters with their labels, its past and its purse."""
    yield f'seat {seat} band "Band of {seat}"'
    for card in chance.sample(CARDS, inscriptions):
        yield from (f"inscribed {seat} {card} {name}" for name in _on_card(chance, card))
    past = chance.choice((0, 1, 2, 5))
    for number, card in enumerate(MONSTER_CARDS):
        hp = founding.monster_hp(items := chance.sample(ITEMS, 3))
        legend = " legend" if founding.has_pair(items) or chance.random() < 0.2 else ""
        worn = chance.sample(tuple(LABELS), chance.choice((0, 0, 1, 2, 3, 5))) if past else []
        labels = f" labels {' '.join(worn)}" if worn else ""
        yield f'monster {seat} {card} "Beast {number}" hp {hp} atk {founding.monster_atk(hp)}{legend}{labels}'
    yield from [f"dungeons {seat} {past}"] if past else []
    yield f"purse {seat} {chance.choice((0, 0, 3, 20, 60))}"
    yield f"mythics {seat} {chance.choice((0, 0, 0, 1, 2))}"
    yield from [f"history {seat} {chance.choice(tuple(INSCRIPTIONS))}"] if chance.random() < 0.3 else []


def _on_card(chance: Random, card: Card) -> tuple[str, ...]:
    name = chance.choice([name for name in INSCRIPTIONS if not founding.placement_error(name, card, ())])
    mythics = [name for name, effect in INSCRIPTIONS.items() if effect.tier == MYTHIC]
    return (name, chance.choice(mythics)) if name == "ascension" and chance.random() < 0.5 else (name,)


def founding_marks(chance: Random, name: str, builder: str) -> list[Mark]:
    """The marks of a band as anybody could found it: Items drawn, and three to six inscriptions within the budget."""
    items_by_card = {card: tuple(chance.sample(ITEMS, 3)) for card in MONSTER_CARDS}
    paired = any(founding.has_pair(items) for items in items_by_card.values())
    drafts = {
        card: MonsterDraft(f"Beast on {card}", items, chosen=card == "AS" and not paired)
        for card, items in items_by_card.items()
    }
    while True:
        inscribed = [
            (card, chance.choice([name for name in INSCRIPTIONS if not founding.placement_error(name, card, ())]))
            for card in chance.sample(CARDS, chance.randint(3, 6))
        ]
        try:
            return list(found_band(name, builder, drafts, inscribed)[0])
        except RuleError:
            continue  # too dear, or a Mythic


class Stored:
    """A shelf of bands in memory: what an archive is to a table."""

    def __init__(self) -> None:
        self.marks: dict[str, list[Mark]] = {}
        self.purses: dict[str, int] = {}

    def record(self, deck: str) -> BandRecord:
        """A band as it is today."""
        return GAME.record(tuple(self.marks[deck]))

    def deck(self, text: str) -> tuple[str, BandRecord]:
        """What the session asks for."""
        return text, self.record(text)

    def decks(self, text: str, game: Game, seat: str = "") -> tuple[tuple[str, str], ...]:  # noqa: ARG002 – nobody is asked
        """None are listed here."""
        return ()

    def purse(self, name: str, person: str = "") -> Belongings:
        """Coppers that somebody has left."""
        return Belongings(self.purses.get(name, 0), person)
