"""Alphabetical order in the language of the reader, whose catalogue has the alphabet."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple

from templates.languages.messages import Text, current_language, phrase_in, render_value

# Translators: The alphabet, for sorting. Letters with marks, such as é, need not stand in it: they sort as the letter
# without its mark, and ß as ss. Add what is a letter of its own, such as ñ behind n; it may have several signs, such as
# ch. Behind = stands another letter that sorts alike: æ=ä.
_ALPHABET: Final = phrase_in("alphabet", "a b c d e f g h i j k l m n o p q r s t u v w x y z")
_SPELLINGS: Final = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ŧ": "t"}
)
"""Latin letters that Unicode does not take apart, for languages whose alphabets lack them."""

SortKey = tuple[tuple[tuple[int, int, str], ...], str, str]
"""The letters of a text by their places, then what tells apart texts of the same letters."""


def alphabetical_key(text: Text) -> SortKey:
    """Return the key by which a text is sorted among others in the language of the reader.

    Capitals and small letters sort alike, and numbers by their value: `Deck 9`, `deck 10`.
    """
    language = current_language()
    title = render_value(text, language)
    folded = unicodedata.normalize("NFKC", title).casefold()
    return tuple(_find_places(folded, _read_alphabet(_ALPHABET.render(language)))), folded, title


class _Alphabet(NamedTuple):
    """The place of each letter, and the most signs of one letter."""

    places: Mapping[str, int]
    longest: int


@lru_cache(maxsize=32)
def _read_alphabet(alphabet: str) -> _Alphabet:
    """Return the letters of an alphabet, as the catalogue has it."""
    places: dict[str, int] = {}
    for place, letters in enumerate(unicodedata.normalize("NFKC", alphabet).casefold().split()):
        places.update((letter, place) for letter in letters.split("=") if letter)
    return _Alphabet(places, max(map(len, places), default=1))


def _find_places(text: str, alphabet: _Alphabet) -> Iterator[tuple[int, int, str]]:
    """Yield the place of each letter and number: signs come first, then numbers, the alphabet, and other scripts."""
    at = 0
    while at < len(text):
        if text[at].isdecimal():
            end = next(place for place in count(at) if not text[place : place + 1].isdecimal())
            digits = "".join(str(unicodedata.decimal(digit)) for digit in text[at:end]).lstrip("0")
            yield 1, len(digits), digits
            at = end
            continue
        size = next((size for size in range(alphabet.longest, 0, -1) if text[at : at + size] in alphabet.places), 0)
        if size:
            yield 2, alphabet.places[text[at : at + size]], ""
        else:
            size = 1
            yield from _find_unlisted(text[at], alphabet)
        at += size


def _find_unlisted(letter: str, alphabet: _Alphabet) -> Iterator[tuple[int, int, str]]:
    """Yield the places of a letter that the alphabet lacks, without its marks."""
    for part in unicodedata.normalize("NFKD", letter.translate(_SPELLINGS)):
        if part in alphabet.places:
            yield 2, alphabet.places[part], ""
        elif not unicodedata.combining(part):
            yield (3 if part.isalpha() else 0), ord(part), ""
