"""Decks of a game on a page from lists of other programs: its sections, and copies whatever their printing."""

import pytest

from companion.games.described.game import DescribedGame
from companion.games.described.page.reading import read_description
from companion.tabletop.constructed.founding import ConstructedForm
from companion.tabletop.constructed.lists import DeckLists
from companion.tabletop.decks.list_wishes import ListWishes

PAGE = """
name = "hall"
title = "Hall"
[play]
players = "2"
[counters.life]
start = 20
out = "<= 0"
[decks]
kind = "list"
least = 4
copies = 4
sections = ["main", "side deck", "hall"]
"""


@pytest.fixture
def lists() -> DeckLists:
    game = DescribedGame(read_description(PAGE))
    form = game.decks.founding
    assert isinstance(form, ConstructedForm)
    return form.lists


def test_headings_lead_to_the_sections_of_the_page(lists: DeckLists) -> None:
    read = lists.read("Deck\n4 Ash Wolf\n\nSideboard\n2 Owl\n\nHall\n1 Old Mill\n\nCommander\n1 Krell\n")
    assert [(card.part, card.copies, card.name) for card in read.cards] == [
        ("main", 4, "Ash Wolf"),
        ("side-deck", 2, "Owl"),
        ("hall", 1, "Old Mill"),
    ]
    assert [(each.title, each.cards) for each in read.open_sections] == [("Commander", 1)]
    settled = lists.read("Commander\n1 Krell\n\nDeck\n4 Ash Wolf\n", ListWishes({"Commander": "main"}))
    assert [(card.part, card.name) for card in settled.cards] == [("main", "Krell"), ("main", "Ash Wolf")]


def test_printings_and_spellings_of_a_card_are_one_card(lists: DeckLists) -> None:
    read = lists.read("3 Ash’s Wolf (RNA) 1\n1 Ash's Wolf (M19) 2\n1 ASH'S WOLF (ANB) 3\n")
    assert [(card.copies, card.name, card.says) for card in read.cards] == [
        (5, "Ash’s Wolf", ("printing 3× RNA 1; 1× M19 2; 1× ANB 3",))
    ]
    (finding,) = read.findings
    assert "5 copies of Ash’s Wolf; at most 4 are allowed" in str(finding.text)


def test_a_stored_deck_with_printings_breaks_no_rule(lists: DeckLists) -> None:
    read = lists.read("4 Ash Wolf (RNA) 1\n")
    assert lists.broken_rules(read.cards) == ()
    assert read.cards[0].listed_card.remarks == ()
