"""A band on paper, and somebody who does what they are told to it: no record, only cards, labels and a box."""

import re
from collections import Counter

from companion.games.decknforge.decks.record import BandRecord
from companion.games.decknforge.decks.story import box_text
from companion.games.decknforge.glossary import title
from companion.tabletop.notation.cards import PACK, Card, pretty

Band = dict[str, object]
_CARDS = {pretty(card): card for card in PACK}
_BOX = (
    (r"Write (Glory \d+, \d+ dungeons?) on the box", "box", ""),
    (r"Write “retired” on the box", "retired", "yes"),
    (r"Write (.+) on the box", "name", ""),
    (r"Give the box to (.+), and write that on its sheet", "holder", ""),
)
_OFF_THE_BOX = (
    ("Cross out “retired” on the box", "retired"),
    ("Cross out Glory and dungeons on the box", "box"),
)


class PaperBand:
    """Cards with what is written and stuck on them. Doing what cannot be done to paper fails."""

    def __init__(self, holder: str) -> None:
        self.stuck: Counter[tuple[Card, str]] = Counter()
        self.monsters: dict[Card, str] = {}
        self.box: dict[str, str] = {"holder": holder}

    @classmethod
    def of(cls, band: BandRecord) -> "PaperBand":
        """The box of a band on which everything was done by hand already."""
        paper = cls(band.holder)
        paper.stuck.update(_stuck(band))
        paper.monsters = _monsters(band)
        paper.box = _box(band)
        return paper

    def do(self, task: str) -> None:
        """Do one chore as it is worded."""
        for wording, spot, value in _BOX:
            if match := re.fullmatch(wording, task):
                self.box[spot] = value or match[1]
                return
        for wording, spot in _OFF_THE_BOX:
            if task == wording:
                del self.box[spot]
                return
        if match := re.fullmatch(r"Stick (.+) on (.+?)(?: again)?", task):
            self._stick(_CARDS[match[2]], match[1])
        elif match := re.fullmatch(r"Swap in the (.+?) with (.+?)(?:, from the box of .+)?", task):
            self._stick(_CARDS[match[1]], match[2])
        elif match := re.fullmatch(r"Cross out (.+) on (.+)", task):
            self._remove(_CARDS[match[2]], match[1])
        elif match := re.fullmatch(r"Leave (.+) off (.+), or cross it out if it is stuck already", task):
            self.stuck.pop((_CARDS[match[2]], match[1]), None)
        elif match := re.fullmatch(r"Swap out the (.+?) with (.+?)(?:, into the box of .+)?", task):
            self._remove(_CARDS[match[1]], match[2])
        else:
            match = re.fullmatch(r"Write (.+) on (.+)", task)
            assert match, f"Nobody understands “{task}”."
            self.monsters[_CARDS[match[2]]] = match[1]

    def _stick(self, card: Card, name: str) -> None:
        assert not self.stuck[card, name], f"{name} is on {card} already"
        self.stuck[card, name] = 1

    def _remove(self, card: Card, name: str) -> None:
        assert self.stuck.pop((card, name), 0), f"{name} is not on {card}"

    def reads(self) -> Band:
        """What somebody who opens the box sees."""
        return {"stuck": set(self.stuck), "monsters": self.monsters, **self.box}


def on_paper(band: BandRecord) -> Band:
    """What somebody must see who opens the box of the band as its record says it is today."""
    return {"stuck": _stuck(band), "monsters": _monsters(band), **_box(band)}


def _stuck(band: BandRecord) -> set[tuple[Card, str]]:
    names = [(card, name) for card, present in band.inscribed.items() for name in present]
    names += [(card, label) for card, monster in band.monsters.items() for label in monster.labels]
    return {(card, title(name)) for card, name in names}


def _monsters(band: BandRecord) -> dict[Card, str]:
    return {
        card: f"{one.name}, HP {one.hp}, ATK {one.atk}{', ⭐' if one.legend else ''}"
        for card, one in band.monsters.items()
    }


def _box(band: BandRecord) -> dict[str, str]:
    box = {"name": band.name, "holder": band.holder}
    if band.dungeons or band.glory:
        box["box"] = box_text(band.glory, band.dungeons)
    if band.retired:
        box["retired"] = "yes"
    return box
