"""What is stored of a deck whose cards are written on for ever, and what its marks add up to.

A mark says of an inscription its permanent number, its name and its text as they were then: whoever reads the deck
needs no page for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from companion.tabletop import records
from companion.tabletop.action import RuleError
from companion.tabletop.evening import Evening
from companion.tabletop.match_result import Result
from companion.tabletop.records import Done, Mark, ReasonOrText, Record, Texts, effective

How = Literal["given", "bought", "found"]
"""How an inscription came: it was given after a game, bought there, or found on the card when the box was looked
through.
"""

BOUGHT: Final = "bought"
BROUGHT_HOME: Final = "brought-home"
REASONS: Final[Texts] = {
    BOUGHT: "{} on {} of {}".format,
    BROUGHT_HOME: "brought home from a game".format,
}
"""Why purses change; codes are for ever."""


class Borne(msgspec.Struct, frozen=True, omit_defaults=True):
    """An inscription on a card: `card` is a playing card's code or a card's name."""

    card: str
    number: int
    name: str
    text: str = ""
    tier: str = ""


class PlayedOn(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that an evening did to a deck: by its seat, what, on which card, and by whom."""

    seat: str
    what: Literal["inscribed", "crossed-out", "torn-up", "counted", "told"]
    card: str = ""
    name: str = ""
    amount: int = 0
    by: str = ""


class GameEvening(Evening, frozen=True, omit_defaults=True):
    """How a described game went: its rounds, who won, everybody's figures at the end, and what was written."""

    rounds: int = 0
    won: tuple[str, ...] = ()
    final: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    written: tuple[PlayedOn, ...] = ()
    homes: dict[str, str] = msgspec.field(default_factory=dict)
    """Which decks went home with somebody else: the seat that brought one, and the seat that took it."""
    borne: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The inscriptions on the deck that each seat brought, by their names."""


class Founded(Mark, frozen=True, tag="founded"):
    """The deck's first mark; `answers` are those to the questions of its page, by their words."""

    name: str
    holder: str
    person: str = ""
    answers: dict[str, str] = msgspec.field(default_factory=dict)
    by: str = ""


class Adopted(Mark, frozen=True, tag="adopted"):
    """The first mark of a deck that lived before it came into these records, on paper or in another home.

    From a passport it knows the story it had elsewhere by its `length` and the hash of its last entry (`story`);
    `omitted` is what the passport had no room for, and `due` the spots that had still to be done by hand.
    """

    name: str
    holder: str
    person: str = ""
    answers: dict[str, str] = msgspec.field(default_factory=dict)
    holders: tuple[str, ...] = ()
    played: int = 0
    won: int = 0
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    borne: tuple[Borne, ...] = ()
    torn: tuple[str, ...] = ()
    retired: bool = False
    by: str = ""
    story: str = ""
    length: int = 0
    omitted: tuple[str, ...] = ()
    due: tuple[str, ...] = ()


class Inscribed(Mark, frozen=True, tag="inscribed"):
    """A card bears an inscription from now on. `price` is what it cost whoever bought it."""

    card: str
    number: int
    name: str
    text: str = ""
    tier: str = ""
    how: How = "given"
    by: str = ""
    price: int = 0
    reason: ReasonOrText = ""

    @property
    def borne(self) -> Borne:
        """As the card bears it."""
        return Borne(self.card, self.number, self.name, self.text, self.tier)


class CrossedOut(Mark, frozen=True, tag="crossed-out"):
    """An inscription is gone for good; `noticed` where it was found crossed out."""

    card: str
    number: int
    name: str
    by: str = ""
    noticed: bool = False
    reason: ReasonOrText = ""


class TornUp(Mark, frozen=True, tag="torn-up"):
    """A card is gone for good, with all that stood on it; `noticed` where it was found missing."""

    card: str
    by: str = ""
    noticed: bool = False
    reason: ReasonOrText = ""


class Played(Mark, frozen=True, tag="played"):
    """A game with it: by whom, against or with whom, how it ended, after how many rounds, and what was left.

    `person` is who that is, where it is known.
    """

    player: str
    result: Result
    others: tuple[str, ...] = ()
    rounds: int = 0
    person: str = ""
    final: dict[str, int] = msgspec.field(default_factory=dict)
    evening: GameEvening | None = None


class Counted(Mark, frozen=True, tag="counted"):
    """A figure of the box grew after a game; `title` is what it was called."""

    figure: str
    title: str
    amount: int
    by: str = ""


class Recounted(Mark, frozen=True, tag="recounted"):
    """The figures of the box as it says them, where the record said otherwise; games under `played` and `won`."""

    figures: dict[str, int]
    reason: ReasonOrText
    by: str = ""


class Tale(Mark, frozen=True, tag="told"):
    """What somebody told after a game, for the deck's story."""

    text: str
    by: str = ""


class Renamed(Mark, frozen=True, tag="renamed"):
    """The deck has another name."""

    name: str
    reason: ReasonOrText
    by: str = ""


class HandedOn(Mark, frozen=True, tag="handed-on"):
    """The deck went to somebody else; `person` is who that is, where the name alone does not say it."""

    holder: str
    person: str = ""


