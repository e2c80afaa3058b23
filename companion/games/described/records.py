"""The stored marks of a deck with inscribed cards, and the record computed from them.

A mark holds an inscription's permanent number together with the name and text of its time, so a deck can be read
without its page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from companion.tabletop import records
from companion.tabletop.action import RuleError
from companion.tabletop.evening import Evening
from companion.tabletop.records import Done, HandedOn, Mark, ReasonOrText, Record, Renamed, Retired, Texts, effective
from companion.tabletop.table.match_result import Result
from templates.languages.messages import phrase

How = Literal["given", "bought", "found"]
"""The origin of an inscription: given or bought after a game, or found on the card when the box was checked."""

BOUGHT: Final = "bought"
BROUGHT_HOME: Final = "brought-home"
REASONS: Final[Texts] = {
    BOUGHT: lambda inscription, card, deck: phrase(
        "{inscription} on {card} of {deck}", inscription=inscription, card=card, deck=deck
    ),
    BROUGHT_HOME: lambda: phrase("brought home from a game"),
}
"""The reasons for changes of purses. The codes are permanent."""


class Borne(msgspec.Struct, frozen=True, omit_defaults=True):
    """An inscription on a card. `card` is a playing card's code or a card's name."""

    card: str
    number: int
    name: str
    text: str = ""
    tier: str = ""


OPEN: Final = "open"
DONE: Final = "done"
UNLOCKED: Final = "unlocked"
Stage = Literal["open", "done", "unlocked", ""]
"""How far a campaign has come with a scenario (open, done) or a thing (unlocked). The words are permanent."""


class CampaignStages(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a campaign has come: the stages of its scenarios and things, and all titles, by their words."""

    stages: dict[str, Stage] = msgspec.field(default_factory=dict)
    titles: dict[str, str] = msgspec.field(default_factory=dict)

    def of_stage(self, stage: Stage) -> tuple[str, ...]:
        """Return the words of this stage."""
        return tuple(word for word, each in self.stages.items() if each == stage)

    def title(self, word: str) -> str:
        """Return the title of a word, as it was when it was written down."""
        return self.titles.get(word) or word.replace("-", " ").capitalize()

    def with_stage(self, word: str, stage: Stage, title: str = "") -> CampaignStages:
        """Return the campaign with another stage of a word."""
        stages = {**self.stages, word: stage}
        if not stage:
            del stages[word]
        return CampaignStages(stages, {**self.titles, **({word: title} if title else {})})


class PlayedOn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change that an evening made to a deck: the deck's seat, the kind of change, the card, and the author.

    The seat is `campaign` for changes of the campaign; their kind is a new stage, `counted` or `told`.
    """

    seat: str
    what: Literal["inscribed", "crossed-out", "torn-up", "counted", "told", "retired", "open", "done", "unlocked"]
    card: str = ""
    name: str = ""
    amount: int = 0
    by: str = ""


class GameEvening(Evening, frozen=True, omit_defaults=True):
    """The course of a described game: its rounds, the winners, all final figures, and the changes to decks."""

    rounds: int = 0
    won: tuple[str, ...] = ()
    final: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    table: dict[str, int | str] = msgspec.field(default_factory=dict)
    """The visible figures and words of the table itself."""
    written: tuple[PlayedOn, ...] = ()
    homes: dict[str, str] = msgspec.field(default_factory=dict)
    """The decks that went home with another player: the seat that brought the deck to the seat that took it."""
    borne: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    """The names of the inscriptions on the deck that each seat brought."""
    campaign: str = ""
    """The name of the campaign; empty without one."""
    scenario: str = ""
    """The title of the scenario that was played; empty if none was named."""


class Founded(Mark, frozen=True, tag="founded"):
    """The deck's first mark. `answers` maps the words of the page's questions to their answers.

    With `campaign` it is the record of a campaign, which begins with these `counts`.
    """

    name: str
    holder: str
    person: str = ""
    answers: dict[str, str] = msgspec.field(default_factory=dict)
    by: str = ""
    campaign: CampaignStages | None = None
    counts: dict[str, int] = msgspec.field(default_factory=dict)


class Adopted(Mark, frozen=True, tag="adopted"):
    """The first mark of a deck with an earlier history, on paper or in another archive.

    A deck from a passport has the `length` of its earlier story and the hash of that story's last entry (`story`).
    `omitted` lists the contents for which the passport had no room, and `due` the spots still to be done by hand.
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
    campaign: CampaignStages | None = None


