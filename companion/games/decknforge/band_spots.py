"""What a band's marks write on its cards and its box, and how that is asked for: “Stick Sharp on 7♠”."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Final

from companion.games.cards import Card, pretty
from companion.games.decknforge import marks as m
from companion.games.decknforge.names import title
from companion.games.decknforge.state import MONSTER_CARDS
from companion.games.records import Corrected, Mark
from companion.games.spots import PaperState, Spots, follow

# Spots: "name", "box", "holder" and "retired" are on the box; "AS" is what is written on that Monster's card, and
# "7S sharp" a label on a card. They are stored in ticks and passports, so these words are for ever, and so is the order
# in which a mark names its spots: ticks of before are read by it.
_STUCK: Final = "yes"
_BOX: Final = re.compile(r"Glory (\d+), (\d+) dungeons?")
_CREATURE: Final = re.compile(r"(.*), HP (\d+), ATK (\d+)(, ⭐)?")


def paper_state(marks: Sequence[Mark]) -> PaperState:
    """Where a band's paper stands after its marks."""
    return follow(PAPER, marks)


def creature_text(creature: m.Creature) -> str:
    """`Grave Wyrm, HP 18, ATK 3, ⭐`"""
    legend = ", ⭐" if creature.legend else ""
    return f"{creature.name}, HP {creature.hp}, ATK {creature.atk}{legend}"


def read_creature(card: Card, text: str) -> m.Creature | None:
    """The Monster that such a text describes; None where it is none."""
    found = _CREATURE.fullmatch(text.strip())
    if found is None:
        return None
    return m.Creature(card, found[1].strip(), int(found[2]), int(found[3]), legend=bool(found[4]))


def box_text(glory: int, dungeons: int) -> str:
    """`Glory 12, 3 dungeons`"""
    return f"Glory {glory}, {dungeons} dungeon{'' if dungeons == 1 else 's'}"


def read_box(text: str) -> tuple[int, int]:
    """Glory and dungeons as a box says them; 0 and 0 where it says nothing yet. Raises ValueError."""
    found = _BOX.fullmatch(text.strip())
    if found is None:
        if text.strip():
            raise ValueError(text)
        return 0, 0
    return int(found[1]), int(found[2])


class _Band:
    """The paper of a band."""

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Change what cards and box should say by one mark."""
        if isinstance(mark, m.Inscribed | m.CarriedIn):
            spots[f"{mark.card} {mark.inscription}"] = _STUCK
        elif isinstance(mark, m.CrossedOut | m.CarriedOff):
            spots.pop(f"{mark.card} {mark.inscription}", None)
        elif isinstance(mark, m.Labelled):
            spots[f"{mark.card} {mark.label}"] = _STUCK
        elif isinstance(mark, m.Peeled):
            spots.pop(f"{mark.card} {mark.label}", None)
        else:
            spots.update(_written(mark, spots.get("box", "")))

    def settled(self, mark: Mark) -> Spots:
        """A new band's box is in its builder's hands; an adopted one has everything but what was still due."""
        if isinstance(mark, m.Founded):
            return {"holder": mark.builder}
        if isinstance(mark, m.Adopted):
            there = {spot: text for spot, text in _adopted(mark).items() if spot not in mark.due}
            gone = {spot: _STUCK for spot in mark.due if spot not in _adopted(mark)}
            return there | gone
        return {}

    def text(self, spot: str, value: str, mark: Mark) -> str:
        """What to do, as a sentence without a full stop."""
        card, _, name = spot.partition(" ")
        if name and value:
            return _stick(Card(card), title(name), mark)
        if name:
            return _remove(Card(card), title(name), mark)
        if card in MONSTER_CARDS:
            return f"Write {value} on {pretty(Card(card))}" if value else f"Strike out {pretty(Card(card))}"
        return _ON_THE_BOX[spot].format(value) if value else _OFF_THE_BOX[spot]


PAPER: Final = _Band()


def _written(mark: Mark, box: str) -> Spots:
    """What a mark writes besides labels; `box` is what the box says of Glory and dungeons before."""
    match mark:
        case m.Founded():
            return {"name": mark.name, **_creatures(mark.creatures), "holder": mark.builder}
        case m.Adopted():
            return _adopted(mark)
        case m.Played():
            glory, dungeons = read_box(box)
            return {"box": box_text(glory + mark.glory, dungeons + 1)}
        case m.Counted():
            return {"box": box_text(mark.glory, mark.dungeons)}
        case m.Drifted():
            return {"holder": mark.holder}
        case m.Retired():
            return {"retired": _STUCK}
    return {}


_ON_THE_BOX: Final = {
    "name": "Write {} on the box",
    "box": "Write {} on the box",
    "holder": "Give the box to {}, and write that on its sheet",
    "retired": "Write “retired” on the box",
}
_OFF_THE_BOX: Final = {
    "name": "Strike out the name on the box",
    "box": "Strike out Glory and dungeons on the box",
    "holder": "Strike out who holds the box",
    "retired": "Strike out “retired” on the box",
}


def _stick(card: Card, name: str, mark: Mark) -> str:
    if isinstance(mark, m.CarriedIn):
        return f"Swap in the {pretty(card)} with {name}{_from(mark.band)}"
    again = " again" if isinstance(mark, Corrected) else ""
    return f"Stick {name} on {pretty(card)}{again}"


def _remove(card: Card, name: str, mark: Mark) -> str:
    if isinstance(mark, m.CarriedOff):
        to = f", into the box of {mark.band}" if mark.band else ""
        return f"Swap out the {pretty(card)} with {name}{to}"
    return f"Cross out {name} on {pretty(card)}"


def _from(band: str) -> str:
    return f", from the box of {band}" if band else ""


def _creatures(creatures: Sequence[m.Creature]) -> Mapping[str, str]:
    return {creature.card: creature_text(creature) for creature in creatures}


def _adopted(mark: m.Adopted) -> dict[str, str]:
    """Everything that stands on an adopted band's cards and box."""
    on_cards = (*mark.inscribed.items(), *mark.labels.items())
    holder = mark.holders[-1] if mark.holders else mark.builder
    return {
        "name": mark.name,
        "holder": holder,
        **_creatures(mark.creatures),
        **{f"{card} {name}": _STUCK for card, names in on_cards for name in names},
        **({"box": box_text(mark.glory, mark.dungeons)} if mark.glory or mark.dungeons else {}),
        **({"retired": _STUCK} if mark.retired else {}),
    }
