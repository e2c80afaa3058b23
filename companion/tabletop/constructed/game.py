"""A game that is played with constructed decks, as far as all such games are alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from companion.tabletop.action import Action, DeckId, RuleError, Step
from companion.tabletop.choices import Candidates, Choice, Open
from companion.tabletop.common_actions import DrawAgreed, Next, RefreshDeck
from companion.tabletop.constructed import batch, chronicle, table
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.evening import Duel
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
from companion.tabletop.decklist import DeckCard, DeckListRules, ListedCard
from companion.tabletop.evening import ChapterText, EveningCard, NameOf
from companion.tabletop.game import ActionRule, Game, GameOfSteps, PlayedAction
from companion.tabletop.match_result import MatchResult, Tally
from companion.tabletop.portrait import Chart, Portrait, changed_cards
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.stored_decks import SeatedDeck
from companion.tabletop.table import Draft, TableView


class ListedDecks(Game):
    """Stored decks that are lists, the lines that bring them to a table, and what a sealed match writes into their
    records. A game inherits it, or holds one.
    """

    mark_types: ClassVar[tuple[type[Mark], ...]] = m.MARKS
    lists: ClassVar[DeckLists]
    """What its deck lists look like; by them its decks are founded, checked and kept."""

    # What follows from the lists.

    @property
    def deck_list(self) -> DeckListRules:
        """What makes a deck list one by its rules."""
        return self.lists.rules

    @cached_property
    def founding(self) -> ConstructedForm:
        """What founds a deck."""
        return ConstructedForm(self.lists)

    @cached_property
    def keeping(self) -> ConstructedKeeping:
        """How a deck is kept."""
        return ConstructedKeeping(self.lists)

    def on_card(
        self,
        card: ListedCard,  # noqa: ARG002 – what a game may need
        action: type[Action],  # noqa: ARG002
        given: Mapping[str, Any],  # noqa: ARG002
    ) -> Mapping[str, Any]:
        """What a card of a deck list says for the line that plays it, by the action's fields; {} where nothing."""
        return {}

    def deck_lines(self, seat: str, deck: ConstructedRecord) -> tuple[Action, ...]:  # noqa: ARG002
        """The set-up lines of the game's own for a stored deck: how many cards it has, what lies out from the start."""
        return ()

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

    def stored_decks(self, state: Any) -> Mapping[str, SeatedDeck]:
        """The stored decks that were brought."""
        return table.stored_decks(state)

    def read_anew(self, resolution: Any, action: RefreshDeck, lines: Sequence[Action]) -> None:
        """Know the deck by its list as it is now. Once the game has begun, what lies on the table stays as it is."""
        table.read_anew(resolution, action, lines)
        if not resolution.state.has_begun:
            self.clear_deck(resolution, action.seat)
            for line in lines:
                if not isinstance(line, table.SeatPlayer | table.Lists):
                    self.carry_out(resolution, line)

    def clear_deck(self, resolution: Any, seat: str) -> None:
        """Take away what a deck has put out before the game begins, as its lines are about to put it there anew."""

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:
        """The match, in the records of all stored decks that were played."""
        result = self.match_result(state) if state.sealed else None
        return table.sealed_marks(result) if result else {}

    def match_result(self, state: Any) -> MatchResult | None:
        """How it ended, with the decks, their players, and the score of the match."""
        result = super().match_result(state)
        return table.match_result(state, result) if result else None

    def rematch_lines(self, result: MatchResult) -> tuple[Action, ...]:
        """The next game of a match that goes on, or a new match of as many; who lost chooses who begins."""
        return tuple(table.rematch_lines(result))

    def attackers(self, before: Any) -> tuple[str, ...]:  # noqa: ARG002 – what a game may need
        """What is attacking on a table, by its titles."""
        return ()

    def evening(self, played: Sequence[PlayedAction]) -> Duel | None:
        """How the match went."""
        return chronicle.duel(played, self.display, self.attackers)

    def tallies(self, evening: Duel) -> tuple[Tally, ...]:
        """The biggest attack."""
        return chronicle.tallies(evening)

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:
        """How a match ended, from the mark that it left on a deck."""
        return chronicle.played_result(mark, deck) if isinstance(mark, m.Played) else None

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:  # noqa: ARG002 – it says whose
        """A match in a deck's story."""
        return chronicle.chapter(mark, name_of) if isinstance(mark, m.Played) else None

    def card(self, evening: Duel) -> EveningCard:
        """The match on one page."""
        return chronicle.card(self.title, self.credit, evening)

    def profile(self, card: ListedCard) -> CardProfile:
        """What a card's line says, for who reads the deck on its page: here its first word as the type."""
        first, *about = card.remarks or ("card",)
        return CardProfile(f"{first[:1].upper()}{first[1:]}", about=tuple(about))

    def curve(self, cards: Sequence[DeckCard]) -> Chart | None:
        """What is drawn of the cards beside their types: how many cost how much."""
        return cost_curve(cards, self.profile, "Cost")

    def list_portrait(self, cards: Sequence[DeckCard], against: Sequence[DeckCard] | None = None) -> Portrait:
        """Whether a list is legal, its types, its curve, and its cards."""
        parts = list_parts(cards, self.profile, self.curve(cards), against)
        if against is not None:
            parts = on_one_scale(parts, list_parts(against, self.profile, self.curve(against)))
        return Portrait(parts=(verdict_on(self.lists, cards), *parts))

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait:
        """The same of the deck as it is today, with what its last version changed."""
        assert isinstance(record, ConstructedRecord)
        verdict, *parts = self.list_portrait(record.cards).parts
        rules = () if record.omitted else (verdict,)
        lists = [version.cards for version in versions(marks)]
        last = changed_cards(lists[-2], lists[-1], f"Changed by version {record.version}") if len(lists) > 1 else ()
        return Portrait(tuple(record_summary(record)), (*rules, *last, *parts))

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


class ConstructedGame(ListedDecks, GameOfSteps):
    """A game of steps with such decks."""

    after_batch: ClassVar[frozenset[type[Action]]] = frozenset({Next, table.Seal, DrawAgreed})
    """What waits until the effects that happen together are done."""

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:
        """Who begins, where lots are drawn for that."""
        if isinstance(action, table.First):
            return table.draw_lot(state, action, rng)
        return super().resolve(state, action, rng)

    def vocabulary(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field; lots can be drawn for who begins."""
        if draft.action is table.Match and field == "best_of":
            return Open("the most games that are played, an odd number", 3, least=1, fitting=table.USUAL_MATCHES)
        candidates = super().vocabulary(state, draft, field)
        if not issubclass(draft.action, table.First) or field != "seat" or isinstance(candidates, Open):
            return candidates
        return (*candidates, Choice(table.LOT, "by lot"))

    def view(self, state: Any) -> TableView:
        """What to show, with the score of the match."""
        return msgspec.structs.replace(super().view(state), match=table.score_text(state))

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

    def fits(self, rule: ActionRule, step: str) -> bool:
        """Whether an action belongs to a phase; all that belongs to one fits into a turn without phases."""
        if step != WHOLE_TURN:
            return super().fits(rule, step)
        phases = frozenset(phase.name for phase in self.display.steps)
        return super().fits(rule, step) or not phases.isdisjoint(rule.steps)

    @abstractmethod
    def settle(self, resolution: Any, before: Any) -> None:
        """What follows by itself: what is destroyed leaves, and who has lost, and the outcome. `before` is the table
        before the action.
        """
        ...
