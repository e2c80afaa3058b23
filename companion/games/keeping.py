"""What a game whose decks are kept knows about them besides their record and story: chores, corrections, moving house.

Separate from `Game` because a game can be played at a table without any of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

from companion.games.action import RuleError
from companion.games.deck_cards import DeckCard
from companion.games.reasons import Said
from companion.games.records import Chore, Corrected, Mark
from companion.games.spots import Spots


class Rebuilt(NamedTuple):
    """A deck's new list as a mark, and what to mind about it."""

    mark: Mark
    warnings: tuple[str, ...] = ()


class ListVersion(NamedTuple):
    """One list in a deck's life: which version, the number of the mark that made it, and its cards."""

    version: int
    mark: int
    cards: tuple[DeckCard, ...]


class Keeping(Protocol):
    """A game's decks as things on a shelf. Every method is pure."""

    example: ClassVar[str]
    """How to write what stands on a spot: `7S sharp: yes`."""

    def chores(self, marks: Sequence[Mark]) -> tuple[Chore, ...]:
        """What is to be done by hand, oldest first."""
        ...

    def chore_text(self, spot: str, value: str, mark: Mark) -> str:
        """What `mark` calls for on a spot, as `chores` says it."""
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

    def mended(self, marks: Sequence[Mark], seen: Spots, reason: Said, by: str = "") -> tuple[Mark, ...]:
        """The marks that make a record agree with what was seen; none where it does. Raises RuleError."""
        ...

    def corrected(self, marks: Sequence[Mark], of: int, reason: Said, by: str = "") -> Corrected:
        """The mark that takes another back. Raises RuleError where that makes no sense."""
        ...

    def renamed(self, marks: Sequence[Mark], name: str, reason: Said, by: str = "") -> Mark:
        """The mark that gives a deck another name. Raises RuleError."""
        ...

    def retired(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """The mark that ends a deck's life; `heirloom` is what it leaves, or "". Raises RuleError."""
        ...

    def rebuilt(
        self,
        marks: Sequence[Mark],  # noqa: ARG002 – what a game may need
        text: str,  # noqa: ARG002
        reason: Said,  # noqa: ARG002
        by: str = "",  # noqa: ARG002
    ) -> Rebuilt:
        """The mark that gives a deck another list, from its text (`companion.games.decklist`).

        Raises NotationError where that cannot be read, RuleError where decks have no lists.
        """
        raise RuleError("Such decks have no list: their cards are what play has made of them.")

    def lists(self, marks: Sequence[Mark]) -> tuple[ListVersion, ...]:  # noqa: ARG002 – what a game may need
        """The lists that a deck has had, oldest first; none where decks have no lists."""
        return ()

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
