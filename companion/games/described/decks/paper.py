"""The prints of a described game: the labels of its inscriptions, its decks' record sheets, and the table aid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from companion.games.described import records as m
from companion.games.described.decks.keeping import InscribedSpots, inscribed_spot, read_spot
from companion.games.described.page.amount_texts import describe_costs
from companion.games.described.page.book import DescribedBook, card_word
from companion.games.described.page.campaign import CampaignBook, stage_text
from companion.games.described.page.description import Description, Own, title_of
from companion.games.described.page.texts import PageTexts, as_written, several
from companion.games.described.records import PLAYED, WON, Borne, InscribedRecord
from companion.tabletop.constructed import record
from companion.tabletop.constructed.paper import ConstructedPaper
from companion.tabletop.decks.decklist import ListedCard, handle
from companion.tabletop.decks.keeping import spots_ever
from companion.tabletop.decks.paper import (
    RETIRED,
    DatedMark,
    LabelDesign,
    LabelText,
    LabelTier,
    PrintedMatter,
    RecordSheet,
    SheetColumn,
    SheetTable,
    TableAid,
    Wording,
)
from companion.tabletop.notation.cards import PACK, Card, pretty
from companion.tabletop.records import DeckFigure, Mark, Record
from companion.tabletop.table.match_result import Result
from companion.tabletop.text import figure
from templates.languages.messages import Finished, Message, Text, WithinSentence, joined, listed, phrase, phrase_in

_ON_THE_BOX: Final = (m.Played, m.Counted, m.Recounted, m.CampaignGame, m.CampaignStage)
"""The marks that change what the box says."""
_PLAIN: Final = "#2B2F36"

# The numbers of blank rows on a record sheet, to continue by hand.
_CARDS, _GAMES, _STORY = 4, 5, 6


class AidPaper(PrintedMatter):
    """The print of every described game: its table aid."""

    def __init__(self, page: Description, texts: PageTexts) -> None:
        super().__init__()
        self.page = page
        self.texts = texts
        self.book = DescribedBook(page, texts)

    def aid(self) -> TableAid:
        """Return the table aid: the steps, lines, inscriptions, words, rules and questions that the page has."""
        page, say = self.page, self.texts.name
        tables: tuple[tuple[Text, Iterable[tuple[Text, Text]]], ...] = (
            (phrase("In its order"), ((title_of(step.name, step.title), step.do) for step in page.steps)),
            (
                phrase("What can be done"),
                ((say(word) or word, self._own_line_text(own)) for word, own in page.actions.items()),
            ),
            (
                Finished(several(self.book.inscription_word), begins=True, ends=False),
                ((say(each.name), say(each.text)) for each in self.book.decks.inscriptions),
            ),
            (phrase("Words"), ((say(word), text) for word, text in page.words.items())),
            (phrase("Rules"), page.rules.items()),
            (phrase("After the game"), ((self.texts.title(each.name), each.ask) for each in page.after)),
        )
        written = ((title, tuple((name, text) for name, text in rows if text)) for title, rows in tables)
        return TableAid(page.title, page.about, tuple((title, rows) for title, rows in written if rows))

    def _own_line_text(self, own: Own) -> Text:
        """Return what a line of the page does and costs, and what is done by hand, a sentence each."""
        parts: list[Text] = [own.title] if own.title else []
        if own.costs:
            parts.append(describe_costs(self.page, own, self._name_in_sentence))
        return joined(" ", map(Finished, (*parts, own.do) if own.do else parts))

    def _name_in_sentence(self, word: str) -> Text:
        """Return the title of a counter as it goes on a sentence; a word that is none as it is written."""
        counters = self.page.counters
        return WithinSentence(title_of(word, counters[word].title)) if word in counters else word


class InscribedPaper(AidPaper):
    """The prints of a game with inscribed decks."""

    def paper_deck(self) -> str:
        """Return a template file for `companion deck adopt`, with all questions of the page."""
        decks = self.book.decks
        called, word = decks.called, handle(next((each.name for each in decks.inscriptions), "name"))
        questions = (f'# {ask.name} = "{ask.choices[0] if ask.choices else ""}"  # {ask.ask}' for ask in decks.form)
        counts = (f"{count} = 0  # {title}" for count, title in decks.counts.items())
        return "".join(
            f"{line}\n"
            for line in (
                f"# A {called} that has lived on paper until now, for `companion deck adopt FILE.toml`.",
                "# Write what its box and its cards say today; what nobody remembers is left out.",
                "",
                f'game = "{self.page.name}"',
                'name = "The Lantern Debt"',
                'holder = "Ben"  # who plays it, and has its box',
                'holders = ["Ana", "Ben"]  # everybody who held it, in order',
                *questions,
                "played = 3  # games, as the box counts them",
                "won = 1",
                *counts,
                *(("torn = []  # cards that are torn up",) if decks.tear_up else ()),
                "# retired = true  # where it is not played any more",
                "",
                *(self._paper_cards(word) if self.page.decks else self._paper_stages()),
            )
        )

    def _paper_cards(self, word: str) -> tuple[str, ...]:
        """Return the rows of a template file for what stands on the cards of a deck."""
        return (
            f"# What stands on its cards, one after the other: the card, and the {self.book.inscription_word}.",
            "[[inscribed]]",
            f'card = "{card_word(self.book.cards[0])}"',
            f'inscription = "{word}"',
        )

    def _paper_stages(self) -> tuple[str, ...]:
        """Return the rows of a template file for how far a campaign has come."""
        book = self.book.campaign
        counts = tuple(
            f"# {word} = {each.start}  # {book.written_title(word)}" for word, each in book.definition.figures.items()
        )
        parts = book.at_first().stages or dict.fromkeys(book.parts, "open")
        rows = (("[[stages]]", f'word = "{word}"', f'stage = "{stage}"') for word, stage in parts.items())
        return (*counts, *(line for row in rows for line in row))

    def starter(self, wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002 – the page says it all
        """Return labels of all inscriptions in the order of the page, `per_card` copies of each."""
        return tuple(
            msgspec.structs.replace(self._label(self.book.bearing(each, "")), kind=each.number)
            for each in self.book.decks.inscriptions
            for _ in range(each.per_card)
        )

    def current_labels(self, record: Record, wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels of all inscriptions now on the cards, in the order of the cards."""
        assert isinstance(record, InscribedRecord)
        return tuple(map(self._label, self.book.in_order(record.borne)))

    def new_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels to stick, without those that later marks removed again."""
        borne: tuple[Borne, ...] = ()
        for mark in marks:
            match mark:
                case m.Inscribed():
                    borne = (*borne, mark.borne)
                case m.CrossedOut(card, number):
                    borne = m.without_inscription(borne, card, number)
                case m.TornUp(card):
                    borne = tuple(each for each in borne if each.card != card)
        return tuple(map(self._label, borne))

    def _label(self, borne: Borne) -> LabelText:
        tier = self.book.tier(borne.tier) or LabelTier(self._inscription_title, "", _PLAIN)
        card = short_card(borne.card)
        usual: LabelDesign = "headed" if len(card) > 3 else "effect"
        own = self.book.decks.design
        spot = inscribed_spot(borne.card, borne.number) if borne.card else ""
        name, text = self.texts.name(borne.name), self.texts.name(borne.text)
        return LabelText(name, text, usual, tier, (), card, own=own, number=borne.number, spot=spot)

    @property
    def _inscription_title(self) -> Text:
        return Finished(self.book.inscription_word, begins=True, ends=False)

    def _short_card(self, card: str) -> Text:
        return self.texts.name(short_card(card))

    def kind_name(self, kind: int) -> str:
        """Return the display name of an inscription's number, such as `#7`; empty if the page does not have it."""
        return f"#{kind}" if kind in self.book.by_number else ""

    def listed_labels(self, marks: Sequence[Mark], wording: Wording) -> tuple[LabelText, ...]:  # noqa: ARG002
        """Return the labels of all inscriptions that the deck's cards have ever borne."""
        spots = spots_ever(InscribedSpots(self.book), marks)
        return tuple(self._page_label(spot) for spot in spots if read_spot(spot)[1])

    def on_spot(self, spot: str, record: Record, wording: Wording) -> LabelText:  # noqa: ARG002
        """Return the label of a spot: the inscription that the deck bears there, or else the page's."""
        assert isinstance(record, InscribedRecord)
        borne = {each.spot: each for each in map(self._label, record.borne)}
        return borne.get(spot) or self._page_label(spot)

    def _page_label(self, spot: str) -> LabelText:
        """Return the label of a spot by the page; an inscription unknown to the page is named by its number."""
        card, number = read_spot(spot)
        if inscription := self.book.by_number.get(number):
            return self._label(self.book.bearing(inscription, card))
        return LabelText(self.book.name(number), card=short_card(card), number=number, spot=spot)

    def outdates_box(self, marks: Sequence[Mark]) -> bool:
        """Return True if a game was played, or a figure of the box changed."""
        return any(isinstance(mark, _ON_THE_BOX) for mark in marks)

    def box_figure(self, figures: Sequence[DeckFigure]) -> DeckFigure | None:  # noqa: ARG002
        """Return None: several figures count, so a box gets a whole new label."""
        return None

    def box_note(self, figures: Sequence[DeckFigure], retired: bool) -> Text:
        """Return the figures of a box as text: `4 played · 2 won · Slain 12`."""
        texts = [_box_figure_text(each) for each in figures if each.name in (PLAYED, WON)]
        texts += [joined(" ", (each.caption, str(each.value))) for each in figures if each.name not in (PLAYED, WON)]
        return joined(" · ", (*texts, *((RETIRED,) if retired else ())))

    def sheet(self, record: Record, marks: Sequence[DatedMark], wording: Wording) -> RecordSheet:  # noqa: ARG002
        """Return the record sheet: inscriptions, losses, games and story, with blank rows to continue by hand."""
        assert isinstance(record, InscribedRecord)
        if record.campaign is not None:
            return self._campaign_sheet(record, record.campaign, marks)
        counts = (
            (title_of(word, self.book.decks.counts.get(word, "")), number) for word, number in record.counts.items()
        )
        facts: tuple[tuple[Text, int], ...] = (
            (phrase_in("box", "played"), record.played),
            (phrase_in("box", "won"), record.won),
            *counts,
        )
        return RecordSheet(
            subtitle=joined(" · ", self._subtitle(record, marks)),
            tables=(
                self._card_table(record, marks),
                *self._lost_tables(record),
                _game_table(marks),
                _story_table(marks),
            ),
            facts=tuple((word, str(number)) for word, number in facts),
        )

    def _campaign_sheet(
        self, record: InscribedRecord, campaign: m.CampaignStages, dated: Sequence[DatedMark]
    ) -> RecordSheet:
        """Return the sheet of a campaign: scenarios, things, games and story, with blank rows to continue by hand."""
        book = self.book.campaign
        figures = {**dict.fromkeys(book.definition.figures, 0), **record.counts}
        facts: tuple[tuple[Text, int], ...] = (
            (phrase_in("box", "played"), record.played),
            (phrase_in("box", "won"), record.won),
            *((book.title(word), number) for word, number in figures.items()),
        )
        return RecordSheet(
            subtitle=joined(" · ", self._subtitle(record, dated)),
            tables=(*_stage_tables(book, campaign, dated), _campaign_games(dated), _story_table(dated)),
            facts=tuple((word, str(number)) for word, number in facts),
        )

    def _subtitle(self, record: InscribedRecord, dated: Sequence[DatedMark]) -> Iterator[Text]:
        began = next((each for each in dated if isinstance(each.mark, m.Founded)), None)
        called = self.book.decks.called if record.campaign is None else self.book.campaign.called
        kind = joined(" ", (self.page.title, called))
        yield phrase("{deck}, begun {day}", deck=kind, day=began.day) if began else kind
        yield from (
            joined(": ", (self.texts.title(word), self.texts.name(answer))) for word, answer in record.answers.items()
        )
        if record.retired:
            yield RETIRED
        elif record.holder:
            yield phrase("held by {player}", player=record.holder)

    def _card_table(self, record: InscribedRecord, dated: Sequence[DatedMark]) -> SheetTable:
        columns = (
            *(
                SheetColumn(phrase("Card"), 1, bold=True),
                SheetColumn(self._inscription_title, 3, bold=True),
            ),
            *(SheetColumn(phrase("Tier"), 1.6), SheetColumn(phrase("What it does"), 5)),
            SheetColumn(phrase("Since"), 1.7),
        )
        days = {(each.mark.card, each.mark.number): each.day for each in dated if isinstance(each.mark, m.Inscribed)}
        rows: list[tuple[Text, ...]] = [
            (
                self._short_card(each.card),
                self.texts.name(each.name),
                self._tier(each),
                self.texts.name(each.text),
                days.get((each.card, each.number), phrase("before records")),
            )
            for each in self.book.in_order(record.borne)
        ]
        rows += [(self._short_card(card), phrase_in("card", "torn up"), "", "", "") for card in record.torn]
        return SheetTable(phrase("Cards that are written on"), columns, tuple(rows), blanks=_CARDS)

    def _tier(self, borne: Borne) -> Text:
        tier = self.book.tier(borne.tier)
        if tier:
            return joined(" ", (tier.mark, tier.title)) if tier.mark else tier.title
        return self.texts.title(borne.tier) if borne.tier else ""

    def _lost_tables(self, record: InscribedRecord) -> Iterator[SheetTable]:
        say = self.texts.name
        rows = tuple((self._short_card(each.card), say(each.name), say(each.text)) for each in record.lost)
        if rows:
            columns = (
                *(SheetColumn(phrase("Card"), 1, bold=True), SheetColumn(phrase("Name"), 3, bold=True)),
                SheetColumn("", 6),
            )
            yield SheetTable(phrase_in("inscriptions", "Lost"), columns, rows)


