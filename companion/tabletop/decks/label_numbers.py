"""The number on a label: six digits, which fit into a code of ten modules, for the label and its place.

Every later program must be able to read printed labels, so this division never changes:

    0–691,199        a label of a card: 200 tags of decks × 54 cards × 64 kinds
    700,000–799,999  a label of a deck's own list: 200 tags × 500 places
    800,000–899,967  a label without a card yet, of a starter sheet: 64 kinds × 1,562 numbers
    the others       for later editions

A tag follows from the id of a deck, so that it is the same in every archive. An archive draws the ids of new decks so
that their tags differ, as long as one is free; decks from elsewhere keep theirs. So a single number does not identify a
deck, but several on one box do, together with its record.
"""

from __future__ import annotations

import zlib
from typing import Final, NamedTuple

DIGITS: Final = 6
TAGS: Final = 200
CARDS: Final = 54
KINDS: Final = 64
PLACES: Final = 500
LOOSE: Final = 1_562

_FIRST_PLACE: Final = 700_000
_FIRST_LOOSE: Final = 800_000


class CardLabel(NamedTuple):
    """A label of a card: the tag of its deck, and the numbers of the card and of the kind in its game, from 0."""

    tag: int
    card: int
    kind: int


class ListLabel(NamedTuple):
    """A label of a deck's own list, by its place there, from 0."""

    tag: int
    place: int


class LooseLabel(NamedTuple):
    """A label of a kind for any card of any deck, with a number to tell it from others of its kind."""

    kind: int
    number: int


NumberedLabel = CardLabel | ListLabel | LooseLabel


def deck_tag(deck: str) -> int:
    """Return the tag of a deck, by its id."""
    return zlib.crc32(deck.encode()) % TAGS


def format_number(label: NumberedLabel) -> str:
    """Return the six digits of a label. Raises ValueError if it is out of range."""
    match label:
        case CardLabel(tag, card, kind) if tag in range(TAGS) and card in range(CARDS) and kind in range(KINDS):
            number = (tag * CARDS + card) * KINDS + kind
        case ListLabel(tag, place) if tag in range(TAGS) and place in range(PLACES):
            number = _FIRST_PLACE + tag * PLACES + place
        case LooseLabel(kind, one) if kind in range(KINDS) and one in range(LOOSE):
            number = _FIRST_LOOSE + kind * LOOSE + one
        case _:
            raise ValueError(f"{label} is beyond what six figures can say.")
    return f"{number:0{DIGITS}}"


def parse_number(text: str) -> NumberedLabel | None:
    """Read six digits; None for anything else, and for numbers that are reserved for later editions."""
    if len(text) != DIGITS or not (text.isascii() and text.isdecimal()):
        return None
    number = int(text)
    if number < TAGS * CARDS * KINDS:
        on_deck, kind = divmod(number, KINDS)
        return CardLabel(*divmod(on_deck, CARDS), kind)
    if _FIRST_PLACE <= number < _FIRST_PLACE + TAGS * PLACES:
        return ListLabel(*divmod(number - _FIRST_PLACE, PLACES))
    if _FIRST_LOOSE <= number < _FIRST_LOOSE + KINDS * LOOSE:
        return LooseLabel(*divmod(number - _FIRST_LOOSE, LOOSE))
    return None
