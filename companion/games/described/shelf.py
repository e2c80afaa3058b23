"""What a described game does with decks, by the kind that its page says: none, inscribed ones, or lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.games.described import after, deck_lines, effects, evening
from companion.games.described import records as m
from companion.games.described.book import Book, card_title, card_word
from companion.games.described.description import Decks, Description, title_of
from companion.games.described.forms import InscribedAdopting, InscribedFounding
from companion.games.described.keeping import InscribedKeeping
from companion.games.described.records import PLAYED, WON, GameEvening, InscribedRecord
from companion.tabletop.action import Action, DeckId, RuleError
from companion.tabletop.cards import PACK, Card
from companion.tabletop.constructed import chronicle, table
from companion.tabletop.constructed.evening import Duel
from companion.tabletop.constructed.game import ListedDecks
from companion.tabletop.constructed.keeping import DeckLists
from companion.tabletop.constructed.record import HandedOn
from companion.tabletop.decklist import DeckList, handle, line_finding
from companion.tabletop.display import Display
from companion.tabletop.evening import ChapterText, Evening, EveningCard, NameOf
from companion.tabletop.form import Finding
from companion.tabletop.game import Game, PlayedAction
from companion.tabletop.match_result import MatchResult, Tally, TallyKind
from companion.tabletop.portrait import CardGrid, Line, Listing, Part, Portrait
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.stored_decks import StaleMark
from companion.tabletop.text import quantity


class Shelf(Game):
    """What a described game does with decks, and what it tells of an evening; here there are no decks."""

    def __init__(self, description: Description, name: str) -> None:
        shelf: Any = self  # what other games say of their class, this one says of itself
        shelf.name, shelf.title, shelf.credit = name, description.title, description.credit
        self.description = description
        self.book = Book(description)

    def written(self, state: Any, result: MatchResult) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002
        """What a sealed game writes into the records of its decks."""
        return {}

    def evening(self, played: Sequence[PlayedAction]) -> Evening | None:
        """How the game went."""
        return evening.evening_of(played)

    def card(self, evening_: Any) -> EveningCard | None:
        """The evening on one page."""
        return evening.card(self.description, evening_) if isinstance(evening_, GameEvening) else None


class InscribedShelf(Shelf):
    """Decks whose cards are written on for ever."""

    @cached_property
    def keeping(self) -> InscribedKeeping:
        """How they are kept."""
        return InscribedKeeping(self.name, self.book)

    @cached_property
    def founding(self) -> InscribedFounding:
        """What begins one."""
        return InscribedFounding(self.title, self.book)

    @cached_property
    def adopting(self) -> InscribedAdopting:
        """What takes one in that lived on paper."""
        return InscribedAdopting(self.title, self.book)

    def setup_lines(self, seat: str, record: Record, *_: Any) -> tuple[Action, ...]:
        """Who sits there with which deck, and what its cards bear."""
        assert isinstance(record, InscribedRecord)
        if record.retired:
            raise RuleError(f"{record.name} has retired and is not played any more.")
        return (
            table.SeatPlayer(seat, called=record.name),
            *(
                deck_lines.Bears(seat, self._word(each.card), each.number, each.name, each.text)
                for each in record.borne
            ),
            *(deck_lines.Lacks(seat, self._word(card)) for card in record.torn),
        )

    def _word(self, card: str) -> str:
        """How a line names a card; one that this edition of the page does not have by its whole name."""
        return card_word(card) if card in self.book.cards else card

    def written(self, state: Any, result: MatchResult) -> Mapping[DeckId, tuple[Mark, ...]]:
        """The game, and all that was written after it."""
        return after.marks(state, result)

    def stale_marks(
        self, records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]]
    ) -> tuple[StaleMark, ...]:
        """Return what was crossed out or torn up meanwhile."""
        return tuple(_stale(self.name, records, marks))

    def without_stale(self, evening_: Any, stale: Sequence[StaleMark]) -> Any:
        """An evening without what of it is stale."""
        return evening.without_stale(evening_, stale) if isinstance(evening_, GameEvening) else evening_

    def record(self, marks: tuple[Mark, ...]) -> InscribedRecord:
        """A deck as it is today."""
        return m.record(self.name, marks)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """Games played and won, and what the box counts."""
        assert isinstance(record, InscribedRecord)
        counts = {**dict.fromkeys(self.book.decks.counts, 0), **record.counts}
        return (
            DeckFigure(PLAYED, "Played", record.played),
            DeckFigure(WON, "Won", record.won),
            *(
                DeckFigure(word, title_of(word, self.book.decks.counts.get(word, "")), number)
                for word, number in counts.items()
            ),
        )

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:
        """One sentence for each mark, oldest first."""
        return self.keeping.story(marks)

    @cached_property
    def tally_kinds(self) -> tuple[TallyKind, ...]:
        """The inscriptions, as the page calls them."""
        called = self.book.called
        return (TallyKind(evening.INSCRIPTION, title_of(called), title_of(f"{called}s")),)

    def tallies(self, evening_: Any) -> tuple[Tally, ...]:
        """What stood on the decks."""
        return tuple(evening.tallies(evening_)) if isinstance(evening_, GameEvening) else ()

    def played_result(self, mark: Mark, deck: DeckId) -> MatchResult | None:
        """How a game ended, from the mark that it left on a deck."""
        return evening.played_result(mark, deck)

    def chapter(self, mark: Mark, deck: DeckId, name_of: NameOf) -> ChapterText | None:
        """A game in a deck's story."""
        return evening.chapter(mark, deck, name_of)

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait:  # noqa: ARG002 – the record has it all
        """Its cards with what stands on them, what is torn up, and what it lost."""
        assert isinstance(record, InscribedRecord)
        return Portrait(tuple(self._summary(record)), tuple(self._parts(record)))

    def _summary(self, deck: InscribedRecord) -> Iterable[str]:
        figures = " · ".join(f"{each.title} {each.value}" for each in self.figures(deck))
        yield f"{figures}{f' · held by {deck.holder}' if deck.holder else ''}"
        if answers := ", ".join(f"{title_of(word)}: {text}" for word, text in deck.answers.items()):
            yield f"{answers}."
        passed = [name for name in dict.fromkeys(deck.holders) if name != deck.holder]
        if passed and deck.holder:
            yield f"Before held by {', '.join(passed)}."
        if deck.retired:
            yield "It has retired."

    def _parts(self, deck: InscribedRecord) -> Iterable[Part]:
        bears: dict[Card, tuple[str, ...]] = {}
        for each in deck.borne:
            if each.card in PACK:
                bears[Card(each.card)] = (*bears.get(Card(each.card), ()), each.name)
        called = title_of(f"{self.book.called}s")
        if not self.book.decks.cards:
            yield CardGrid("Cards that are written on", bears)
        lines = tuple(
            Line(
                each.name if each.card in PACK else f"{card_title(each.card)}: {each.name}",
                card=Card(each.card) if each.card in PACK else None,
                about=tuple(filter(None, (self._tier(each.tier), each.text))),
            )
            for each in self.book.in_order(deck.borne)
        )
        yield Listing(called, lines)
        if deck.torn:
            yield Listing("Torn up", tuple(Line(card_title(card)) for card in deck.torn))
        if deck.lost:
            lost = (Line(each.name, about=(f"was on {card_title(each.card)}",)) for each in deck.lost)
            yield Listing("Lost", tuple(lost))

    def _tier(self, word: str) -> str:
        tier = self.book.tier(word)
        return tier.title if tier else ""


