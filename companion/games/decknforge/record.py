"""A band's life as marks, and the band as it is today, which is what the marks add up to (§1.12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from companion.games.cards import Card, pretty
from companion.games.decknforge import founding
from companion.games.decknforge.founding import Draft
from companion.games.decknforge.state import Monster, Table, Wizard
from companion.games.game import RuleError
from companion.games.records import Mark, Payment, Record

NAME: Final = "decknforge"

Source = Literal["start", "bought", "mythic", "heirloom"]


class Creature(msgspec.Struct, frozen=True):
    """A Monster as it was founded, with the Items drawn as evidence (R1.6)."""

    card: Card
    name: str
    hp: int
    atk: int
    legend: bool
    items: tuple[Card, ...]


class Founded(Mark, frozen=True):
    """The band's first mark."""

    name: str
    builder: str
    creatures: tuple[Creature, ...]


class Inscribed(Mark, frozen=True):
    """An inscription written onto a card."""

    card: Card
    inscription: str
    source: Source
    by: str = ""


class CrossedOut(Mark, frozen=True):
    """An inscription lost for good, by Fading or by a Curse."""

    card: Card
    inscription: str
    why: Literal["faded", "cursed"]


class CarriedOff(Mark, frozen=True):
    """An inscription that left with its card by Tower's Memory (A1.42)."""

    card: Card
    inscription: str


class CarriedIn(Mark, frozen=True):
    """An inscription that came with its card by Tower's Memory (A1.42)."""

    card: Card
    inscription: str


class Labelled(Mark, frozen=True):
    """A label written onto one of the band's Monsters."""

    card: Card
    label: str
    by: str


class Played(Mark, frozen=True):
    """A dungeon run: by whom, how it ended, how many Bosses fell, and the Glory it brought."""

    wizard: str
    outcome: str
    bosses: int
    glory: int


class Drifted(Mark, frozen=True):
    """The band went to another wizard."""

    holder: str


class Retired(Mark, frozen=True):
    """The band has no Blessed card left; its name is never used again."""

    heirloom: str = ""
    by: str = ""


MARKS: Final[tuple[type[Mark], ...]] = (
    *(Founded, Inscribed, CrossedOut, CarriedOff, CarriedIn, Labelled, Played, Drifted, Retired),
)


class BandRecord(Record, frozen=True):
    """A band as it is today. `history` is every inscription it ever bore, in order."""

    builder: str = ""
    monsters: dict[Card, Monster] = msgspec.field(default_factory=dict)
    inscribed: dict[Card, tuple[str, ...]] = msgspec.field(default_factory=dict)
    history: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    heirloom: str = ""


def founded(
    name: str,
    builder: str,
    drafts: Mapping[Card, Draft],
    inscribed: founding.Inscribed,
    wizards: int = 3,
    taken: Iterable[str] = (),
) -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """The marks of a new band, and the warnings about it (R1.5–R1.9).

    `inscribed` are the starting inscriptions in order, `wizards` the players (for the budget), `taken` the names of
    all bands that are or were. Raises RuleError with everything that is wrong, each with its V1.* rule.
    """
    warnings = founding.refuse_errors(founding.findings(name, drafts, inscribed, wizards, taken))
    monsters = founding.built(drafts)
    creatures = tuple(
        Creature(card, monster.name, monster.hp, monster.atk, monster.legend, drafts[card].items)
        for card, monster in monsters.items()
    )
    starts = tuple(Inscribed(card, inscription, "start", builder) for card, inscription in inscribed)
    return (Founded(name.strip(), builder, creatures), *starts), warnings


def record(marks: Iterable[Mark]) -> BandRecord:
    """What the marks add up to."""
    band = BandRecord(NAME, "")
    for mark in marks:
        band = _after(band, mark)
    return band


def _after(band: BandRecord, mark: Mark) -> BandRecord:
    """The band after one more mark."""
    change = msgspec.structs.replace
    if isinstance(mark, Founded):
        monsters = {c.card: Monster(c.name, c.hp, c.atk, c.legend) for c in mark.creatures}
        return change(
            band, name=mark.name, builder=mark.builder, holder=mark.builder, holders=(mark.builder,), monsters=monsters
        )
    if isinstance(mark, Inscribed | CarriedIn):
        present = band.inscribed.get(mark.card, ())
        inscribed = {**band.inscribed, mark.card: (*present, mark.inscription)}
        return change(band, inscribed=inscribed, history=(*band.history, mark.inscription))
    if isinstance(mark, CrossedOut | CarriedOff):
        left = tuple(name for name in band.inscribed.get(mark.card, ()) if name != mark.inscription)
        others = {card: names for card, names in band.inscribed.items() if card != mark.card}
        return change(band, inscribed={**others, mark.card: left} if left else others)
    if isinstance(mark, Labelled):
        monster = band.monsters[mark.card]
        labelled = change(monster, labels=(*monster.labels, mark.label))
        return change(band, monsters={**band.monsters, mark.card: labelled})
    if isinstance(mark, Played):
        return change(band, glory=band.glory + mark.glory, dungeons=band.dungeons + 1)
    if isinstance(mark, Drifted):
        return change(band, holder=mark.holder, holders=(*band.holders, mark.holder))
    if isinstance(mark, Retired):
        return change(band, retired=True, heirloom=mark.heirloom)
    raise RuleError(f"A band has no mark of the kind {type(mark).__name__}.")


