"""What a sitting needs of wherever it is kept: a journal for its lines, and a shelf with people's decks and purses.

Separate from the sitting, which goes on without either, and from the archive, which is one of the places to keep it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from companion.games.action import DeckId, RuleError
from companion.games.game import Game
from companion.games.records import Keepsake, Mark, Payment, Record
from companion.games.table import TableView
from companion.session.log import Line

Marks = Mapping[DeckId, tuple[Mark, ...]]


class Sealing(NamedTuple):
    """What a sealed game writes into its decks' records and its people's purses; nothing as long as it goes on."""

    marks: Marks = MappingProxyType({})
    payments: tuple[Payment | Keepsake, ...] = ()

    @classmethod
    def of(cls, game: Game, state: Any) -> Sealing:
        """What a state of a game leaves behind."""
        return cls(game.marks(state), (*game.purses(state), *game.keepsakes(state)))


class Journal(Protocol):
    """Where a sitting's lines are kept."""

    session: str
    """What the sitting is called there."""
    sealed: bool
    """Whether what the game leaves behind was written already."""

    def keep(self, lines: Sequence[Line], sealing: Sealing, view: TableView) -> None:
        """Write the lines, and what a sealed game leaves behind with them, durably: all of it or nothing.

        Raises Conflict where somebody else wrote in between; nothing of ours is kept then.
        """
        ...

    def later(self, number: int) -> Sequence[Line]:
        """The lines that others have kept after that of this number."""
        ...


class Shelf(Protocol):
    """What people bring to a table: their decks and their purses."""

    def deck(self, text: str) -> tuple[DeckId, Record]:
        """A stored deck by its id or its name. Raises RuleError where there is none."""
        ...

    def decks(self, text: str, game: str) -> tuple[tuple[str, str], ...]:
        """Some decks of a game whose name has these letters, by name, each with who holds it ("" for nobody)."""
        ...

    def purse(self, name: str, person: str = "") -> Belongings:
        """What somebody brings: by their id, or by a name where that is enough; `new` for somebody new of that name.

        Raises UnclearPerson where several are called so, RuleError where nobody has that id.
        """
        ...


class Belongings(NamedTuple):
    """What somebody brings, and who they are where that is known; "" for somebody whose name nobody knows yet.

    `kept` are the keepsakes of each game.
    """

    amount: int = 0
    person: str = ""
    kept: Mapping[str, Mapping[str, int]] = MappingProxyType({})


class UnclearPerson(RuleError):
    """Several people are called so. `people` are their ids, each with what tells them apart."""

    def __init__(self, name: str, people: Sequence[tuple[str, str]], answers: str = "") -> None:
        told = "; ".join(f"{person} ({marks})" for person, marks in people)
        super().__init__(f"{len(people)} people are called {name}: {told}. {answers}".rstrip())
        self.name = name
        self.people = tuple(people)
