"""Rehearsals: games with simulated players; their settings, their random numbers, and their results.

A game that can be rehearsed has a `Rehearsal`: its temperaments, its figures, and the function that plays one unit (a
match, an evening, a campaign). Everything here is plain data and arithmetic, so that a unit is the same on any machine.
The simulated players can also help at a table: a game's `Adviser` reports what one of them would do.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from hashlib import blake2b
from math import inf
from struct import Struct
from typing import Any, Final, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from companion.tabletop.action import Action, RuleError
from companion.tabletop.table.common_actions import Coach
from templates.languages.messages import Message, Text, declared, listed, phrase

T = TypeVar("T")


class RehearsalSetting(msgspec.Struct, frozen=True):
    """The setting of a rehearsal; a seed and a number make it one unit. Workers and archives get it as JSON."""

    game: str
    players: int
    rules: tuple[tuple[str, str], ...] = ()
    """House rules as pairs of KEY and VALUE, sorted by key."""
    temperaments: tuple[str, ...] = ("random",)
    """The temperament of each seat, repeated from the start if there are fewer than seats."""
    evenings: int = 1
    """The number of evenings that the decks of one unit play."""
    decks: tuple[str, ...] = ()
    """The decks as text that the game reads: one for each seat, repeated from the start if there are fewer."""
    effort: int = 0
    """The number of continuations that a thinker tries for each choice; 0 for the default of the game."""
    edition: int = 0
    """The edition of the game's rules; 0 for the present one."""
    homebrew: str = ""
    """The text of a homebrew in use; a rehearsal needs nothing besides this setting."""
    without: tuple[str, ...] = ()
    """Effects of the game, by name, that are disabled; cards still bear them."""

    def temperament(self, place: int) -> str:
        """Return the temperament at a place, counted from 0."""
        return self.temperaments[place % len(self.temperaments)]


_PREFIX: Final = Struct(">qqq")
_LATER: Final = Struct(">q")
_DRAWS: Final = Struct(">8Q")
_PER_BLOCK: Final = 8
_BITS: Final = 64


class Stream:
    """A stream of random numbers for one purpose, determined by the hash of its prefix and purpose."""

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
        """Return a whole number from 0 to `most` − 1, uniformly distributed."""
        if not self._draws:
            self._refill()
        return (self._draws.pop() * most) >> _BITS

    def choice(self, options: Sequence[T]) -> T:
        """Return one of several options, all with the same probability."""
        return options[self.below(len(options))]

    def choice_or_none(self, options: Sequence[T]) -> T | None:
        """Return one of several options, or None, all with the same probability."""
        chosen = self.below(len(options) + 1)
        return options[chosen] if chosen < len(options) else None

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle a list, with the same probability for each order."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """Return `count` different options, in the order of the draw."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(count)]