class Inscribed(Mark, frozen=True, tag="inscribed"):
    """A card received an inscription. `price` is the price paid by its buyer."""

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
        """The inscription on its card."""
        return Borne(self.card, self.number, self.name, self.text, self.tier)


class CrossedOut(Mark, frozen=True, tag="crossed-out"):
    """An inscription was removed for good; `noticed` if it was found crossed out."""

    card: str
    number: int
    name: str
    by: str = ""
    noticed: bool = False
    reason: ReasonOrText = ""


class TornUp(Mark, frozen=True, tag="torn-up"):
    """A card was removed for good, with all its inscriptions; `noticed` if it was found missing."""

    card: str
    by: str = ""
    noticed: bool = False
    reason: ReasonOrText = ""


class Played(Mark, frozen=True, tag="played"):
    """A game with the deck: the player, the others, the result, the rounds, and the final figures.

    `person` is the player's identity, if known.
    """

    player: str
    result: Result
    others: tuple[str, ...] = ()
    rounds: int = 0
    person: str = ""
    final: dict[str, int] = msgspec.field(default_factory=dict)
    evening: GameEvening | None = None


class Counted(Mark, frozen=True, tag="counted"):
    """A figure of the box grew after a game; `title` is its display name then."""

    figure: str
    title: str
    amount: int
    by: str = ""


class Recounted(Mark, frozen=True, tag="recounted"):
    """A correction of the record's figures to those on the box. Games are under `played` and `won`."""

    figures: dict[str, int]
    reason: ReasonOrText
    by: str = ""


class Tale(Mark, frozen=True, tag="told"):
    """A text that a player added to the deck's story after a game."""

    text: str
    by: str = ""


class CampaignGame(Mark, frozen=True, tag="campaign-game"):
    """A game of a campaign: who played, who won, the rounds, the scenario, and the figures of the group after it.

    `result` is that of the whole group, or `""` if only some of its players won. `figures` are totals, by their words.
    """

    players: tuple[str, ...]
    result: Result | Literal[""] = ""
    winners: tuple[str, ...] = ()
    rounds: int = 0
    scenario: str = ""
    figures: dict[str, int] = msgspec.field(default_factory=dict)
    titles: dict[str, str] = msgspec.field(default_factory=dict)
    evening: GameEvening | None = None


class CampaignStage(Mark, frozen=True, tag="campaign-stage"):
    """A scenario became open or done, or a thing was unlocked; with an empty stage, it was taken back.

    `noticed` if the sheet of the campaign was found to say so.
    """

    word: str
    stage: Stage
    title: str = ""
    by: str = ""
    noticed: bool = False
    reason: ReasonOrText = ""


class InscribedCorrected(records.Corrected, frozen=True, tag="corrected"):
    """A correction, typed with the marks that can replace another mark of an inscribed deck."""

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
        | CampaignGame
        | CampaignStage
        | Renamed
        | HandedOn
        | Retired
        | None
    ) = None


MARKS: Final[tuple[type[Mark], ...]] = (
    *(Founded, Adopted, Inscribed, CrossedOut, TornUp, Played, Counted, Recounted, Tale, Renamed, HandedOn, Retired),
    *(CampaignGame, CampaignStage, InscribedCorrected),
)

PLAYED: Final = "played"
WON: Final = "won"
"""The figures of every box, besides those of its page."""
SCENARIOS_DONE: Final = "scenarios done"
"""A figure of campaigns only, whose name no word of a page can have."""


class InscribedRecord(Record, frozen=True):
    """A deck in its present state: games, figures of its box, inscriptions, torn-up cards, and lost inscriptions."""

    played: int = 0
    won: int = 0
    counts: dict[str, int] = msgspec.field(default_factory=dict)
    answers: dict[str, str] = msgspec.field(default_factory=dict)
    borne: tuple[Borne, ...] = ()
    torn: tuple[str, ...] = ()
    lost: tuple[Borne, ...] = ()
    campaign: CampaignStages | None = None
    """How far the campaign has come; None if it is the record of a deck."""

    @property
    def box(self) -> dict[str, int]:
        """The figures of the box by their words."""
        return {PLAYED: self.played, WON: self.won, **self.counts}

    @property
    def facts(self) -> dict[str, Any]:
        """See `Record.facts`: the scenarios and things of a campaign are facts by their titles."""
        plain, campaign = super().facts, self.campaign
        if campaign is None:
            return plain
        del plain["campaign"]
        reached = {word: stage for word, stage in campaign.stages.items() if stage != UNLOCKED}
        scenarios = {campaign.title(word): stage for word, stage in reached.items()}
        return {**plain, "scenarios": scenarios, UNLOCKED: [*map(campaign.title, campaign.of_stage(UNLOCKED))]}


