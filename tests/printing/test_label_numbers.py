"""The six figures on labels: what they say, for ever, and which labels of a deck they name."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.archive import Archive
from companion.games import registry
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.card_numbers import CARDS
from companion.games.decknforge.paper import BandPaper
from companion.printing import jobs
from companion.printing.label_codes import number_loose
from companion.printing.wording import load_wording, starter_texts
from companion.tabletop.decks import label_numbers
from companion.tabletop.decks.label_numbers import (
    KINDS,
    LOOSE,
    PLACES,
    TAGS,
    CardLabel,
    ListLabel,
    LooseLabel,
    deck_tag,
    format_number,
    parse_number,
)
from companion.tabletop.notation.cards import Card
from labels.designs import EffectLabel, FiguresLabel, HeadedLabel
from labels.paper.sheet import Label
from tests.archive import bands
from tests.games.constructed.decks import LISTS
from tests.printing.evenings import create_deck, live
from tests.printing.test_constructed import _create_deck as create_list
from tests.printing.test_constructed import rebuild

labels_with_numbers = st.one_of(
    st.builds(CardLabel, st.integers(0, TAGS - 1), st.integers(0, label_numbers.CARDS - 1), st.integers(0, KINDS - 1)),
    st.builds(ListLabel, st.integers(0, TAGS - 1), st.integers(0, PLACES - 1)),
    st.builds(LooseLabel, st.integers(0, KINDS - 1), st.integers(0, LOOSE - 1)),
)


@given(labels_with_numbers)
def test_a_number_says_what_it_was_made_of(label: CardLabel | ListLabel | LooseLabel) -> None:
    assert parse_number(format_number(label)) == label


@given(st.integers(0, 999_999))
def test_each_number_has_one_meaning_or_none_yet(number: int) -> None:
    label = parse_number(f"{number:06}")
    assert label is None if number >= 900_000 else label is None or format_number(label) == f"{number:06}"


@pytest.mark.parametrize("text", ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "-12345", " 12345"])
def test_nothing_else_is_a_number(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize("label", [CardLabel(200, 0, 0), CardLabel(0, 54, 0), ListLabel(0, 500), LooseLabel(64, 0)])
def test_what_is_beyond_six_figures_has_no_number(label: CardLabel) -> None:
    with pytest.raises(ValueError, match="beyond what six figures can say"):
        format_number(label)


def test_numbers_on_printed_labels_mean_the_same_for_ever() -> None:
    assert [
        format_number(label)
        for label in (CardLabel(0, 0, 0), CardLabel(17, 33, 1), CardLabel(199, 53, 63), ListLabel(3, 7))
    ] == ["000000", "060865", "691199", "701507"]
    assert format_number(LooseLabel(25, 1561)) == "840611"
    assert [deck_tag(deck) for deck in ("7K3M9QPX2B4TC", "0000000000000")] == [164, 157]
    paper = registry.game("decknforge").paper
    assert paper is not None
    numbers = {"5C sharp": (29, 1), "BJ rampage": (52, 55), "AS": (12, 0), "7S royal-decree": (5, 21), "RJ": (53, 0)}
    assert {spot: paper.number_on_card(spot) for spot in numbers} == numbers


def test_every_spot_of_a_band_has_a_number_that_leads_back() -> None:
    paper = registry.game("decknforge").paper
    assert paper is not None
    monsters = ("AS", "AH", "AC", "AD", "BJ", "RJ")
    spots = [f"{card} {name}" for card in CARDS if card not in monsters for name in STANDARD.inscriptions]
    spots += [f"{card} {name}" for card in monsters for name in STANDARD.labels] + [*monsters]
    numbers = [paper.number_on_card(spot) for spot in spots]
    assert len(set(numbers)) == len(spots)
    assert [paper.spot_on_card(*number) for number in numbers if number] == spots


def code_of(label: Label) -> str:
    assert isinstance(label, EffectLabel | FiguresLabel | HeadedLabel)
    return label.code


def test_labels_of_a_deck_bear_codes_that_name_them(archive: Archive) -> None:
    deck = create_deck(archive)
    live(archive, deck)
    row, labels = archive.find_deck(deck), jobs.deck_labels(archive, deck)
    printed = jobs.cards_job(archive, [row], with_codes=True).labels
    for label in printed:
        assert isinstance(label, EffectLabel | FiguresLabel | HeadedLabel)
        number = parse_number(label.code)
        assert isinstance(number, CardLabel)
        text = labels.find_label(number)
        assert text is not None
        assert (text.title, text.card) == (label.title, label.card)
    assert len(set(map(code_of, printed))) == len(printed)
    assert {*map(code_of, jobs.cards_job(archive, [row]).labels)} == {""}


def test_labels_from_a_list_keep_their_numbers_when_it_changes(archive: Archive) -> None:
    deck = create_list(archive, "solforge")
    before = {text.code: text.title for text in jobs.deck_labels(archive, deck).borne()}
    assert "" not in before
    kept = jobs.deck_labels(archive, deck)
    assert [kept.find_label(number) for code in before if (number := parse_number(code))]
    assert all(isinstance(parse_number(code), ListLabel) for code in before)


def test_a_starter_sheet_has_a_number_of_its_own_on_each_label() -> None:
    texts = number_loose(starter_texts(registry.game("decknforge")), random.Random(4).randrange)
    codes = [text.code for text in texts]
    assert len(set(codes)) == len(codes) == 60
    numbered = [parse_number(code) for code in codes]
    assert all(isinstance(label, LooseLabel) for label in numbered)
    paper = registry.game("decknforge").paper
    assert paper is not None
    names = [paper.kind_name(label.kind) for label in numbered if isinstance(label, LooseLabel)]
    assert names.count("sharp") == 3
    assert "" not in names


@given(st.integers(0, 2**32))
def test_two_labels_of_a_sheet_never_have_one_number(seed: int) -> None:
    texts = starter_texts(registry.game("decknforge")) * 3
    codes = [text.code for text in number_loose(texts, random.Random(seed).randrange)]
    assert len(set(codes)) == len(codes)


def test_what_is_taken_back_keeps_its_place_in_the_list() -> None:
    paper, game = BandPaper(), registry.game("decknforge")
    first = m.CardInscribed(Card("9S"), "rust-oath", "bought", "Ana")
    marks = (*bands.marks(), first, m.CardInscribed(Card("8S"), "moth-oath", "bought", "Ana"))
    listed = [text.spot for text in paper.listed_labels(marks, load_wording(game))]
    assert listed == ["9S rust-oath", "8S moth-oath"]
    number = marks.index(first) + 1
    later = (
        *marks,
        m.BandCorrected(number, "for another", "Ana"),
        m.CardInscribed(Card("7S"), "new-oath", "bought", "Ana"),
    )
    assert [text.spot for text in paper.listed_labels(later, load_wording(game))] == [*listed, "7S new-oath"]


def test_another_list_leaves_the_numbers_of_the_first(archive: Archive) -> None:
    deck = create_list(archive, "solforge")
    game = registry.game("solforge")
    assert game.paper is not None
    before = game.paper.listed_labels(archive.marks(deck), load_wording(game))
    rebuild(archive, deck, LISTS["solforge"].replace("level 2 7/8", "level 2 8/8"))
    after = game.paper.listed_labels(archive.marks(deck), load_wording(game))
    assert after[: len(before)] == before
    # What a label says otherwise now is another label, so that the old one is told from it.
    (new,) = after[len(before) :]
    assert new.figures == (("", "8/8"),)
