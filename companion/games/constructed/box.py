"""What should lie in the box of a constructed deck, and what is written on it: cards come and go with each version."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from typing import Final

from companion.games.action import NotationError, RuleError
from companion.games.constructed import marks as m
from companion.games.constructed.record import versions
from companion.games.deck_cards import DeckCard
from companion.games.reasons import Said
from companion.games.records import Corrected, Mark, effective
from companion.games.spots import PaperState, Spots, done_by_hand, follow

# Spots are stored in ticks, so these words are for ever: "name", "holder" and "retired" are on the box, and
# "main Ash Wolf" are the copies of a card in a part of the deck.
_ON_THE_BOX: Final = {
    "name": ("Write {} on the box", "Strike out the name on the box"),
    "holder": ("Give the box to {}", "Strike out who holds the box"),
    "retired": ("Write “retired” on the box", "Strike out “retired” on the box"),
}
_ABSENT: Final = frozenset({"", "no", "n", "-", "none", "0"})
_MOST: Final = 1000


def spot(part: str, name: str) -> str:
    """Where the copies of a card lie."""
    return f"{part} {name}"


def paper_state(marks: Sequence[Mark]) -> PaperState:
    """How far the box follows the marks."""
    return follow(BOX, marks)


def sheet(marks: Sequence[Mark]) -> Spots:
    """What lies in the box by all that was ticked off: the box, then its cards in the order of the list."""
    says = paper_state(marks).says
    listed = [spot(card.part, card.name) for version in versions(marks)[::-1] for card in version.cards]
    order = {name: place for place, name in enumerate(dict.fromkeys((*_ON_THE_BOX, *listed)))}
    return {name: says[name] for name in sorted(says, key=lambda name: order.get(name, len(order)))}


def question(where: str, text: str) -> str:
    """`main Ash Wolf: 4?`"""
    if where == "holder":
        return f"{text} holds it?"
    return f"On the box: {text}?" if where in _ON_THE_BOX else f"{where}: {text}?"


def read_spot(text: str) -> str:
    """A spot as people write it: `Main Ash Wolf`. Raises NotationError."""
    where = text.strip()
    if where.lower() in _ON_THE_BOX:
        return where.lower()
    part, _, name = where.partition(" ")
    if not name.strip():
        raise NotationError(f"“{text}”: write which card in which part of the deck, as in `main Ash Wolf`.")
    return spot(part.lower(), " ".join(name.split()))


def mended(marks: Sequence[Mark], seen: Spots, reason: Said, by: str = "") -> tuple[Mark, ...]:
    """The marks that make the record agree with a box: another version where its cards are others than listed.

    What was still to be done and is there already is ticked off. Raises RuleError where the box cannot be so.
    """
    state = paper_state(marks)
    told = {where: _canonical(where, text.strip()) for where, text in seen.items()}
    other = {where: said for where, said in told.items() if said != state.says.get(where, "")}
    wrong = {where: said for where, said in other.items() if said != state.should.get(where, "")}
    made = [_on_the_box(marks, where, said, reason, by) for where, said in wrong.items() if where in _ON_THE_BOX]
    if cards := {where: said for where, said in wrong.items() if where not in _ON_THE_BOX}:
        made.append(m.Rebuilt(_cards_seen(versions(marks)[-1].cards, cards), reason, by))
    due = [chore for chore in paper_state([*marks, *made]).due if other.get(chore.spot) == chore.value]
    return (*made, done_by_hand(due, by, seen=True)) if due else tuple(made)


def _canonical(where: str, said: str) -> str:
    """What stands at a spot in the words of the record. Raises RuleError where it cannot."""
    if said.lower() in _ABSENT:
        return ""
    if where == "retired":
        return "yes"
    if where in _ON_THE_BOX:
        return said
    if not (said.isascii() and said.isdecimal() and len(said) < len(str(_MOST)) + 1 and int(said) <= _MOST):
        raise RuleError(f"{where}: how many copies are there? “{said}” is no number up to {_MOST}.")
    return str(int(said))


def _on_the_box(marks: Sequence[Mark], where: str, said: str, reason: Said, by: str) -> Mark:
    if where == "name":
        return renamed(said, reason, by)
    if where == "holder":
        if not said:
            raise RuleError("Somebody holds every box; say who.")
        return m.HandedOn(said)
    if said:
        return m.Retired(by)
    number = next(number for number, mark in effective(marks) if isinstance(mark, m.Retired | m.Built))
    retired = [number for number, mark in effective(marks) if isinstance(mark, m.Retired)]
    if not retired:
        raise RuleError(f"The deck came with a passport that says it has retired (mark {number}).")
    return m.ConstructedCorrected(retired[-1], reason, by)


def renamed(name: str, reason: Said, by: str) -> m.Renamed:
    """The mark that gives a deck another name. Raises RuleError for an empty one."""
    if not name.strip():
        raise RuleError("A deck needs a name.")
    return m.Renamed(" ".join(name.split()), reason, by)


def _cards_seen(cards: Sequence[DeckCard], wrong: Spots) -> tuple[DeckCard, ...]:
    """A list with the copies that were counted; cards that it did not have are added to it."""
    known = {spot(card.part, card.name): card for card in cards}
    found = {where: (card, int(wrong.get(where, card.copies) or 0)) for where, card in known.items()}
    for where, said in wrong.items():
        part, _, name = where.partition(" ")
        found.setdefault(where, (DeckCard(part, 0, name), int(said or 0)))
    return tuple(DeckCard(card.part, copies, card.name, card.says) for card, copies in found.values() if copies)


class _Box:
    """The box of a constructed deck."""

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Change what should be in and on the box by one mark."""
        match mark:
            case m.Built() | m.Rebuilt():
                for where in [where for where in spots if where not in _ON_THE_BOX]:
                    del spots[where]
                spots.update({spot(card.part, card.name): str(card.copies) for card in mark.cards})
                if isinstance(mark, m.Built):
                    spots.update(_told_of(mark))
            case m.Renamed(name):
                spots["name"] = name
            case m.HandedOn(holder):
                spots["holder"] = holder
            case m.Retired():
                spots["retired"] = "yes"

    def settled(self, mark: Mark) -> Spots:
        """Who builds a deck has its cards in hand; only the name is still to be written."""
        if not isinstance(mark, m.Built):
            return {}
        cards = {spot(card.part, card.name): str(card.copies) for card in mark.cards}
        written = {"name": mark.name} if mark.story else {}
        return {**cards, **{where: text for where, text in _told_of(mark).items() if where != "name"}, **written}

    def text(self, where: str, value: str, mark: Mark) -> str:  # noqa: ARG002 – every box asks so
        """What to do, as a sentence without a full stop."""
        if where in _ON_THE_BOX:
            write, strike = _ON_THE_BOX[where]
            return write.format(value) if value else strike
        part, _, name = where.partition(" ")
        return f"Have {value} × {name} in {part}" if value else f"Take {name} out of {part}"


BOX: Final = _Box()


def _told_of(mark: m.Built) -> dict[str, str]:
    """What stands on the box besides its cards."""
    return {
        "name": mark.name,
        **({"holder": mark.holder} if mark.holder else {}),
        **({"retired": "yes"} if mark.retired else {}),
    }


def check_correction(marks: Sequence[Mark], correction: Corrected) -> None:
    """Raises RuleError where the marks would make no deck any more."""
    if not versions([*marks, correction]) or correction.of == 1:
        raise RuleError("A deck's beginning cannot be taken back; retiring the deck ends its life.")
