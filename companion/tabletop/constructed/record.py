"""The marks of a constructed deck, and the record computed from them: its present list, its versions, its matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from companion.tabletop import records
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.evening import Duel
from companion.tabletop.decks.decklist import DeckCard
from companion.tabletop.decks.keeping import ListVersion
from companion.tabletop.records import DeckFigure, HandedOn, Mark, ReasonOrText, Record, Renamed, Retired, effective
from companion.tabletop.table.match_result import MatchScore, Result
from templates.languages.messages import phrase


class Built(Mark, frozen=True, tag="built"):
    """The first mark of a deck: its list, and its builder.

    A deck that came with a passport identifies its earlier story by its `length` and the hash of its last entry
    (`story`), and has its version and matches from then; `omitted` is what did not fit into the passport.
    """

    name: str
    holder: str
    cards: tuple[DeckCard, ...]
    person: str = ""
    version: int = 1
    won: int = 0
    lost: int = 0
    draws: int = msgspec.field(default=0, name="drawn")
    retired: bool = False
    by: str = ""
    story: str = ""
    length: int = 0
    omitted: tuple[str, ...] = ()


class Rebuilt(Mark, frozen=True, tag="rebuilt"):
    """Another version of the deck: the complete new list, and the reason."""

    cards: tuple[DeckCard, ...]
    reason: ReasonOrText = ""
    by: str = ""


class Opponent(msgspec.Struct, frozen=True):
    """An opponent, with the deck if it is stored: its id, its name, its version then."""

    name: str
    deck: str = ""
    called: str = ""
    version: int = 0
    person: str = ""
    final: dict[str, int] = msgspec.field(default_factory=dict)
    """Their final figures, as in `ConstructedPlayed`."""


class GamesWon(msgspec.Struct, frozen=True):
    """A match of several games in a deck's record: games won and lost so far, including the present one."""

    best_of: int
    game: int
    won: int
    lost: int

    @classmethod
    def of(cls, score: MatchScore, seat: str) -> GamesWon | None:
        """Return the score for a seat; None if the match is a single game."""
        if score.best_of == 1:
            return None
        won = score.wins.get(seat, 0)
        return cls(score.best_of, score.game, won, max((w for s, w in score.wins.items() if s != seat), default=0))


class ConstructedPlayed(Mark, frozen=True, tag="played"):
    """A match: the player, the version of the deck, the opponents, the result, and the number of turns.

    `person` is the id of the player, if it is known. `final` are the final figures, by the words of the game's counters
    (`life`, `level`). `score` is the score of the match of several games after this one, None for a single game.
    `evening` holds its facts; None in records older than these.
    """

    player: str
    version: int
    opponents: tuple[Opponent, ...]
    result: Result
    turns: int = 0
    person: str = ""
    final: dict[str, int] = msgspec.field(default_factory=dict)
    score: GamesWon | None = None
    evening: Duel | None = None


ConstructedRenamed = Renamed
ConstructedHandedOn = HandedOn
ConstructedRetired = Retired


class ConstructedCorrected(records.Corrected, frozen=True, tag="corrected"):
    """A correction with the types of mark that can replace another one of a constructed deck."""

    instead: (
        Built | Rebuilt | ConstructedPlayed | ConstructedRenamed | ConstructedHandedOn | ConstructedRetired | None
    ) = None


MARKS: Final[tuple[type[Mark], ...]] = (
    Built,
    Rebuilt,
    ConstructedPlayed,
    ConstructedRenamed,
    ConstructedHandedOn,
    ConstructedRetired,
    ConstructedCorrected,
)


class ConstructedRecord(Record, frozen=True):
    """The present state of a constructed deck. `version` counts its lists from 1."""

    version: int = 1
    won: int = 0
    lost: int = 0
    draws: int = msgspec.field(default=0, name="drawn")
    cards: tuple[DeckCard, ...] = ()
    omitted: tuple[str, ...] = ()
    """Contents that did not fit into its passport, and are unknown since."""

    @property
    def figures(self) -> tuple[DeckFigure, ...]:
        """Its figures in lists."""
        return (
            DeckFigure("version", "Version", self.version),
            DeckFigure("won", "Won", self.won),
            DeckFigure("lost", "Lost", self.lost),
        )


def record(game: str, marks: Sequence[Mark]) -> ConstructedRecord:
    """Return the record of a deck from its marks and corrections. Raises RuleError if the first mark is no list."""
    counting = list(effective(marks))
    if not counting or not isinstance(counting[0][1], Built):
        raise RuleError(phrase("The record of a constructed deck must begin with its list, but this one does not."))
    deck = _first_record(game, counting[0][1])
    for _, mark in counting[1:]:
        deck = msgspec.structs.replace(deck, **_changed_fields(deck, mark))
    return deck


def _first_record(game: str, mark: Built) -> ConstructedRecord:
    return ConstructedRecord(
        game,
        mark.name,
        mark.holder,
        retired=mark.retired,
        holders=(mark.holder,) if mark.holder else (),
        person=mark.person,
        version=mark.version,
        won=mark.won,
        lost=mark.lost,
        draws=mark.draws,
        cards=mark.cards,
        omitted=mark.omitted,
    )


_COUNTS: dict[Result, str] = {"won": "won", "lost": "lost", "draw": "draws"}


def _changed_fields(deck: ConstructedRecord, mark: Mark) -> dict[str, object]:
    """Return the fields of a deck that one mark changes."""
    match mark:
        case Rebuilt(cards):
            return {"cards": cards, "version": deck.version + 1, "omitted": ()}
        case ConstructedPlayed():
            count = _COUNTS[mark.result]
            return {count: getattr(deck, count) + 1}
        case ConstructedRenamed(name):
            return {"name": name}
        case ConstructedHandedOn(holder, person):
            return {"holder": holder, "person": person, "holders": (*deck.holders, holder)}
        case ConstructedRetired():
            return {"retired": True}
    return {}


def versions(marks: Sequence[Mark]) -> tuple[ListVersion, ...]:
    """Return the lists in the life of a deck, oldest first, without those that were corrected away."""
    lists: list[ListVersion] = []
    for number, mark in effective(marks):
        if isinstance(mark, Built):
            lists.append(ListVersion(mark.version, number, mark.cards))
        elif isinstance(mark, Rebuilt):
            lists.append(ListVersion(lists[-1].version + 1 if lists else 1, number, mark.cards))
    return tuple(lists)
