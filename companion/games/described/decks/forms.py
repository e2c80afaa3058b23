"""The forms to found an inscribed deck, or to adopt one from paper, with the questions of its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.games.described import records as m
from companion.games.described.decks.keeping import read_stage
from companion.games.described.page.book import DescribedBook
from companion.games.described.page.campaign import CAMPAIGN, stage_text
from companion.games.described.page.description import Ask
from companion.games.described.page.texts import PageTexts
from companion.games.described.records import Borne
from companion.tabletop.decks.decklist import handle
from companion.tabletop.decks.form import YES, Field, Filled, Form, FormContext, FormPlace, FormReader, Values
from companion.tabletop.table.choices import Candidates, Choice
from templates.languages.messages import Finished, Text, any_of, joined, phrase

_PERSON: Final = Field(
    "person",
    "Which of them",
    "If several people have the holder's name: the id of the right one, or new.",
    kind="person",
    word="ID",
    whose="holder",
)
_STAGES: Final = Field(
    "stages",
    "Scenarios and things",
    "Campaigns: each scenario that is open or done, and each thing that is unlocked, such as `mill=done`.",
    many=True,
    most=400,
    parts=(
        Field("word", "Which", "Which scenario or thing.", "name", required=True, word="WORD"),
        Field("stage", "How far", "open, done or unlocked.", "name", required=True, word="STAGE"),
    ),
    example="mill=done",
)
_MOST_FIGURE: Final = 1_000_000
_MOST_CARDS: Final = 200


def _answer_field(texts: PageTexts, ask: Ask) -> Field:
    title = texts.title(ask.name)
    if ask.number:
        return Field(ask.name, title, ask.ask, kind="number", word="N")
    if not ask.choices:
        return Field(ask.name, title, ask.ask)
    answers = phrase("One of {choices}.", choices=any_of(map(texts.name, ask.choices)))
    return Field(ask.name, title, joined(" ", (ask.ask, answers)), kind="name")


class _DeckForm(Form):
    """The fields of both forms: the deck's name, its holder, and the questions of the page."""

    def __init__(self, book: DescribedBook) -> None:
        form: Any = self  # the base class declares these as class attributes
        self._book = book
        has_decks = book.page.decks is not None
        called = book.decks.called if has_decks else book.campaign.called
        self._own_fields = tuple(_answer_field(book.texts, ask) for ask in book.decks.form)
        form.fields = (
            Field("name", "Name", phrase("What the {deck} is called.", deck=called), required=True),
            Field("holder", "Holder", "Who plays the deck and takes its box home.", required=True, word="NAME"),
            _PERSON,
            *((self._campaign_field(),) if has_decks and book.page.campaign else ()),
            *self._own_fields,
        )
        form.example = '"Grave Choir" --holder Ana'

    def _campaign_field(self) -> Field:
        about = phrase(
            "Whether it is the record of a whole group ({campaign}), not a {deck}.",
            campaign=self._book.campaign.called,
            deck=self._book.decks.called,
        )
        return Field(CAMPAIGN, "Campaign", about, kind="flag")

    def is_campaign(self, reader: FormReader) -> bool:
        """Return True if the record of a campaign is begun, not a deck."""
        if self._book.page.campaign is None:
            return False
        return self._book.page.decks is None or reader.text(CAMPAIGN).lower() in YES

    def answers(self, reader: FormReader) -> dict[str, str]:
        """Return the answers to the page's questions, and report those that are not among the choices."""
        given, say = {}, self._book.texts
        for ask in self._book.decks.form:
            text = reader.text(ask.name)
            titles = {choice.casefold(): choice for choice in ask.choices}
            if text and titles and text.casefold() not in titles:
                message = phrase(
                    "{title} is one of {choices}.",
                    title=say.title(ask.name),
                    choices=any_of(map(say.name, ask.choices)),
                )
                reader.wrong(message, FormPlace(ask.name))
            given[ask.name] = titles.get(text.casefold(), text)
        return {word: text for word, text in given.items() if text}

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:
        """Return the choices of a question of the page, or else those of the base form."""
        for ask in self._book.decks.form:
            if ask.name == place.field and ask.choices:
                return tuple(Choice(choice, self._book.texts.name(choice)) for choice in ask.choices)
        return super().candidates(values, place, context)


