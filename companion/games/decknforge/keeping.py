"""Bands that are kept: what any deck is asked, and looking through their boxes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from companion.games.decknforge import founding, passport, standard, story
from companion.games.decknforge import marks as m
from companion.games.decknforge import story as band_spots
from companion.games.decknforge.record import BandRecord, record
from companion.games.decknforge.state import MONSTER_CARDS, join_words
from companion.tabletop.action import NotationError, RuleError
from companion.tabletop.cards import PACK, Card, pretty, read_card
from companion.tabletop.form import refuse_errors
from companion.tabletop.keeping import Keeping, Spots, done_by_hand
from companion.tabletop.records import Corrected, Mark, ReasonOrText, effective

_ON_THE_BOX = ("name", "box", "holder", "retired")
_ABSENT = frozenset({"", "no", "n", "-", "none"})
_PRESENT = frozenset({"yes", "y"})
_MOST_CORRECTIONS = 3


def sheet(marks: Sequence[Mark]) -> Spots:
    """What cards and box say by all that was ticked off, in the order of the box: the box, Monsters, then the cards."""
    says = story.paper_state(marks).says
    return {spot: says[spot] for spot in sorted(says, key=_order)}


def _order(spot: str) -> tuple[int, str]:
    card = Card(spot.partition(" ")[0])
    if card in MONSTER_CARDS:
        return len(_ON_THE_BOX) + MONSTER_CARDS.index(card), spot
    return (len(PACK) + PACK.index(card), spot) if card in PACK else (_ON_THE_BOX.index(spot), "")


def question(spot: str, text: str) -> str:
    """`7♠: Sharp?`"""
    card, _, name = spot.partition(" ")
    if name:
        return f"{pretty(Card(card))}: {standard.title(name)}?"
    if card in PACK:
        return f"{pretty(Card(card))}: {text}?"
    return {"name": f"On the box: {text}?", "holder": f"{text} holds it?", "retired": "“retired” on the box?"}.get(
        spot, f"On the box: {text}?"
    )


def read_spot(text: str) -> str:
    """A spot as people write it (`7s Sharp`, `glory`) in its canonical form. Raises NotationError."""
    card, _, name = text.strip().partition(" ")
    if card.lower() in _ON_THE_BOX and not name:
        return card.lower()
    on = read_card(card)
    if not name:
        if on not in MONSTER_CARDS:
            raise NotationError(f"“{text}”: say what stands on {pretty(on)}, as in `7S sharp`.")
        return on
    return f"{on} {standard.label(name) if on in MONSTER_CARDS else standard.inscription(name)}"


def mended(marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str = "") -> tuple[Mark, ...]:
    """The marks that make the record agree with a box; `seen` says of the spots looked at what stands there.

    What was still to be done and is there already is ticked off. Raises RuleError where the box cannot be so.
    """
    made: list[Mark] = []
    says = story.paper_state(marks).says
    told = {spot: _canonical(spot, text.strip()) for spot, text in seen.items()}
    other = {spot: said for spot, said in told.items() if said != says.get(spot, "")}
    for spot, said in other.items():
        # Of an inscription that stands there more than once in the record, each needs a correction of its own.
        for _ in range(_MOST_CORRECTIONS):
            made += _corrections([*marks, *made], spot, said, reason, by)
    due = [chore for chore in story.paper_state([*marks, *made]).due if chore.spot in other]
    return (*made, done_by_hand(due, by, seen=True)) if due else tuple(made)


def _canonical(spot: str, said: str) -> str:
    """What stands on a spot in the words of the record. Raises RuleError where it cannot stand there."""
    if said.lower() in _ABSENT:
        return ""
    if " " in spot or spot == "retired":
        if said.lower() not in _PRESENT:
            raise RuleError(f"{question(spot, said)} The answer is yes or no, not “{said}”.")
        return "yes"
    if spot == "box":
        return story.box_text(*_box(said))
    if spot in MONSTER_CARDS:
        return story.creature_text(_seen_creature(Card(spot), said))
    return said


def _corrections(marks: Sequence[Mark], spot: str, said: str, reason: ReasonOrText, by: str) -> Iterator[Mark]:
    """The marks after which the record says of a spot what the box says."""
    card, _, name = spot.partition(" ")
    if story.paper_state(marks).should.get(spot, "") == said:
        return
    if name:
        yield from _label(marks, Card(card), name, bool(said), reason, by)
    elif card in MONSTER_CARDS:
        yield _creature(marks, Card(card), said, reason, by)
    elif spot == "box":
        yield m.Counted(*_box(said), reason, by)
    elif spot == "holder":
        if not said:
            raise RuleError("Somebody holds every box; say who.")
        yield m.Drifted(said)
    elif spot == "retired":
        yield _retired(marks, bool(said), reason, by)
    else:
        yield renamed(marks, said, reason, by)


def _label(marks: Sequence[Mark], card: Card, name: str, there: bool, reason: ReasonOrText, by: str) -> Iterator[Mark]:
    """A label or an inscription that is there against the record, or not there."""
    on_monster = card in MONSTER_CARDS
    kinds: tuple[type[Mark], ...] = (
        ((m.Peeled,) if there else (m.Labelled,))
        if on_monster
        else ((m.CrossedOut, m.CarriedOff) if there else (m.Inscribed, m.CarriedIn))
    )
    wrong = _last(marks, kinds, card, name)
    if wrong is not None:
        yield m.BandCorrected(wrong, reason, by)
        return
    band = record(marks)
    if on_monster:
        _check_labels(band, card, name, there)
        yield m.Labelled(card, name, by, reason) if there else m.Peeled(card, name, by, reason)
    elif there:
        if why := founding.misplaced(name, card, band.inscribed.get(card, ())):
            raise RuleError(f"{why}; look again, or mend first what stands there by the record.")
        yield m.Inscribed(card, name, "found", by, reason=reason)
    else:
        yield m.CrossedOut(card, name, "found", by, reason)


def _check_labels(band: BandRecord, card: Card, name: str, there: bool) -> None:
    if there:
        refuse_errors(founding.label_findings(card, (*band.monsters[card].labels, name)))


def _last(marks: Sequence[Mark], kinds: tuple[type[Mark], ...], card: Card, name: str) -> int | None:
    """The last mark in force of these kinds on this card and name, by its number."""
    found = None
    for number, mark in effective(marks):
        if isinstance(mark, kinds) and (mark.card, _name_on(mark)) == (card, name):  # type: ignore[attr-defined]
            found = number
    return found


def _name_on(mark: Mark) -> str:
    return str(getattr(mark, "inscription", "") or getattr(mark, "label", ""))


def _rewritten(marks: Sequence[Mark], reason: ReasonOrText, by: str, **fields: Any) -> Mark:
    """The correction of a band's beginning; of several, the newest counts."""
    beginning = next(mark for _, mark in effective(marks) if isinstance(mark, m.Founded | m.Adopted))
    return m.BandCorrected(1, reason, by, msgspec.structs.replace(beginning, **fields))


