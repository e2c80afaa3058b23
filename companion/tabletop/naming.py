"""How people name things: by the word of the notation, by what they call it, by its number, by how either begins."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

_GAPS: Final = re.compile(r"[-\s]")
_SMALL: Final = 2
"""Letters of `of` and `to`."""
_MOST: Final = 5
"""Words of a name; more are a sentence."""


class Name(NamedTuple):
    """Something that can be named. `number` is the one that it bears on the board, 0 where it bears none."""

    value: str
    title: str = ""
    number: int = 0

    def rank(self, word: str, *, whole: bool = False) -> int | None:
        """How well a word in lower case names it: 0 is best; None where it does not. `whole`: beginnings do not."""
        value, title = self.value.lower(), self.title.lower()
        if word == value or (self.number and word == str(self.number)):
            return 0
        if _GAPS.sub(" ", word) == _GAPS.sub(" ", title):
            return 1
        if whole or not word[:1].isalnum() or word.isdecimal():
            return None
        begun = (value, title, *_GAPS.split(value), *self._words)
        return 2 if any(part.startswith(word) for part in begun) else None

    @property
    def _words(self) -> list[str]:
        """The words of what it is called; of a sentence none, and none that stands in any."""
        words = self.title.lower().rpartition("· ")[2].split()
        return [word for word in words if len(word) > _SMALL] if len(words) <= _MOST else []


def best_named(names: Iterable[Name], word: str, *, whole: bool = False) -> tuple[str, ...]:
    """What a word names best: what is called exactly so, else all that begins so."""
    ranks = [(rank, name.value) for name in names if (rank := name.rank(word.lower(), whole=whole)) is not None]
    least = min((rank for rank, _ in ranks), default=0)
    return tuple(dict.fromkeys(value for rank, value in ranks if rank == least))