class InscribedFounding(_DeckForm):
    """The form that founds an inscribed deck."""

    def __init__(self, title: Text, book: DescribedBook) -> None:
        super().__init__(book)
        form: Any = self
        if book.page.decks is None:
            form.about = phrase("Begin a {campaign} of {game}.", campaign=book.campaign.called, game=title)
            return
        form.about = phrase(
            "Begin a {deck} for {game}. What is written on its cards is permanent.",
            deck=book.decks.called,
            game=title,
        )

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the first mark of the deck, or the findings."""
        reader = self.reader(values, context)
        name, holder, person = (reader.text(word) for word in ("name", "holder", "person"))
        answers = self.answers(reader)
        wrong = any(not finding.warning for finding in reader.findings)
        if wrong:
            return Filled(name, tuple(reader.findings))
        mark = m.Founded(name, holder, person, answers, context.by)
        if self.is_campaign(reader):
            book = self._book.campaign
            mark = m.Founded(name, holder, person, {}, context.by, book.at_first(), book.figures_at_first())
        return Filled(name, tuple(reader.findings), marks=(mark,))


class InscribedAdopting(_DeckForm):
    """The form that adopts a deck with a history on paper."""

    def __init__(self, title: Text, book: DescribedBook) -> None:
        super().__init__(book)
        form: Any = self
        campaign = book.campaign
        called = book.decks.called if book.page.decks else campaign.called
        form.about = phrase(
            "Take in a {deck} of {game} that lived on paper, as its box and its cards are today.",
            deck=called,
            game=title,
        )
        figures: dict[str, Text] = {"played": phrase("Games played"), "won": phrase("Games won")}
        figures |= {word: book.texts.name(title) for word, title in book.decks.counts.items()}
        figures |= {word: campaign.title(word) for word in campaign.definition.figures}
        inscription = Finished(book.inscription_word, begins=True, ends=False)
        form.fields = (
            *form.fields,
            Field("holders", "Holders", "Everybody who held it, oldest first, as far as anybody remembers.", many=True),
            *(
                Field(
                    word,
                    title or book.texts.title(word),
                    "As the box says it.",
                    "number",
                    most=_MOST_FIGURE,
                    word="N",
                )
                for word, title in figures.items()
            ),
            *((_STAGES,) if campaign.parts else ()),
            *(self._card_fields(inscription) if book.page.decks else ()),
            Field("retired", "Retired", "Whether it is no longer played.", "flag"),
        )

    def _card_fields(self, called: Text) -> tuple[Field, ...]:
        """Return the fields for what stands on the cards; `called` is the game's word for an inscription."""
        return (
            Field(
                "inscribed",
                "Inscribed cards",
                phrase("A card and what stands on it, such as {example}.", example=self._example),
                many=True,
                most=_MOST_CARDS,
                parts=(
                    Field("card", "Card", "Which card.", "name", required=True, word="CARD"),
                    Field("inscription", called, "What stands on it.", "name", required=True, word="INSCRIPTION"),
                ),
                example=self._example,
            ),
            Field("torn", "Torn up", "Cards that are torn up.", "name", many=True, most=_MOST_CARDS),
        )

    @property
    def _example(self) -> str:
        first = next((handle(each.name) for each in self._book.decks.inscriptions), "name")
        return f"{handle(self._book.cards[0]).upper()}={first}"

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the first mark of the deck as recorded on its paper, or the findings."""
        reader = self.reader(values, context)
        name, holder, person = (reader.text(word) for word in ("name", "holder", "person"))
        answers = self.answers(reader)
        stages = self._read_stages(reader) if self.is_campaign(reader) else None
        borne = tuple(self._read_borne(reader))
        torn = tuple(self._read_torn(reader))
        if any(not finding.warning for finding in reader.findings):
            return Filled(name, tuple(reader.findings))
        holders = tuple(_answer_texts(values, "holders"))
        words = self._book.decks.counts if stages is None else self._book.campaign.definition.figures
        counts = {word: _read_figure(reader, word) for word in words}
        mark = m.Adopted(
            name,
            holder,
            person,
            answers,
            (*(each for each in holders if each != holder), holder),
            _read_figure(reader, "played"),
            _read_figure(reader, "won"),
            {word: figure for word, figure in counts.items() if figure},
            borne,
            torn,
            reader.text("retired").lower() in ("yes", "true", "on"),
            context.by,
            campaign=stages,
        )
        return Filled(name, tuple(reader.findings), marks=(mark,))

    def _read_stages(self, reader: FormReader) -> m.CampaignStages:
        book, stages = self._book.campaign, m.CampaignStages()
        for number, answer in reader.entries("stages"):
            word = reader.read(book.part, answer.get("word", ""), FormPlace("stages", number, "word"))
            stage = read_stage(answer.get("stage", "").lower())
            if word is None:
                continue
            if stage not in book.stages_of(word):
                message = phrase(
                    "{title} is one of {choices}.", title=book.title(word), choices=any_of(book.stages_of(word))
                )
                reader.wrong(message, FormPlace("stages", number, "stage"))
            stages = stages.with_stage(word, stage, book.written_title(word))
        return stages

    def _read_borne(self, reader: FormReader) -> Iterator[Borne]:
        so_far: list[Borne] = []
        for number, answer in reader.entries("inscribed"):
            card = reader.read(self._book.card, answer.get("card", ""), FormPlace("inscribed", number, "card"))
            place = FormPlace("inscribed", number, "inscription")
            inscription = reader.read(self._book.inscription, answer.get("inscription", ""), place)
            if card is None or inscription is None:
                continue
            if why := self._book.inscription_error(inscription, card, so_far, ()):
                reader.wrong(Finished(why), place)
            so_far.append(self._book.bearing(inscription, card))
            yield so_far[-1]

    def _read_torn(self, reader: FormReader) -> Iterator[str]:
        for number, text in enumerate(_answer_texts(reader.values, "torn")):
            if card := reader.read(self._book.card, text, FormPlace("torn", number)):
                yield card

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:
        """Return the cards or inscriptions by name."""
        if place.part == "card" or place.field == "torn":
            return tuple(Choice(card, self._book.card_title(card)) for card in self._book.cards)
        if place.part == "word":
            book = self._book.campaign
            return tuple(Choice(word, book.title(word)) for word in book.parts)
        if place.part == "stage":
            return tuple(Choice(stage, stage_text(stage)) for stage in (m.OPEN, m.DONE, m.UNLOCKED))
        if place.part == "inscription":
            say = self._book.texts.name
            return tuple(
                Choice(handle(each.name), say(each.name), say(each.text)) for each in self._book.decks.inscriptions
            )
        return super().candidates(values, place, context)


def _read_figure(reader: FormReader, word: str) -> int:
    text = reader.text(word)
    return int(text) if text else 0


def _answer_texts(values: Mapping[str, Any], field: str) -> Iterator[str]:
    answer = values.get(field) or ()
    given = answer.replace(",", "\n").splitlines() if isinstance(answer, str) else answer
    return filter(None, (str(text).strip() for text in given))
