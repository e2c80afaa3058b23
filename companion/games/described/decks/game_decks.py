"""The stored decks of a described game, by the kind of decks on its page: none, inscribed, or lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from companion.games.described import records as m
from companion.games.described.decks.forms import InscribedAdopting, InscribedFounding
from companion.games.described.decks.keeping import InscribedKeeping
from companion.games.described.page import deck_lines
from companion.games.described.page.book import DescribedBook, card_word
from companion.games.described.page.campaign import CAMPAIGN
from companion.games.described.page.description import DecksDefinition, Description, title_of
from companion.games.described.page.texts import PageTexts, as_written, several
from companion.games.described.records import (
    DONE,
    OPEN,
    PLAYED,
    SCENARIOS_DONE,
    UNLOCKED,
    WON,
    CampaignStages,
    InscribedRecord,
    Stage,
)
from companion.games.described.rules import after, campaign, effects
from companion.games.described.rules.plan import PagePlan
from companion.games.described.rules.state import DescribedTable
from companion.tabletop.action import Action, DeckId, RuleError
from companion.tabletop.constructed import table
from companion.tabletop.constructed.decks import ConstructedDecks
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.decks.decklist import DeckList, handle, line_finding
from companion.tabletop.decks.form import Finding
from companion.tabletop.decks.game_decks import GameDecks
from companion.tabletop.decks.portrait import CardGrid, Listing, Part, Portrait, PortraitLine
from companion.tabletop.decks.stored_decks import StaleMark
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.records import DeckFigure, HandedOn, Mark, Record
from companion.tabletop.table.match_result import MatchResult
from companion.tabletop.text import in_quotes
from templates.languages.messages import Finished, Text, joined, listed, phrase, phrase_in, phrases


class PageDecks(GameDecks):
    """The stored decks of a described game. This class is for games without any."""

    def __init__(self, description: Description, texts: PageTexts, name: str) -> None:
        self.name = name
        self.title = description.title
        self.texts = texts

    def setup_lines(self, seat: str, record: Record) -> tuple[Action, ...]:  # noqa: ARG002 – used by overrides
        """Return the lines that seat a player with a deck. Raises RuleError if it cannot be played."""
        raise RuleError(phrase("{game} is played without stored decks; seat people by their names.", game=self.title))

    def taker(self, state: DescribedTable, seat: str) -> str:
        """Return the seat that takes the deck of a seat home, or an empty string."""
        return next((taker for taker, owner in state.homes.items() if owner == seat), "")

    def sealed_marks(self, plan: PagePlan, state: Any, result: MatchResult) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002
        """Return the marks that a sealed game adds to the records of its decks."""
        return {}

    def record(self, marks: tuple[Mark, ...]) -> Record:  # noqa: ARG002 – used by overrides
        """Return the present record of a deck."""
        raise RuleError(phrase("{game} is played without stored decks.", game=self.title))


class InscribedDecks(PageDecks):
    """Decks with permanent inscriptions."""

    def __init__(self, description: Description, texts: PageTexts, name: str) -> None:
        super().__init__(description, texts, name)
        self.book = DescribedBook(description, texts)

    @cached_property
    def keeping(self) -> InscribedKeeping:
        return InscribedKeeping(self.name, self.book)

    @cached_property
    def founding(self) -> InscribedFounding:
        """The form that founds a deck."""
        return InscribedFounding(self.title, self.book)

    @cached_property
    def adopting(self) -> InscribedAdopting:
        """The form that adopts a deck with a history on paper."""
        return InscribedAdopting(self.title, self.book)

    def setup_lines(self, seat: str, record: Record) -> tuple[Action, ...]:
        """Return the lines that seat a player with a deck and its inscriptions. Raises RuleError if it has retired."""
        assert isinstance(record, InscribedRecord)
        if record.retired:
            raise RuleError(phrase("{deck} has retired and is not played any more.", deck=record.name))
        if (record.campaign is not None) != (seat == self.table_seat):
            raise self._wrong_seat(record)
        if record.campaign is not None:
            return self._campaign_lines(seat, record)
        return (
            table.SeatPlayer(seat, called=record.name),
            *(
                deck_lines.Bears(seat, self._card_in_lines(each.card), each.number, each.name, each.text)
                for each in record.borne
            ),
            *(deck_lines.Lacks(seat, self._card_in_lines(card)) for card in record.torn),
        )

    def _wrong_seat(self, record: InscribedRecord) -> RuleError:
        if record.campaign is None:
            return RuleError(phrase("{deck} is not the record of a campaign; a player brings it.", deck=record.name))
        return RuleError(
            phrase(
                "{campaign} is the record of a campaign; `seat {seat} deck {name}` brings it for the whole table.",
                campaign=record.name,
                seat=CAMPAIGN,
                name=in_quotes(record.name),
            )
        )

    def _campaign_lines(self, seat: str, record: InscribedRecord) -> tuple[Action, ...]:
        """Return the lines that bring a campaign: its figures, and the stages of its scenarios and things."""
        assert record.campaign is not None
        return (
            table.SeatPlayer(seat, called=record.name),
            *(deck_lines.CampaignHas(word, str(figure)) for word, figure in record.counts.items()),
            *(
                deck_lines.CampaignHas(word, stage, record.campaign.titles.get(word, ""))
                for word, stage in record.campaign.stages.items()
            ),
        )

    @property
    def table_seat(self) -> str:
        """The seat of campaigns, if the page has them."""
        return CAMPAIGN if self.book.page.campaign else ""

    def is_of_table(self, figures: Sequence[DeckFigure]) -> bool:
        """Return True for the figures of a campaign."""
        return any(each.name == SCENARIOS_DONE for each in figures)

    def _card_in_lines(self, card: str) -> str:
        """Return the word for a card in lines; for a card that this edition of the page lacks, its full name."""
        return card_word(card) if card in self.book.cards else card

    def sealed_marks(self, plan: PagePlan, state: Any, result: MatchResult) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return the marks for the game and for all changes after it."""
        return after.marks(plan, state, result)

    def stale_marks(
        self, records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]]
    ) -> tuple[StaleMark, ...]:
        """Return the marks that no longer apply, because their card was crossed out or torn up meanwhile."""
        return tuple(_find_stale(self.name, records, marks))

    def record(self, marks: tuple[Mark, ...]) -> InscribedRecord:
        """Return the present record of a deck."""
        return m.record(self.name, marks)

    def figures(self, record: Record) -> tuple[DeckFigure, ...]:
        """Return the games played and won, and the figures of the box."""
        assert isinstance(record, InscribedRecord)
        if record.campaign is not None:
            return self._campaign_figures(record, record.campaign)
        counts = {**dict.fromkeys(self.book.decks.counts, 0), **record.counts}
        return (
            DeckFigure(PLAYED, "Played", record.played),
            DeckFigure(WON, "Won", record.won),
            *(
                DeckFigure(word, as_written(title_of(word, self.book.decks.counts.get(word, ""))), number)
                for word, number in counts.items()
            ),
        )

    def _campaign_figures(self, record: InscribedRecord, campaign: CampaignStages) -> tuple[DeckFigure, ...]:
        book = self.book.campaign
        counts = {**dict.fromkeys(book.definition.figures, 0), **record.counts}
        return (
            DeckFigure(PLAYED, "Played", record.played),
            DeckFigure(WON, "Won", record.won),
            DeckFigure(SCENARIOS_DONE, "Scenarios done", len(campaign.of_stage("done"))),
            *(DeckFigure(word, book.written_title(word), number) for word, number in counts.items()),
        )

    def story(self, marks: tuple[Mark, ...]) -> tuple[Text, ...]:
        """Return one sentence for each mark, oldest first."""
        return self.keeping.story(marks)

    def portrait(self, record: Record, marks: Sequence[Mark] = ()) -> Portrait:  # noqa: ARG002 – the record has it all
        """Return the portrait of a deck: its inscribed cards, torn-up cards, and lost inscriptions."""
        assert isinstance(record, InscribedRecord)
        return Portrait(tuple(self._summary(record)), tuple(self._portrait_parts(record)))

    def _summary(self, deck: InscribedRecord) -> Iterable[Text]:
        figures: list[Text] = [joined(" ", (each.caption, str(each.value))) for each in self.figures(deck)]
        if deck.holder:
            figures.append(phrase("held by {player}", player=deck.holder))
        yield joined(" · ", figures)
        if answers := [
            joined(": ", (self.texts.title(word), self.texts.name(text))) for word, text in deck.answers.items()
        ]:
            yield phrase("{answers}.", answers=listed(answers))
        passed = [name for name in dict.fromkeys(deck.holders) if name != deck.holder]
        if passed and deck.holder:
            yield phrase("Before held by {players}.", players=listed(passed))
        if deck.retired:
            yield phrase("It has retired.")

    def _portrait_parts(self, deck: InscribedRecord) -> Iterable[Part]:
        say = self.texts.name
        if deck.campaign is not None:
            yield from self._campaign_parts(deck.campaign)
            return
        bears: dict[Card, tuple[Text, ...]] = {}
        for each in deck.borne:
            if each.card in PACK:
                bears[Card(each.card)] = (*bears.get(Card(each.card), ()), say(each.name))
        called = Finished(several(self.book.inscription_word), begins=True, ends=False)
        if not self.book.decks.cards:
            yield CardGrid(phrase("Cards that are written on"), bears)
        lines = tuple(
            PortraitLine(
                say(each.name)
                if each.card in PACK
                else joined(": ", (self.book.card_title(each.card), say(each.name))),
                card=Card(each.card) if each.card in PACK else None,
                about=tuple(filter(None, (self._tier_title(each.tier), say(each.text)))),
            )
            for each in self.book.in_order(deck.borne)
        )
        yield Listing(called, lines)
        if deck.torn:
            yield Listing(
                phrase_in("cards", "Torn up"), tuple(PortraitLine(self.book.card_title(card)) for card in deck.torn)
            )
        if deck.lost:
            lost = (
                PortraitLine(say(each.name), about=(phrase("was on {card}", card=self.book.card_title(each.card)),))
                for each in deck.lost
            )
            yield Listing(phrase_in("inscriptions", "Lost"), tuple(lost))

    def _campaign_parts(self, campaign: CampaignStages) -> Iterator[Part]:
        book, titles = self.book.campaign, _STAGE_TITLES
        for stage in (OPEN, DONE, UNLOCKED):
            words = [word for word in book.in_order(campaign) if campaign.stages[word] == stage]
            lines = (
                PortraitLine(
                    book.title(word, campaign.titles.get(word, "")), about=tuple(filter(None, book.about(word)))
                )
                for word in words
            )
            if words:
                yield Listing(titles[stage], tuple(lines))

    def _tier_title(self, word: str) -> Text:
        tier = self.book.tier(word)
        return tier.title if tier else ""


