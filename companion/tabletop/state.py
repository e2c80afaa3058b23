"""A table as rules see it: what every state holds, who sits there, and what one action sets in motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from companion.tabletop.action import RuleError, Tell
from companion.tabletop.house_rules import HouseRules


class State(msgspec.Struct, frozen=True):
    """What every game's state has: the seed of its chance, how many draws chance (or the table) has made so far, and
    the house rules in force.
    """

    seed: int | None = None
    draws: int = 0
    house: HouseRules = HouseRules()
    off_record: tuple[str, ...] = ()
    """The seats whose stored decks are played on without their records: the seal writes nothing there."""
    kept_by_holder: tuple[str, ...] = ()
    """The seats whose decks went to somebody else elsewhere, after they were given away here: that holds."""
    held_elsewhere: Mapping[str, str] = {}
    """The present holder of a deck, by the seat that brought it, where it changed hands elsewhere during this game."""
    left_out: tuple[str, ...] = ()
    """Sentences on what happened here and is left out of the records, which say otherwise by now."""

    @property
    def outcome(self) -> str | None:
        """Who has won, or how the game ended; None while it goes on."""
        return None

    @property
    def tracks_all(self) -> bool:
        """Return True where all that lies on the table is tracked."""
        return True

    @property
    def keeps_secrets(self) -> bool:
        """Whether what lies face down is still told to its owner alone."""
        return self.outcome is None


Table = TypeVar("Table", bound=State)


class Resolution(Generic[Table]):
    """What one action sets in motion: the table so far, and what there is to tell of it."""

    __slots__ = ("state", "tells")

    def __init__(self, state: Table) -> None:
        self.state = state
        self.tells: list[Tell] = []

    def change(self, **fields: Any) -> None:
        """Change fields of the table."""
        self.state = msgspec.structs.replace(self.state, **fields)

    def tell(
        self,
        text: str,
        seat: str = "",
        by_hand: bool = False,
        lasting: bool = False,
        decides: bool = False,
        own: str = "",
        now: bool = False,
    ) -> None:
        """Say what happened; `by_hand` where somebody must now do it with real cards, `own` to its seat alone, `now`
        whose turn comes or what is faced from here on.
        """
        self.tells.append(Tell(text, seat, by_hand, lasting, decides, own, now))


class Seated(Protocol):
    """Somebody at a table, by the word that lines use."""

    @property
    def seat(self) -> str:
        """Their seat."""
        ...


Person = TypeVar("Person", bound=Seated)


def at_seat(people: Sequence[Person], seat: str) -> Person:
    """Who sits at a seat. Raises RuleError where nobody does."""
    for person in people:
        if person.seat == seat:
            return person
    seats = ", ".join(person.seat for person in people) or "nobody yet"
    raise RuleError(f"Nobody sits at “{seat}”; at the table are: {seats}.")


def put_at_seat(people: Sequence[Person], person: Person) -> tuple[Person, ...]:
    """People with one more, behind the last one; or in place of whoever has that seat."""
    if any(each.seat == person.seat for each in people):
        return tuple(person if each.seat == person.seat else each for each in people)
    return (*people, person)


def with_seat(people: tuple[Person, ...], seat: str, **fields: Any) -> tuple[Person, ...]:
    """Everybody, with fields changed of whoever sits at a seat."""
    everybody: tuple[Any, ...] = people
    for index, one in enumerate(everybody):
        if one.seat == seat:
            return (*everybody[:index], msgspec.structs.replace(one, **fields), *everybody[index + 1 :])
    return people
