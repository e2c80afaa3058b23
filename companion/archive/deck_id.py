"""Deck ids: what is printed on a box, typed by people and read by scanners.

Separate from the archive because labels and scanning need ids where no database is.
"""

from companion.archive import symbols
from companion.archive.symbols import ALPHABET
from companion.games.text import quoted

LENGTH = 13
PREFIX = "DECK:"
EXAMPLE = "7K3M9QPX2B4TC"


class DeckIdError(ValueError):
    """Text that is no deck id; the message says whether length, symbol or check symbol is wrong."""


def new() -> str:
    """A fresh id: 60 random bits as 12 symbols and their check symbol."""
    drawn = symbols.draw(LENGTH - 1)
    return drawn + _check_symbol(drawn)


def parse(text: str) -> str:
    """The 13 symbols that `text` spells.

    Any case, with or without dashes and spaces, O for 0, I and L for 1, and the payload of a box's QR code are taken.
    Raises DeckIdError.
    """
    bare = text.strip()
    bare = bare[len(PREFIX) :] if bare[: len(PREFIX)].upper() == PREFIX else bare
    deck, strange = symbols.read(bare)
    if strange:
        raise DeckIdError(
            f"{quoted(text)} is not a deck id: {quoted(strange[0])} is not one of its symbols, {ALPHABET}."
        )
    if len(deck) != LENGTH:
        raise DeckIdError(
            f"{quoted(text)} is not a deck id: {len(deck)} symbols instead of the {LENGTH} of {show(EXAMPLE)}."
        )
    if deck[-1] != _check_symbol(deck[:-1]):
        raise DeckIdError(
            f"{show(deck)} does not match its check symbol {deck[-1]}: a symbol of it is wrong or swapped."
        )
    return deck


def show(deck: str) -> str:
    """The 13 symbols as people read them, in groups: `7K3M-9QPX-2B4T-C`."""
    return "-".join(deck[start : start + 4] for start in range(0, len(deck), 4))


def payload(deck: str) -> str:
    """What the QR code on a box holds: 18 upper-case characters."""
    return PREFIX + deck


def _check_symbol(drawn: str) -> str:
    # stdnum loads ssl and pydoc, 25 ms that the first screen need not wait for.
    from stdnum import luhn

    return luhn.calc_check_digit(drawn, ALPHABET)
