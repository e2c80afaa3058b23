"""Kinds of argument made of figures: two numbers in one word (`3/2`), and a name with its number (`bear 3`).

Separate from the other kinds because only games with creatures on the table need them.
"""

from __future__ import annotations

from collections.abc import Container

from companion.games.game import NotationError
from companion.games.kinds import COUNT, Kind, Language, Word, Words


class Pair(Word[tuple[int, int]]):
    """Two whole numbers with a stroke between them."""

    def __init__(self, shape: str) -> None:
        super().__init__(shape, self._pair, lambda pair: f"{pair[0]}/{pair[1]}")

    def _pair(self, word: str) -> tuple[int, int]:
        left, stroke, right = word.partition("/")
        if not (stroke and word.isascii() and left.isdecimal() and right.isdecimal()):
            raise NotationError(f"“{word}” is not {self.shape}; write two whole numbers, as 3/2.")
        return int(left), int(right)


class Share(Kind[tuple[str, int]]):
    """A name and how much falls to it."""

    def __init__(self, name: Kind[str]) -> None:
        super().__init__(f"{name.shape} {COUNT.shape}")
        self.name = name

    def read(self, words: Words, stops: Container[str]) -> tuple[str, int]:
        """The next two words."""
        return self.name.read(words, stops), COUNT.read(words, stops)

    def write(self, value: tuple[str, int], notation: Language) -> str:
        """`bear 3`"""
        return f"{self.name.write(value[0], notation)} {value[1]}"
