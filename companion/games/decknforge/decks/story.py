"""A band's life in sentences, and the spots on its cards and box that its marks write on."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any, Final

from companion.games.decknforge.book.effect import EffectBook
from companion.games.decknforge.book.standard import STANDARD
from companion.games.decknforge.book.state import MONSTER_CARDS, count_of
from companion.games.decknforge.decks import marks as m
from companion.games.decknforge.decks.record import record
from companion.games.decknforge.glossary import GLOSSARY
from companion.tabletop.decks.keeping import PaperState, Spots, follow
from companion.tabletop.notation.cards import Card, pretty
from companion.tabletop.records import Corrected, Mark, ReasonOrText, RecordStory

# Spots: "name", "box", "holder" and "retired" are on the box; "AS" is the text on that Monster's card, and "7S sharp" a
# label on a card. They are stored in ticks and passports, so these words are permanent, and so is the order in which a
# mark names its spots: older ticks are read by it.
_STUCK: Final = "yes"
_BOX: Final = re.compile(r"Glory (\d+), (\d+) dungeons?")
_CREATURE: Final = re.compile(r"(.*), HP (\d+), ATK (\d+)(, ⭐)?")


def paper_state(marks: Sequence[Mark]) -> PaperState:
    """Return the state of a band's paper after its marks."""
    return follow(PAPER, marks)


def creature_text(creature: m.FoundedMonster) -> str:
    """Return a Monster as text: `Grave Wyrm, HP 18, ATK 3, ⭐`."""
    legend = ", ⭐" if creature.legend else ""
    return f"{creature.name}, HP {creature.hp}, ATK {creature.atk}{legend}"


def read_creature(card: Card, text: str) -> m.FoundedMonster | None:
    """Return the Monster that such a text describes, or None."""
    match = _CREATURE.fullmatch(text.strip())
    if match is None:
        return None
    return m.FoundedMonster(card, match[1].strip(), int(match[2]), int(match[3]), legend=bool(match[4]))


def box_text(glory: int, dungeons: int) -> str:
    """Return Glory and dungeons as text: `Glory 12, 3 dungeons`."""
    return f"Glory {glory}, {count_of(dungeons, 'dungeon')}"


def read_box(text: str) -> tuple[int, int]:
    """Read Glory and dungeons from the text on a box; 0 and 0 if it is empty. Raises ValueError."""
    match = _BOX.fullmatch(text.strip())
    if match is None:
        if text.strip():
            raise ValueError(text)
        return 0, 0
    return int(match[1]), int(match[2])


class BandSpots:
    """The paper of a band; the book supplies the titles of labels."""

    def __init__(self, book: EffectBook) -> None:
        self._book = book

    def write(self, spots: MutableMapping[str, str], mark: Mark) -> None:
        """Apply a mark to the texts that cards and box should have."""
        if isinstance(mark, m.CardInscribed | m.CarriedIn):
            spots[f"{mark.card} {mark.inscription}"] = _STUCK
        elif isinstance(mark, m.InscriptionCrossedOut | m.CarriedOff):
            spots.pop(f"{mark.card} {mark.inscription}", None)
        elif isinstance(mark, m.Labelled):
            spots[f"{mark.card} {mark.label}"] = _STUCK
        elif isinstance(mark, m.Peeled):
            spots.pop(f"{mark.card} {mark.label}", None)
        else:
            spots.update(_spots_written(mark, spots.get("box", "")))

    def immediate_spots(self, mark: Mark) -> Spots:
        """Return the spots that need no chore: a new band's holder, and all but the `due` spots of an adopted band."""
        if isinstance(mark, m.BandFounded):
            return {"holder": mark.builder}
        if isinstance(mark, m.BandAdopted):
            there = {spot: text for spot, text in _adopted_spots(mark).items() if spot not in mark.due}
            gone = {spot: _STUCK for spot in mark.due if spot not in _adopted_spots(mark)}
            return there | gone
        return {}

    def text(self, spot: str, value: str, mark: Mark) -> str:
        """Return the chore as a sentence without a full stop."""
        card, _, name = spot.partition(" ")
        if name:
            return _label_task(Card(card), self.title(spot), bool(value), mark)
        if card in MONSTER_CARDS:
            return f"Write {value} on {pretty(Card(card))}" if value else f"Strike out {pretty(Card(card))}"
        return _ON_THE_BOX[spot].format(value) if value else _OFF_THE_BOX[spot]

    def text_if_there(self, spot: str, mark: Mark) -> str:
        """Return the chore for a label not ticked off as stuck; "" after an audit, or if the card leaves."""
        card, _, name = spot.partition(" ")
        crossed_out = isinstance(mark, m.InscriptionCrossedOut) and mark.why != "found"
        if not name or not (crossed_out or isinstance(mark, Corrected)):
            return ""
        return f"Leave {self.title(spot)} off {pretty(Card(card))}, or cross it out if it is stuck already"

    def title(self, spot: str) -> str:
        """Return the title of the label on a spot."""
        card, _, name = spot.partition(" ")
        on_monster = card in MONSTER_CARDS
        return self._book.label_title(name) if on_monster else self._book.inscription_title(name)


