"""The marks of a band, of which its stored record consists."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.games.decknforge.decks.evening import Dungeon
from companion.tabletop import records
from companion.tabletop.notation.cards import Card
from companion.tabletop.records import Mark, ReasonOrText

Source = Literal["start", "bought", "mythic", "heirloom", "found"]
"""Source of an inscription; `found`: it was on the card at an audit of the box."""


class FoundedMonster(msgspec.Struct, frozen=True):
    """A Monster as it was founded, with the Items drawn as evidence (R1.6); () if they are unknown."""

    card: Card
    name: str
    hp: int
    atk: int
    legend: bool
    items: tuple[Card, ...] = ()


class BandFounded(Mark, frozen=True, tag="founded"):
    """The band's first mark; `person` is the builder's id if the name is ambiguous."""

    name: str
    builder: str
    creatures: tuple[FoundedMonster, ...]
    person: str = ""


class BandAdopted(Mark, frozen=True, tag="adopted"):
    """The first mark of a band that existed before these records, as its paper described it then.

    `since` is the paper's date of founding, `lost` the inscriptions crossed out by then. For a band adopted from a
    passport, `length` and `story` are the length of its former story and the hash of its last entry; `omitted` is what
    the passport had no room for, and `due` the spots with open chores. A loose band that is kept as a deck is adopted
    as it came to its table; `due` is then what must still be written on its box and cards. `person` is the holder's id
    if the name is ambiguous.
    """

    name: str
    builder: str
    creatures: tuple[FoundedMonster, ...]
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
    person: str = ""

    @property
    def is_from_table(self) -> bool:
        """Return True for a loose band that was adopted at its table."""
        return bool(self.due) and not self.story


class CardInscribed(Mark, frozen=True, tag="inscribed"):
    """An inscription written onto a card. For an heirloom, `origin` is the retired band that left it."""

    card: Card
    inscription: str
    source: Source
    by: str = ""
    origin: str = ""
    reason: ReasonOrText = ""


class InscriptionCrossedOut(Mark, frozen=True, tag="crossed-out"):
    """An inscription lost for good: by Fading, by a Curse, or found crossed out at an audit of the box."""

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
    """A label written onto one of the band's Monsters; with a reason, one that was found on it."""

    card: Card
    label: str
    by: str
    reason: ReasonOrText = ""


class Peeled(Mark, frozen=True, tag="peeled"):
    """A label found missing on a Monster at an audit of the box."""

    card: Card
    label: str
    by: str = ""
    reason: ReasonOrText = ""


class DungeonPlayed(Mark, frozen=True, tag="played"):
    """A dungeon run: the wizard, the outcome, the Bosses that fell, the Glory gained, and the rounds (0 if unknown).

    `evening` has all the facts; None in records older than evenings.
    """

    wizard: str
    outcome: str
    bosses: int
    glory: int
    rounds: int = 0
    evening: Dungeon | None = None


class BoxCounted(Mark, frozen=True, tag="counted"):
    """Glory and dungeons as written on the box, if the record disagreed."""

    glory: int
    dungeons: int
    reason: ReasonOrText
    by: str = ""


class Drifted(Mark, frozen=True, tag="drifted"):
    """The band went to another wizard; `person` is their id if the name is ambiguous."""

    holder: str
    person: str = ""


class BandRetired(Mark, frozen=True, tag="retired"):
    """The band has no Blessed card left, or its players retired it; its name is never used again."""

    heirloom: str = ""
    by: str = ""


class CarriedOn(Mark, frozen=True, tag="carried-on"):
    """The retired band's heirloom lives on in another: its name and the id of its deck."""

    band: str
    deck: str


class BandCorrected(records.Corrected, frozen=True, tag="corrected"):
    """A correction whose replacement is any mark of a band."""

    instead: (
        BandFounded
        | BandAdopted
        | CardInscribed
        | InscriptionCrossedOut
        | CarriedOff
        | CarriedIn
        | Labelled
        | Peeled
        | DungeonPlayed
        | BoxCounted
        | Drifted
        | BandRetired
        | CarriedOn
        | None
    ) = None


MARKS: Final[tuple[type[Mark], ...]] = (
    *(BandFounded, BandAdopted, CardInscribed, InscriptionCrossedOut, CarriedOff, CarriedIn, Labelled, Peeled),
    *(DungeonPlayed, BoxCounted, Drifted, BandRetired, CarriedOn, BandCorrected),
)
