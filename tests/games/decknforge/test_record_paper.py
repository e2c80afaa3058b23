"""A band's record and the cards in its box: who does every chore by hand has the deck that the record describes."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.decknforge.book.founding import placement_error
from companion.games.decknforge.book.inscriptions import INSCRIPTIONS
from companion.games.decknforge.book.labels import LABELS, MOST_LABELS
from companion.games.decknforge.book.state import MONSTER_CARDS
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.keeping import KEEPING
from companion.games.decknforge.decks.record import BandRecord, record
from companion.games.decknforge.decks.story import paper_state, story
from companion.tabletop.action import RuleError
from companion.tabletop.decks.keeping import tick_chores
from companion.tabletop.notation.cards import PACK, Card
from companion.tabletop.records import Done, Mark
from tests.examples import examples
from tests.games.decknforge.paper import PaperBand, on_paper

PEOPLE = ("Ana", "Ben", "Cy")
COMBAT = (*[card for card in PACK if card not in MONSTER_CARDS][:6], Card("KS"), Card("QH"))
FOUNDED = m.BandFounded(
    "Grave Choir", "Ana", tuple(m.FoundedMonster(card, f"Beast {card}", 12, 2, card == "AS") for card in MONSTER_CARDS)
)


class Life:
    """A band's marks, and beside them the paper on which somebody does what is ticked off."""

    def __init__(self) -> None:
        self.marks: list[Mark] = [FOUNDED, m.CardInscribed(Card("2S"), "sharp", "start", "Ana")]
        self.paper = PaperBand("Ana")

    @property
    def band(self) -> BandRecord:
        return record(self.marks)

    def tick(self, data: st.DataObject, everything: bool = False) -> None:
        """Do some of the chores by hand and tick them off, or all."""
        due = KEEPING.chores(self.marks)
        chosen = due if everything else [chore for chore in due if data.draw(st.booleans())]
        if chosen:
            self.marks.append(tick_chores(due, [chore.id for chore in chosen]))
        for chore in chosen:
            self.paper.do(str(chore.text))

    def evening(self, data: st.DataObject) -> None:
        """What a sealed game could write."""
        glory = data.draw(st.integers(0, 6))
        marks: list[Mark] = [*self._labels(data), m.DungeonPlayed("Ana", "win", 6, glory)]
        self.marks += marks
        for change in data.draw(st.lists(st.sampled_from([self._lose, self._gain, self._carry]), max_size=3)):
            change(data)
        if data.draw(st.booleans()):
            self.marks.append(m.Drifted(data.draw(st.sampled_from(PEOPLE))))
        if not self.band.inscribed and not self.band.retired:
            self.marks.append(m.BandRetired("sharp", "Ana"))

    def _labels(self, data: st.DataObject) -> list[Mark]:
        card = data.draw(st.sampled_from(MONSTER_CARDS))
        worn = self.band.monsters[card].labels
        label = data.draw(st.sampled_from(sorted(LABELS)))
        return [m.Labelled(card, label, "Ben")] if label not in worn and len(worn) < MOST_LABELS else []

    def _lose(self, data: st.DataObject) -> None:
        if present := self.band.inscribed:
            card = data.draw(st.sampled_from(sorted(present)))
            self.marks += [m.InscriptionCrossedOut(card, name, "faded") for name in present[card]]

    def _gain(self, data: st.DataObject) -> None:
        card, name = data.draw(st.sampled_from(COMBAT)), data.draw(st.sampled_from(sorted(INSCRIPTIONS)))
        if not placement_error(name, card, self.band.inscribed.get(card, ())):
            self.marks.append(m.CardInscribed(card, name, "bought", "Ana"))

    def _carry(self, data: st.DataObject) -> None:
        if present := self.band.inscribed:
            card = data.draw(st.sampled_from(sorted(present)))
            self.marks += [m.CarriedOff(card, name, "Salt and Iron") for name in present[card]]
            self.marks.append(m.CarriedIn(card, "sharp" if "sharp" not in present[card] else "quick", "Salt and Iron"))

    def correct(self, data: st.DataObject) -> None:
        """Take back any mark that can be taken back, a correction too; not a tick, for what it says was done."""
        number = data.draw(st.integers(1, len(self.marks)))
        if isinstance(self.marks[number - 1], Done):
            return
        try:
            self.marks.append(KEEPING.correct_record(self.marks, number, "a slip"))
        except RuleError:
            return


@settings(max_examples=examples(150))
@given(st.data())
def test_the_paper_is_as_the_record_says_after_all_chores(data: st.DataObject) -> None:
    life = Life()
    steps: list[Callable[[st.DataObject], None]] = [life.evening, life.tick, life.correct]
    for step in data.draw(st.lists(st.sampled_from(steps), max_size=12)):
        step(data)
    life.tick(data, everything=True)
    assert life.paper.reads() == on_paper(life.band)
    assert KEEPING.chores(life.marks) == ()
    assert len(story(life.marks)) == len(life.marks)


