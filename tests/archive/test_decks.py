"""Decks: founded from marks, found again by id or name, and what their marks add up to."""

import pytest

from companion.archive import Archive, Conflict, NameTaken, Unknown, deck_id
from companion.archive.people import people
from companion.tabletop.action import NotationError
from companion.tabletop.decks.label_numbers import deck_tag
from companion.tabletop.records import Payment
from tests.archive.keepsake import Founded, Kept, Played, Retired


@pytest.fixture
def choir(archive: Archive) -> str:
    return archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], deck=deck_id.EXAMPLE)


def test_a_deck_is_what_its_marks_add_up_to(archive: Archive, choir: str) -> None:
    row = archive.find_deck(choir)
    assert archive.mark(choir, row.length, [Played(4)]) == row.length + 1
    assert archive.marks(choir) == (Founded("Grave Choir", "Ana"), Played(4))
    record = archive.record(choir)
    assert record == Kept("keepsake", "Grave Choir", "Ana", glory=4, dungeons=1)
    row = archive.find_deck(choir)
    assert (row.game, row.name, row.holder, row.figure("glory"), row.figure("dungeons")) == (
        "keepsake",
        "Grave Choir",
        "Ana",
        4,
        1,
    )
    assert [(line.text, line.by) for line in archive.story(choir)] == [("founded", "tests"), ("played", "tests")]


def test_a_mark_on_a_deck_that_changed_is_a_conflict(archive: Archive, choir: str) -> None:
    seen = archive.find_deck(choir).length
    archive.mark(choir, seen, [Played(4)])
    with pytest.raises(Conflict):
        archive.mark(choir, seen, [Played(5)])
    assert archive.find_deck(choir).figure("glory") == 4


def test_a_deck_that_is_not_there_gets_no_marks(archive: Archive) -> None:
    with pytest.raises(Unknown) as refused:
        archive.mark(deck_id.new(), 0, [Founded("Nobody")])
    assert refused.value.look == "decks"
    with pytest.raises(Unknown):
        archive.record(deck_id.new())
    assert archive.decks() == ()


def test_labels_of_a_new_deck_bear_a_tag_of_their_own(archive: Archive) -> None:
    # Of forty ids that nobody chooses, two have the same tag nearly always.
    decks = [archive.found_deck("keepsake", [Founded(f"Band {number}")]) for number in range(40)]
    assert len({deck_tag(deck) for deck in decks}) == len(decks)
    assert deck_tag(archive.new_deck_id()) not in map(deck_tag, decks)


def test_a_deck_from_elsewhere_keeps_its_id_and_its_tag(archive: Archive, choir: str) -> None:
    twin = next(deck for deck in iter(deck_id.new, "") if deck_tag(deck) == deck_tag(choir))
    assert archive.found_deck("keepsake", [Founded("Its Twin")], deck=twin) == twin


@pytest.mark.parametrize("name", ["Grave Choir", "GRAVE choir", "  Grave   Choir "])
def test_a_name_is_taken_once_in_any_case(archive: Archive, choir: str, name: str) -> None:
    with pytest.raises(NameTaken, match=r"active.*V1\.15"):
        archive.found_deck("keepsake", [Founded(name)])
    archive.mark(choir, 2, [Retired()])
    with pytest.raises(NameTaken, match=r"retired.*V1\.15"):
        archive.found_deck("keepsake", [Founded(name)])
    assert len(archive.decks()) == 1


def test_a_longer_name_is_another_name(archive: Archive, choir: str) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir II")])
    assert archive.find_deck("grave choir").deck == choir


@pytest.mark.usefixtures("choir")
@pytest.mark.parametrize("text", ["Grave Choir", "grave", "G", "grave  CHOIR"])
def test_found_by_the_beginning_of_the_name(archive: Archive, text: str) -> None:
    archive.found_deck("keepsake", [Founded("Iron Lanterns")])
    assert archive.find_deck(text).name == "Grave Choir"


def test_found_by_the_id_in_any_spelling(archive: Archive, choir: str) -> None:
    for text in (choir, deck_id.show(choir).lower(), deck_id.payload(choir), f" {choir[:5]} {choir[5:]}"):
        assert archive.find_deck(text).deck == choir


@pytest.mark.parametrize("name", ["Straße", "Œuvre", "Żółw", "灯籠", "100 % Sure_", "…"])
def test_names_of_every_script_are_found_by_their_beginning(archive: Archive, name: str) -> None:
    deck = archive.found_deck("keepsake", [Founded(name)])
    archive.found_deck("keepsake", [Founded("Zzz")])
    assert archive.find_deck(name[: max(1, len(name) // 2)].upper()).deck == deck


@pytest.mark.usefixtures("choir")
def test_what_is_ambiguous_says_what_it_may_be(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Wardens")])
    with pytest.raises(Unknown, match=r"Grave Choir \(keepsake, .*Grave Wardens.*type more"):
        archive.find_deck("grave")


@pytest.mark.usefixtures("choir")
@pytest.mark.parametrize("text", ["Nobody", "", "   ", "%", "_rave"])
def test_what_is_unknown_says_where_to_look(archive: Archive, text: str) -> None:
    with pytest.raises(Unknown) as refused:
        archive.find_deck(text)
    assert refused.value.look == "decks"


def test_a_wrong_id_says_what_is_wrong_with_it(archive: Archive, choir: str) -> None:
    other = "A" if choir[3] != "A" else "B"
    with pytest.raises(deck_id.DeckIdError, match="check symbol"):
        archive.find_deck(choir[:3] + other + choir[4:])
    with pytest.raises(deck_id.DeckIdError, match="12 symbols"):
        archive.find_deck(f"DECK:{choir[:12]}")
    absent = deck_id.new()
    with pytest.raises(Unknown, match=deck_id.show(absent)):
        archive.find_deck(absent)


def test_an_unknown_game_founds_nothing(archive: Archive) -> None:
    with pytest.raises(NotationError, match="no game called “chess”"):
        archive.found_deck("chess", [Founded("Grave Choir")])
    assert archive.decks() == ()


def test_purses(archive: Archive) -> None:
    archive.found_deck("keepsake", [Founded("Grave Choir", "Ana")], [Payment("Ana", 5, "left of the budget")])
    archive.found_deck("keepsake", [Founded("Iron Lanterns", "Ana")], [Payment("ANA", -2, ""), Payment("Ben", 9, "")])
    assert [(row.name, row.purse) for row in people.all_people(archive)] == [("Ana", 3), ("Ben", 9)]
    assert (archive.purse("ana"), archive.purse("Cy")) == (3, 0)
    with pytest.raises(NameTaken):
        archive.found_deck("keepsake", [Founded("Grave Choir")], [Payment("Ana", 100, "")])
    assert archive.purse("Ana") == 3