_RESULTS: Final[Mapping[Result, Message]] = {
    "won": phrase_in("result", "won"),
    "lost": phrase_in("result", "lost"),
    "draw": phrase_in("result", "draw"),
}


def _box_figure_text(each: DeckFigure) -> Message:
    """Return the number of games played or won: `4 played`."""
    if each.name == PLAYED:
        return phrase("{number} played", number=str(each.value))
    return phrase("{number} won", number=str(each.value))


def _game_table(dated: Sequence[DatedMark]) -> SheetTable:
    columns = (
        *(SheetColumn(phrase("Game"), 0.8, bold=True), SheetColumn(phrase("Date"), 1.6)),
        *(SheetColumn(phrase("Who"), 2.4), SheetColumn(phrase("With"), 3.4), SheetColumn(phrase("Result"), 1)),
        *(SheetColumn(phrase("Rounds"), 1), SheetColumn(phrase("At the end"), 3)),
    )
    played = [(each.day, each.mark) for each in dated if isinstance(each.mark, m.Played)]
    rows = tuple(
        (
            *(str(number), day, mark.player, listed(mark.others), _RESULTS[mark.result]),
            *(
                str(mark.rounds) if mark.rounds else "",
                listed(joined(" ", (word, figure(number))) for word, number in mark.final.items()),
            ),
        )
        for number, (day, mark) in enumerate(played, 1)
    )
    return SheetTable(phrase("Games"), columns, rows, blanks=_GAMES)


