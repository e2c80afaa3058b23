"""The deck lists of a game with constructed decks: read in any usual format, and judged by its rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.decklist import DeckCard, DeckListRules, LineProblem, cards_of, list_of_cards
from companion.tabletop.decks.form import Finding, FormPlace
from companion.tabletop.decks.list_wishes import NO_WISHES, ListWishes, OpenSection
from templates.languages.messages import ENGLISH, Finished, Text, phrase, render_value


class ReadDeck(NamedTuple):
    """The cards of a deck as read from its list, with all findings.

    `summary` says what was read. `open_sections` are the sections of the list whose part of the deck is to be chosen,
    and `unread` is the number of lines that were not understood.
    """

    cards: tuple[DeckCard, ...]
    findings: tuple[Finding, ...]
    summary: Text = ""
    open_sections: tuple[OpenSection, ...] = ()
    unread: int = 0


class DeckLists:
    """The lists of one game: the parts that hold a deck's own cards, and the rules for decks."""

    def __init__(self, game: str, parts: Collection[str], rules: DeckListRules) -> None:
        self.game, self.parts, self.rules = game, tuple(parts), rules

    def read(self, text: str, wishes: ListWishes = NO_WISHES) -> ReadDeck:
        """Read the deck of a list in any usual format.

        Broken rules become warnings, because users also keep unfinished decks.
        """
        read = read_deck_list(text, (self.game,), self.parts, wishes)
        listed = read.deck_list
        findings = (*listed.findings, *(self.rules.findings(listed) if listed.sections else ()))
        cards = cards_of(listed, self.parts)
        if not cards and not any(finding.unreadable for finding in findings):
            message = phrase(
                "The list has no cards; begin it with `{line}`, and write a card on each line.",
                line=f"{self.game} {self.parts[0]}",
            )
            findings = (*findings, Finding(message, place=FormPlace("list"), unreadable=True))
        kept = (
            Finding(
                each.text, each.warning or not each.unreadable, FormPlace("list", each.place.entry), each.unreadable
            )
            for each in findings
        )
        return ReadDeck(cards, tuple(kept), read.summary, read.open_sections, read.unread)

    def flaws(self, cards: Sequence[DeckCard]) -> str:
        """Return the broken rules of a stored deck in sentences; "" if it is legal.

        They are in English, because logs store them.
        """
        return " ".join(render_value(each, ENGLISH) for each in self.broken_rules(cards))

    def broken_rules(self, cards: Sequence[DeckCard]) -> tuple[Text, ...]:
        """Return the broken rules of a stored deck, one sentence each."""
        broken = (
            each
            for each in self.rules.findings(list_of_cards(self.game, cards))
            if not (each.warning or each.unreadable)
        )
        return tuple(_without_line(each) for each in broken)


def _without_line(finding: Finding) -> Text:
    """Return the text of a finding without its line number, for a list that is not visible."""
    if isinstance(finding.text, LineProblem):
        return finding.text.without_line()
    return Finished(finding.text, begins=True, ends=False)
