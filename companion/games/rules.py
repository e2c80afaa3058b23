"""What the rules of every game are made of: which action does what and when, and the table while one is carried out.

Separate from `game.py`, which says what others may ask of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from companion.games.action import RuleError, State, Tell
from companion.games.lines import Note, Rule

Table = TypeVar("Table", bound=State)


class ActionRule(NamedTuple):
    """What an action does, and in which steps; it gives the step that follows where it ends the present one."""

    steps: frozenset[str]
    act: Callable[[Any, Any], str | None]


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
        self, text: str, seat: str = "", by_hand: bool = False, lasting: bool = False, decides: bool = False
    ) -> None:
        """Say what happened; `by_hand` where somebody must now do it with real cards."""
        self.tells.append(Tell(text, seat, by_hand, lasting, decides))


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


def with_seat(people: tuple[Person, ...], seat: str, **fields: Any) -> tuple[Person, ...]:
    """Everybody, with fields changed of whoever sits at a seat."""
    everybody: tuple[Any, ...] = people
    return tuple(msgspec.structs.replace(one, **fields) if one.seat == seat else one for one in everybody)


def note(resolution: Resolution[Any], action: Note) -> None:
    """A note is told, and changes nothing."""
    resolution.tell(f"Note: {action.text}")


def agree(resolution: Resolution[Any], action: Rule) -> None:
    """A house rule, for this session. Raises RuleError naming the known keys or values."""
    resolution.change(house=resolution.state.house.agreed(action.key, action.value))
    resolution.tell(f"House rule: {action.key} {action.value}.")
