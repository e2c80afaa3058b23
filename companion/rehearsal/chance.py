"""Chance by its purpose: what a rehearsed game draws depends on what for, never on how often something was drawn before.

So two settings that are compared meet the same deal, the same Bosses, the same nth Minion, until what people do differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import shake_128
from random import Random
from typing import TypeVar

T = TypeVar("T")

_BYTES = 4


class Chance:
    """The chance of one game: `number` is which of a series that one `seed` stands for.

    Everything comes from SHAKE-128 of seed, number and purpose: the same on every machine and in every Python.
    """

    def __init__(self, seed: int, number: int) -> None:
        self._key = f"{seed}/{number}/"

    def numbers(self, count: int, *purpose: object) -> tuple[int, ...]:
        """So many whole numbers below 2³² for a purpose, which is told by its words and numbers."""
        digest = shake_128(f"{self._key}{'/'.join(map(str, purpose))}".encode()).digest(_BYTES * count)
        return tuple(int.from_bytes(digest[at : at + _BYTES], "big") for at in range(0, len(digest), _BYTES))

    def share(self, *purpose: object) -> float:
        """A number from 0 to below 1."""
        return self.numbers(1, *purpose)[0] / 2 ** (8 * _BYTES)

    def choose(self, items: Sequence[T], *purpose: object) -> T:
        """One of some items, each as likely as the others (to one part in 2³²)."""
        return items[self.numbers(1, *purpose)[0] * len(items) >> 8 * _BYTES]

    def shuffle(self, items: Sequence[T], *purpose: object) -> list[T]:
        """The items in any order."""
        keys = self.numbers(len(items), *purpose)
        return [items[at] for at in sorted(range(len(items)), key=lambda at: (keys[at], at))]

    def random(self, *purpose: object) -> Random:
        """What rules draw with that ask for a source of chance."""
        return Random(self.numbers(1, *purpose)[0])