class Retired(Mark, frozen=True, tag="retired"):
    """The deck is not played any more; its name is never used again."""

    by: str = ""


class InscribedCorrected(records.Corrected, frozen=True, tag="corrected"):
    """A correction that knows which marks an inscribed deck can bear in place of another."""

    instead: (
        Founded
        | Adopted
        | Inscribed
        | CrossedOut
        | TornUp
        | Played
        | Counted
        | Recounted
        | Tale
        | Renamed
        | HandedOn
        | Retired
        | None
    ) = None


MARKS: Final[tuple[type[Mark], ...]] = (
    *(Founded, Adopted, Inscribed, CrossedOut, TornUp, Played, Counted, Recounted, Tale, Renamed, HandedOn, Retired),
    InscribedCorrected,
)

PLAYED: Final = "played"
WON: Final = "won"
"""What every box counts, besides the figures of its page."""


class InscribedRecord(Record, frozen=True):
    """A deck as it is today: its games, what its box counts, what its cards bear, which are torn up, what it lost."""

    played: int = 0
    won: int = 0
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    answers: dict[str, str] = msgspec.field(default_factory=dict)
    borne: tuple[Borne, ...] = ()
    torn: tuple[str, ...] = ()
    lost: tuple[Borne, ...] = ()

    @property
    def box(self) -> dict[str, int]:
        """What its box counts, by the words of the figures."""
        return {PLAYED: self.played, WON: self.won, **self.counts}


def record(game: str, marks: Sequence[Mark]) -> InscribedRecord:
    """What the marks add up to, corrections heeded. Raises RuleError where they begin no deck."""
    deck = InscribedRecord(game, "")
    for _, mark in effective(marks):
        if not isinstance(mark, Done):
            deck = msgspec.structs.replace(deck, **_CHANGES[type(mark)](deck, mark))
    if not deck.name:
        raise RuleError("A deck's record begins with its founding, and this one does not.")
    return deck


def _founded(_: InscribedRecord, mark: Founded) -> dict[str, Any]:
    return {
        "name": mark.name,
        "holder": mark.holder,
        "holders": (mark.holder,) if mark.holder else (),
        "person": mark.person,
        "answers": mark.answers,
    }


def _adopted(_: InscribedRecord, mark: Adopted) -> dict[str, Any]:
    return {
        "name": mark.name,
        "holder": mark.holder,
        "holders": mark.holders or ((mark.holder,) if mark.holder else ()),
        "person": mark.person,
        "answers": mark.answers,
        "played": mark.played,
        "won": mark.won,
        "counts": mark.counts,
        "borne": mark.borne,
        "torn": mark.torn,
        "retired": mark.retired,
    }


def without(borne: Sequence[Borne], card: str, number: int) -> tuple[Borne, ...]:
    """What is borne without the last inscription of this number on a card."""
    at = next((at for at in reversed(range(len(borne))) if (borne[at].card, borne[at].number) == (card, number)), None)
    return tuple(borne) if at is None else (*borne[:at], *borne[at + 1 :])


def _crossed_out(deck: InscribedRecord, mark: CrossedOut) -> dict[str, Any]:
    left = without(deck.borne, mark.card, mark.number)
    gone = tuple(each for each in deck.borne if (each.card, each.number) == (mark.card, mark.number))[-1:]
    return {"borne": left, "lost": (*deck.lost, *gone)}


def _torn_up(deck: InscribedRecord, mark: TornUp) -> dict[str, Any]:
    gone = tuple(each for each in deck.borne if each.card == mark.card)
    left = tuple(each for each in deck.borne if each.card != mark.card)
    return {"borne": left, "lost": (*deck.lost, *gone), "torn": (*deck.torn, mark.card)}


def _recounted(deck: InscribedRecord, mark: Recounted) -> dict[str, Any]:
    counts = {word: figure for word, figure in mark.figures.items() if word not in (PLAYED, WON)}
    return {
        "played": mark.figures.get(PLAYED, deck.played),
        "won": mark.figures.get(WON, deck.won),
        "counts": {**deck.counts, **counts},
    }


_CHANGES: Final[Mapping[type[Mark], Callable[[InscribedRecord, Any], dict[str, Any]]]] = {
    Founded: _founded,
    Adopted: _adopted,
    Inscribed: lambda deck, mark: {"borne": (*deck.borne, mark.borne)},
    CrossedOut: _crossed_out,
    TornUp: _torn_up,
    Played: lambda deck, mark: {"played": deck.played + 1, "won": deck.won + (mark.result == "won")},
    Counted: lambda deck, mark: {
        "counts": {**deck.counts, mark.figure: max(0, deck.counts.get(mark.figure, 0) + mark.amount)}
    },
    Recounted: _recounted,
    Tale: lambda *_: {},
    Renamed: lambda _, mark: {"name": mark.name},
    HandedOn: lambda deck, mark: {
        "holder": mark.holder,
        "person": mark.person,
        "holders": (*deck.holders, mark.holder),
    },
    Retired: lambda *_: {"retired": True},
}
