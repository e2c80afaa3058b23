"""All labels that a DecknForge band bears today: its creatures, the labels on its Monsters, its inscriptions.

Separate because it reads a band's whole record, where `tonight` reads one evening.
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from companion.games.cards import PACK, Card
from companion.games.decknforge.record import BandRecord
from companion.games.records import Record
from companion.press import wording
from companion.press.tonight import short
from labels.designs import Creature, Inscription, MonsterLabel
from labels.errors import LabelError

_Value = TypeVar("_Value")


def band(record: Record) -> BandRecord:
    """The record as a band's. Raises LabelError for a deck of another game."""
    if not isinstance(record, BandRecord):
        raise LabelError(f"{record.name} is a deck of {record.game}; labels for cards are known for DecknForge only.")
    return record


def borne(record: Record) -> tuple[Creature | MonsterLabel | Inscription, ...]:
    """All labels that a band bears today: each Monster's with the labels on it, then the inscriptions by card.

    Raises LabelError for a deck of another game.
    """
    return (*_monsters(band(record)), *_inscriptions(band(record)))


def _monsters(record: BandRecord) -> Iterator[Creature | MonsterLabel]:
    for card, monster in in_order(record.monsters):
        yield Creature(monster.name, monster.hp, monster.atk, monster.legend, short(card), record.name)
        for label in monster.labels:
            yield wording.monster_label(label, short(card))


def _inscriptions(record: BandRecord) -> Iterator[Inscription]:
    for card, inscribed in in_order(record.inscribed):
        for inscription in inscribed:
            yield wording.inscription(inscription, short(card))


def in_order(by_card: Mapping[Card, _Value]) -> list[tuple[Card, _Value]]:
    """What cards bear, in the order of a new pack: Spades, Hearts, Clubs, Diamonds, 2 to Ace, then the jokers."""
    return sorted(by_card.items(), key=lambda each: PACK.index(each[0]))
