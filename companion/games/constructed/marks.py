"""The marks that a constructed deck's life is made of. Data only: what they add up to stands in `record`."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from companion.games import records
from companion.games.deck_cards import DeckCard
from companion.games.reasons import Said
from companion.games.records import Mark

Result = Literal["won", "lost", "draw"]


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
    drawn: int = 0
    retired: bool = False
    by: str = ""
    story: str = ""
    length: int = 0
    omitted: tuple[str, ...] = ()


class Rebuilt(Mark, frozen=True, tag="rebuilt"):
    """Another version of the deck: the whole list as it is from here on, and why."""

    cards: tuple[DeckCard, ...]
    reason: Said = ""
    by: str = ""


class Opponent(msgspec.Struct, frozen=True):
    """Somebody played against, with the deck where it is stored: its id, its name, its version then."""

    name: str
    deck: str = ""
    called: str = ""
    version: int = 0


class Played(Mark, frozen=True, tag="played"):
    """A match: who played the deck, which version, against whom, how it ended, and after how many turns."""

    player: str
    version: int
    opponents: tuple[Opponent, ...]
    result: Result
    turns: int = 0


class Renamed(Mark, frozen=True, tag="renamed"):
    """The deck has another name."""

    name: str
    reason: Said
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
