"""The stored decks of a game with constructed decks: lists of cards with versions and results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from companion.tabletop.action import Action, RuleError
from companion.tabletop.constructed import table
from companion.tabletop.constructed.founding import ConstructedForm
from companion.tabletop.constructed.keeping import ConstructedKeeping, story
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.constructed.portrait import (
    CardProfile,
    cost_curve,
    list_parts,
    on_one_scale,
    record_summary,
    verdict_on,
)
from companion.tabletop.constructed.record import ConstructedRecord, record, versions
from companion.tabletop.decks.decklist import DeckCard, DeckListRules, ListedCard
from companion.tabletop.decks.game_decks import GameDecks
from companion.tabletop.decks.portrait import Chart, Portrait, changed_cards
from companion.tabletop.records import DeckFigure, Mark, Record
from templates.languages.messages import Text, phrase


class ConstructedDecks(GameDecks):
    """The decks of the game with this name, by the format of its deck lists."""

    def __init__(self, name: str, lists: DeckLists) -> None:
        self.name = name
        self.lists = lists

    @property
    def deck_list(self) -> DeckListRules:
        """The checks of deck lists."""
        return self.lists.rules

    @property
    def list_parts(self) -> tuple[str, ...]:
        """The parts of a deck."""
        return self.lists.parts

    @cached_property
    def founding(self) -> ConstructedForm:
        """The form for founding a deck."""
        return ConstructedForm(self.lists)

    @cached_property
    def keeping(self) -> ConstructedKeeping:
        """The rules for keeping decks."""
        return ConstructedKeeping(self.lists)

    def setup_lines(self, seat: str, record: Record, own: tuple[Action, ...] = ()) -> tuple[Action, ...]:
        """Return the set-up lines of a stored deck: its name and version, the game's `own` lines, and its cards.

        Raises RuleError if it has retired.
        """
        assert isinstance(record, ConstructedRecord)
        if record.retired:
            raise RuleError(phrase("{deck} has retired and is not played any more.", deck=record.name))
        cards = (table.Lists(seat, card.line) for card in record.cards)
        flaws = "" if record.omitted else self.lists.flaws(record.cards)
        return (table.SeatPlayer(seat, called=record.name, version=record.version, flaws=flaws), *own, *cards)

    def profile(self, card: ListedCard) -> CardProfile:
        """Return the profile of a card for the page of its deck; here the first word of its line is the type."""
        first, *about = card.remarks or ("card",)
        return CardProfile(f"{first[:1].upper()}{first[1:]}", about=tuple(about))

    def curve(self, cards: Sequence[DeckCard]) -> Chart | None:
        """Return the chart of the cards besides their types: the number of cards at each cost."""
        return cost_curve(cards, self.profile, phrase("Cost"))

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
        title = phrase("Changed by version {version}", version=str(record.version))
        last = changed_cards(lists[-2], lists[-1], title) if len(lists) > 1 else ()
        return Portrait(tuple(record_summary(record)), (*rules, *last, *parts))

    def record(self, marks: tuple[Mark, ...]) -> ConstructedRecord:
        """Return the present state of a deck."""
        return record(self.name, marks)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """Return its version, and the number of matches that it won and lost."""
        assert isinstance(record, ConstructedRecord)
        return record.figures

    def story(self, marks: tuple[Mark, ...]) -> tuple[Text, ...]:
        """Return one sentence for each mark."""
        return story(marks)
