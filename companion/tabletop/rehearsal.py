"""Rehearsals: games played by simulated people; what is rehearsed, by what chance, and what comes of it.

A game that can be rehearsed gives a `Rehearsal`: its temperaments, its figures, and what plays one unit (a match, an
evening, a campaign). Everything here is plain data and arithmetic, so that a unit is the same on any machine. What its
simulated people know may help at a table, too: a game's `Adviser` says what one of them would do.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import blake2b
from math import inf
from struct import Struct
from typing import Any, Final, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from companion.tabletop.action import RuleError
from companion.tabletop.common_actions import Coach

T = TypeVar("T")


class Setting(msgspec.Struct, frozen=True):
    """What is rehearsed; with a seed and a number it says all of a unit. Goes through JSON to workers and archives."""

    game: str
    players: int
    rules: tuple[tuple[str, str], ...] = ()
    """House rules, KEY and VALUE, sorted by key."""
    temperaments: tuple[str, ...] = ("random",)
    """Of each seat, beginning anew where there are fewer than seats."""
    evenings: int = 1
    """How many evenings the decks of one unit live through."""
    decks: tuple[str, ...] = ()
    """What decks are played, as text that the game reads: one a seat, beginning anew where there are fewer."""
    effort: int = 0
    """How many continuations a thinker tries for each choice; 0 for as many as its game finds usual."""
    edition: int = 0
    """Of the game's rules; 0 for the present one."""
    homebrew: str = ""
    """The text of a homebrew that is played with; nothing besides this setting has to be at hand for it."""
    without: tuple[str, ...] = ()
    """Effects of the game, by name, that do nothing; cards bear them as ever."""

    def temperament(self, place: int) -> str:
        """Who sits at a place, counted from 0."""
        return self.temperaments[place % len(self.temperaments)]


_PREFIX: Final = Struct(">qqq")
_LATER: Final = Struct(">q")
_DRAWS: Final = Struct(">8Q")
_PER_BLOCK: Final = 8
_BITS: Final = 64


class Stream:
    """Draws for one purpose: what lies before the purpose, and the digest of it, decide them all."""

    __slots__ = ("_block", "_draws", "_hasher")

    def __init__(self, hasher: Any) -> None:
        self._hasher = hasher
        self._block = 0
        self._draws: list[int] = []

    def _refill(self) -> None:
        hasher = self._hasher.copy()
        hasher.update(b"%d" % self._block)
        self._block += 1
        self._draws = [*reversed(_DRAWS.unpack(hasher.digest()))]

    def below(self, most: int) -> int:
        """A whole number from 0 to `most` − 1, each as likely."""
        if not self._draws:
            self._refill()
        return (self._draws.pop() * most) >> _BITS

    def choice(self, options: Sequence[T]) -> T:
        """One of several, each as likely."""
        return options[self.below(len(options))]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put a list into an order, each as likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Several different ones, in the order of the draw."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(count)]


class Chance:
    """The chance of one unit, by purpose.

    What a stream draws depends on seed, number, evening and purpose alone, never on what was drawn for another purpose:
    two settings that are compared deal and flip the same cards, whatever else they draw meanwhile. It
    is blake2b, so that no version of Python and no machine draws otherwise.
    """

    __slots__ = ("_branch", "_evening", "_hasher", "number", "seed")

    def __init__(self, seed: int, number: int, branch: int = 0, evening: int = 1) -> None:
        self.seed = seed
        self.number = number
        self._branch = branch
        self._evening = evening
        later = _LATER.pack(evening) if evening > 1 else b""
        self._hasher = blake2b(_PREFIX.pack(seed, number, branch) + later, digest_size=_DRAWS.size)

    def stream(self, *purpose: str | int) -> Stream:
        """The draws for a purpose: `stream("deal", "ana")`."""
        hasher = self._hasher.copy()
        hasher.update(("\0".join(map(str, purpose)) + "\1").encode())
        return Stream(hasher)

    def branch(self, number: int) -> Chance:
        """Another chance of the same unit (from 1): what a thinker imagines is not what comes."""
        return Chance(self.seed, self.number, number, self._evening)

    def evening(self, number: int) -> Chance:
        """The chance of an evening of the same unit (from 1, which is that of a unit of one evening)."""
        return Chance(self.seed, self.number, self._branch, number)


Kind = Literal["share", "mean", "ratio", "part"]


class Figure(msgspec.Struct, frozen=True):
    """One figure of the catalogue. Its key is for ever: it stands in stored rehearsals.

    A `share` is 0 or 1 a unit, a `mean` a number a unit, a `ratio` so many for each of so many (rounds a fight), and a
    `part` how many of so many it is true of (attacks that were dodged). `unit` is what
    it counts, `text` says what it means and how it is counted. A `step` is by how much a single event may move the
    numerator of a unit, also an event that nobody has seen yet: all of what is counted where a game may end at once.
    """

    key: str
    title: str
    kind: Kind
    unit: str
    text: str
    step: float = 1
    most: float = inf
    """The most that a unit can have."""

    @property
    def is_part(self) -> bool:
        """Whether it is read in per cent."""
        return self.kind in ("share", "part")


