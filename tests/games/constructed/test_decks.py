"""Constructed decks as records: what their marks add up to, what lies in the box, what a passport holds."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import registry
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.constructed import record as m
from companion.tabletop.constructed.record import ConstructedRecord
from companion.tabletop.deck_lists.reading import read_deck_list
from companion.tabletop.decks.decklist import DeckCard, cards_of, change_text, changes, format_deck_list, handle
from companion.tabletop.decks.form import FormContext
from companion.tabletop.decks.keeping import Keeping, keeping, tick_chores
from companion.tabletop.records import Done, Mark
from tests.games.constructed.decks import LISTS

GAMES = tuple(LISTS)
GAME = "oddfrontier"
names = st.sampled_from(["Ash Wolf", "Bog Heron", "Flare: The Second", "Ember", "Éclair"])
deck_cards = st.lists(
    st.builds(
        DeckCard, st.sampled_from(["main", "forge"]), st.integers(1, 9), names, st.sampled_from([(), ("creature", "x")])
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda card: card.key,
).map(lambda cards: tuple(sorted(cards, key=lambda card: card.part)))


def founded(game: str = GAME, name: str = "Ash Pack", **given_: Any) -> tuple[Mark, ...]:
    form = registry.game(game).decks.founding
    assert form is not None
    filled = form.validate_answers({"name": name, "holder": "Ana", "list": LISTS[game], **given_}, FormContext())
    assert [finding.text for finding in filled.findings if not finding.warning] == []
    return filled.marks


def kept(game: str = GAME) -> Keeping:
    return keeping(registry.game(game))


def deck(marks: Sequence[Mark], game: str = GAME) -> ConstructedRecord:
    record = registry.game(game).record(tuple(marks))
    assert isinstance(record, ConstructedRecord)
    return record


@pytest.mark.parametrize("game", GAMES)
def test_a_legal_list_is_founded_without_a_warning(game: str) -> None:
    form = registry.game(game).decks.founding
    assert form is not None
    filled = form.validate_answers({"name": "Ash Pack", "holder": "Ana", "list": LISTS[game]}, FormContext())
    assert filled.findings == ()
    record = deck(filled.marks, game)
    assert (record.name, record.holder, record.version, record.won) == ("Ash Pack", "Ana", 1, 0)
    assert sum(card.copies for card in record.cards if card.part == "main") in (60, 40, 30)


@pytest.mark.parametrize("game", GAMES)
def test_a_list_against_the_rules_is_kept_with_a_warning(game: str) -> None:
    form = registry.game(game).decks.founding
    assert form is not None
    text = LISTS[game].replace("4 Ash Wolf", "9 Ash Wolf").replace("3 Ash Wolf", "9 Ash Wolf")
    filled = form.validate_answers({"name": "Ash Pack", "holder": "Ana", "list": text}, FormContext())
    assert filled.marks
    assert filled.findings
    assert all(finding.warning and finding.place.field == "list" for finding in filled.findings)
    assert 2 in [finding.place.entry for finding in filled.findings]


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"name": ""}, "Name: this is required."),
        ({"holder": " "}, "Holder: this is required."),
        ({"list": ""}, "List: this is required."),
        ({"list": "oddfrontier main\n4 Elk | creature | Elk | 2/x"}, "Line 2"),
        ({"list": "solforge main\n4 Elk"}, "as in “oddfrontier main”"),
        ({"list": "oddfrontier main\n"}, "The list has no cards"),
        ({"name": "old pack"}, "a name is never used again"),
    ],
)
def test_what_is_missing_or_unreadable_founds_nothing(answers: dict[str, str], sentence: str) -> None:
    form = registry.game(GAME).decks.founding
    assert form is not None
    values = {"name": "Ash Pack", "holder": "Ana", "list": LISTS[GAME], **answers}
    filled = form.validate_answers(values, FormContext(taken=("Old Pack",)))
    texts = [finding.text for finding in filled.findings]
    assert any(sentence in text for text in texts), texts
    assert filled.marks == ()


def test_marks_add_up() -> None:
    marks = [
        *founded(),
        m.ConstructedPlayed("Ana", 1, (m.Opponent("Ben", "7K3M", "Bog Pack", 2),), "won", 9),
        m.ConstructedPlayed("Ana", 1, (m.Opponent("Ben"), m.Opponent("Cy")), "lost"),
        m.Rebuilt((DeckCard("main", 4, "Elk"),), "too slow", "Ana"),
        m.ConstructedPlayed("Ana", 2, (m.Opponent("Ben"),), "draw", 1),
        m.ConstructedHandedOn("Ben", "ABC123"),
        m.ConstructedRenamed("Elk Pack", "a better one", "Ben"),
        m.ConstructedRetired("Ben"),
    ]
    record = deck(marks)
    assert (record.name, record.holder, record.person, record.retired) == ("Elk Pack", "Ben", "ABC123", True)
    assert record.holders == ("Ana", "Ben")
    assert (record.version, record.won, record.lost, record.draws) == (2, 1, 1, 1)
    assert record.cards == (DeckCard("main", 4, "Elk"),)
    assert [(one.version, one.mark) for one in kept().lists(marks)] == [(1, 1), (2, 4)]
    story = tuple(map(str, registry.game(GAME).decks.story(tuple(marks))))
    assert story[0] == "Ana built Ash Pack: 40 main."
    assert story[1] == "Ana won against Ben (Bog Pack) with version 1 after 9 turns."
    assert story[2] == "Ana lost against Ben and Cy with version 1."
    assert story[3].startswith("Version 2, by Ana (too slow): +4 Elk, −4 Ash Wolf, ")
    assert story[4:] == (
        "Ana drew with Ben with version 2 after 1 turn.",
        "The deck went to Ben.",
        "Ben renamed the deck; it is now called Elk Pack (a better one).",
        "The deck retired, by Ben.",
    )


def test_all_marks_but_the_first_can_be_corrected() -> None:
    marks: list[Mark] = [*founded(), m.Rebuilt((DeckCard("main", 4, "Elk"),)), m.ConstructedPlayed("Ana", 2, (), "won")]
    for number, sentence in ((2, "+4 Elk"), (3, "won against nobody")):
        marks.append(kept().correct_record(marks, number, "a mistake", "Ben"))
        assert sentence in registry.game(GAME).decks.story(tuple(marks))[-1]
    record = deck(marks)
    assert (record.version, record.won) == (1, 0)
    with pytest.raises(RuleError, match="founding"):
        kept().correct_record(marks, 1, "no")
    with pytest.raises(RuleError, match="reason"):
        kept().correct_record(marks[:3], 3, " ")


def test_the_same_list_is_no_new_version() -> None:
    marks = founded()
    with pytest.raises(RuleError, match="exactly this list"):
        kept().rebuild_record(marks, LISTS[GAME], "")
    rebuilt = kept().rebuild_record(
        marks, LISTS[GAME].replace("4 Flare", "3 Flare").replace("4 Ash", "5 Ash"), "why", "Ana"
    )
    assert isinstance(rebuilt.mark, m.Rebuilt)
    assert [str(warning)[:6] for warning in rebuilt.warnings] == ["Line 2"]
    with pytest.raises(NotationError, match="Line 2"):
        kept().rebuild_record(marks, "oddfrontier main\n0 Elk | engine", "")


def test_retired_decks_leave_no_heirloom_and_are_not_played() -> None:
    marks = founded()
    with pytest.raises(RuleError, match="leaves no heirloom"):
        kept().retire_record(marks, "sharp")
    marks = (*marks, kept().retire_record(marks, "", "Ana"))
    with pytest.raises(RuleError, match="already"):
        kept().retire_record(marks, "")
    with pytest.raises(RuleError, match="retired"):
        registry.game(GAME).setup_lines("ana", deck(marks))


# The box


@given(deck_cards, deck_cards)
def test_ticking_everything_off_leaves_nothing_due(before: tuple[DeckCard, ...], after: tuple[DeckCard, ...]) -> None:
    marks: list[Mark] = [m.Built("Ash Pack", "Ana", before), m.Rebuilt(after)]
    marks.append(tick_chores(kept().chores(marks), ("all",), "Ana"))
    assert kept().chores(marks) == ()
    paper = kept().paper(marks)
    assert paper == {
        "name": "Ash Pack",
        "holder": "Ana",
        **{f"{card.part} {card.name}": str(card.copies) for card in after},
    }
    assert [spot for spot in paper if spot not in ("name", "holder")] == [f"{card.part} {card.name}" for card in after]


@given(deck_cards, st.dictionaries(names, st.integers(0, 9), min_size=1))
def test_a_record_that_was_mended_agrees_with_the_box(cards: tuple[DeckCard, ...], seen: dict[str, int]) -> None:
    marks: list[Mark] = [m.Built("Ash Pack", "Ana", cards)]
    marks.append(tick_chores(kept().chores(marks), ("all",)))
    spots = {f"main {name}": str(count) for name, count in seen.items()}
    marks += kept().mend_record(marks, spots, "looked through", "Ben")
    paper = kept().paper(marks)
    assert {spot: paper.get(spot, "0") for spot in spots} == spots
    assert kept().chores(marks) == ()
    assert kept().mend_record(marks, spots, "again") == ()


def test_a_box_is_looked_through_name_and_holder_too() -> None:
    marks: list[Mark] = [*founded()]
    assert [str(chore.text) for chore in kept().chores(marks)] == ["Write Ash Pack on the box"]
    marks += kept().mend_record(marks, {"name": "Ash Pack", "holder": "Ben"}, "looked through")
    assert isinstance(marks[-1], Done)
    assert (deck(marks).holder, kept().chores(marks)) == ("Ben", ())
    marks += kept().mend_record(marks, {"retired": "yes"}, "looked through")
    assert deck(marks).retired
    marks += kept().mend_record(marks, {"retired": "no", "name": "Elk Pack"}, "looked through")
    assert (deck(marks).retired, deck(marks).name) == (False, "Elk Pack")
    for wrong in ({"main Flare": "many"}, {"holder": ""}, {"main Flare": "9999"}):
        with pytest.raises(RuleError):
            kept().mend_record(marks, wrong, "looked through")


def test_spots_are_read_as_people_write_them() -> None:
    assert kept().read_spot("Main  Ash  Wolf") == "main Ash Wolf"
    assert kept().read_spot("NAME") == "name"
    assert str(kept().question("main Ash Wolf", "4")) == "main Ash Wolf: 4?"
    assert str(kept().question("name", "Ash Pack")) == "On the box: Ash Pack?"
    assert str(kept().question("holder", "Ana")) == "Ana holds it?"
    with pytest.raises(NotationError, match="main Ash Wolf"):
        kept().read_spot("Wolf")


# Lists and passports


@given(deck_cards)
def test_a_list_as_text_is_read_as_the_same_cards(cards: tuple[DeckCard, ...]) -> None:
    read = read_deck_list(format_deck_list("game", cards), ("game",)).deck_list
    assert read.findings == ()
    assert cards_of(read, dict.fromkeys(card.part for card in cards)) == cards


@given(deck_cards, deck_cards)
def test_what_changed_makes_one_list_of_the_other(before: tuple[DeckCard, ...], after: tuple[DeckCard, ...]) -> None:
    counts = {card.key: card.copies for card in before}
    for change in changes(before, after):
        counts[change.card.key] = counts.get(change.card.key, 0) + change.more
    assert {key: copies for key, copies in counts.items() if copies} == {card.key: card.copies for card in after}
    had, has = ({card.key: (card.copies, card.says) for card in cards} for cards in (before, after))
    assert (str(change_text(before, after)) == "nothing changed") == (had == has)


@given(deck_cards, st.integers(0, 99))
def test_a_passport_holds_the_deck_as_it_is(cards: tuple[DeckCard, ...], won: int) -> None:
    marks: list[Mark] = [m.Built("Ash Pack", "Ana", cards, won=won), m.ConstructedPlayed("Ana", 1, (), "lost")]
    whole, named, least = (
        kept().unpack_record(msgspec.msgpack.decode(msgspec.msgpack.encode(content)), "ab", 3, "Ben")
        for content in kept().pack_record(marks)
    )
    record, fewer = deck(whole), deck(least)
    assert record == deck(marks)
    assert [card.name for card in deck(named).cards] == [card.name for card in cards]
    assert (fewer.cards, fewer.won, fewer.lost) == ((), won, 1)
    assert kept().chores(whole) == ()
    assert str(registry.game(GAME).decks.story(whole)[0]).startswith("Ash Pack came with its passport, 2 entries old")


def test_what_is_no_such_deck_is_refused() -> None:
    for content in (None, ["Ash", "Ana", -1, 0, 0, 0, False, []], {"name": "Ash"}):
        with pytest.raises(RuleError, match="passport"):
            kept().unpack_record(content, "", 0)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Ash Wolf", "ash-wolf"),
        (" Ember’s Storm! ", "ember-s-storm"),
        ("9", "card-9"),
        ("⭐", "card"),
        ("Élan", "élan"),
    ],
)
def test_a_card_is_called_by_one_word(name: str, word: str) -> None:
    assert handle(name) == word