_STAGE_TITLES: Final[Mapping[Stage, Text]] = {
    OPEN: phrase_in("scenarios", "Open"),
    DONE: phrase_in("scenarios", "Done"),
    UNLOCKED: phrase_in("scenarios", "Unlocked"),
}


def _find_stale(
    game: str, records: Mapping[DeckId, tuple[Mark, ...]], marks: Mapping[DeckId, Sequence[Mark]]
) -> Iterator[StaleMark]:
    for deck, own in marks.items():
        written = list(records.get(deck, ()))
        for mark in own:
            now = m.record(game, written)
            why = after.why_stale(mark, now.borne, now.torn, now.name, retired=now.retired)
            if why := why or campaign.why_stage_is_stale(mark, now.campaign or CampaignStages()):
                yield StaleMark(deck, mark, why)
            else:
                written.append(mark)


class ListDecks(ConstructedDecks, PageDecks):
    """Decks that are lists of cards, with versions and results, as in the duel games."""

    def __init__(self, description: Description, texts: PageTexts, name: str) -> None:
        PageDecks.__init__(self, description, texts, name)
        ConstructedDecks.__init__(self, name, lists_of(description, name))

    def sealed_marks(
        self,
        plan: PagePlan,  # noqa: ARG002 – the result says it all
        state: Any,
        result: MatchResult,
    ) -> Mapping[DeckId, tuple[Mark, ...]]:
        """Return the match as marks for all stored decks played, with the marks of decks taken home by others."""
        holders = after.new_holders(state)
        return {
            deck: (
                *marks,
                *(HandedOn(*holders[one.seat]) for one in result.players if one.deck == deck and one.seat in holders),
            )
            for deck, marks in table.sealed_marks(result).items()
        }