def record(game: str, marks: Sequence[Mark]) -> InscribedRecord:
    """Return the record computed from the marks, with corrections applied.

    Raises RuleError if the marks do not begin with a founding.
    """
    deck = InscribedRecord(game, "")
    for _, mark in effective(marks):
        if not isinstance(mark, Done):
            deck = msgspec.structs.replace(deck, **_CHANGES[type(mark)](deck, mark))
    if not deck.name:
        raise RuleError(phrase("A deck's record begins with its founding, and this one does not."))
    return deck


def _apply_founding(_: InscribedRecord, mark: Founded) -> dict[str, Any]:
    return {
        "name": mark.name,
        "holder": mark.holder,
        "holders": (mark.holder,) if mark.holder else (),
        "person": mark.person,
        "answers": mark.answers,
        "campaign": mark.campaign,
        "counts": mark.counts,
    }


def _apply_adoption(_: InscribedRecord, mark: Adopted) -> dict[str, Any]:
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
        "campaign": mark.campaign,
    }


def without_inscription(borne: Sequence[Borne], card: str, number: int) -> tuple[Borne, ...]:
    """Return the inscriptions without the last one of this number on a card."""
    at = next((at for at in reversed(range(len(borne))) if (borne[at].card, borne[at].number) == (card, number)), None)
    return tuple(borne) if at is None else (*borne[:at], *borne[at + 1 :])


def _apply_crossing_out(deck: InscribedRecord, mark: CrossedOut) -> dict[str, Any]:
    left = without_inscription(deck.borne, mark.card, mark.number)
    gone = tuple(each for each in deck.borne if (each.card, each.number) == (mark.card, mark.number))[-1:]
    return {"borne": left, "lost": (*deck.lost, *gone)}


def _apply_tearing_up(deck: InscribedRecord, mark: TornUp) -> dict[str, Any]:
    gone = tuple(each for each in deck.borne if each.card == mark.card)
    left = tuple(each for each in deck.borne if each.card != mark.card)
    return {"borne": left, "lost": (*deck.lost, *gone), "torn": (*deck.torn, mark.card)}


def _apply_recount(deck: InscribedRecord, mark: Recounted) -> dict[str, Any]:
    counts = {word: figure for word, figure in mark.figures.items() if word not in (PLAYED, WON)}
    return {
        "played": mark.figures.get(PLAYED, deck.played),
        "won": mark.figures.get(WON, deck.won),
        "counts": {**deck.counts, **counts},
    }


def _apply_campaign_game(deck: InscribedRecord, mark: CampaignGame) -> dict[str, Any]:
    return {
        "played": deck.played + 1,
        "won": deck.won + (mark.result == "won"),
        "counts": {**deck.counts, **mark.figures},
    }


def _apply_stage(deck: InscribedRecord, mark: CampaignStage) -> dict[str, Any]:
    campaign = deck.campaign or CampaignStages()
    return {"campaign": campaign.with_stage(mark.word, mark.stage, mark.title)}


_CHANGES: Final[Mapping[type[Mark], Callable[[InscribedRecord, Any], dict[str, Any]]]] = {
    Founded: _apply_founding,
    Adopted: _apply_adoption,
    Inscribed: lambda deck, mark: {"borne": (*deck.borne, mark.borne)},
    CrossedOut: _apply_crossing_out,
    TornUp: _apply_tearing_up,
    Played: lambda deck, mark: {"played": deck.played + 1, "won": deck.won + (mark.result == "won")},
    Counted: lambda deck, mark: {
        "counts": {**deck.counts, mark.figure: max(0, deck.counts.get(mark.figure, 0) + mark.amount)}
    },
    Recounted: _apply_recount,
    Tale: lambda *_: {},
    CampaignGame: _apply_campaign_game,
    CampaignStage: _apply_stage,
    Renamed: lambda _, mark: {"name": mark.name},
    HandedOn: lambda deck, mark: {
        "holder": mark.holder,
        "person": mark.person,
        "holders": (*deck.holders, mark.holder),
    },
    Retired: lambda *_: {"retired": True},
}
