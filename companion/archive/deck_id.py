"""Deck ids: what is printed on a box, typed by people and read by scanners.

Separate from the archive because labels and scanning need ids where no database is.
"""

import secrets

from stdnum import luhn

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 13
PREFIX = "DECK:"
EXAMPLE = "7K3M9QPX2B4TC"

_SEPARATORS = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"
_READ_AS = {
    **{symbol: symbol for symbol in ALPHABET},
    **{symbol.lower(): symbol for symbol in ALPHABET},
    **dict.fromkeys("Oo", "0"),
    **dict.fromkeys("IiLl", "1"),
}


class DeckIdError(ValueError):
    """Text that is no deck id; the message says whether length, symbol or check symbol is wrong."""


def new() -> str:
    """A fresh id: 60 random bits as 12 symbols and their check symbol."""
    symbols = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH - 1))
    return symbols + luhn.calc_check_digit(symbols, ALPHABET)


def parse(text: str) -> str:
    """The 13 symbols that `text` spells.

    Any case, with or without dashes and spaces, O for 0, I and L for 1, and the payload of a box's QR code are taken.
    Raises DeckIdError.
    """
    bare = text.strip()
    if bare.upper().startswith(PREFIX):
        bare = bare[len(PREFIX) :]
    symbols = [symbol for symbol in bare if symbol not in _SEPARATORS and not symbol.isspace()]
    for symbol in symbols:
        if symbol not in _READ_AS:
            raise DeckIdError(f"“{_clipped(text)}” is no deck id: “{symbol}” is not one of its symbols, {ALPHABET}.")
    if len(symbols) != LENGTH:
        raise DeckIdError(
            f"“{_clipped(text)}” is no deck id: {len(symbols)} symbols instead of the {LENGTH} of {show(EXAMPLE)}."
        )
    deck = "".join(_READ_AS[symbol] for symbol in symbols)
    if not luhn.is_valid(deck, ALPHABET):
        raise DeckIdError(
            f"{show(deck)} does not match its check symbol {deck[-1]}: a symbol of it is wrong or swapped."
        )
    return deck


def show(deck: str) -> str:
    """The 13 symbols as people read them, in groups: `7K3M-9QPX-2B4T-5`."""
    return "-".join(deck[start : start + 4] for start in range(0, len(deck), 4))


def payload(deck: str) -> str:
    """What the QR code on a box holds: 18 upper-case characters."""
    return PREFIX + deck


def _clipped(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}…"
