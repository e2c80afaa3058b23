"""Looking through a box: which questions it asks in which order, and the marks that each answer makes or refuses."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import pytest

from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.forms import FOUNDING
from companion.games.decknforge.decks.keeping import KEEPING
from companion.games.decknforge.decks.record import BandRecord, record
from companion.games.decknforge.decks.story import paper_state
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.decks.form import FormContext
from companion.tabletop.decks.keeping import done_by_hand
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Mark

EXAMPLES = resources.files("templates") / "examples" / "decknforge"
CHOIR: dict[str, Any] = tomllib.loads((EXAMPLES / "decks.toml").read_text(encoding="utf-8"))["deck"][0]
REASON = "looked through"


def ticked(*marks: Mark) -> tuple[Mark, ...]:
    """The same marks, with all that they ask for done on the cards and on the box."""
    return (*marks, done_by_hand(paper_state(marks).due, "Ana"))


MARKS = ticked(*FOUNDING.validate_answers(CHOIR, FormContext()).marks)


def after(*more: Mark, **seen: str) -> BandRecord:
    """The band after its box was looked through, at one spot."""
    marks = ticked(*MARKS, *more)
    answers = {spot.replace("_", " "): answer for spot, answer in seen.items()}
    return record((*marks, *KEEPING.mend_record(marks, answers, REASON, "Cy")))


def test_the_box_comes_first_then_the_monsters_then_the_cards() -> None:
    seen = dict.fromkeys(("KD banner", "2S sharp", "AH swift"), "yes")
    marks = (*MARKS, *KEEPING.mend_record(MARKS, {**seen, "box": "Glory 12, 3 dungeons"}, REASON))
    inscribed = ("2S sharp", "7S echo", "QH banner", "5C quick", "10D sharp", "KD banner")
    monsters = ("AS", "AH", "AH swift", "AC", "AD", "BJ", "RJ")
    assert tuple(KEEPING.paper(marks)) == ("name", "box", "holder", *monsters, *inscribed)


@pytest.mark.parametrize(
    ("spot", "text", "question"),
    [
        ("7S sharp", "", "7♠: Sharp?"),
        ("AS", "Grave Wyrm, HP 18, ATK 3", "A♠: Grave Wyrm, HP 18, ATK 3?"),
        ("name", "Grave Choir", "On the box: Grave Choir?"),
        ("box", "Glory 3, 1 dungeon", "On the box: Glory 3, 1 dungeon?"),
        ("holder", "Ben", "Ben holds it?"),
        ("retired", "yes", "“retired” on the box?"),
    ],
)
def test_each_spot_has_its_question(spot: str, text: str, question: str) -> None:
    assert str(KEEPING.question(spot, text)) == question


@pytest.mark.parametrize(
    ("written", "spot"),
    [("7s Sharp", "7S sharp"), ("Glory", ""), ("NAME", "name"), ("as Swift", "AS swift"), ("bj", "BJ"), ("7S", "")],
)
def test_a_spot_is_read_as_people_write_it(written: str, spot: str) -> None:
    if spot:
        assert KEEPING.read_spot(written) == spot
        return
    with pytest.raises(NotationError):
        KEEPING.read_spot(written)


def test_what_the_record_says_already_changes_nothing() -> None:
    sheet = KEEPING.paper(MARKS)
    assert KEEPING.mend_record(MARKS, {spot: text for spot, text in sheet.items() if text}, REASON) == ()


@pytest.mark.parametrize("absent", ["", "no", "No", "n", "-", "none"])
def test_labels_that_are_gone_or_there_change_the_record(absent: str) -> None:
    band = record(MARKS)
    card, (name, *_) = next(iter(band.inscribed.items()))
    marks = (*MARKS, *KEEPING.mend_record(MARKS, {f"{card} {name}": absent}, REASON))
    assert card not in record(marks).inscribed
    again = KEEPING.mend_record(marks, {f"{card} {name}": "y"}, REASON)
    assert record((*marks, *again)).inscribed[card] == (name,)


def test_a_label_on_a_monster_comes_and_goes() -> None:
    stuck = KEEPING.mend_record(MARKS, {"AS swift": "yes"}, REASON, "Cy")
    assert record((*MARKS, *stuck)).monsters[Card("AS")].labels == ("swift",)
    peeled = KEEPING.mend_record((*MARKS, *stuck), {"AS swift": "no"}, REASON, "Cy")
    assert record((*MARKS, *stuck, *peeled)).monsters[Card("AS")].labels == ()


def test_an_inscription_crossed_out_can_stand_there_after_all() -> None:
    card, (name, *_) = next(iter(record(MARKS).inscribed.items()))
    band = after(m.InscriptionCrossedOut(card, name, "faded"), **{f"{card}_{name}": "yes"})
    assert band.inscribed[card] == (name,)
    assert [borne.fate for borne in band.inscriptions if (borne.card, borne.inscription) == (card, name)] == [""]


def test_the_box_says_glory_holder_and_name() -> None:
    assert (after(box="Glory 12, 3 dungeons").glory, after(box="Glory 12, 3 dungeons").dungeons) == (12, 3)
    assert after(holder="Dee").holders[-1] == "Dee"
    assert after(name="Grave Quire").name == "Grave Quire"
    assert after(retired="yes").retired
    assert not after(m.BandRetired("", "Ana"), retired="no").retired


def test_a_monster_is_mended_alone() -> None:
    before, now = record(MARKS), after(AH="Moss Hound, HP 13, ATK 3")
    assert (now.monsters[Card("AH")].name, now.monsters[Card("AH")].hp) == ("Moss Hound", 13)
    assert not now.monsters[Card("AH")].legend
    assert {card: one for card, one in now.monsters.items() if card != "AH"} == {
        card: one for card, one in before.monsters.items() if card != "AH"
    }


@pytest.mark.parametrize(
    ("spot", "answer", "why"),
    [
        ("holder", "no", "Every box has a holder"),
        ("AS", "none", "V1.2"),
        ("AS", "a dragon", "write a Monster as"),
        ("AS", "Dragon, HP 12, ATK 5", "HP 12 makes ATK 2 (V1.4)"),
        ("box", "much Glory", "Glory 12, 3 dungeons"),
        ("2S sharp", "perhaps", "yes or no, not “perhaps”"),
        ("retired", "perhaps", "yes or no, not “perhaps”"),
        ("name", "no", "V1.15"),
        ("2S untouchable", "yes", "V1.10"),
    ],
)
def test_what_cannot_stand_there_is_refused(spot: str, answer: str, why: str) -> None:
    with pytest.raises(RuleError) as refused:
        KEEPING.mend_record(MARKS, {spot: answer}, REASON)
    assert why in str(refused.value)


def test_a_sixth_label_on_a_monster_is_refused() -> None:
    five = {f"AS {name}": "yes" for name in ("swift", "greedy", "stinky", "twitchy", "tough")}
    marks = (*MARKS, *KEEPING.mend_record(MARKS, five, REASON))
    assert len(record(marks).monsters[Card("AS")].labels) == 5
    with pytest.raises(RuleError, match=r"V1\.13"):
        KEEPING.mend_record(marks, {"AS doom": "yes"}, REASON)


def test_a_name_has_no_blanks_around_it_and_is_never_empty() -> None:
    assert record((*MARKS, KEEPING.rename_record(MARKS, "  Tin Saints ", REASON))).name == "Tin Saints"
    with pytest.raises(RuleError, match=r"V1\.15"):
        KEEPING.rename_record(MARKS, "  ", REASON)


def test_a_beginning_can_be_told_otherwise_but_not_taken_back() -> None:
    assert KEEPING.correct_record(MARKS, 2, REASON, "Cy") == m.BandCorrected(2, REASON, "Cy")
    with pytest.raises(RuleError, match="founding of a band cannot be undone"):
        KEEPING.correct_record(MARKS, 1, REASON, "Cy")
