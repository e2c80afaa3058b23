"""Playing cards in every spelling that people use."""

from itertools import product

import pytest

from companion.tabletop.action import NotationError
from companion.tabletop.notation.cards import (
    GLYPHS,
    JOKERS,
    PACK,
    RANKS,
    SUITS,
    Card,
    format_words,
    pretty,
    rank,
    read_card,
    read_suit,
    spoken,
    suit,
)

ORDINARY = [(one, of) for of, one in product(SUITS, RANKS)]


def test_a_pack_has_54_cards_each_once() -> None:
    assert len(PACK) == len(set(PACK)) == 54


@pytest.mark.parametrize(("one", "of"), ORDINARY)
def test_a_card_is_read_in_every_spelling(one: str, of: str) -> None:
    ranks = {one, one.lower()} | ({"T", "t"} if one == "10" else set())
    suits = {of, of.lower(), GLYPHS[of], f"{GLYPHS[of]}\ufe0f", f"{GLYPHS[of]}\ufe0e"}
    read = {read_card(spelled_rank + spelled_suit) for spelled_rank, spelled_suit in product(ranks, suits)}
    assert read == {Card(one + of)}


@pytest.mark.parametrize("card", PACK)
def test_a_card_is_taken_apart_and_shown(card: Card) -> None:
    if card in JOKERS:
        assert (rank(card), suit(card)) == (card, "")
        assert "Joker" in pretty(card)
    else:
        assert rank(card) + suit(card) == card
        assert pretty(card) == rank(card) + GLYPHS[suit(card)]
    assert read_card(card) == card


@pytest.mark.parametrize("word", ["rj", "RJ", "Rj"])
def test_jokers_are_read_in_any_case(word: str) -> None:
    assert read_card(word) == "RJ"


@pytest.mark.parametrize("word", ["", "S", "10", "1S", "11H", "0D", "SA", "KX", "9S9S", "9 S", "XJ", "٩S", "♠"])
def test_what_is_no_card_is_refused_with_an_example(word: str) -> None:
    with pytest.raises(NotationError, match=r"is not a card; a card is rank then suit, as 9S"):
        read_card(word)


@pytest.mark.parametrize(("word", "letter"), [("s", "S"), ("H", "H"), ("♣", "C"), ("d", "D")])
def test_a_suit_is_a_letter_or_its_glyph(word: str, letter: str) -> None:
    assert read_suit(word) == letter


@pytest.mark.parametrize("word", ["", "X", "SS", "spades"])
def test_what_is_no_suit_is_refused(word: str) -> None:
    with pytest.raises(NotationError, match="is not a suit"):
        read_suit(word)


def test_words_for_cards_are_shown_as_people_write_them() -> None:
    assert format_words("AS") == "A♠"
    assert format_words("4s,td bj") == "4♠ 10♦ Black Joker"
    assert format_words("4S, maybe") == "4♠ maybe"
    assert format_words("") == ""


def test_cards_are_spoken_as_people_say_them() -> None:
    assert spoken("Ana plays 10♥, then A♠ (9 HP): J♦") == (
        "Ana plays ten of hearts, then ace of spades (9 HP): jack of diamonds"
    )
    assert len({spoken(pretty(card)) for card in PACK}) == 54
    assert not [card for card in PACK if set(spoken(pretty(card))) & set(GLYPHS.values())]
    assert spoken("110♥ and X♠") == "110♥ and X♠"
