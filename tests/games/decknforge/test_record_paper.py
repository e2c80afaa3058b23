"""A band's record and the cards in its box: who does every chore by hand has the deck that the record describes."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.decknforge import marks as m
from companion.games.decknforge.founding import misplaced
from companion.games.decknforge.inscriptions import INSCRIPTIONS
from companion.games.decknforge.keeping import KEEPING
from companion.games.decknforge.labels import LABELS, MOST_LABELS
from companion.games.decknforge.record import BandRecord, record
from companion.games.decknforge.state import MONSTER_CARDS
from companion.games.decknforge.story import paper_state, story
from companion.tabletop.action import RuleError
from companion.tabletop.cards import PACK, Card
from companion.tabletop.keeping import ticked
from companion.tabletop.records import Done, Mark
from tests.examples import examples
from tests.games.decknforge.paper import PaperBand, on_paper

PEOPLE = ("Ana", "Ben", "Cy")
COMBAT = (*[card for card in PACK if card not in MONSTER_CARDS][:6], Card("KS"), Card("QH"))
FOUNDED = m.Founded(
    "Grave Choir", "Ana", tuple(m.Creature(card, f"Beast {card}", 12, 2, card == "AS") for card in MONSTER_CARDS)
)


class Life:
    """A band's marks, and beside them the paper on which somebody does what is ticked off."""

    def __init__(self) -> None:
        self.marks: list[Mark] = [FOUNDED, m.Inscribed(Card("2S"), "sharp", "start", "Ana")]
        self.paper = PaperBand("Ana")

    @property
    def band(self) -> BandRecord:
        return record(self.marks)

    def tick(self, data: st.DataObject, everything: bool = False) -> None:
        """Do some of the chores by hand and tick them off, or all."""
        due = KEEPING.chores(self.marks)
        chosen = due if everything else [chore for chore in due if data.draw(st.booleans())]
        if chosen:
            self.marks.append(ticked(due, [chore.id for chore in chosen]))
        for chore in chosen:
            self.paper.do(chore.text)

    def evening(self, data: st.DataObject) -> None:
        """What a sealed game could write."""
        glory = data.draw(st.integers(0, 6))
        marks: list[Mark] = [*self._labels(data), m.Played("Ana", "win", 6, glory)]
        self.marks += marks
        for change in data.draw(st.lists(st.sampled_from([self._lose, self._gain, self._carry]), max_size=3)):
            change(data)
        if data.draw(st.booleans()):
            self.marks.append(m.Drifted(data.draw(st.sampled_from(PEOPLE))))
        if not self.band.inscribed and not self.band.retired:
            self.marks.append(m.Retired("sharp", "Ana"))

    def _labels(self, data: st.DataObject) -> list[Mark]:
        card = data.draw(st.sampled_from(MONSTER_CARDS))
        worn = self.band.monsters[card].labels
        label = data.draw(st.sampled_from(sorted(LABELS)))
        return [m.Labelled(card, label, "Ben")] if label not in worn and len(worn) < MOST_LABELS else []

    def _lose(self, data: st.DataObject) -> None:
        if present := self.band.inscribed:
            card = data.draw(st.sampled_from(sorted(present)))
            self.marks += [m.CrossedOut(card, name, "faded") for name in present[card]]

    def _gain(self, data: st.DataObject) -> None:
        card, name = data.draw(st.sampled_from(COMBAT)), data.draw(st.sampled_from(sorted(INSCRIPTIONS)))
        if not misplaced(name, card, self.band.inscribed.get(card, ())):
            self.marks.append(m.Inscribed(card, name, "bought", "Ana"))

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
            self.marks.append(KEEPING.corrected(self.marks, number, "a slip"))
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
    corrections = KEEPING.mended(life.marks, answers, "looked through")
    now = paper_state([*life.marks, *corrections])
    assert all(now.should.get(spot, "") == now.says.get(spot, "") == "" for spot in answers)
    assert KEEPING.mended([*life.marks, *corrections], answers, "looked again") == ()
