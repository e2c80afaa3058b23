"""The form that founds a constructed deck from its list, and the questions about lists that are not clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

import msgspec

from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.lists import DeckLists, ReadDeck
from companion.tabletop.decks.decklist import part_sizes
from companion.tabletop.decks.form import (
    YES,
    Field,
    Filled,
    Finding,
    Form,
    FormContext,
    FormPlace,
    FormReader,
    Values,
)
from companion.tabletop.decks.list_wishes import NOWHERE, ListWishes, OpenSection
from companion.tabletop.decks.paper import SheetColumn, SheetTable
from companion.tabletop.table.choices import Candidates, Choice
from templates.languages.messages import Text, declared, phrase, phrase_in, phrases

_COLUMNS = (
    SheetColumn(phrase("Part"), 2),
    SheetColumn(phrase("Copies")),
    SheetColumn(phrase("Card"), 4),
    SheetColumn(phrase_in("card", "Says"), 6),
)


LIST_QUESTIONS: Final = (
    Field(
        "section",
        "Sections",
        "Where the cards of a section belong: a part of the deck, or none.",
        many=True,
        parts=(
            Field("title", "Section", "The heading of the section in the list.", required=True, word="SECTION"),
            Field("part", "Part", "The part of the deck; none leaves the section out.", required=True, word="PART"),
        ),
        example="Sideboard=none",
    ),
    Field("skip", "Leave out", "Leave out the lines that are not understood.", "flag"),
)
"""The questions that come with a list if something in it is unclear."""


def read_wishes(values: Values) -> ListWishes:
    """Return the answers to `LIST_QUESTIONS`."""
    answers = FormReader(values)
    sections = (answer for _, answer in answers.entries("section"))
    parts = {answer["title"]: answer.get("part", "") for answer in sections if answer.get("title")}
    return ListWishes(parts, answers.text("skip").lower() in YES)


def write_wishes(wishes: ListWishes) -> Values:
    """Return the answers to `LIST_QUESTIONS`; the inverse of `read_wishes`."""
    sections = [{"title": title, "part": part} for title, part in wishes.parts.items()]
    return {"section": sections, "skip": "yes" if wishes.skips_unread else ""}


def place_questions(findings: Sequence[Finding], open_sections: Sequence[OpenSection]) -> tuple[Finding, ...]:
    """Return the findings of a list, those about its sections at the question where they belong."""
    lines = {each.line for each in open_sections}
    return tuple(
        msgspec.structs.replace(each, place=FormPlace("section"))
        if each.unreadable and each.place.entry in lines
        else each
        for each in findings
    )


def idle_questions(values: Values, open_sections: Sequence[OpenSection], unread: int) -> Iterator[FormPlace]:
    """Yield the places of `LIST_QUESTIONS` that a list leaves nothing to ask about."""
    section, skip = LIST_QUESTIONS
    if not open_sections and not list(FormReader(values).entries(section.name)):
        yield FormPlace(section.name)
        yield from (FormPlace(section.name, 0, part.name) for part in section.parts)
    if not unread:
        yield FormPlace(skip.name)


def offer_sections(place: FormPlace, open_sections: Sequence[OpenSection], parts: Sequence[str]) -> tuple[Choice, ...]:
    """Return the choices at a place of the question about sections."""
    if place.part == "title":
        details = (phrases("{n} card", "{n} cards", n=each.cards) for each in open_sections)
        return tuple(Choice(each.title, detail=detail) for each, detail in zip(open_sections, details, strict=True))
    out = Choice(NOWHERE, phrase_in("section", "none"), phrase("left out of the deck"))
    return (*(Choice(part, declared(part)) for part in parts), out)


class ConstructedForm(Form):
    """The form for founding a deck from its list."""

    about: ClassVar[Text] = phrase(
        "Build a deck from its list. All its versions are kept, and its matches are counted."
    )
    example: ClassVar[str] = '"Ash Pack" --holder Ana --list ash-pack.txt'
    fields: ClassVar[tuple[Field, ...]] = (
        Field("name", "Name", "What the deck is called.", required=True),
        Field("holder", "Holder", "Who plays it.", required=True, word="NAME"),
        Field(
            "list",
            "List",
            "File with a list in any usual format, such as 4 Ash Wolf on each line, or a .cod, .dck or CSV file "
            "(docs/deck-lists.md); - for standard input.",
            "list",
            required=True,
            word="FILE",
        ),
        *LIST_QUESTIONS,
    )

    def __init__(self, lists: DeckLists) -> None:
        self.lists = lists

    def validate_answers(self, values: Values, context: FormContext) -> Filled:
        """Return the deck, with everything that is wrong in its list, line by line."""
        reader = self.reader(values, context)
        name, holder = (reader.text(field.name) for field in self.fields[:2])
        deck = self._read(values)
        findings = (*reader.findings, *place_questions(deck.findings, deck.open_sections))
        wrong = any(not finding.warning for finding in findings)
        rows = tuple((card.part, str(card.copies), card.name, " · ".join(card.says)) for card in deck.cards)
        tables = (SheetTable(part_sizes(deck.cards), _COLUMNS, rows),) if rows else ()
        marks = () if wrong else (m.Built(name, holder, deck.cards, by=context.by),)
        return Filled(name, findings, tables, summary=deck.summary, marks=marks)

    def _read(self, values: Values) -> ReadDeck:
        text = FormReader(values).text("list")
        return self.lists.read(text, read_wishes(values)) if text else ReadDeck((), ())

    def idle_places(self, values: Values) -> Iterator[FormPlace]:
        """Yield the questions about a list that is clear."""
        deck = self._read(values)
        return idle_questions(values, deck.open_sections, deck.unread)

    def candidates(self, values: Values, place: FormPlace, context: FormContext) -> Candidates:
        """Return the sections of the list and the parts of a deck, or what follows from the kind of a field."""
        if place.field == LIST_QUESTIONS[0].name:
            return offer_sections(place, self._read(values).open_sections, self.lists.parts)
        return super().candidates(values, place, context)
