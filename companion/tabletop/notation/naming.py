"""Matching of names: by the word of the notation, the title, the number, or the beginning of either."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

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
        value, title = self.value.lower(), self._plain_title
        if word == value or (self.number and word == str(self.number)):
            return 0
        gapless, *called = (re.sub(_GAPS, " ", each) for each in (word, value, title))
        if gapless in called:
            return 1
        if whole or not word[:1].isalnum() or word.isdecimal():
            return None
        if any(each.startswith(gapless) for each in called):
            return 2
        return 2 if any(part.startswith(word) for part in (*re.split(_PARTS, value), *self._words)) else None

    @property
    def full_names(self) -> tuple[str, ...]:
        """Its complete names, in lower case."""
        value, title = self.value.lower(), self._plain_title
        return tuple(dict.fromkeys((value, title, "-".join(value.split()))))

    @property
    def _plain_title(self) -> str:
        """The title in lower case, without leading signs that users do not type, such as ⭐."""
        return self.title.lower().lstrip(_SIGNS)

    @property
    def _words(self) -> list[str]:
        """The words of the title, without small ones; none if the title is a sentence."""
        words = self._plain_title.rpartition("· ")[2].split()
        return [word for word in words if len(word) > _SMALL] if len(words) <= _MOST else []


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
