"""How people name things: by the word of the notation, by what they call it, by its number, by how either begins."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

_GAPS: Final = r"[-\s]"
_PARTS: Final = r"[-\s:]"
"""What stands between the words of a name; of `ana:AS`, its card is one."""
_SIGNS: Final = "⭐★ "
_SMALL: Final = 2
"""Letters of `of` and `to`."""
_MOST: Final = 5
"""Words of a name; more are a sentence."""


class Name(msgspec.Struct, frozen=True):
    """Something that can be named. `number` is the one that it bears on the board, 0 where it bears none."""

    value: str
    title: str = ""
    number: int = 0

    def rank(self, word: str, *, whole: bool = False) -> int | None:
        """How well a word in lower case names it: 0 is best; None where it does not. `whole`: beginnings do not."""
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
    def called(self) -> tuple[str, ...]:
        """By what it is called as a whole, in lower case."""
        value, title = self.value.lower(), self._plain_title
        return tuple(dict.fromkeys((value, title, "-".join(value.split()))))

    @property
    def _plain_title(self) -> str:
        """Return what it is called in lower case, without signs before it that nobody types, such as ⭐."""
        return self.title.lower().lstrip(_SIGNS)

    @property
    def _words(self) -> list[str]:
        """The words of what it is called; of a sentence none, and none that stands in any."""
        words = self._plain_title.rpartition("· ")[2].split()
        return [word for word in words if len(word) > _SMALL] if len(words) <= _MOST else []


def best_named(names: Iterable[Name], word: str, *, whole: bool = False) -> tuple[str, ...]:
    """What a word names best: what is called exactly so, else all that begins so."""
    ranks = [(rank, name.value) for name in names if (rank := name.rank(word.lower(), whole=whole)) is not None]
    least = min((rank for rank, _ in ranks), default=0)
    return tuple(dict.fromkeys(value for rank, value in ranks if rank == least))


def nearly_named(names: Iterable[Name], word: str) -> tuple[str, ...]:
    """What a word names that is no name of its own: what it begins, else what it is one slip from; nothing where it
    names something whole.
    """
    every = tuple(names)
    if best_named(every, word, whole=True):
        return ()
    slips = (name.value for name in every if any(is_slip(word.lower(), each) for each in name.called if each[_SMALL:]))
    return best_named(every, word) or tuple(dict.fromkeys(slips))


def is_slip(word: str, name: str) -> bool:
    """Whether a word comes of a name by one letter that was left out, added, replaced, or swapped with the next."""
    longer, shorter = sorted((word, name), key=len, reverse=True)
    at = next((n for n, letter in enumerate(shorter) if letter != longer[n]), len(shorter))
    if len(longer) > len(shorter):
        return shorter[at:] == longer[at + 1 :]
    swapped = longer[at + 1 : at + 2] + longer[at : at + 1] + longer[at + 2 :]
    return (word != name and shorter[at + 1 :] == longer[at + 1 :]) or shorter[at:] == swapped