def _story_table(dated: Sequence[DatedMark]) -> SheetTable:
    columns = (SheetColumn(phrase("Date"), 1.7), SheetColumn(phrase("What else happened"), 8))
    others = [each for each in dated if not isinstance(each.mark, m.Played | m.Inscribed | m.CampaignGame)]
    return SheetTable(phrase("Story"), columns, tuple((each.day, each.sentence) for each in others), blanks=_STORY)


def _stage_tables(book: CampaignBook, campaign: m.CampaignStages, dated: Sequence[DatedMark]) -> Iterator[SheetTable]:
    """Yield the table of scenarios, and that of unlocked things; later ones are written in by hand."""
    days = {each.mark.word: each.day for each in dated if isinstance(each.mark, m.CampaignStage)}
    words = book.in_order(campaign)
    for unlocked, name in ((False, phrase("Scenarios")), (True, phrase_in("scenarios", "Unlocked"))):
        rows = tuple(
            (
                book.title(word, campaign.titles.get(word, "")),
                stage_text(campaign.stages[word]),
                joined(" ", book.about(word)),
                days.get(word, phrase("from the beginning")),
            )
            for word in words
            if (campaign.stages[word] == m.UNLOCKED) is unlocked
        )
        columns = (
            *(SheetColumn(phrase("Name"), 3, bold=True), SheetColumn(phrase("State"), 1.6)),
            *(SheetColumn(phrase("What it says"), 5), SheetColumn(phrase("Since"), 1.7)),
        )
        named = book.definition.unlocks if unlocked else book.definition.scenarios
        if rows or named:
            yield SheetTable(name, columns, rows, blanks=_CARDS)


