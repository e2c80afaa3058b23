"""The state of a table for the rules: the fields of every state, the players, and the resolution of one action."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from companion.tabletop.action import RuleError, Tell
from companion.tabletop.table.house_rules import HouseRules
from templates.languages.messages import Text, listed, phrase


class ExtraCounter(msgspec.Struct, frozen=True):
    """A counter that players added with `track`. `target` is `table`, a seat or a thing.

    `thing` tells a thing from any other that has the same target later; it is None for the table and seats.
    """

    target: str
    name: str
    value: int
    thing: Hashable = None


class TableClock(msgspec.Struct, frozen=True):
    """The clock of a table: whether it is there, whether it runs, and the minutes that seats have of their own."""

    is_on: bool = False
    is_running: bool = False
    minutes: Mapping[str, int] = {}


class State(msgspec.Struct, frozen=True):
    """The common fields of every game's state.

    They include the seed of the random numbers, the number of draws so far (by the program or the table), and the house
    rules in force.
    """

    seed: int | None = None
    draws: int = 0
    house: HouseRules = HouseRules()
    off_record: tuple[str, ...] = ()
    """The seats whose stored decks are played off the record: the seal writes nothing there."""
    kept_by_holder: tuple[str, ...] = ()
    """The seats whose decks changed hands elsewhere after they were given away here: the other holder keeps them."""
    held_elsewhere: Mapping[str, str] = {}
    """The present holders of decks that changed hands elsewhere during this game, by the seat that brought them."""
    face_down: tuple[str, ...] = ()
    """The seats whose secret choice lies face down, in the order in which they chose."""
    extra_counters: tuple[ExtraCounter, ...] = ()
    """The counters that players added, in the order in which they did."""
    clock: TableClock | None = None
    """The clock of the table; None if nobody has asked for one."""
    left_out: tuple[Text, ...] = ()
    """Sentences about events here that the records leave out, because they disagree by now."""

    @property
    def outcome(self) -> str | None:
        """The winner or the way the game ended; None while it goes on."""
        return None

    @property
    def tracks_all(self) -> bool:
        """Return True if everything on the table is tracked."""
        return True

    @property
    def keeps_secrets(self) -> bool:
        """Return True if face-down cards are still shown to their owners alone."""
        return self.outcome is None


Table = TypeVar("Table", bound=State)


class Resolution(Generic[Table]):
    """The resolution of one action: the table so far, and the sentences about what happened."""

    __slots__ = ("state", "tells")

    def __init__(self, state: Table) -> None:
        self.state = state
        self.tells: list[Tell] = []

    def change(self, **fields: Any) -> None:
        """Change fields of the table."""
        self.state = msgspec.structs.replace(self.state, **fields)

    def tell(
        self,
        text: Text,
        seat: str = "",
        by_hand: bool = False,
        lasting: bool = False,
        decides: bool = False,
        own: Text = "",
        now: bool = False,
    ) -> None:
        """Report an event.

        `by_hand`: a player must now do it with real cards. `own` is the text for its seat alone. `now`: it announces
        the next turn or the next thing to face.
        """
        self.tells.append(Tell(text, seat, by_hand, lasting, decides, own, now))


class Seated(Protocol):
    """A player at a table, by the word that lines use."""

    @property
    def seat(self) -> str:
        """The word of their seat."""
        ...


Person = TypeVar("Person", bound=Seated)


def at_seat(people: Sequence[Person], seat: str) -> Person:
    """Return the player at a seat. Raises RuleError if there is none."""
    for person in people:
        if person.seat == seat:
            return person
    if not people:
        raise RuleError(phrase("Nobody sits at “{seat}”; nobody is at the table yet.", seat=seat))
    seats = listed(person.seat for person in people)
    raise RuleError(phrase("Nobody sits at “{seat}”; the seats are: {seats}.", seat=seat, seats=seats))


def put_at_seat(people: Sequence[Person], person: Person) -> tuple[Person, ...]:
    """Return the players with one more after the last one, or in place of the player with that seat."""
    if any(each.seat == person.seat for each in people):
        return tuple(person if each.seat == person.seat else each for each in people)
    return (*people, person)


def clockwise_from(people: tuple[Person, ...], seat: str) -> tuple[Person, ...]:
    """Return all players clockwise, from the one at a seat; in the given order if nobody sits there."""
    for index, person in enumerate(people):
        if person.seat == seat:
            return people[index:] + people[:index]
    return people


def with_seat(people: tuple[Person, ...], seat: str, **fields: Any) -> tuple[Person, ...]:
    """Return all players, with some fields of the player at a seat changed."""
    everybody: tuple[Any, ...] = people
    for index, one in enumerate(everybody):
        if one.seat == seat:
            return (*everybody[:index], msgspec.structs.replace(one, **fields), *everybody[index + 1 :])
    return people
