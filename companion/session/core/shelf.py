"""The shelf of an archive as a table sees it: the decks and purses that people can bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import msgspec

from companion.session.core.decks_in_play import DeckInPlay, MovedDeck
from companion.tabletop.action import DeckId, RuleError
from companion.tabletop.game import Game
from companion.tabletop.records import DeckReading, Record
from templates.languages.messages import Text, joined, phrase, phrases


class Shelf(Protocol):
    """The decks and purses that people can bring to a table."""

    def deck(self, text: str) -> tuple[DeckId, Record]:
        """Return a stored deck by its id or its name. Raises RuleError if there is none."""
        ...

    def decks(self, text: str, game: Game, seat: str = "") -> tuple[tuple[str, str], ...]:
        """Return decks of a game whose names contain this text, by name, each with its holder ("" for none)."""
        ...

    def purse(self, name: str, person: str = "") -> Belongings:
        """Return a person's belongings, by id or by a name that identifies them; `new` is a new person of that name.

        Raises UnclearPerson if several people share the name, and RuleError if the id is unknown.
        """
        ...


@runtime_checkable
class RecordShelf(Shelf, Protocol):
    """A shelf that also knows how far the records of its decks have come, and at which other tables the decks sit."""

    def reading(self, text: str) -> DeckReading:
        """Return how far the record of a deck has come, by its id or its name.

        Raises RuleError if there is no such deck.
        """
        ...

    def changes(self, decks: Mapping[str, DeckInPlay]) -> tuple[MovedDeck, ...]:
        """Return the decks of a table whose records have moved on since it read them. Raises the archive's errors."""
        ...

    def other_tables(self, deck: DeckId, session: str) -> tuple[Text, ...]:
        """Return the names of other tables, with games not yet over, at which a deck sits."""
        ...


class Belongings(msgspec.Struct, frozen=True):
    """A person's purse and keepsakes, with the person's id, or "" if it is not known.

    `kept` maps each game to its keepsakes.
    """

    amount: int = 0
    person: str = ""
    kept: Mapping[str, Mapping[str, int]] = MappingProxyType({})

    def kept_of(self, game: Game) -> Mapping[str, int]:
        """Return the keepsakes of a game."""
        return self.kept.get(game.name, {})


class UnclearPerson(RuleError):
    """Several people share a name. `people` are their ids, each with what distinguishes them."""

    def __init__(self, name: str, people: Sequence[tuple[str, Text]], answers: Text = "") -> None:
        # Translators: {person} is an id, {marks} is what tells them from others of the same name.
        namesakes = (phrase("{person} ({marks})", person=person, marks=marks) for person, marks in people)
        sentence = phrases(
            "{n} person is called {name}: {people}.",
            "{n} people are called {name}: {people}.",
            n=len(people),
            name=name,
            people=joined("; ", namesakes),
        )
        super().__init__(joined(" ", filter(None, (sentence, answers))))
        self.name = name
        self.people = tuple(people)
