"""What a game whose decks are kept knows about them besides their record and story: chores, corrections, moving house.

Separate from `Game` because a game can be played at a table without any of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from companion.games.action import RuleError
from companion.games.records import Chore, Corrected, Mark
from companion.games.spots import Spots


class Keeping(Protocol):
    """A game's decks as things on a shelf. Every method is pure."""

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """What is to be done by hand, oldest first."""
        ...

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """What cards and box say by all that was ticked off, in the order in which one looks through a box."""
        ...

    def question(self, spot: str, text: str) -> str:
        """How to ask whether `text` stands on a spot: `7♠: Sharp?`"""
        ...

    def read_spot(self, text: str) -> str:
        """A spot as people write it. Raises NotationError."""
        ...

    def mended(self, marks: Sequence[Mark], seen: Spots, reason: str, by: str = "") -> tuple[Mark, ...]:
        """The marks that make a record agree with what was seen; none where it does. Raises RuleError."""
        ...

    def corrected(self, marks: Sequence[Mark], of: int, reason: str, by: str = "") -> Corrected:
        """The mark that takes another back. Raises RuleError where that makes no sense."""
        ...

    def renamed(self, marks: Sequence[Mark], name: str, reason: str, by: str = "") -> Mark:
        """The mark that gives a deck another name. Raises RuleError."""
        ...

    def retired(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """The mark that ends a deck's life; `heirloom` is what it leaves, or "". Raises RuleError."""
        ...

    def adopted(self, data: Mapping[str, Any], by: str = "") -> tuple[tuple[Mark, ...], tuple[str, ...]]:
        """The marks of a deck that lived on paper, from what its file holds, and warnings. Raises NotationError,
        RuleError.
        """
        ...

    def packed(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """A deck as it is today as MessagePack can hold it, first whole, then each time with a little less."""
        ...

    def unpacked(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """The marks of a deck that comes with what `packed` gave; `story` is the hash of its `length` entries there.

        Raises RuleError where it is no such deck.
        """
        ...


class MayKeep(Protocol):
    """A game, as far as it matters here: it says itself whether its decks are kept."""

    title: ClassVar[str]
    keeping: ClassVar[Keeping | None]


def keeping(game: MayKeep) -> Keeping:
    """How a game's decks are kept. Raises RuleError where they are not."""
    if game.keeping is None:
        raise RuleError(f"Decks of {game.title} have no cards to be written on here.")
    return game.keeping