def _campaign_games(dated: Sequence[DatedMark]) -> SheetTable:
    columns = (
        *(SheetColumn(phrase("Game"), 0.8, bold=True), SheetColumn(phrase("Date"), 1.6)),
        *(SheetColumn(phrase("Scenario"), 2.4), SheetColumn(phrase("Who"), 3.4)),
        *(SheetColumn(phrase("Result"), 1.4), SheetColumn(phrase("Rounds"), 1), SheetColumn(phrase("After it"), 3)),
    )
    played = [(each.day, each.mark) for each in dated if isinstance(each.mark, m.CampaignGame)]
    rows = tuple(
        (
            *(str(number), day, mark.scenario, listed(mark.players)),
            *(
                _RESULTS[mark.result] if mark.result else listed(mark.winners),
                str(mark.rounds) if mark.rounds else "",
                listed(joined(" ", (mark.titles.get(word, word), figure(each))) for word, each in mark.figures.items()),
            ),
        )
        for number, (day, mark) in enumerate(played, 1)
    )
    return SheetTable(phrase("Games"), columns, rows, blanks=_GAMES)


class ListPaper(ConstructedPaper):
    """The prints of a game with deck lists: record sheets and the table aid, but no labels for cards."""

    def __init__(self, page: Description, texts: PageTexts) -> None:
        super().__init__(page.title)
        self._aid = AidPaper(page, texts)

    def card_labels(self, card: ListedCard) -> Iterable[LabelText]:  # noqa: ARG002 – its line says what people wrote
        """Return no labels: the remarks behind a bar are the players' own."""
        return ()

    def aid(self) -> TableAid:
        """Return the table aid of the page."""
        return self._aid.aid()