class PageListRules:
    """The rules for a deck list by its page: sections, sizes, copies."""

    def __init__(self, decks: DecksDefinition, parts: Sequence[str], most_figures: int) -> None:
        self._decks = decks
        self._most_figures = most_figures
        self._portrait_parts = tuple(parts)
        self._unlimited = frozenset(name.casefold() for name in decks.unlimited)

    def findings(self, deck_list: DeckList) -> Iterable[Finding]:
        """Yield the findings: unknown sections, too few or too many cards, and too many copies."""
        for section in deck_list.sections:
            if section.name not in self._portrait_parts:
                sections = listed(self._portrait_parts)
                if section.name:
                    problem = phrase(
                        "“{section}” is not a section here; write one of {sections} after the game",
                        section=section.name,
                        sections=sections,
                    )
                else:
                    problem = phrase(
                        "the section is missing; write one of {sections} after the game", sections=sections
                    )
                yield line_finding(section.line, problem, unreadable=True)
        yield from self._check_size(deck_list)
        yield from self._check_copies(deck_list)
        yield from self._check_figures(deck_list)

    def _check_size(self, deck_list: DeckList) -> Iterable[Finding]:
        """Check the number of cards in the first section, which is the deck itself."""
        main = deck_list.section(self._portrait_parts[0])
        least, most = self._decks.least, self._decks.most
        if main.count < least or (most is not None and main.count > most):
            count, values = main.count, {"deck": self._decks.called, "least": least, "most": most}
            # Translators: {deck} is the game's word for a deck.
            if least == most:
                problem = phrases(
                    "{n} card; a {deck} has exactly {least}",
                    "{n} cards; a {deck} has exactly {least}",
                    n=count,
                    **values,
                )
            elif most is None:
                problem = phrases(
                    "{n} card; a {deck} has at least {least}",
                    "{n} cards; a {deck} has at least {least}",
                    n=count,
                    **values,
                )
            else:
                problem = phrases(
                    "{n} card; a {deck} has {least} to {most}",
                    "{n} cards; a {deck} has {least} to {most}",
                    n=count,
                    **values,
                )
            yield line_finding(main.line, problem)

    def _check_figures(self, deck_list: DeckList) -> Iterable[Finding]:
        """Warn of figures behind a bar that no thing of this game has; the table would ignore them."""
        for card in (card for section in deck_list.sections for card in section.cards):
            for remark in card.remarks:
                number = len(remark.split("/")) if effects.SLASHED.fullmatch(remark) and "/" in remark else 0
                if number > self._most_figures:
                    values = {"remark": remark, "number": number, "card": card.name}
                    if self._most_figures:
                        problem = phrase(
                            "“{remark}” gives {number} figures for {card}, but a thing in play has at most {most} here",
                            **values,
                            most=self._most_figures,
                        )
                    else:
                        problem = phrase(
                            "“{remark}” gives {number} figures for {card}, but a thing in play has none here", **values
                        )
                    yield line_finding(card.line, problem, warning=True)

    def _check_copies(self, deck_list: DeckList) -> Iterable[Finding]:
        most = self._decks.copies
        if most is None:
            return
        copies: dict[str, int] = {}
        for card in (card for section in deck_list.sections for card in section.cards):
            key = card.name.casefold()
            before = copies.get(key, 0)
            copies[key] = before + card.count
            if copies[key] > most >= before and key not in self._unlimited:
                problem = phrase(
                    "{copies} copies of {card}; at most {most} are allowed",
                    copies=copies[key],
                    card=card.name,
                    most=most,
                )
                yield line_finding(card.line, problem)


def lists_of(page: Description, name: str) -> DeckLists:
    """Return the format of the page's deck lists."""
    decks = page.decks
    assert decks is not None
    parts = tuple(map(handle, decks.sections)) or ("main",)
    counters = [counter for counter in page.counters.values() if not counter.words and not counter.sum]
    most = max((sum(counter.of == kind for counter in counters) for kind in page.things), default=0)
    return DeckLists(name, parts, PageListRules(decks, parts, most))


def decks_of(page: Description, texts: PageTexts, name: str) -> PageDecks:
    """Return the stored decks for the page's kind of decks."""
    if page.keeps_records:
        return InscribedDecks(page, texts, name)
    return ListDecks(page, texts, name) if page.decks else PageDecks(page, texts, name)
