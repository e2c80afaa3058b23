"""The number on a label: six figures, as a code of ten modules holds them, that say what the label is and where it
belongs.

What was printed once is read by every later program, so this division is for ever:

    0–691,199        a label of a card: 200 tags of decks × 54 cards × 64 kinds
    700,000–799,999  one of a deck's own list: 200 tags × 500 places
    800,000–899,967  one that knows no card yet, of a starter sheet: 64 kinds × 1,562 numbers
    the others       for later editions

A tag follows from a deck's id, so that it is the same in every home. An archive draws the ids of new decks so that
their tags differ, while one is free; decks that come from elsewhere keep theirs. So a number alone names no deck, but
several on one box and its record do.
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
    """A label of a card: by the tag of its deck, the card and the kind of label as its game counts them, from 0."""

    tag: int
    card: int
    kind: int


class ListLabel(NamedTuple):
    """A label by its place among those of a deck's own, from 0."""

    tag: int
    place: int


class LooseLabel(NamedTuple):
    """A label of a kind that may go on any card of any deck, with a number that tells it from others of its kind."""

    kind: int
    number: int


NumberedLabel = CardLabel | ListLabel | LooseLabel


def deck_tag(deck: str) -> int:
    """The tag of a deck, by its id."""
    return zlib.crc32(deck.encode()) % TAGS


def format_number(label: NumberedLabel) -> str:
    """The six figures. Raises ValueError for what has no number."""
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
    """What six figures say; None for anything else, and for numbers that are kept for later editions."""
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