def renamed(marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:
    """The correction that gives a band another name. Raises RuleError for an empty one (V1.15)."""
    refuse_errors(founding.name_findings(name))
    return _rewritten(marks, reason, by, name=name.strip())


def _creature(marks: Sequence[Mark], card: Card, said: str, reason: ReasonOrText, by: str) -> Mark:
    if not said:
        raise RuleError(f"{pretty(card)}: every Monster has something written on its card; say what (V1.2).")
    beginning = next(mark for _, mark in effective(marks) if isinstance(mark, m.Founded | m.Adopted))
    seen = _seen_creature(card, said)
    others = tuple(seen if creature.card == card else creature for creature in beginning.creatures)
    return _rewritten(marks, reason, by, creatures=others)


def _seen_creature(card: Card, said: str) -> m.Creature:
    seen = story.read_creature(card, said)
    if seen is None:
        raise RuleError(
            f"{pretty(card)}: write a Monster as `Grave Wyrm, HP 18, ATK 3`, with `, ⭐` if it is a Legend."
        )
    if seen.atk != founding.monster_atk(seen.hp):
        raise RuleError(f"{pretty(card)}: HP {seen.hp} makes ATK {founding.monster_atk(seen.hp)} (V1.4).")
    return seen


def _box(said: str) -> tuple[int, int]:
    try:
        return story.read_box(said)
    except ValueError:
        raise RuleError(f"“{said}” is not what a box says; write it as `Glory 12, 3 dungeons`.") from None


def _retired(marks: Sequence[Mark], there: bool, reason: ReasonOrText, by: str) -> Mark:
    if there:
        return m.Retired(by=by)
    number = next((number for number, mark in effective(marks) if isinstance(mark, m.Retired)), None)
    if number is None:
        return _rewritten(marks, reason, by, retired=False)
    return m.BandCorrected(number, reason, by)


class BandKeeping(Keeping):
    """See `companion.tabletop.keeping.Keeping`."""

    example = "7S sharp: yes"
    spots = band_spots.PAPER
    correction = m.BandCorrected

    def paper(self, marks: Sequence[Mark]) -> Spots:
        """The box, its Monsters, then its cards."""
        return sheet(marks)

    def question(self, spot: str, text: str) -> str:
        """`7♠: Sharp?`"""
        return question(spot, text)

    def read_spot(self, text: str) -> str:
        """`7s Sharp` → `7S sharp`"""
        return read_spot(text)

    def mended(self, marks: Sequence[Mark], seen: Spots, reason: ReasonOrText, by: str = "") -> tuple[Mark, ...]:
        """Mismatches become corrections."""
        return mended(marks, seen, reason, by)

    def check_correction(self, marks: Sequence[Mark], correction: Corrected) -> None:
        """Any mark but the first; that one is told otherwise by a new name or by looking through the box."""
        after = record([*marks, correction]) if correction.of > 1 else None
        if after is None or not after.name:
            raise RuleError(
                "A band's beginning cannot be taken back; rename the band, look through its box, or retire it."
            )

    def renamed(self, marks: Sequence[Mark], name: str, reason: ReasonOrText, by: str = "") -> Mark:
        """The beginning, told with another name (V1.15)."""
        return renamed(marks, name, reason, by)

    def retired(self, marks: Sequence[Mark], heirloom: str, by: str = "") -> Mark:
        """R1.81, or because its people let it rest; an heirloom must be of its history (A1.64)."""
        band = record(marks)
        if band.retired:
            raise RuleError(f"{band.name} has retired already.")
        left = standard.inscription(heirloom) if heirloom else ""
        if left and left not in band.history:
            borne = join_words(dict.fromkeys(band.history)) or "nothing"
            raise RuleError(f"{band.name} never bore {left}; its heirloom is one of {borne} (A1.64).")
        return m.Retired(left, by)

    def packed(self, marks: Sequence[Mark]) -> Iterator[Any]:
        """For a passport."""
        return passport.packed(marks)

    def unpacked(self, content: Any, story: str, length: int, by: str = "") -> tuple[Mark, ...]:
        """From a passport."""
        return passport.unpacked(content, story, length, by)


KEEPING: Final = BandKeeping()
