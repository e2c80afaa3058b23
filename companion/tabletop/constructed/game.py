"""A game that is played with constructed decks, as far as all such games are alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from companion.tabletop.action import Action, DeckId, RuleError, Step
from companion.tabletop.common_actions import Next
from companion.tabletop.constructed import batch, table
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.keeping import ConstructedForm, ConstructedKeeping, DeckLists, story
from companion.tabletop.constructed.record import ConstructedRecord, record
from companion.tabletop.decklist import ListedCard
from companion.tabletop.game import GameOfSteps
from companion.tabletop.records import DeckFigure, Mark, Record


class ConstructedGame(GameOfSteps):
    """Stored decks, the lines that bring them to a table, and what a sealed match writes into their records."""

    mark_types: ClassVar[tuple[type[Mark], ...]] = m.MARKS
    lists: ClassVar[DeckLists]
    """What its deck lists look like; by them its decks are founded, checked and kept."""
    after_batch: ClassVar[frozenset[type[Action]]] = frozenset({Next, table.Seal})
    """What waits until the effects that happen together are done."""

    def __init_subclass__(cls) -> None:
        """What follows from the lists."""
        super().__init_subclass__()
        cls.deck_list = cls.lists.rules
        cls.founding = ConstructedForm(cls.lists)
        cls.keeping = ConstructedKeeping(cls.lists)

    def apply(self, state: Any, action: Action) -> Step:
        """The table after it, with a number for whatever came."""
        after, tells = super().apply(state, action)
        return Step(table.with_numbers(after), tells)

    def check(self, state: Any, action: Action) -> None:
        """Raises RuleError where the game is over or sealed, or a batch is open, and the action would go on with it."""
        table.check_goes_on(state, action)
        batch.check(state, action, self.after_batch)

    def carry_out(self, resolution: Any, action: Action) -> None:
        """Do what an action says, and what follows from it by itself, unless that waits for the end of a batch."""
        before = resolution.state
        super().carry_out(resolution, action)
        if not resolution.state.together:
            self.settle(resolution, before)

    @abstractmethod
    def settle(self, resolution: Any, before: Any) -> None:
        """What follows by itself: what is destroyed leaves, and who has lost, and the outcome. `before` is the table
        before the action.
        """
        ...

    @abstractmethod
    def on_card(self, card: ListedCard, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a card of a deck list says for the line that plays it, by the action's fields; {} where nothing."""
        ...

    @abstractmethod
    def deck_lines(self, seat: str, deck: ConstructedRecord) -> tuple[Action, ...]:
        """The set-up lines of the game's own for a stored deck: how many cards it has, what lies out from the start."""
        ...

    def known_fields(self, state: Any, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """The figures of a card of a stored deck, by the handle or the name that a line gives it."""
        seat, called = str(given.get("seat", "")), given.get("handle") or given.get("name")
        brought = state.brought.get(seat)
        card = brought.card(str(called), seat) if brought and called else None
        return self.on_card(card, action, given) if card else {}

    def setup_lines(
        self,
        seat: str,
        record: Record,
        purse: int = 0,  # noqa: ARG002
        kept: Mapping[str, int] = MappingProxyType({}),  # noqa: ARG002
    ) -> tuple[Action, ...]:
        """The set-up lines of a stored deck: its name and version, what the game needs of it, and its cards."""
        assert isinstance(record, ConstructedRecord)
        if record.retired:
            raise RuleError(f"{record.name} has retired and is not played any more.")
        cards = (table.Lists(seat, card.line) for card in record.cards)
        flaws = "" if record.omitted else self.lists.flaws(record.cards)
        return (
            table.SeatPlayer(seat, called=record.name, version=record.version, flaws=flaws),
            *self.deck_lines(seat, record),
            *cards,
        )

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:
        """The match, in the records of all stored decks that were played."""
        return table.sealed_marks(state)

    def record(self, marks: tuple[Mark, ...]) -> ConstructedRecord:
        """A deck as it is today."""
        return record(self.name, marks)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """Its version, and how many matches it won and lost."""
        assert isinstance(record, ConstructedRecord)
        return record.figures

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """A sentence a mark."""
        return story(marks)
