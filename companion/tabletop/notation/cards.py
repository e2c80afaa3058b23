"""Playing cards in notation: rank then suit (`9S`, `10H`, `KD`); `BJ` and `RJ` are the jokers."""

from __future__ import annotations

import re
from typing import Final, NewType

from companion.tabletop.action import NotationError
from companion.tabletop.text import in_quotes
from templates.languages.messages import Message, Text, phrase

Card = NewType("Card", str)
"""A card in its canonical spelling."""

SUITS: Final = ("S", "H", "C", "D")
"""Spades, Hearts, Clubs, Diamonds, in the order in which suits break a tie (R1.50)."""
GLYPHS: Final = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
JOKERS: Final = (Card("BJ"), Card("RJ"))
PACK: Final = (*(Card(rank + suit) for suit in SUITS for rank in RANKS), *JOKERS)
"""The 54 cards."""

_JOKER_NAMES: Final = {"BJ": "Black Joker", "RJ": "Red Joker"}
_JOKER_TITLES: Final = {"BJ": phrase("Black Joker"), "RJ": phrase("Red Joker")}
_SPOKEN_RANKS: Final = (
    *(phrase("two"), phrase("three"), phrase("four"), phrase("five"), phrase("six")),
    *(phrase("seven"), phrase("eight"), phrase("nine"), phrase("ten")),
    *(phrase("jack"), phrase("queen"), phrase("king"), phrase("ace")),
)
_SPOKEN_SUITS: Final = (phrase("spades"), phrase("hearts"), phrase("clubs"), phrase("diamonds"))
_SPOKEN: Final[dict[str, Message]] = {
    **dict(zip(RANKS, _SPOKEN_RANKS, strict=True)),
    **dict(zip(GLYPHS.values(), _SPOKEN_SUITS, strict=True)),
}
_WRITTEN: Final = f"(?<!\\w)({'|'.join(RANKS)})([{''.join(GLYPHS.values())}])"


def _spellings() -> dict[str, Card]:
    """Return every upper-case spelling of every card: `10H`, `TH`, `10♥`, `T♥`."""
    spellings: dict[str, Card] = {card: card for card in PACK}
    spellings |= {card[:-1] + GLYPHS[card[-1]]: card for card in PACK if card not in JOKERS}
    return spellings | {"T" + word[2:]: card for word, card in spellings.items() if word.startswith("10")}


_SPELLINGS: Final = _spellings()
_PLAIN: Final = {0xFE0E: None, 0xFE0F: None}
"""Variation selectors after a suit (text or emoji style), which phone and Mac keyboards add; they are removed."""


def read_card(word: str) -> Card:
    """Read a card in any case, with `T` for 10 and ♠♥♣♦ for the letters. Raises NotationError."""
    card = _SPELLINGS.get(word) or _SPELLINGS.get(word.upper().translate(_PLAIN))
    if card is None:
        raise NotationError(
            phrase(
                "{word} is not a card; a card is rank then suit, as 9S, 10H, KD, or BJ, RJ for the jokers.",
                word=in_quotes(word),
            )
        )
    return card


def read_suit(word: str) -> str:
    """Read the letter of a suit, `S H C D`, or its glyph. Raises NotationError."""
    letter = word.upper().translate(_PLAIN)
    for suit, glyph in GLYPHS.items():
        if letter in (suit, glyph):
            return suit
    raise NotationError(phrase("{word} is not a suit; the suits are S, H, C, D.", word=in_quotes(word)))


def rank(card: Card) -> str:
    """Return the rank: `9S` → `9`; a joker is its own rank."""
    return card if card in JOKERS else card[:-1]


def suit(card: Card) -> str:
    """Return the suit: `9S` → `S`; a joker has none."""
    return "" if card in JOKERS else card[-1]


def pretty(card: Card) -> str:
    """Return the card as displayed: `9♠`, `Black Joker`."""
    return _JOKER_NAMES.get(card) or card[:-1] + GLYPHS[card[-1]]


def card_title(card: Card) -> Text:
    """Return the card as displayed, as `pretty`; the names of jokers are messages."""
    return _JOKER_TITLES.get(card) or card[:-1] + GLYPHS[card[-1]]


def format_words(words: str) -> str:
    """Format the cards among some words for display: `AS` → `A♠`, `4S,4D,5C` → `4♠ 4♦ 5♣`; other words stay."""
    return " ".join(_as_written(word) for word in words.replace(",", " ").split())


def card_titles(words: str) -> str:
    """Format the cards among some words as `format_words` does, with the names of jokers in the reader's language."""
    return " ".join(
        str(card_title(Card(word))) if word in PACK else _as_written(word) for word in words.replace(",", " ").split()
    )


def _as_written(word: str) -> str:
    try:
        return str(card_title(read_card(word)))
    except NotationError:
        return word


def spoken(text: str) -> str:
    """Return a text with its cards in words, for screen readers: `9♠` → `nine of spades`."""

    def say(card: re.Match[str]) -> str:
        # Translators: A playing card read aloud: “nine of spades”.
        return str(phrase("{rank} of {suit}", rank=_SPOKEN[card[1]], suit=_SPOKEN[card[2]]))

    return re.sub(_WRITTEN, say, text)