PAPER: Final = BandSpots(STANDARD)


def _spots_written(mark: Mark, box: str) -> Spots:
    """Return the spots that a mark writes besides labels; `box` is the text on the box before."""
    match mark:
        case m.BandFounded():
            return {"name": mark.name, **_creature_texts(mark.creatures), "holder": mark.builder}
        case m.BandAdopted():
            return _adopted_spots(mark)
        case m.DungeonPlayed():
            glory, dungeons = read_box(box)
            return {"box": box_text(glory + mark.glory, dungeons + 1)}
        case m.BoxCounted():
            return {"box": box_text(mark.glory, mark.dungeons)}
        case m.Drifted():
            return {"holder": mark.holder}
        case m.BandRetired():
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


def _label_task(card: Card, name: str, comes: bool, mark: Mark) -> str:
    """Return the chore of a mark on a card: its label is added or removed."""
    match mark, comes:
        case m.CarriedIn(), True:
            return f"Swap in the {pretty(card)} with {name}{f', from the box of {mark.band}' if mark.band else ''}"
        case m.CarriedOff(), False:
            return f"Swap out the {pretty(card)} with {name}{f', into the box of {mark.band}' if mark.band else ''}"
        case _, False:
            return f"Cross out {name} on {pretty(card)}"
    return f"Stick {name} on {pretty(card)}{' again' if isinstance(mark, Corrected) else ''}"


def _creature_texts(creatures: Sequence[m.FoundedMonster]) -> Mapping[str, str]:
    return {creature.card: creature_text(creature) for creature in creatures}


def _adopted_spots(mark: m.BandAdopted) -> dict[str, str]:
    """Return all texts on an adopted band's cards and box."""
    on_cards = (*mark.inscribed.items(), *mark.labels.items())
    holder = mark.holders[-1] if mark.holders else mark.builder
    return {
        "name": mark.name,
        "holder": holder,
        **_creature_texts(mark.creatures),
        **{f"{card} {name}": _STUCK for card, names in on_cards for name in names},
        **({"box": box_text(mark.glory, mark.dungeons)} if mark.glory or mark.dungeons else {}),
        **({"retired": _STUCK} if mark.retired else {}),
    }


_SOURCES: Final[dict[m.Source, str]] = {
    "start": "at the founding",
    "bought": "bought",
    "mythic": "earned from a Legend",
    "heirloom": "an heirloom",
    "found": "found on the card",
}
_LOST: Final = {"faded": "faded", "cursed": "was taken by a curse", "found": "was found crossed out"}


def story(marks: Sequence[Mark], book: EffectBook = STANDARD) -> tuple[str, ...]:
    """Return one sentence for each mark, oldest first; a corrected one says so."""
    return tuple(map(str, _BandStory(marks, book).sentences()))


class _BandStory(RecordStory):
    """The story of a band's marks; some sentences name a Monster."""

    reason = staticmethod(GLOSSARY.reason)

    def __init__(self, marks: Sequence[Mark], book: EffectBook) -> None:
        super().__init__(marks, follow(BandSpots(book), marks).did)
        self._names = {card: monster.name for card, monster in record(marks, book).monsters.items()}
        self._book = book

    def plain(self, number: int, mark: Mark) -> str:  # noqa: ARG002 – marks suffice
        """Return the sentence of a mark."""
        if isinstance(mark, m.Labelled | m.Peeled):
            name = self._names.get(mark.card)
            monster = f"{name} ({pretty(mark.card)})" if name else f"the Monster on {pretty(mark.card)}"
            if isinstance(mark, m.Labelled):
                return _describe_label(mark, monster, self._book)
            by = _audit_clause(mark.by, mark.reason)
            return f"{self._book.label_title(mark.label)} was not found on {monster} any more{by}."
        return _SENTENCES[type(mark)](mark, self._book)

    def otherwise(self, number: int, before: Mark, after: Mark) -> str:
        """Return the changes by a correction of a band's first mark."""
        beginning = m.BandFounded | m.BandAdopted
        if not isinstance(before, beginning) or not isinstance(after, beginning):
            return str(super().otherwise(number, before, after))
        changes = [(before.name, after.name)] if before.name != after.name else []
        there = {creature.card: creature for creature in before.creatures}
        changes += [
            (_creature(there[creature.card]), _creature(creature))
            for creature in after.creatures
            if there[creature.card] != creature
        ]
        return " ".join(f"Instead of {old} it is {new}." for old, new in changes) or "It is told as before."


def _creature(creature: m.FoundedMonster) -> str:
    legend = ", ⭐" if creature.legend else ""
    return f"{creature.name} ({pretty(creature.card)}, HP {creature.hp}, ATK {creature.atk}{legend})"


