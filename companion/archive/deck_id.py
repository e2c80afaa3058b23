"""Deck ids, printed on a box, typed by people and read by scanners; and the symbols of all ids."""

import os
from collections.abc import Iterable
from typing import Final

from companion.tabletop.decks.label_numbers import TAGS, deck_tag
from companion.tabletop.errors import SentenceError
from companion.tabletop.text import in_quotes
from templates.languages.messages import phrase

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

_SEPARATORS = "-\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"
_READ_AS = {
    **{symbol: symbol for symbol in ALPHABET},
    **{symbol.lower(): symbol for symbol in ALPHABET},
    **dict.fromkeys("Oo", "0"),
    **dict.fromkeys("IiLl", "1"),
}


def draw(count: int) -> str:
    """Draw `count` random symbols, five bits each, from the system's own source of randomness."""
    # 32 symbols divide the values of a byte evenly, so all are equally likely.
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in os.urandom(count))


def read_symbols(text: str) -> tuple[str, str]:
    """Return the symbols that `text` spells, and the characters in it that are no symbols.

    Case does not matter, O is read as 0, I and L as 1; dashes and spaces are skipped.
    """
    typed = [character for character in text if character not in _SEPARATORS and not character.isspace()]
    strange = "".join(character for character in typed if character not in _READ_AS)
    return "".join(_READ_AS[character] for character in typed if character in _READ_AS), strange


LENGTH = 13
PREFIX = "DECK:"
EXAMPLE = "7K3M9QPX2B4TC"
_SCHEMES: Final = ("http", "https")


class DeckIdError(SentenceError, ValueError):
    """Text that is no deck id; the message says whether length, symbol or check symbol is wrong."""


def new(others: Iterable[str] = ()) -> str:
    """Draw a fresh id: 60 random bits as 12 symbols and their check symbol.

    Its labels' tag differs from those of all `others`, the ids beside it, while a tag is free.
    """
    free_tags = set(range(TAGS)).difference(map(deck_tag, others)) or range(TAGS)
    while True:
        symbols = draw(LENGTH - 1)
        deck = symbols + _check_symbol(symbols)
        if deck_tag(deck) in free_tags:
            return deck


def parse(text: str) -> str:
    """Return the 13 symbols that `text` spells.

    Accepts any case, with or without dashes and spaces, O for 0, I and L for 1, and the payload of a box's QR code,
    also with an address before the id. Raises DeckIdError.
    """
    bare = text.strip()
    bare = bare[len(PREFIX) :] if bare[: len(PREFIX)].upper() == PREFIX else _split(bare)[1]
    deck, strange = read_symbols(bare)
    if strange:
        raise DeckIdError(
            phrase(
                "{text} is not a deck id: {symbol} is not one of its symbols, {alphabet}.",
                text=in_quotes(text),
                symbol=in_quotes(strange[0]),
                alphabet=ALPHABET,
            )
        )
    if len(deck) != LENGTH:
        raise DeckIdError(
            phrase(
                "{text} is not a deck id: {symbols} symbols instead of the {length} of {example}.",
                text=in_quotes(text),
                symbols=str(len(deck)),
                length=LENGTH,
                example=show(EXAMPLE),
            )
        )
    if deck[-1] != _check_symbol(deck[:-1]):
        raise DeckIdError(
            phrase(
                "{deck} does not match its check symbol {symbol}: one of its symbols is wrong, or two are swapped.",
                deck=show(deck),
                symbol=deck[-1],
            )
        )
    return deck


def show(deck: str) -> str:
    """Format the 13 symbols in groups for people: `7K3M-9QPX-2B4T-C`."""
    return "-".join(deck[start : start + 4] for start in range(0, len(deck), 4))


def payload(deck: str, address: str = "") -> str:
    """Return the content of a box's QR code: 18 upper-case characters, or the user's own address followed by the id."""
    return f"{address or PREFIX}{deck}"


def check_address(address: str) -> str:
    """Return an address that an id can be appended to, unchanged. Raises DeckIdError for any other text."""
    if not address.isascii() or _split(f"{address}{EXAMPLE}") != (address, EXAMPLE):
        raise DeckIdError(
            phrase(
                "{address} is not an address for boxes: such an address begins with https:// or "
                "http:// and a host, and ends with / or =, as in https://cards.example/d/.",
                address=in_quotes(address),
            )
        )
    return address


def is_deck_code(text: str) -> bool:
    """Return True if a code claims to be a deck's, whether or not its id is valid."""
    address, rest = _split(text.strip())
    if not address:
        return rest.upper().startswith(PREFIX)
    return address.lower().endswith("/d/") and len(read_symbols(rest)[0]) == LENGTH


def _split(text: str) -> tuple[str, str]:
    """Split text into the address that it begins with, up to its last / or =, and the rest; "" if it has no address."""
    scheme, _, rest = text.partition("://")
    end = max(rest.rfind("/"), rest.rfind("=")) + 1
    if scheme.lower() not in _SCHEMES or not 0 < rest.find("/") < end or not all(each >= "!" for each in text):
        return "", text
    return f"{scheme}://{rest[:end]}", rest[end:]


def _check_symbol(symbols: str) -> str:
    # stdnum loads ssl and pydoc, which takes 25 ms that the first screen need not wait for.
    from stdnum import luhn

    return luhn.calc_check_digit(symbols, ALPHABET)
