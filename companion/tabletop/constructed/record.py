"""What a constructed deck's marks are, and what they add up to: its list today, its versions, its matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from companion.tabletop import records
from companion.tabletop.action import RuleError
from companion.tabletop.constructed.evening import Duel
from companion.tabletop.decklist import DeckCard
from companion.tabletop.keeping import ListVersion
from companion.tabletop.match_result import MatchScore, Result
from companion.tabletop.records import DeckFigure, Mark, ReasonOrText, Record, effective


class Built(Mark, frozen=True, tag="built"):
    """The deck's first mark: its list, and who built it.

    A deck that came with its passport knows the story it had elsewhere by its `length` and the hash of its last entry
    (`story`), with the version it had then and its matches; `omitted` is what the passport had no room for.
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
    """Another version of the deck: the whole list as it is from here on, and why."""

    cards: tuple[DeckCard, ...]
    reason: ReasonOrText = ""
    by: str = ""


class Opponent(msgspec.Struct, frozen=True):
    """Somebody played against, with the deck where it is stored: its id, its name, its version then."""

    name: str
    deck: str = ""
    called: str = ""
    version: int = 0
    person: str = ""
    final: dict[str, int] = msgspec.field(default_factory=dict)
    """What they had left, as in `Played`."""


class GamesWon(msgspec.Struct, frozen=True):
    """A match of several games, as the deck's record has it: games won and lost so far, the present one included."""

    best_of: int
    game: int
    won: int
    lost: int

    @classmethod
    def of(cls, score: MatchScore, seat: str) -> GamesWon | None:
        """As a seat has it; None where one game was the match."""
        if score.best_of == 1:
            return None
        won = score.wins.get(seat, 0)
        return cls(score.best_of, score.game, won, max((w for s, w in score.wins.items() if s != seat), default=0))


class Played(Mark, frozen=True, tag="played"):
    """A match: who played the deck, which version, against whom, how it ended, and after how many turns.

    `person` is who that is, where it is known; `final` what they had left, by the words of the game's counters
    (`life`, `level`); `score` where the match of several games stood after this one, None where it was one game alone.
    `evening` is how it went; None in records of before evenings were kept.
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


class ConstructedCorrected(records.Corrected, frozen=True, tag="corrected"):
    """A correction that knows which marks a constructed deck can bear in place of another."""

    instead: Built | Rebuilt | Played | Renamed | HandedOn | Retired | None = None


MARKS: Final[tuple[type[Mark], ...]] = (Built, Rebuilt, Played, Renamed, HandedOn, Retired, ConstructedCorrected)


class ConstructedRecord(Record, frozen=True):
    """A constructed deck as it is today. `version` counts its lists from 1."""

    version: int = 1
    won: int = 0
    lost: int = 0
    draws: int = msgspec.field(default=0, name="drawn")
    cards: tuple[DeckCard, ...] = ()
    omitted: tuple[str, ...] = ()
    """What its passport had no room for, and nobody knows since."""

    @property
    def figures(self) -> tuple[DeckFigure, ...]:
        """By which people know it in a list."""
        return (
            DeckFigure("version", "Version", self.version),
            DeckFigure("won", "Won", self.won),
            DeckFigure("lost", "Lost", self.lost),
        )


def record(game: str, marks: Sequence[Mark]) -> ConstructedRecord:
    """A deck's marks added up, corrections heeded. Raises RuleError where they do not begin with its list."""
    counting = list(effective(marks))
    if not counting or not isinstance(counting[0][1], Built):
        raise RuleError("A constructed deck's record begins with its list, and this one does not.")
    deck = _built(game, counting[0][1])
    for _, mark in counting[1:]:
        deck = msgspec.structs.replace(deck, **_changed(deck, mark))
    return deck


def _built(game: str, mark: Built) -> ConstructedRecord:
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


def _changed(deck: ConstructedRecord, mark: Mark) -> dict[str, object]:
    """What one mark changes of a deck."""
    match mark:
        case Rebuilt(cards):
            return {"cards": cards, "version": deck.version + 1, "omitted": ()}
        case Played():
            count = _COUNTS[mark.result]
            return {count: getattr(deck, count) + 1}
        case Renamed(name):
            return {"name": name}
        case HandedOn(holder, person):
            return {"holder": holder, "person": person, "holders": (*deck.holders, holder)}
        case Retired():
            return {"retired": True}
    return {}


def versions(marks: Sequence[Mark]) -> tuple[ListVersion, ...]:
    """The lists of a deck's life, oldest first; what was corrected away is none of them."""
    lists: list[ListVersion] = []
    for number, mark in effective(marks):
        if isinstance(mark, Built):
            lists.append(ListVersion(mark.version, number, mark.cards))
        elif isinstance(mark, Rebuilt):
            lists.append(ListVersion(lists[-1].version + 1 if lists else 1, number, mark.cards))
    return tuple(lists)
