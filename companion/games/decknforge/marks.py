"""What is stored of a band: its marks, and the codes of reasons with their words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from companion.games.decknforge.effect import title
from companion.games.decknforge.evening import Dungeon
from companion.tabletop import records
from companion.tabletop.cards import Card, pretty
from companion.tabletop.records import Mark, Reason, ReasonOrText, Texts, describe_reason
from companion.tabletop.text import figure, signed


def describe_band_reason(reason: ReasonOrText, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """The words for a reason; `titles` are those of the steps."""
    if isinstance(reason, Reason) and reason.code == "step" and reason.args:
        return titles.get(str(reason.args[0]), str(reason.args[0]).title())
    return describe_reason(reason, _TEXTS)


def kill_reason(parts: list[tuple[int, str]]) -> Reason:
    """What a kill is made of: so many Coppers for each of `kill`, `overkill` and the effects that count (R1.51)."""
    return Reason("kill", tuple(part for pair in parts for part in pair))


def _kill(*parts: int | str) -> str:
    return " + ".join(_part(int(coppers), str(what)) for coppers, what in zip(parts[::2], parts[1::2], strict=True))


def _part(coppers: int, what: str) -> str:
    name = what if what in ("kill", "overkill") else what.replace("-", " ").title()
    return f"{coppers} {name}" if coppers >= 0 else f"({figure(coppers)}) {name}"


def _boss(number: int, name: str, card: str, owner: str) -> str:
    where = f"{pretty(Card(card))} of {owner}"
    return f"Boss {number} of 6 · {f'{name} ({where})' if name else where}"


_TEXTS: Final[Texts] = {
    "outcome": str,
    "boss": _boss,
    "round": "Round {}".format,
    "kill": _kill,
    "assist": lambda pact=0: f"1 assist{f' + {pact} Mercenary Pact' if pact else ''}",
    "pact": "{} Mercenary Pact".format,
    "minion": lambda atk, greedy=0: f"Minion with ATK {atk}{f' {signed(greedy)} Greedy' if greedy else ''}",
    "minion-ace": lambda greedy=0: f"Minion{f' {signed(greedy)} Greedy' if greedy else ''}",
    "convert": lambda name, card, factor=1: f"{name}'s {pretty(card)} Converted{' ×2 Echo' if factor > 1 else ''}",
    "glint": lambda card: f"Glint {pretty(card)}",
    "homebrew": lambda inscription, card: f"{title(inscription)} {pretty(card)}",
    "label": lambda tier, label: f"{tier.title()} label {label}",
    "patron-stole": "stolen by The Patron of {}".format,
    "patron-steals": "The Patron steals from {}".format,
    "inscription": lambda inscription, card, band: f"{inscription} on {pretty(card)} of {band}",
    "glory-cap": "above the {} Coppers of one dungeon, turned into Glory".format,
    "budget": "left of the budget of {}".format,
}


Source = Literal["start", "bought", "mythic", "heirloom", "found"]
"""Where an inscription came from; `found`: it stood on the card when the box was looked through."""


class Creature(msgspec.Struct, frozen=True):
    """A Monster as it was founded, with the Items drawn as evidence (R1.6); none where nobody remembers them."""

    card: Card
    name: str
    hp: int
    atk: int
    legend: bool
    items: tuple[Card, ...] = ()


class Founded(Mark, frozen=True, tag="founded"):
    """The band's first mark; `person` is who builds it, where the name alone does not say it."""

    name: str
    builder: str
    creatures: tuple[Creature, ...]
    person: str = ""


class Adopted(Mark, frozen=True, tag="adopted"):
    """The first mark of a band that lived before it came into these records: what its paper said then.

    `since` is what the paper says of its founding, `lost` the inscriptions crossed out by then. A band adopted from a
    passport knows the story it had elsewhere by its length and the hash of its last entry; `omitted` is what the
    passport had no room for, and `due` the spots that had still to be done by hand.
    """

    name: str
    builder: str
    creatures: tuple[Creature, ...]
    labels: dict[Card, tuple[str, ...]] = msgspec.field(default_factory=dict)
    inscribed: dict[Card, tuple[str, ...]] = msgspec.field(default_factory=dict)
    lost: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()
    glory: int = 0
    dungeons: int = 0
    retired: bool = False
    heirloom: str = ""
    since: str = ""
    by: str = ""
    story: str = ""
    length: int = 0
    omitted: tuple[str, ...] = ()
    due: tuple[str, ...] = ()


class Inscribed(Mark, frozen=True, tag="inscribed"):
    """An inscription written onto a card. `origin` is the retired band that left it, where it is an heirloom."""

    card: Card
    inscription: str
    source: Source
    by: str = ""
    origin: str = ""
    reason: ReasonOrText = ""


class CrossedOut(Mark, frozen=True, tag="crossed-out"):
    """An inscription lost for good: by Fading, by a Curse, or found crossed out when the box was looked through."""

    card: Card
    inscription: str
    why: Literal["faded", "cursed", "found"]
    by: str = ""
    reason: ReasonOrText = ""


class CarriedOff(Mark, frozen=True, tag="carried-off"):
    """An inscription that left with its card by Tower's Memory (A1.42), to the band named."""

    card: Card
    inscription: str
    band: str = ""


class CarriedIn(Mark, frozen=True, tag="carried-in"):
    """An inscription that came with its card by Tower's Memory (A1.42), from the band named."""

    card: Card
    inscription: str
    band: str = ""


class Labelled(Mark, frozen=True, tag="labelled"):
    """A label written onto one of the band's Monsters, or with a reason: found on it."""

    card: Card
    label: str
    by: str
    reason: ReasonOrText = ""


class Peeled(Mark, frozen=True, tag="peeled"):
    """A label found missing on a Monster when the box was looked through."""

    card: Card
    label: str
    by: str = ""
    reason: ReasonOrText = ""


class Played(Mark, frozen=True, tag="played"):
    """A dungeon run: by whom, how it ended, how many Bosses fell, the Glory it brought, and the rounds it took (0 where
    nobody remembers).

    `evening` is the whole of it; None in records of before evenings were kept.
    """

    wizard: str
    outcome: str
    bosses: int
    glory: int
    rounds: int = 0
    evening: Dungeon | None = None


class Counted(Mark, frozen=True, tag="counted"):
    """Glory and dungeons as the box says them, where the record said otherwise."""

    glory: int
    dungeons: int
    reason: ReasonOrText
    by: str = ""


class Drifted(Mark, frozen=True, tag="drifted"):
    """The band went to another wizard; `person` is who that is, where the name alone does not say it."""

    holder: str
    person: str = ""


class Retired(Mark, frozen=True, tag="retired"):
    """The band has no Blessed card left, or its people let it rest; its name is never used again."""

    heirloom: str = ""
    by: str = ""


class CarriedOn(Mark, frozen=True, tag="carried-on"):
    """The retired band's heirloom lives on in another: its name and the id of its deck."""

    band: str
    deck: str


class BandCorrected(records.Corrected, frozen=True, tag="corrected"):
    """A correction that knows which marks a band can bear in place of another."""

    instead: (
        Founded
        | Adopted
        | Inscribed
        | CrossedOut
        | CarriedOff
        | CarriedIn
        | Labelled
        | Peeled
        | Played
        | Counted
        | Drifted
        | Retired
        | CarriedOn
        | None
    ) = None


MARKS: Final[tuple[type[Mark], ...]] = (
    *(Founded, Adopted, Inscribed, CrossedOut, CarriedOff, CarriedIn, Labelled, Peeled),
    *(Played, Counted, Drifted, Retired, CarriedOn, BandCorrected),
)