class Chance:
    """The random numbers of one unit, by purpose.

    A stream depends on seed, number, evening and purpose alone, never on draws for another purpose: two settings in a
    comparison deal and flip the same cards, even if their other draws differ. It uses blake2b, so the draws are the
    same on every machine and version of Python.
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
        """Return the stream for a purpose: `stream("deal", "ana")`."""
        hasher = self._hasher.copy()
        hasher.update(("\0".join(map(str, purpose)) + "\1").encode())
        return Stream(hasher)

    def branch(self, number: int) -> Chance:
        """Return another chance of the same unit (from 1), so that a thinker does not foresee the real draws."""
        return Chance(self.seed, self.number, number, self._evening)

    def evening(self, number: int) -> Chance:
        """Return the chance of an evening of the same unit (from 1, which equals that of a unit of one evening)."""
        return Chance(self.seed, self.number, self._branch, number)


Kind = Literal["share", "mean", "ratio", "part"]


class Figure(msgspec.Struct, frozen=True):
    """One figure of the catalogue. Its key never changes: stored rehearsals contain it.

    The `title`, `unit` and `text` are in English, as in data for programs; people read `caption`, `measure` and
    `explanation`.

    A `share` is 0 or 1 for each unit, a `mean` a number for each unit, a `ratio` a number for each of other things
    (rounds for each fight), and a `part` the number of things with a property (attacks that were dodged). `unit` is the
    unit of counting, `text` explains the figure and how it is counted. `step` is the maximum change of a unit's
    numerator by a single event, even one that has not occurred yet: the whole count if a game may end at once.
    """

    key: str
    title: str
    kind: Kind
    unit: str
    text: str
    step: float = 1
    most: float = inf
    """The maximum for a unit."""

    @property
    def caption(self) -> Message:
        """The title for display."""
        return declared(self.title)

    @property
    def measure(self) -> Message:
        """The unit for display."""
        return declared(self.unit)

    @property
    def explanation(self) -> Message:
        """The text for display."""
        return declared(self.text)

    @property
    def is_part(self) -> bool:
        """Return True if it is displayed as a percentage."""
        return self.kind in ("share", "part")


class Temperament(msgspec.Struct, frozen=True):
    """The temperament of a simulated player: a permanent name, and an honest paragraph."""

    name: str
    text: str
    thinks: bool = False
    """True if they try continuations, as many as the effort of a setting says: a game of theirs takes seconds."""

    @property
    def explanation(self) -> Message:
        """The text for display."""
        return declared(self.text)


Counts = dict[str, tuple[float, float]]


class UnitOutcome(msgspec.Struct, frozen=True):
    """The result of one unit.

    Each figure is a numerator and a denominator (1 for shares and means); `tables` are figures by name: kills by kind
    of card, points by seat. A figure whose denominator is 0 does not count in this unit.
    """

    figures: Counts
    tables: dict[str, Counts] = {}
    lines: tuple[str, ...] = ()
    """The notation of the unit, on request; each of several evenings begins with its `table` line."""


class FigureTally:
    """Numerators and denominators of one unit, added up line by line; the game does the counting."""

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

    def total(self, lines: tuple[str, ...] = ()) -> UnitOutcome:
        """Return the outcome with all counts, names in order."""
        figures: Counts = {key: (both[0], both[1]) for key, both in self.counts.items()}
        tables: dict[str, Counts] = {
            key: {name: (both[0], both[1]) for name, both in sorted(table.items())}
            for key, table in self.tables.items()
        }
        return UnitOutcome(figures, tables, lines)


class Rehearsal(Protocol):
    """The rehearsal of a game."""

    @property
    def usual_players(self) -> int:
        """The default number of players."""
        ...

    @property
    def usual_temperaments(self) -> tuple[str, ...]:
        """The default temperaments, by name: players who win some games and lose some."""
        ...

    @property
    def temperaments(self) -> tuple[Temperament, ...]:
        """The available temperaments."""
        ...

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures that it counts, in the order of a report."""
        ...

    @property
    def tables(self) -> tuple[Figure, ...]:
        """The figures that it counts by name."""
        ...

    def check(self, setting: RehearsalSetting) -> None:
        """Raise RuleError with one sentence if a setting cannot be rehearsed."""
        ...

    def remarks(self, setting: RehearsalSetting) -> tuple[Text, ...]:
        """Return the remarks of a report about a checked setting, a sentence each, such as uncomputed cards."""
        ...

    def play(self, setting: RehearsalSetting, chance: Chance, keep_lines: bool = False) -> UnitOutcome:
        """Play one unit of a setting that was checked."""
        ...


@runtime_checkable
class RemovableEffects(Protocol):
    """A rehearsal that can disable one of the effects of its cards."""

    def find_effect(self, text: str) -> str:
        """Return the name of an effect from user input. Raises NotationError if there is none."""
        ...


class Advice(msgspec.Struct, frozen=True):
    """A recommendation for a player as a sentence, and its reason, with the odds, in one or several.

    `action` does it, if a line can say it; `offer` is that with its odds, for a button. `own_text` and `own_reason` are
    what players read about their own seat, beside the offer; `text` and `reason` if they are empty.
    """

    text: Text
    reason: Text
    action: Action | None = None
    offer: Text = ""
    own_text: Text = ""
    own_reason: Text = ""

    def for_own_seat(self) -> Advice:
        """Return the advice as the player reads it whom it is about."""
        return msgspec.structs.replace(self, text=self.own_text or self.text, reason=self.own_reason or self.reason)


class Adviser(Protocol):
    """The part of a game that recommends actions to players at a table."""

    def advise(self, state: Any, question: Coach, chance: Chance) -> Iterator[Advice]:
        """Yield advice for a seat from its own view of the table and its question, each item weighed better.

        It ends when further weighing would change nothing. Raises RuleError, before the first item, if there is nothing
        to advise now.
        """
        ...


def check_names(setting: RehearsalSetting, temperaments: Sequence[Temperament], places: range) -> None:
    """Raise RuleError if the number of players is wrong, or a temperament is unknown."""
    if setting.players not in places:
        many = phrase("{least} to {most}", least=places[0], most=places[-1]) if len(places) > 1 else str(places[0])
        # Translators: {numbers} is a number or “2 to 4”.
        raise RuleError(
            phrase("{numbers} people play this, not {players}.", numbers=many, players=str(setting.players))
        )
    names = [temperament.name for temperament in temperaments]
    for name in setting.temperaments:
        if name not in names:
            raise RuleError(
                phrase("There is no temperament “{name}”; there are {names}.", name=name, names=listed(names))
            )
    if not setting.temperaments:
        raise RuleError(phrase("Nobody plays; name at least one temperament: {names}.", names=listed(names)))