def _stale(
    game: str, records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]]
) -> Iterator[StaleMark]:
    for deck, own in marks.items():
        written = list(records.get(deck, ()))
        for mark in own:
            now = m.record(game, written)
            if why := after.stale(mark, now.borne, now.torn, now.name):
                yield StaleMark(deck, mark, why)
            else:
                written.append(mark)


class ListShelf(ListedDecks, Shelf):
    """Decks that are lists of cards, with versions and results: as those of the duel games."""

    def __init__(self, description: Description, name: str, display: Display[Any, Any]) -> None:
        super().__init__(description, name)
        shelf: Any = self
        shelf.lists = lists_of(description, name)
        shelf.display = display

    def written(self, state: Any, result: MatchResult) -> Mapping[DeckId, tuple[Mark, ...]]:
        """The match, in the records of all stored decks that were played, and who took them home."""
        holders = after.new_holders(state)
        return {
            deck: (*marks, *(HandedOn(*holders[seat]) for seat in (_seat_of(result, deck),) if seat in holders))
            for deck, marks in table.sealed_marks(result).items()
        }

    def evening(self, played: Sequence[PlayedAction]) -> Duel | None:
        """How the match went, turn by turn where somebody's main figure going down is what loses it."""
        main = next((counter for counter in self.description.counters.values() if counter.of == "seat"), None)
        has_life = main is not None and main.out.strip().startswith("<")
        return chronicle.duel(played, self.display, self.attackers, has_life=has_life)


