"""Texts of all games as messages: they become text only when somebody reads them, in the language of that reader."""

import pytest

from companion.games import registry
from companion.tabletop.action import NotationError
from companion.tabletop.constructed import record as m
from companion.tabletop.decks.decklist import DeckCard, line_finding
from companion.tabletop.notation.notation import Notation
from companion.tabletop.records import GENERAL_REASONS, Done, Reason, describe_reason
from companion.tabletop.table.choices import Choice, choice_of_word
from companion.tabletop.table.table import Counter
from companion.tabletop.words import title_of_word
from templates.languages.messages import phrase, speaking
from templates.languages.pseudo import PSEUDO, strip_brackets


def test_words_of_notation_have_titles_and_names_have_none() -> None:
    assert str(title_of_word("yes")) == "yes"
    assert title_of_word("ana") == "ana"
    with speaking(PSEUDO):
        assert str(title_of_word("yes")) == "⟦yes~⟧"
        assert str(Counter("out", True).figure) == "⟦yes~⟧"
        assert Counter("life", 12).figure == "12"


def test_a_title_stands_beside_its_word_only_if_it_differs() -> None:
    choice = choice_of_word("yes")
    assert (choice.value, choice.shown_title) == ("yes", "")
    assert Choice("fog", "fog").shown_title == "fog"
    with speaking(PSEUDO):
        assert choice.shown_title == "⟦yes~⟧"


def test_one_error_is_read_in_two_languages() -> None:
    with pytest.raises(NotationError) as caught:
        Notation(registry.game("solforge").actions).parse("roll")
    assert str(caught.value).startswith("NdM[+K] is missing. Usage: roll ")
    with speaking(PSEUDO):
        assert str(caught.value).startswith("⟦NdM[+K] is missing")


@pytest.mark.parametrize(
    "code", [code for code in GENERAL_REASONS if code not in ("outcome", "won", "counter", "step")]
)
def test_general_reasons_are_messages(code: str) -> None:
    with speaking(PSEUDO):
        assert strip_brackets(str(describe_reason(Reason(code)))) == ""


def test_a_reason_with_wrong_facts_is_told_by_its_code() -> None:
    assert describe_reason(Reason("renamed", ("too", "many"))) == "renamed too many"
    assert describe_reason(Reason("of-a-newer-program", (3,))) == "of-a-newer-program 3"


def test_the_story_of_a_deck_has_no_words_outside_of_messages() -> None:
    cards = (DeckCard("main", 4, "Ash Wolf"),)
    marks = (
        m.Built("Ash Pack", "Ana", cards),
        m.ConstructedPlayed("Ana", 1, (m.Opponent("Ben"),), "won", 9, score=m.GamesWon(3, 2, 1, 1)),
        m.ConstructedRenamed("Elk Pack", Reason("renamed"), "Ben"),
        Done(("3.1",), "Ana", did={"name": "Elk Pack"}),
        m.ConstructedCorrected(2, Reason("by-hand"), "Ana"),
    )
    story = registry.game("solforge").decks.story(marks)
    assert str(story[3]) == "Done by hand, by Ana: write Elk Pack on the box."
    with speaking(PSEUDO):
        assert {strip_brackets(str(sentence)).strip(" .;") for sentence in story} == {""}


def test_a_problem_with_a_line_can_leave_out_its_number() -> None:
    finding = line_finding(3, phrase("the part of the deck is missing"))
    assert str(finding.text) == "Line 3: the part of the deck is missing."
    assert str(line_finding(0, phrase("the part of the deck is missing")).text) == "The part of the deck is missing."
