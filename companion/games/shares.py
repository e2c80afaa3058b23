"""The kind of argument that is a name and how much falls to it: `bear 3`.

Separate from the other kinds because only games in which damage is shared out write figures so.
"""

from __future__ import annotations

from collections.abc import Container

from companion.games.kinds import COUNT, Kind, Words

Portion = tuple[str, int]


class Share(Kind[Portion]):
    """Two words: a seat or a handle, and a whole number."""

    def __init__(self, name: Kind[str]) -> None:
        super().__init__(f"{name.shape} {COUNT.shape}")
        self.name = name

    def read(self, words: Words, stops: Container[str]) -> Portion:
        """The next two words."""
        return self.name.read(words, stops), COUNT.read(words, stops)

    def write(self, value: Portion) -> str:
        """The name, then the number."""
        return f"{self.name.write(value[0])} {value[1]}"