def _seat_of(result: MatchResult, deck: DeckId) -> str:
    return next(player.seat for player in result.players if player.deck == deck)


class PageListRules:
    """What makes a list a deck by its page: sections, sizes, copies."""

    def __init__(self, decks: Decks, parts: Sequence[str], most_figures: int) -> None:
        self._decks = decks
        self._most_figures = most_figures
        self._parts = tuple(parts)
        self._unlimited = frozenset(name.casefold() for name in decks.unlimited)

    def findings(self, deck_list: DeckList) -> Iterable[Finding]:
        """Sections that there are not, too few or too many cards, too many copies of one."""
        for section in deck_list.sections:
            if section.name not in self._parts:
                named = f"“{section.name}” is no section here" if section.name else "the section is missing"
                wanted = f"write one of {', '.join(self._parts)} after the game"
                yield line_finding(section.line, f"{named}; {wanted}", unreadable=True)
        yield from self._size(deck_list)
        yield from self._copies(deck_list)
        yield from self._figures(deck_list)

    def _size(self, deck_list: DeckList) -> Iterable[Finding]:
        """How many cards the first section has: that is the deck itself."""
        main = deck_list.section(self._parts[0])
        least, most = self._decks.least, self._decks.most
        if main.count < least or (most is not None and main.count > most):
            wanted = (
                f"exactly {least}" if least == most else f"at least {least}" if most is None else f"{least} to {most}"
            )
            yield line_finding(main.line, f"{quantity(main.count, 'card')}; a {self._decks.called} has {wanted}")

    def _figures(self, deck_list: DeckList) -> Iterable[Finding]:
        """Figures behind a bar that no thing of this game has: nothing would come of them at the table."""
        for card in (card for section in deck_list.sections for card in section.cards):
            for remark in card.remarks:
                number = len(remark.split("/")) if effects.SLASHED.fullmatch(remark) and "/" in remark else 0
                if number > self._most_figures:
                    has = f"has {self._most_figures} at most" if self._most_figures else "has none"
                    text = f"“{remark}” says {number} figures of {card.name}, and a thing in play {has} here"
                    yield line_finding(card.line, text, warning=True)

    def _copies(self, deck_list: DeckList) -> Iterable[Finding]:
        most = self._decks.copies
        if most is None:
            return
        copies: dict[str, int] = {}
        for card in (card for section in deck_list.sections for card in section.cards):
            key = card.name.casefold()
            before = copies.get(key, 0)
            copies[key] = before + card.count
            if copies[key] > most >= before and key not in self._unlimited:
                yield line_finding(card.line, f"{copies[key]} copies of {card.name}; at most {most} are allowed")


def lists_of(page: Description, name: str) -> DeckLists:
    """What the lists of a page look like."""
    decks = page.decks
    assert decks is not None
    parts = tuple(map(handle, decks.sections)) or ("main",)
    counters = [counter for counter in page.counters.values() if not counter.words and not counter.sum]
    most = max((sum(counter.of == kind for counter in counters) for kind in page.things), default=0)
    return DeckLists(name, parts, PageListRules(decks, parts, most))


def shelf_of(page: Description, name: str, display: Display[Any, Any]) -> Shelf:
    """What a page does with decks."""
    if page.decks is None:
        return Shelf(page, name)
    return InscribedShelf(page, name) if page.decks.kind == "inscribed" else ListShelf(page, name, display)