class Temperament(msgspec.Struct, frozen=True):
    """How a simulated person plays: a permanent name, and an honest paragraph."""

    name: str
    text: str
    thinks: bool = False
    """Whether they try continuations, as many as a setting's effort says: a game of theirs lasts seconds."""


Counts = dict[str, tuple[float, float]]


class Outcome(msgspec.Struct, frozen=True):
    """What came of one unit.

    Each figure is a numerator and a denominator (1 for shares and means); `tables` are figures by name: kills by kind
    of card, points by seat. A figure whose denominator is 0 says nothing in this unit.
    """

    figures: Counts
    tables: dict[str, Counts] = {}
    lines: tuple[str, ...] = ()
    """The notation of all of it, where it was asked for: of several evenings each from its `table` line on."""


class FigureTally:
    """Numerators and denominators of one unit, added up line by line; a game says what is counted."""

    def __init__(self, figures: Sequence[Figure], tables: Sequence[Figure]) -> None:
        self.counts: dict[str, list[float]] = {figure.key: [0, 0] for figure in figures}
        self.tables: dict[str, dict[str, list[float]]] = {table.key: {} for table in tables}

    def count(self, key: str, numerator: float, denominator: float = 1) -> None:
        """Add to a figure."""
        both = self.counts[key]
        both[0] += numerator
        both[1] += denominator

    def count_name(self, table: str, name: str, numerator: float, denominator: float = 0) -> None:
        """Add to a figure of a table."""
        both = self.tables[table].setdefault(name, [0, 0])
        both[0] += numerator
        both[1] += denominator

    def total(self, lines: tuple[str, ...] = ()) -> Outcome:
        """All that was counted, names in order."""
        figures: Counts = {key: (both[0], both[1]) for key, both in self.counts.items()}
        tables: dict[str, Counts] = {
            key: {name: (both[0], both[1]) for name, both in sorted(table.items())}
            for key, table in self.tables.items()
        }
        return Outcome(figures, tables, lines)


class Rehearsal(Protocol):
    """What a game gives to be rehearsed."""

    @property
    def usual_players(self) -> int:
        """How many play where nobody says it."""
        ...

    @property
    def usual_temperaments(self) -> tuple[str, ...]:
        """The people who play by default, by name: those who win some games and lose some."""
        ...

    @property
    def temperaments(self) -> tuple[Temperament, ...]:
        """Who can play it."""
        ...

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What it counts, in the order of a report."""
        ...

    @property
    def tables(self) -> tuple[Figure, ...]:
        """What it counts by name."""
        ...

    def check(self, setting: Setting) -> None:
        """Raises RuleError with one sentence where a setting cannot be rehearsed."""
        ...

    def remarks(self, setting: Setting) -> tuple[str, ...]:
        """What a report says of a setting that was checked, a sentence each: what of its decks is not computed."""
        ...

    def play(self, setting: Setting, chance: Chance, keep_lines: bool = False) -> Outcome:
        """One unit of a setting that was checked."""
        ...


@runtime_checkable
class RemovableEffects(Protocol):
    """A rehearsal that can be played without one of the effects that its cards bear."""

    def find_effect(self, text: str) -> str:
        """The name of an effect, from what people write. Raises NotationError where there is none such."""
        ...


class Advice(msgspec.Struct, frozen=True):
    """What somebody is advised to do now, in a sentence, and why, with the odds, in one or several."""

    text: str
    reason: str


class Adviser(Protocol):
    """What a game gives to be asked at a table what would help now."""

    def advise(self, state: Any, question: Coach, chance: Chance) -> Iterator[Advice]:
        """The advice for a seat, from what is known to it and what it says, better weighed each time; it ends once it
        is weighed as well as it ever is. Raises RuleError, before the first one, where nothing can be advised now.
        """
        ...


def check_names(setting: Setting, temperaments: Sequence[Temperament], places: range) -> None:
    """Raises RuleError where so many cannot play, or no temperament is called so."""
    if setting.players not in places:
        many = f"{places[0]} to {places[-1]}" if len(places) > 1 else f"{places[0]}"
        raise RuleError(f"{many} people play this, not {setting.players}.")
    names = [temperament.name for temperament in temperaments]
    for name in setting.temperaments:
        if name not in names:
            raise RuleError(f"There is no temperament “{name}”; known are {', '.join(names)}.")
    if not setting.temperaments:
        raise RuleError(f"Nobody plays; name a temperament: {', '.join(names)}.")
