"""What a game is: a vocabulary of actions, and pure functions from a state and an action to the next state.

Nothing in this room knows a screen, a file, a database, a clock or global randomness.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

import msgspec

from companion.games.review import PlayedAction, Review

if TYPE_CHECKING:
    from companion.games.records import Mark, Payment, Record
    from companion.games.table import TableView

DeckId = str
"""The 13 symbols of a deck's id; see `companion.archive.deck_id`."""


class NotationError(ValueError):
    """A line that cannot be read."""


class RuleError(ValueError):
    """An action that is against the rules; the message names the rule and the way out."""


def written_out(name: str) -> str:
    """Stands where a class has no tag of its own: what is stored under a tag must not change with a class name."""
    if name in ("Action", "Mark"):
        return name.lower()
    raise TypeError(f'{name} needs a tag: class {name}(…, frozen=True, tag="…")')


class Action(msgspec.Struct, frozen=True, tag_field="verb", tag=written_out):
    """One thing done at the table, as one line of notation; its `tag` is the verb, and lasts as long as any log.

    A subclass names its arguments and their kinds once (see `companion.games.notation`); its docstring is its help.
    """

    @classmethod
    def verb(cls) -> str:
        """The first word of the line."""
        return str(cls.__struct_config__.tag)


class State(msgspec.Struct, frozen=True):
    """What every game's state has: the seed of its chance, and how many draws chance (or the table) has made so far."""

    seed: int | None = None
    drawn: int = 0


class Tell(msgspec.Struct, frozen=True):
    """A sentence of what happened. Never stored; replay derives it again.

    `seat` is whom it concerns ("" for the table); `by_hand` says that somebody must now do it with real cards, and
    `lasting` that it stays on them: it may be stuck or crossed out before anybody thinks of `undo`.
    """

    text: str
    seat: str = ""
    by_hand: bool = False
    lasting: bool = False


def permanent_changes(tells: Iterable[Tell]) -> tuple[str, ...]:
    """What people may have stuck, written or crossed out for good by now, in sentences; before it is undone, ask."""
    return tuple(tell.text for tell in tells if tell.lasting)


class Step(NamedTuple):
    """What `apply` gives back: the next state, and what there is to tell of the way there."""

    state: Any
    tells: tuple[Tell, ...] = ()


class Game(Protocol):
    """One game's rules. Every method is pure.

    A game whose decks are not kept inherits from this and leaves out what has to do with records; one in which nothing
    is left to chance leaves out `resolve`.
    """

    name: ClassVar[str]
    """The word after `table`."""
    title: ClassVar[str]
    credit: ClassVar[str] = ""
    """Whose game it is and under which licence, for the screen and for what is printed of it."""
    actions: ClassVar[tuple[type[Action], ...]]
    """The vocabulary, besides the lines of the log itself (`undo`, `redo`, `amend`)."""
    mark_types: ClassVar[tuple[type[Mark], ...]] = ()

    def new(self) -> Any:
        """The empty table, before set-up."""
        ...

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:  # noqa: ARG002 – what a game may need
        """Fill in what chance decides, so that the action replays to the same table for ever.

        Raises RuleError where the draw itself is against the rules.
        """
        return action

    def apply(self, state: Any, action: Action) -> Step:
        """The table after a complete action. Raises RuleError and changes nothing where the rules forbid it."""
        ...

    def view(self, state: Any) -> TableView:
        """What to show of this state."""
        ...

    def setup_lines(self, seat: str, record: Record, coppers: int = 0) -> tuple[Action, ...]:  # noqa: ARG002 – what a game may need
        """The set-up lines that put a stored deck before a seat, so that the log replays without the archive.

        `coppers` is what the person's purse holds.
        The first seats it, and says more of the deck than its id: an id alone asks for the deck to be looked up.
        """
        raise RuleError(f"{self.title} is played without stored decks; seat people by their names.")

    def marks(self, state: Any) -> Mapping[DeckId, tuple[Mark, ...]]:  # noqa: ARG002 – what a game may need
        """What a sealed game writes into its decks' records; empty as long as it is not sealed."""
        return {}

    def purses(self, state: Any) -> tuple[Payment, ...]:  # noqa: ARG002 – what a game may need
        """What a sealed game puts into its people's purses or takes out of them; empty as long as it is not sealed."""
        return ()

    def review(self, played: Sequence[PlayedAction]) -> Review:  # noqa: ARG002 – what a game may need
        """What an evening shows about the rules."""
        return Review()

    def record(self, marks: tuple[Mark, ...]) -> Record:  # noqa: ARG002 – what a game may need
        """What a deck's marks add up to: the deck as it is today."""
        raise RuleError(f"{self.title} is played without stored decks.")

    def story(self, marks: tuple[Mark, ...]) -> tuple[str, ...]:  # noqa: ARG002 – what a game may need
        """A sentence a mark, oldest first."""
        return ()
