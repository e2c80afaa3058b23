"""The kind of argument that is two whole numbers with a stroke between them: attack/health, a change of both.

Separate from the other kinds because only games with creatures write figures so.
"""

from __future__ import annotations

from companion.games.action import NotationError
from companion.games.kinds import Word, read_count, read_signed

Two = tuple[int, int]


class Pair(Word[Two]):
    """`3/4`, or `+1/-2` where both are changes; `shape` names the two (`ATK/HEALTH`)."""

    def __init__(self, shape: str, signed: bool = False) -> None:
        self.signed = signed
        super().__init__(shape, self._both, self._written)

    def _both(self, word: str) -> Two:
        first, stroke, second = word.partition("/")
        if not stroke:
            raise NotationError(f"“{word}” is not two numbers; write {self.shape}, as {self._written((3, 2))}.")
        read = read_signed if self.signed else read_count
        return read(first), read(second)

    def _written(self, value: Two) -> str:
        return "{:+d}/{:+d}".format(*value) if self.signed else "{}/{}".format(*value)
