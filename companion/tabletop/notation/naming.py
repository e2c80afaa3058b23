"""Matching of names: by the word of the notation, the title, the number, or the beginning of either."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

_GAPS: Final = r"[-\s]"
_PARTS: Final = r"[-\s:]"
"""The separators between the words of a name; the card of `ana:AS` is one word."""
_SIGNS: Final = "⭐★ "
_SMALL: Final = 2
"""The maximum length of small words such as `of` and `to`."""
_MOST: Final = 5
"""The maximum number of words in a name; longer titles are sentences."""


class Name(msgspec.Struct, frozen=True):
    """A name of something. `number` is its number on the board, 0 if it has none."""

    value: str
    title: str = ""
    number: int = 0

    def rank(self, word: str, *, whole: bool = False) -> int | None:
        """Return how well a lower-case word matches: 0 is best; None for no match. `whole`: beginnings do not match."""
        spelling = _spell(self.value, self.title)
        if word == spelling.value or (self.number and word == str(self.number)):
            return 0
        gapless = _without_gaps(word)
        if gapless in spelling.called:
            return 1
        if whole or not word[:1].isalnum() or word.isdecimal():
            return None
        if any(each.startswith(gapless) for each in spelling.called):
            return 2
        return 2 if any(part.startswith(word) for part in spelling.parts) else None

    @property
    def full_names(self) -> tuple[str, ...]:
        """Its complete names, in lower case."""
        spelling = _spell(self.value, self.title)
        return tuple(dict.fromkeys((spelling.value, spelling.title, "-".join(spelling.value.split()))))


class _Spelling(NamedTuple):
    """The forms of a name that typed words are compared with, all in lower case.

    `title` lacks the leading signs that users do not type, such as ⭐. `called` are the value and the title with a
    space for each separator. `parts` are the words of both, without the small words of the title; a title that is a
    sentence has none.
    """

    value: str
    title: str
    called: tuple[str, str]
    parts: tuple[str, ...]


@lru_cache(maxsize=8192)
def _spell(value: str, title: str) -> _Spelling:
    """Return the forms of a name; while people type, the same few hundred names are compared with every letter."""
    value, title = value.lower(), title.lower().lstrip(_SIGNS)
    words = title.rpartition("· ")[2].split()
    long_words = [word for word in words if len(word) > _SMALL] if len(words) <= _MOST else []
    return _Spelling(
        value, title, (_without_gaps(value), _without_gaps(title)), (*re.split(_PARTS, value), *long_words)
    )


@lru_cache(maxsize=1024)
def _without_gaps(text: str) -> str:
    return re.sub(_GAPS, " ", text)


def best_named(names: Iterable[Name], word: str, *, whole: bool = False) -> tuple[str, ...]:
    """Return the best matches of a word: exact names, else all with that beginning."""
    ranks = [(rank, name.value) for name in names if (rank := name.rank(word.lower(), whole=whole)) is not None]
    least = min((rank for rank, _ in ranks), default=0)
    return tuple(dict.fromkeys(value for rank, value in ranks if rank == least))


def nearly_named(names: Iterable[Name], word: str) -> tuple[str, ...]:
    """Return what a word matches without being an exact name: by its beginning, else by one slip.

    Empty if the word is an exact name.
    """
    every = tuple(names)
    if best_named(every, word, whole=True):
        return ()
    slips = (
        name.value for name in every if any(is_slip(word.lower(), each) for each in name.full_names if each[_SMALL:])
    )
    return best_named(every, word) or tuple(dict.fromkeys(slips))


def is_slip(word: str, name: str) -> bool:
    """Return True if a word differs from a name by one letter: missing, added, replaced, or swapped with the next."""
    longer, shorter = sorted((word, name), key=len, reverse=True)
    at = next((n for n, letter in enumerate(shorter) if letter != longer[n]), len(shorter))
    if len(longer) > len(shorter):
        return shorter[at:] == longer[at + 1 :]
    swapped = longer[at + 1 : at + 2] + longer[at : at + 1] + longer[at + 2 :]
    return (word != name and shorter[at + 1 :] == longer[at + 1 :]) or shorter[at:] == swapped
