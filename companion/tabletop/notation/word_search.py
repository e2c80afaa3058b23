"""Search for words in texts, which forgives case, marks on letters, parts of words, and small slips."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from companion.tabletop.notation.naming import is_slip

_WORDS: Final = re.compile(r"\w+")
_SMALL: Final = 2
"""The maximum length of small words such as `of`, which are no search if there are longer ones."""
_LEAST_INSIDE: Final = 3
"""The minimum length of a text that matches inside of a word."""
_LEAST_SLIP: Final = 4
"""The minimum length of a word with a slip; shorter ones would match too much."""
_LEAST_JOINED: Final = 5
"""The minimum length of a word that may be several joined words: `starport` for `Star Port`."""
_SLIP: Final = 4
"""The rank of a word with a slip: behind every match of another place."""


def fold(text: str) -> str:
    """Return a text without case, and without marks on its letters."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    return letters if letters.isascii() else "".join(each for each in letters if not unicodedata.combining(each))


def search_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text to search for; small words only if there are no others."""
    words = tuple(dict.fromkeys(_WORDS.findall(fold(text))))
    return tuple(word for word in words if len(word) > _SMALL) or words


class _Spelling(NamedTuple):
    """The folded words of a text, and the same without gaps."""

    words: tuple[str, ...]
    joined: str


@lru_cache(maxsize=2048)
def _spell(text: str) -> _Spelling:
    """Return the words of a text; while people type, the same few hundred texts are searched with every letter."""
    words = tuple(_WORDS.findall(fold(text)))
    return _Spelling(words, "".join(words))


def rank_beginning(typed: str, *names: str) -> int:
    """Return 0 if a typed text is one of these names, 1 if one begins with it, 2 if none does; nothing begins all.

    Case, marks on letters, and signs between words don't count. Lists that are filtered by typing are sorted by this
    first, so that Enter takes what was meant: after `tricks as`, Tricks as bid comes before other games with tricks.
    """
    text = " ".join(_spell(typed).words)
    spellings = [" ".join(_spell(name).words) for name in names]
    if not text:
        return 1
    return 0 if text in spellings else 1 if any(each.startswith(text) for each in spellings) else 2


def rank_word(word: str, text: str, *, forgives_slips: bool = False) -> int | None:
    """Return how well a folded word matches a text: 0 is best; None for no match."""
    spelling = _spell(text)
    if word in spelling.words:
        return 0
    if any(each.startswith(word) for each in spelling.words):
        return 1
    is_inside = len(word) >= _LEAST_INSIDE and any(word in each for each in spelling.words)
    if is_inside or (len(word) >= _LEAST_JOINED and word in spelling.joined):
        return 2
    return _SLIP if forgives_slips and any(_is_near(word, each) for each in spelling.words) else None


def _is_near(word: str, other: str) -> bool:
    """Return True if a word is one slip from another, from its singular or, if it is long, from its beginning."""
    if min(len(word), len(other)) < _LEAST_SLIP:
        return False
    lengths = (len(word), len(word) + 1) if len(word) >= _LEAST_JOINED else ()
    return any(
        is_slip(word, each) for each in (other, other.removesuffix("s"), *(other[:length] for length in lengths))
    )
