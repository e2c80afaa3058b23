"""The common part of all games with constructed decks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from companion.tabletop.action import Action, DeckId, RuleError, Step
from companion.tabletop.constructed import batch, table
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.evenings import ConstructedEvenings
from companion.tabletop.constructed.keeping import ConstructedForm, ConstructedKeeping, DeckLists, story
from companion.tabletop.constructed.portrait import (
    CardProfile,
    cost_curve,
    list_parts,
    on_one_scale,
    record_summary,
    verdict_on,
)
from companion.tabletop.constructed.record import ConstructedRecord, record, versions
from companion.tabletop.constructed.tracking import WHOLE_TURN
from companion.tabletop.decks.decklist import DeckCard, DeckListRules, ListedCard
from companion.tabletop.decks.portrait import Chart, Portrait, changed_cards
from companion.tabletop.decks.stored_decks import SeatedDeck
from companion.tabletop.game import ActionRule, Game, GameOfSteps
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.table.choices import Candidates, Choice, Open
from companion.tabletop.table.common_actions import DrawAgreed, Next, RefreshDeck
from companion.tabletop.table.match_result import MatchResult
from companion.tabletop.table.table import Draft, TableView


class ListedDecks(Game):
    """Stored decks with lists: the lines that bring them to a table, and the marks of a sealed match in their records.

    A game inherits it, or holds one.
    """

    mark_types: ClassVar[tuple[type[Mark], ...]] = m.MARKS
    lists: ClassVar[DeckLists]
    """The format of its deck lists, used to found, check and keep its decks."""

    # Defined by the lists.

    @property
    def deck_list(self) -> DeckListRules:
        """The checks of its deck lists."""
        return self.lists.rules

    @cached_property
    def founding(self) -> ConstructedForm:
        """The form for founding a deck."""
        return ConstructedForm(self.lists)

    @cached_property
    def keeping(self) -> ConstructedKeeping:
        """The rules for keeping its decks."""
        return ConstructedKeeping(self.lists)

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
        if record.retired:
            raise RuleError(f"{record.name} has retired and is not played any more.")
        cards = (table.Lists(seat, card.line) for card in record.cards)
        flaws = "" if record.omitted else self.lists.flaws(record.cards)
        return (
            table.SeatPlayer(seat, called=record.name, version=record.version, flaws=flaws),
            *self.deck_lines(seat, record),
            *cards,
        )

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

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return the match as marks for the records of all stored decks that were played."""
        result = self.match_result(state) if state.sealed else None
        return table.sealed_marks(result) if result else {}

    def match_result(self, state: Any) -> MatchResult | None:
        """Return the result with the decks, their players, and the score of the match."""
        result = super().match_result(state)
        return table.match_result(state, result) if result else None

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:
        """Return the next game of an open match, or a new match of the same length; the loser chooses who begins."""
        return tuple(table.rematch_lines(result))

    def attackers(self, before: Any) -> tuple[str, ...]:  # noqa: ARG002 – used by overrides
        """Return the titles of the attackers on a table."""
        return ()

    @cached_property
    def evenings(self) -> ConstructedEvenings:
        """The facts of a match, and its summaries."""
        return ConstructedEvenings(self.title, self.credit, self.display, self.attackers)

    def profile(self, card: ListedCard) -> CardProfile:
        """Return the profile of a card for the page of its deck; here the first word of its line is the type."""
        first, *about = card.remarks or ("card",)
        return CardProfile(f"{first[:1].upper()}{first[1:]}", about=tuple(about))

    def curve(self, cards: Sequence[DeckCard]) -> Chart | None:
        """Return the chart of the cards besides their types: the number of cards at each cost."""
        return cost_curve(cards, self.profile, "Cost")

    def list_portrait(self, cards: Sequence[DeckCard], against: Sequence[DeckCard] | None = None) -> Portrait:
        """Return the verdict on a list, its types, its curve, and its cards."""
        parts = list_parts(cards, self.profile, self.curve(cards), against)
        if against is not None:
            parts = on_one_scale(parts, list_parts(against, self.profile, self.curve(against)))
        return Portrait(parts=(verdict_on(self.lists, cards), *parts))

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait:
        """Return the portrait of the present deck, with the changes of its last version."""
        assert isinstance(record, ConstructedRecord)
        verdict, *parts = self.list_portrait(record.cards).parts
        rules = () if record.omitted else (verdict,)
        lists = [version.cards for version in versions(marks)]
        last = changed_cards(lists[-2], lists[-1], f"Changed by version {record.version}") if len(lists) > 1 else ()
        return Portrait(tuple(record_summary(record)), (*rules, *last, *parts))

    def record(self, marks: tuple[Mark, ...]) -> ConstructedRecord:
        """Return the present state of a deck."""
        return record(self.name, marks)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """Return its version, and the number of matches that it won and lost."""
        assert isinstance(record, ConstructedRecord)
        return record.figures

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """Return one sentence for each mark."""
        return story(marks)


class ConstructedGame(ListedDecks, GameOfSteps):
    """A game of steps with constructed decks."""

    after_batch: ClassVar[frozenset[type[Action]]] = frozenset({Next, table.SealMatch, DrawAgreed})
    """The actions that wait for the end of a batch."""

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:
        """Draw the seat that begins if it is decided by lot."""
        if isinstance(action, table.First):
            return table.draw_lot(state, action, rng)
        return super().resolve(state, action, rng)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """Return the candidates for a field; the first turn can also be drawn by lot."""
        if draft.action is table.Match and field == "best_of":
            return Open("the most games that are played, an odd number", 3, least=1, fitting=table.USUAL_MATCHES)
        candidates = super().vocabulary(state, draft, field)
        if not issubclass(draft.action, table.First) or field != "seat" or isinstance(candidates, Open):
            return candidates
        return (*candidates, Choice(table.LOT, "by lot"))

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