def places_of_labels(page: Description) -> Mapping[str, str]:
    """Return the keys of the page that have the texts of its labels, by title: `decks.inscriptions[2].text`."""
    inscriptions = page.decks.inscriptions if page.decks else ()
    return {each.name: f"decks.inscriptions[{number}].text" for number, each in enumerate(inscriptions, 1)}


def sample_box_note(page: Description, texts: PageTexts) -> Text:
    """Return what the box label of a deck says after many games; "" if it has no figures of the page."""
    if page.decks is None or not page.decks.counts:
        return ""
    figures = [DeckFigure(PLAYED, "", _MANY), DeckFigure(WON, "", _MANY)]
    figures += [DeckFigure(word, as_written(title_of(word, title)), _MANY) for word, title in page.decks.counts.items()]
    return InscribedPaper(page, texts).box_note(figures, retired=False)


_MANY: Final = 88
"""A wide figure of a box that has been in use for years."""


def paper_of(page: Description, texts: PageTexts) -> PrintedMatter:
    """Return the prints for a page's kind of decks."""
    if page.keeps_records:
        return InscribedPaper(page, texts)
    return ListPaper(page, texts) if page.decks else AidPaper(page, texts)


def mark_types_of(page: Description) -> tuple[type[Mark], ...]:
    """Return the types of marks that the page's decks can have."""
    if page.keeps_records:
        return m.MARKS
    return record.MARKS if page.decks else ()


def short_card(card: str) -> str:
    """Return the short name of a card for a label: `7♠`, `BJ` for the Black Joker, the full name of any other card."""
    if card not in PACK:
        return card
    return card if " " in pretty(Card(card)) else pretty(Card(card))
