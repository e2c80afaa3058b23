"""Deck ids, as they are printed, typed and scanned."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from stdnum import luhn

from companion.archive import deck_id
from companion.archive.deck_id import ALPHABET
from companion.tabletop.decks.label_numbers import TAGS, deck_tag

ids = st.text(ALPHABET, min_size=12, max_size=12).map(
    lambda symbols: symbols + luhn.calc_check_digit(symbols, ALPHABET)
)
# The two neighbours that Luhn mod N cannot tell apart, as it cannot 09 and 90 in decimal.
BLIND = {ALPHABET[0], ALPHABET[-1]}


def spelled(deck: str, choices: st.DataObject) -> str:
    """The id as somebody might write it: cases mixed, look-alikes for 0 and 1, dashes and spaces anywhere."""
    look_alikes = {"0": "0Oo", "1": "1IiLl"}
    written = ""
    for symbol in deck:
        written += choices.draw(st.sampled_from(["", "", "-", " ", "–"]))
        written += choices.draw(st.sampled_from(look_alikes.get(symbol, symbol + symbol.lower())))
    return choices.draw(st.sampled_from(["", "  ", "DECK:", "deck:"])) + written


def test_new_ids_have_thirteen_symbols_and_differ() -> None:
    symbols = {deck_id.new() for _ in range(1000)}
    assert len(symbols) == 1000
    assert all(deck_id.parse(deck) == deck for deck in symbols)


def test_a_new_id_has_a_tag_of_its_own_while_one_is_free() -> None:
    decks: list[str] = []
    for _ in range(TAGS):
        decks.append(deck_id.new(decks))
    assert sorted(map(deck_tag, decks)) == [*range(TAGS)]
    assert deck_id.new(decks) not in decks


@given(ids, st.data())
def test_any_spelling_is_read(deck: str, choices: st.DataObject) -> None:
    assert deck_id.parse(spelled(deck, choices)) == deck


@given(ids)
def test_what_is_shown_and_what_the_box_holds_is_read(deck: str) -> None:
    assert deck_id.parse(deck_id.show(deck)) == deck
    assert deck_id.parse(deck_id.payload(deck)) == deck
    assert len(deck_id.payload(deck)) == 18


@given(ids, st.integers(0, 12), st.sampled_from(ALPHABET))
def test_every_single_wrong_symbol_is_noticed(deck: str, at: int, symbol: str) -> None:
    assume(deck[at] != symbol)
    with pytest.raises(deck_id.DeckIdError, match="check symbol"):
        deck_id.parse(deck[:at] + symbol + deck[at + 1 :])


@given(ids, st.integers(0, 11))
def test_swapped_neighbours_are_noticed(deck: str, at: int) -> None:
    first, second = deck[at], deck[at + 1]
    assume(first != second and {first, second} != BLIND)
    with pytest.raises(deck_id.DeckIdError, match="check symbol"):
        deck_id.parse(deck[:at] + second + first + deck[at + 2 :])


def test_shown_in_groups() -> None:
    assert deck_id.show("7K3M9QPX2B4TC") == "7K3M-9QPX-2B4T-C"
    assert deck_id.payload("7K3M9QPX2B4TC") == "DECK:7K3M9QPX2B4TC"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 symbols instead of the 13"),
        ("7K3M-9QPX-2B4T", "12 symbols instead of the 13"),
        ("7K3M-9QPX-2B4T-CC", "14 symbols instead of the 13"),
        ("7K3M-9QPU-2B4T-C", "“U” is not one of its symbols"),
        ("7K3M-9QPX-2B4T-É", "“É” is not one of its symbols"),
        ("7K3M-9QPX-2B4T-5", "does not match its check symbol 5"),
        ("https://example.org/" + "x" * 500, "500 symbols instead of the 13"),
    ],
)
def test_says_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(deck_id.DeckIdError, match=reason) as error:
        deck_id.parse(text)
    assert len(str(error.value)) < 160
