"""An action as far as it is known: what a question of the table carries, and what choices complete."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from companion.games.action import Action
from companion.games.notation import Argument, grammar


class Draft(msgspec.Struct, frozen=True):
    """An action of which only some fields are `given`. `note` says in a few words what it leads to or costs.

    `asks` are fields that the line could do without, but that this answer is about (`refill minion REF`).
    """

    action: type[Action]
    given: Mapping[str, Any] = MappingProxyType({})
    note: str = ""
    asks: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line as far as it is known, in table notation."""
        return grammar(self.action).write(self.given)

    @property
    def missing(self) -> tuple[Argument, ...]:
        """The arguments that must still be said, in the order of the line."""
        asked = (self.argument(field) for field in self.asks if field not in self.given)
        return (*grammar(self.action).missing(self.given), *asked)

    @property
    def wants(self) -> str:
        """What must still be said, as its shapes in the usage: `CARD INSCRIPTION`; "" where `line` is complete."""
        return " ".join(argument.words for argument in self.missing)

    def argument(self, field: str) -> Argument:
        """How the argument of a field stands in the line. Raises LookupError where the action has none such."""
        return next(argument for argument in grammar(self.action).arguments if argument.field == field)

    def having(self, field: str, value: Any) -> Draft:
        """The draft with one field more."""
        return Draft(self.action, {**self.given, field: value}, self.note, self.asks)

    def made(self) -> Action:
        """The action, once nothing is missing."""
        return self.action(**self.given)


def draft(action: type[Action], note: str = "", **given: Any) -> Draft:
    """`draft(Reveal, seat="ana")`"""
    return Draft(action, given, note)