SHARP = m.CardInscribed(Card("9S"), "sharp", "bought", "Ana")
SWIFT = m.Labelled(Card("AS"), "swift", "Ben")
FADED = m.InscriptionCrossedOut(Card("9S"), "sharp", "faded")
TAKEN_BACK = m.BandCorrected(3, "never so")
LEAVE_SHARP = "Leave Sharp off 9♠, or cross it out if it is stuck already"
LEAVE_SWIFT = "Leave Swift off A♠, or cross it out if it is stuck already"


@pytest.mark.parametrize(
    ("gained", "lost", "text"),
    [
        (SHARP, FADED, LEAVE_SHARP),
        (SHARP, m.InscriptionCrossedOut(Card("9S"), "sharp", "cursed"), LEAVE_SHARP),
        (SHARP, TAKEN_BACK, LEAVE_SHARP),
        (SWIFT, TAKEN_BACK, LEAVE_SWIFT),
    ],
)
@pytest.mark.parametrize("stuck", [True, False])
def test_a_label_that_goes_before_it_was_ticked_may_be_stuck_all_the_same(
    gained: Mark, lost: Mark, text: str, stuck: bool
) -> None:
    life = Life()
    life.marks.append(gained)
    before = KEEPING.chores(life.marks)
    if stuck:
        life.paper.do(str(before[-1].text))
    life.marks.append(lost)
    due = KEEPING.chores(life.marks)
    assert due[:-1] == before[:-1]
    assert (due[-1].id, str(due[-1].text)) == ("4.1", text)
    for chore in due:
        life.paper.do(str(chore.text))
    assert life.paper.reads() == on_paper(life.band)
    life.marks.append(tick_chores(due, ["4.1"]))
    assert KEEPING.chores(life.marks) == due[:-1]
    assert f"{text[0].lower()}{text[1:]}." in story(life.marks)[-1]
    life.marks.append(m.BandCorrected(5, "not yet"))
    assert KEEPING.chores(life.marks) == due


@pytest.mark.parametrize(
    ("gained", "lost"),
    [
        (SHARP, m.InscriptionCrossedOut(Card("9S"), "sharp", "found", "Cy", "looked")),
        (SWIFT, m.Peeled(Card("AS"), "swift", "Cy", "looked")),
        (SHARP, m.CarriedOff(Card("9S"), "sharp", "Salt and Iron")),
    ],
)
def test_what_somebody_saw_and_what_left_with_its_card_is_not_asked_about(gained: Mark, lost: Mark) -> None:
    marks = [FOUNDED, gained, lost]
    assert [chore for chore in KEEPING.chores(marks) if chore.mark > 1] == []


def test_a_label_that_comes_again_is_stuck_and_one_that_was_ticked_is_crossed_out() -> None:
    marks: list[Mark] = [FOUNDED, SHARP, FADED, SHARP]
    due = KEEPING.chores(marks)
    assert (due[-1].id, str(due[-1].text)) == ("4.1", "Stick Sharp on 9♠")
    marks += [tick_chores(due, ["4.1"]), FADED]
    assert str(KEEPING.chores(marks)[-1].text) == "Cross out Sharp on 9♠"
    marks += [tick_chores(KEEPING.chores(marks), ["all"])]
    assert KEEPING.chores(marks) == ()


@pytest.mark.parametrize(("seen", "left"), [("no", {}), ("yes", {Card("9S"): ("sharp",)})])
def test_whoever_looks_at_the_card_settles_it(seen: str, left: dict[Card, tuple[str, ...]]) -> None:
    marks: list[Mark] = [FOUNDED, SHARP, FADED]
    marks += KEEPING.mend_record(marks, {"9S sharp": seen}, "looked")
    assert [chore for chore in KEEPING.chores(marks) if chore.mark > 1] == []
    assert record(marks).inscribed == left


@settings(max_examples=examples(60))
@given(st.data())
def test_looking_through_the_box_mends_the_record(data: st.DataObject) -> None:
    life = Life()
    for step in data.draw(st.lists(st.sampled_from([life.evening, life.tick]), max_size=6)):
        step(data)
    answers = {}
    for spot, text in KEEPING.paper(life.marks).items():
        if " " in spot and data.draw(st.booleans()):
            answers[spot] = "no" if text else "yes"
    corrections = KEEPING.mend_record(life.marks, answers, "looked through")
    now = paper_state([*life.marks, *corrections])
    assert all(now.should.get(spot, "") == now.says.get(spot, "") == "" for spot in answers)
    assert KEEPING.mend_record([*life.marks, *corrections], answers, "looked again") == ()