def _describe_adoption(mark: m.BandAdopted, book: EffectBook) -> str:
    monsters = ", ".join(map(_creature, mark.creatures))
    if mark.is_from_table:
        before = f" and {box_text(mark.glory, mark.dungeons)}" if mark.dungeons else ""
        bears = f"; {blessed} inscribed" if (blessed := _describe_inscribed_cards(mark, book)) else ""
        return f"{mark.builder} adopted {mark.name}, until then a loose band, with {monsters}{before}{bears}."
    source = f"with its passport, {mark.length - 1} marks old," if mark.story else "from its paper, as before records,"
    since = f" (founded {mark.since})" if mark.since else ""
    return (
        f"{mark.name}{since} came in {source} with {box_text(mark.glory, mark.dungeons)}, "
        f"{monsters}; {_describe_inscribed_cards(mark, book) or 'nothing'} inscribed."
    )


def _describe_inscribed_cards(mark: m.BandAdopted, book: EffectBook) -> str:
    """Return the inscribed cards as text: `Sharp on 9♠, Quick and Echo on 4♥`."""
    return ", ".join(
        f"{' and '.join(map(book.inscription_title, names))} on {pretty(card)}"
        for card, names in mark.inscribed.items()
    )


def _describe_inscription(mark: m.CardInscribed, book: EffectBook) -> str:
    source = f"an heirloom of {mark.origin}" if mark.origin else _SOURCES[mark.source]
    by = f", by {mark.by}" if mark.by else ""
    why = f": {GLOSSARY.reason(mark.reason)}" if mark.reason else ""
    return f"{pretty(mark.card)} received {book.inscription_title(mark.inscription)} ({source}{by}{why})."


def _describe_label(mark: m.Labelled, monster: str, book: EffectBook) -> str:
    who, label = mark.by or "Somebody", book.label_title(mark.label)
    if mark.reason:
        return f"{who} found {label} on {monster} ({GLOSSARY.reason(mark.reason)})."
    return f"{who} labelled {monster} {label}."


def _audit_clause(by: str, reason: ReasonOrText) -> str:
    """Return the person who found something, and the reason they gave."""
    return f"{f' by {by}' if by else ''}{f' ({GLOSSARY.reason(reason)})' if reason else ''}"


def played_text(mark: m.DungeonPlayed) -> str:
    """Return a dungeon as a sentence: `Ana won a dungeon with it, after 6 Bosses in 17 rounds: 7 Glory.`"""
    end = "won" if mark.outcome == "win" else "lost"
    rounds = f" in {count_of(mark.rounds, 'round')}" if mark.rounds else ""
    return f"{mark.wizard} {end} a dungeon with it, after {count_of(mark.bosses, 'Boss')}{rounds}: {mark.glory} Glory."


def _describe_count(mark: m.BoxCounted) -> str:
    who = f"{mark.by} counted" if mark.by else "The count was"
    return f"{who} {box_text(mark.glory, mark.dungeons)} on the box ({GLOSSARY.reason(mark.reason)})."


def _describe_exchange(mark: m.CarriedOff | m.CarriedIn, book: EffectBook) -> str:
    verb, preposition = ("left", "for") if isinstance(mark, m.CarriedOff) else ("came", "from")
    other = f" {preposition} {mark.band}" if mark.band else ""
    return f"{pretty(mark.card)} {verb} with {book.inscription_title(mark.inscription)}{other}, by Tower's Memory."


def _describe_retirement(mark: m.BandRetired, book: EffectBook) -> str:
    heirloom = book.inscription_title(mark.heirloom)
    keeps = f"; {mark.by or 'its wizard'} keeps {heirloom} as an heirloom" if mark.heirloom else ""
    return f"The band retired{keeps}."


_SENTENCES: Final[Mapping[type[Mark], Callable[[Any, EffectBook], str]]] = {
    m.BandFounded: lambda mark, _: (
        f"{mark.builder} founded {mark.name} with {', '.join(map(_creature, mark.creatures))}."
    ),
    m.BandAdopted: _describe_adoption,
    m.CardInscribed: _describe_inscription,
    m.InscriptionCrossedOut: lambda mark, book: (
        f"{book.inscription_title(mark.inscription)} on {pretty(mark.card)} {_LOST[mark.why]}"
        f"{_audit_clause(mark.by, mark.reason)}."
    ),
    m.CarriedOff: _describe_exchange,
    m.CarriedIn: _describe_exchange,
    m.DungeonPlayed: lambda mark, _: played_text(mark),
    m.BoxCounted: lambda mark, _: _describe_count(mark),
    m.Drifted: lambda mark, _: f"The band went to {mark.holder}.",
    m.BandRetired: _describe_retirement,
    m.CarriedOn: lambda mark, _: f"Its heirloom lives on in {mark.band}.",
}
