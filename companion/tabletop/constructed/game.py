"""The common part of all games with constructed decks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from companion.tabletop.action import Action, DeckId, Step
from companion.tabletop.constructed import batch, table
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.evenings import ConstructedEvenings
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.constructed.results import ConstructedResults
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.decks.decklist import ListedCard
from companion.tabletop.decks.stored_decks import SeatedDeck
from companion.tabletop.game import ActionRule, GameOfSteps
from companion.tabletop.records import Mark, Record
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.common_actions import DrawAgreed, Next, RefreshDeck
from companion.tabletop.table.table import Draft, TableView
from templates.languages.messages import phrase


class ConstructedGame(GameOfSteps):
    """A game of steps with constructed decks: stored decks with lists, and the marks of sealed matches on them."""

    mark_types: ClassVar[tuple[type[Mark], ...]] = m.MARKS
    lists: ClassVar[DeckLists]
    """The format of its deck lists, used to found, check and keep its decks."""
    after_batch: ClassVar[frozenset[type[Action]]] = frozenset({Next, table.SealMatch, DrawAgreed})
    """The actions that wait for the end of a batch."""

    @cached_property
    def decks(self) -> ConstructedDecks:
        """Its stored decks."""
        return ConstructedDecks(self.name, self.lists)

    def on_card(
        self,
        card: ListedCard,  # noqa: ARG002 – used by overrides
        action: type[Action],  # noqa: ARG002
        given: Mapping[str, Any],  # noqa: ARG002
    ) -> Mapping[str, Any]:
        """Return what a card of a deck list adds to the line that plays it, by the action's fields; {} for nothing."""
        return {}

    def deck_lines(self, seat: str, deck: ConstructedRecord) -> tuple[Action, ...]:  # noqa: ARG002
        """Return the game's own set-up lines for a stored deck, such as its number of cards and its starting cards."""
        return ()

    def known_fields(self, state: Any, action: type[Action], given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the figures of a card of a stored deck, by the handle or the name that a line gives it."""
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
        """Return the set-up lines of a stored deck: its name and version, the game's own lines, and its cards."""
        assert isinstance(record, ConstructedRecord)
        return self.decks.setup_lines(seat, record, self.deck_lines(seat, record))

    def stored_decks(self, state: Any) -> Mapping[str, SeatedDeck]:
        """Return the stored decks at the table."""
        return table.stored_decks(state)

    def read_anew(self, resolution: Any, action: RefreshDeck, lines: Sequence[Action]) -> None:
        """Replace the list of a deck. Once the game has begun, the cards on the table stay as they are."""
        table.read_anew(resolution, action, lines)
        if not resolution.state.has_begun:
            self.clear_deck(resolution, action.seat)
            for line in lines:
                if not isinstance(line, table.SeatPlayer | table.Lists):
                    self.carry_out(resolution, line)

    def clear_deck(self, resolution: Any, seat: str) -> None:
        """Remove what a deck put on the table before the game, because its new lines will put it there again."""

    def is_sealed(self, state: Any) -> bool:
        """Return True once the match was sealed, whatever it wrote."""
        return bool(state.sealed)

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return the match as marks for the records of all stored decks that were played."""
        result = self.results.match_result(state) if state.sealed else None
        return table.sealed_marks(result) if result else {}

    def attackers(self, before: Any) -> tuple[str, ...]:  # noqa: ARG002 – used by overrides
        """Return the titles of the attackers on a table."""
        return ()

    @cached_property
    def evenings(self) -> ConstructedEvenings:
        """The facts of a match, and its summaries."""
        return ConstructedEvenings(self.title, self.credit, self.display, self.attackers)

    @property
    def results(self) -> ConstructedResults:
        """The results of matches, with the decks that were played."""
        return ConstructedResults(self.display, self.final_counters)

    def record(self, marks: tuple[Mark, ...]) -> ConstructedRecord:
        """Return the present state of a deck."""
        return self.decks.record(marks)

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:
        """Draw the seat that begins if it is decided by lot."""
        if isinstance(action, table.First):
            return table.draw_lot(state, action, rng)
        return super().resolve(state, action, rng)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return the candidates for a field; the first turn can also be drawn by lot."""
        if draft.action is table.Match and field == "best_of":
            what = phrase("the maximum number of games, which is odd")
            return Open(what, 3, least=1, fitting=table.USUAL_MATCHES)
        candidates = super().vocabulary(state, draft, field)
        if not issubclass(draft.action, table.First) or field != "seat" or isinstance(candidates, Open):
            return candidates
        return (*candidates, Choice(table.LOT, phrase("by lot")))

    def view(self, state: Any) -> TableView:
        """Return the view with the score of the match."""
        return msgspec.structs.replace(super().view(state), match=table.score_text(state))

    def apply(self, state: Any, action: Action) -> Step:
        """Return the table after an action, with numbers for new things."""
        after, tells = super().apply(state, action)
        return Step(table.with_numbers(after), tells)

    def check(self, state: Any, action: Action) -> None:
        """Raise RuleError if the action would continue a game that is over or sealed, or must wait for a batch."""
        table.check_goes_on(state, action)
        batch.check(state, action, self.after_batch)

    def carry_out(self, resolution: Any, action: Action) -> None:
        """Apply an action and its automatic consequences, unless these wait for the end of a batch."""
        before = resolution.state
        super().carry_out(resolution, action)
        if not resolution.state.together:
            self.settle(resolution, before)

    def fits(self, rule: ActionRule, step: str) -> bool:
        """Return True if an action belongs to a phase; a turn without phases allows the actions of every phase."""
        if step != WHOLE_TURN:
            return super().fits(rule, step)
        phases = frozenset(phase.name for phase in self.display.steps)
        return super().fits(rule, step) or not phases.isdisjoint(rule.steps)

    @abstractmethod
    def settle(self, resolution: Any, before: Any) -> None:
        """Apply the automatic consequences: remove what is destroyed, and determine losers and the outcome.

        `before` is the table before the action.
        """
        ...
