"""What can be chosen where an action lacks a field: of what a game proposes, exactly what its rules accept.

Separate from the rules, which say what is allowed once and need not say it again for every list on a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any, Protocol

import msgspec

from companion.games.action import Action, RuleError, Step
from companion.games.cards import PACK, SUITS, pretty
from companion.games.draft import Draft
from companion.games.kinds import CARD, COUNT, COUNTER, HANDLE, SEAT, SUIT, TARGET
from companion.games.notation import Argument
from companion.games.table import TableView


class Choice(msgspec.Struct, frozen=True):
    """One value for a field: `title` is what people call it ("" where the word itself does), `detail` what they need
    to know before they choose it: its price, what it does, who holds it, how many HP are left.
    """

    value: Any
    title: str = ""
    detail: str = ""


class Open(msgspec.Struct, frozen=True):
    """A field whose values nobody can list: a text, a number, cards that nobody has named.

    `what` says what is wanted, `least` and `most` bound a number (or how many there may be), and `example` is one value
    that fits, where the rules accept any.
    """

    what: str
    example: Any
    least: int | None = None
    most: int | None = None


Candidates = Iterable[Choice] | Open


class Rules(Protocol):
    """What choices are made of: the part of a game that proposes, completes and judges an action."""

    def candidates(self, state: Any, draft: Draft, field: str) -> Candidates:
        """What might stand in a field."""
        ...

    def resolve(self, state: Any, action: Action, rng: Random) -> Action:
        """Fill in what chance decides."""
        ...

    def apply(self, state: Any, action: Action) -> Step:
        """The table after it. Raises RuleError."""
        ...


def choices(game: Rules, state: Any, draft: Draft, field: str) -> tuple[Choice, ...] | Open:
    """What can stand in a field of a draft: all that the rules accept, in the game's order, or what kind it is of."""
    found = game.candidates(state, draft, field)
    if isinstance(found, Open):
        return found
    return tuple(choice for choice in found if accepts(game, state, draft.having(field, choice.value)))


def accepts(game: Rules, state: Any, draft: Draft) -> bool:
    """Whether the rules accept a draft, or can once what it lacks is said."""
    if not draft.missing:
        try:
            # A draw that chance decides is as legal as any other: which one it is does not matter here.
            game.apply(state, game.resolve(state, draft.made(), Random(0)))
        except RuleError:
            return False
        return True
    field = draft.missing[0].field
    found = game.candidates(state, draft, field)
    values = [found.example] if isinstance(found, Open) else [choice.value for choice in found]
    return any(accepts(game, state, draft.having(field, value)) for value in values)


def by_kind(view: TableView, draft: Draft, field: str) -> Candidates:
    """What the kind of a field alone says: everybody at the table, every card, every word that it knows."""
    argument = draft.argument(field)
    kind = argument.kind
    if argument.flag:
        return (Choice(True, argument.keyword), Choice(False, f"not {argument.keyword}"))
    if kind is SEAT:
        return tuple(Choice(seat.seat, seat.name) for seat in view.seats)
    if kind in (CARD, SUIT):
        return tuple(Choice(card, pretty(card)) for card in PACK) if kind is CARD else tuple(map(Choice, SUITS))
    if kind in (TARGET, HANDLE):
        return _targets(view, argument)
    if kind is COUNTER:
        return _counters(view, draft.given)
    if kind.choices:
        return tuple(map(Choice, kind.choices))
    return Open(kind.shape, 1 if kind is COUNT else "1", least=0 if kind is COUNT else None)


def _targets(view: TableView, argument: Argument) -> Iterable[Choice]:
    """Everything on the table that has a name of its own."""
    things = [Choice(thing.target, thing.title) for thing in view.things()]
    if argument.kind is TARGET:
        return (Choice("table"), *(Choice(seat.seat, seat.name) for seat in view.seats), *things)
    return [thing for thing in things if " " not in thing.value]


def _counters(view: TableView, given: Mapping[str, Any]) -> Iterable[Choice]:
    """The counters of the target that is named already."""
    found = view.counters_of(str(given.get("target", ""))) or ()
    return tuple(Choice(counter.name, counter.title, counter.text) for counter in found)
