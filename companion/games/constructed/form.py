"""Founding a constructed deck: its name, who holds it, and its list."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, NamedTuple

from companion.games.constructed import marks as m
from companion.games.deck_cards import DeckCard, cards_of, counted
from companion.games.decklist import DeckListRules, read
from companion.games.form import Field, Filled, Finding, Form, Known, Place, Values
from companion.games.paper import SheetColumn, SheetTable

_COLUMNS = (SheetColumn("Part", 2), SheetColumn("Copies"), SheetColumn("Card", 4), SheetColumn("Says", 6))


class ReadDeck(NamedTuple):
    """A deck's cards as its list says them, and everything that was found about it."""

    cards: tuple[DeckCard, ...]
    findings: tuple[Finding, ...]


class DeckLists:
    """The lists of one game: in which parts a deck's own cards stand, and what makes it one by the rules."""

    def __init__(self, game: str, parts: Collection[str], rules: DeckListRules) -> None:
        self.game, self.parts, self.rules = game, tuple(parts), rules

    def read(self, text: str) -> ReadDeck:
        """The deck of a list. What breaks a rule is a warning: people also keep decks that are not done yet."""
        listed = read(text, (self.game,))
        findings = (*listed.findings, *(self.rules.findings(listed) if listed.game else ()))
        cards = cards_of(listed, self.parts)
        if not cards and not any(finding.unreadable for finding in findings):
            told = f"The list has no cards; begin it with `{self.game} {self.parts[0]}`, and write a card on each line."
            findings = (*findings, Finding(told, place=Place("list"), unreadable=True))
        return ReadDeck(cards, tuple(_kept_all_the_same(finding) for finding in findings))


def _kept_all_the_same(finding: Finding) -> Finding:
    place = Place("list", finding.place.entry)
    return Finding(finding.text, finding.warning or not finding.unreadable, place, finding.unreadable)


class ConstructedForm(Form):
    """What is asked to found a deck from its list."""

    about: ClassVar[str] = "Found a deck from its list. It is kept with every version, and its matches are counted."
    example: ClassVar[str] = '"Ash Pack" --holder Ana --list ash-pack.txt'
    fields: ClassVar[tuple[Field, ...]] = (
        Field("name", "Name", "What the deck is called.", required=True),
        Field("holder", "Holder", "Who plays it.", required=True, word="NAME"),
        Field(
            "list",
            "List",
            "Its cards, as 4 Ash Wolf, below a line with game and part (docs/deck-lists.md).",
            "list",
            required=True,
            word="FILE",
        ),
    )

    def __init__(self, lists: DeckLists) -> None:
        self.lists = lists

    def filled(self, values: Values, known: Known) -> Filled:
        """The deck, with all that is wrong in its list, line by line."""
        reader = self.reader(values, known)
        name, holder, text = (reader.text(field.name) for field in self.fields)
        deck = self.lists.read(text) if text else ReadDeck((), ())
        findings = (*reader.findings, *deck.findings)
        wrong = any(not finding.warning for finding in findings)
        rows = tuple((card.part, str(card.copies), card.name, " · ".join(card.says)) for card in deck.cards)
        tables = (SheetTable(counted(deck.cards), _COLUMNS, rows),) if rows else ()
        marks = () if wrong else (m.Built(name, holder, deck.cards, by=known.by),)
        return Filled(name, findings, tables, marks=marks)