def story(marks: Iterable[Mark]) -> tuple[str, ...]:
    """A sentence a mark, oldest first."""
    return tuple(_sentence(mark) for mark in marks)


_SOURCES: Final[dict[Source, str]] = {
    "start": "at the founding",
    "bought": "bought",
    "mythic": "earned from a Legend",
    "heirloom": "an heirloom",
}


def _creature(creature: Creature) -> str:
    legend = ", ⭐" if creature.legend else ""
    return f"{creature.name} ({pretty(creature.card)}, HP {creature.hp}, ATK {creature.atk}{legend})"


def _sentence(mark: Mark) -> str:
    if isinstance(mark, Founded):
        return f"{mark.builder} founded {mark.name} with {', '.join(map(_creature, mark.creatures))}."
    if isinstance(mark, Inscribed):
        by = f", by {mark.by}" if mark.by else ""
        return f"{pretty(mark.card)} received {mark.inscription} ({_SOURCES[mark.source]}{by})."
    if isinstance(mark, CrossedOut):
        return (
            f"{mark.inscription} on {pretty(mark.card)} {'faded' if mark.why == 'faded' else 'was taken by a curse'}."
        )
    if isinstance(mark, CarriedOff):
        return f"{pretty(mark.card)} left with {mark.inscription}, by Tower's Memory."
    if isinstance(mark, CarriedIn):
        return f"{pretty(mark.card)} came with {mark.inscription}, by Tower's Memory."
    if isinstance(mark, Labelled):
        return f"{mark.by} labelled the Monster on {pretty(mark.card)} {mark.label}."
    if isinstance(mark, Played):
        end = "won" if mark.outcome == "win" else "lost"
        bosses = f"{mark.bosses} Boss{'es' if mark.bosses != 1 else ''}"
        return f"{mark.wizard} {end} a dungeon with it, after {bosses}: {mark.glory} Glory."
    if isinstance(mark, Drifted):
        return f"The band went to {mark.holder}."
    assert isinstance(mark, Retired)
    keeps = f"; {mark.by} keeps {mark.heirloom} as an heirloom" if mark.heirloom else ""
    return f"The band retired{keeps}."


def sealed_marks(state: Table) -> dict[str, tuple[Mark, ...]]:
    """What a sealed game writes into the records of its stored bands (R1.80–R1.84); loose bands have none."""
    if state.step != "sealed":
        return {}
    return {band.deck: _marks_of(state, seat) for seat, band in state.bands.items() if band.deck}


def sealed_purses(state: Table) -> tuple[Payment, ...]:
    """The Coppers that came and went in a sealed game, by the people whose bands are stored (R1.80)."""
    if state.step != "sealed":
        return ()
    return tuple(
        Payment(wizard.name, coppers, why)
        for wizard in state.wizards
        if state.bands[wizard.seat].deck
        for coppers, why in (*wizard.ledger, *_by_hand(wizard))
    )


def _by_hand(wizard: Wizard) -> tuple[tuple[int, str], ...]:
    """What the table changed in a purse by `set` and `add`."""
    change = wizard.purse - wizard.brought - sum(coppers for coppers, _ in wizard.ledger)
    return ((change, "set by hand"),) if change else ()


def _marks_of(state: Table, seat: str) -> tuple[Mark, ...]:
    wizard, band = state.wizard(seat), state.bands[seat]
    labelled = (
        Labelled(Card(card), label, state.wizard(by).name)
        for owner, card, label, by in (_label_parts(entry) for entry in state.labelled)
        if owner == seat
    )
    marks: list[Mark] = [*labelled, Played(wizard.name, state.outcome or "", len(state.felled), wizard.glory)]
    for change in state.changes:
        if change.band == seat:
            by = state.wizard(change.by).name if change.by else ""
            marks.append(_card_mark(change.what, change.card, change.inscription, by))
    holder = next((other.name for other in state.wizards if other.holds == seat), "")
    if holder and holder != wizard.name:
        marks.append(Drifted(holder))
    if band.retired:
        marks.append(Retired(wizard.heirloom, wizard.name))
    return tuple(marks)


def _label_parts(entry: tuple[str, str, str]) -> tuple[str, str, str, str]:
    ref, label, by = entry
    owner, _, card = ref.partition(":")
    return owner, card, label, by


def _card_mark(what: str, card: Card, inscription: str, by: str) -> Mark:
    if what in ("faded", "cursed"):
        return CrossedOut(card, inscription, "faded" if what == "faded" else "cursed")
    if what == "carried-off":
        return CarriedOff(card, inscription)
    if what == "carried-in":
        return CarriedIn(card, inscription)
    return Inscribed(card, inscription, "mythic" if what == "mythic" else "bought", by)
