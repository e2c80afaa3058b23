"""What the answers to a band's founding say, as far as they can be read (R1.5–R1.9), and what cannot be.

Separate from the form, which asks for them and tells what follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.action import NotationError
from companion.games.cards import Card, pretty, read_card
from companion.games.decknforge import founding, names
from companion.games.decknforge.founding import MonsterDraft
from companion.games.decknforge.marks import Inscribed
from companion.games.decknforge.record import BandRecord
from companion.games.form import FormReader, Known, Place, StoredDeck


class _Heirloom(NamedTuple):
    """What a retired band leaves, and onto which card it goes."""

    origin: StoredDeck
    mark: Inscribed


class BandDraft(NamedTuple):
    """A band as far as it can be read, and for each Monster and inscription the number of its answer."""

    name: str
    builder: str
    person: str
    players: int
    monsters: Mapping[Card, MonsterDraft]
    inscribed: Sequence[tuple[Card, str]]
    answers: Mapping[str, Sequence[int]]
    heirloom: _Heirloom | None

    @property
    def left(self) -> int:
        """Coppers of the budget that are not spent (R1.8)."""
        return founding.budget(self.players) - founding.price_of(name for _, name in self.inscribed)

    def on(self, card: Card) -> list[str]:
        """What a card bears by now."""
        return [name for other, name in self.inscribed if other == card]


def read(reader: FormReader, known: Known) -> BandDraft:
    """The answers as far as they can be read; what cannot be is among the reader's findings."""
    answers, monsters = _read_monsters(reader)
    numbers, inscribed = [], []
    for number, answer in reader.entries("inscribe"):
        card = reader.read(read_card, answer.get("card", ""), Place("inscribe", number, "card"))
        place = Place("inscribe", number, "inscription")
        typed = answer.get("inscription", "")
        name = reader.read(names.inscription, typed, place) if typed else None
        if not typed:
            reader.wrong("Say which inscription it is.", place)
        if card is not None and name is not None:
            numbers.append(number)
            inscribed.append((card, name))
    builder = reader.text("builder")
    if not builder:
        reader.wrong("Somebody builds every band; say who (R1.5).", Place("builder"))
    players = reader.read(_players, reader.text("players", "3"), Place("players")) or 3
    heirloom = _heirloom(reader, known, builder, inscribed)
    told = {"monster": answers, "inscribe": numbers}
    person = reader.text("person")
    return BandDraft(reader.text("name"), builder, person, players, monsters, inscribed, told, heirloom)


def _read_monsters(reader: FormReader) -> tuple[list[int], dict[Card, MonsterDraft]]:
    text = reader.text("legend")
    chosen = reader.read(read_card, text, Place("legend")) if text else None
    answers: list[int] = []
    monsters: dict[Card, MonsterDraft] = {}
    for number, answer in reader.entries("monster"):
        card = reader.read(read_card, answer.get("card", ""), Place("monster", number, "card"))
        items = reader.read(_cards, answer.get("items", ""), Place("monster", number, "items"))
        if card is None or items is None:
            continue
        if card in monsters:
            told = f"{pretty(card)} is given two Monsters; give each card one."
            reader.unreadable(told, Place("monster", number, "card"))
            continue
        answers.append(number)
        monsters[card] = MonsterDraft(answer.get("name", ""), items, card == chosen)
    if chosen is not None and chosen not in monsters:
        told = f"{pretty(chosen)} is none of the Monsters; name the card of one as Legend."
        reader.unreadable(told, Place("legend"))
    return answers, monsters


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read_card, text.replace(",", " ").split()))


def _players(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 5):
        raise NotationError(f"“{text}” is not a number of players; one to five can play (R1.4).")
    return int(text)


def _heirloom(
    reader: FormReader, known: Known, builder: str, inscribed: Sequence[tuple[Card, str]]
) -> _Heirloom | None:
    """What a retired band leaves and where it goes (R1.81, A1.64); None where none is asked for, or it cannot be."""
    origin = known.decks.get("heirloom-of")
    answer = next((answer for _, answer in reader.entries("heirloom")), None)
    if origin is None and answer is None:
        return None
    if origin is None or answer is None:
        told = "An heirloom needs both: the retired band that leaves it (heirloom-of), and its new card (heirloom)."
        reader.unreadable(told, Place("heirloom-of" if origin is None else "heirloom"))
        return None
    typed = answer.get("inscription", "")
    card = reader.read(read_card, answer.get("card", ""), Place("heirloom", 0, "card"))
    named = reader.read(names.inscription, typed, Place("heirloom", 0, "inscription")) if typed else ""
    if card is None or named is None or not isinstance(origin.record, BandRecord):
        return None
    left = named or origin.record.heirloom
    if why := _no_heirloom(origin.record, left):
        reader.wrong(why, Place("heirloom-of"))
    elif not left:
        told = f"{origin.record.name} has left no heirloom yet: name one of its history, as {card}=sharp."
        reader.unreadable(told, Place("heirloom", 0, "inscription"))
    elif why := founding.misplaced(left, card, [name for other, name in inscribed if other == card]):
        reader.wrong(f"The heirloom fits nowhere there: {why} (A1.64).", Place("heirloom", 0, "card"))
    else:
        return _Heirloom(origin, Inscribed(card, left, "heirloom", builder, origin.record.name))
    return None


def _no_heirloom(band: BandRecord, left: str) -> str:
    """Why a band does not leave this heirloom, or ""; `left` is "" where nobody has chosen it yet."""
    if not band.retired:
        return f"{band.name} has not retired; only a retired band leaves an heirloom (R1.81)."
    if band.successor:
        return f"The heirloom of {band.name} lives on in {band.successor} already (R1.81)."
    if left and (left not in band.history or (band.heirloom and left != band.heirloom)):
        kept = band.heirloom or f"one of {', '.join(dict.fromkeys(band.history))}"
        return f"The heirloom of {band.name} is {kept}, not {left} (A1.64)."
    return ""
